# Mirrors tensorflow/python/training/saver.py.
