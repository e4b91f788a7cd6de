# Mirrors tensorflow/python/ops/math_ops.py.
