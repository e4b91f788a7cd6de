# Mirrors tensorflow/python/ops/array_ops.py.
