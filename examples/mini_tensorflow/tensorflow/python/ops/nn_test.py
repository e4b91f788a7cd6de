# Mirrors tensorflow/python/ops/nn_test.py.
