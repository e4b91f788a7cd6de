# Mirrors tensorflow/python/eager/context_test.py.
