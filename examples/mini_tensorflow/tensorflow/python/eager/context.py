# Mirrors tensorflow/python/eager/context.py.
