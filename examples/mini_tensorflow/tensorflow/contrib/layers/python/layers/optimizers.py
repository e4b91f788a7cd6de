# Mirrors tensorflow/contrib/layers/python/layers/optimizers.py.
