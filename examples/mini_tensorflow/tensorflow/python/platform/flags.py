# Mirrors tensorflow/python/platform/flags.py.
