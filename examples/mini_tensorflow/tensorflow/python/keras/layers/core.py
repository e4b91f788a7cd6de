# Mirrors tensorflow/python/keras/layers/core.py.
