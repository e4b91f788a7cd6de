# Mirrors tensorflow/python/eager/function.py.
