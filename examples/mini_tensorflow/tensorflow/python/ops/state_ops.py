# Mirrors tensorflow/python/ops/state_ops.py.
