# Mirrors tensorflow/python/training/optimizer.py.
