# Mirrors tensorflow/python/keras/layers/core_test.py.
