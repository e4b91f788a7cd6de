# Mirrors tensorflow/python/ops/io_ops.py.
