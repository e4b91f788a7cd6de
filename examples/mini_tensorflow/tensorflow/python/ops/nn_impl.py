# Mirrors tensorflow/python/ops/nn_impl.py.
