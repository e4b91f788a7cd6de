# Mirrors tensorflow/contrib/layers/python/layers/layers.py.
