# Mirrors tensorflow/contrib/layers/python/layers/layers_test.py.
