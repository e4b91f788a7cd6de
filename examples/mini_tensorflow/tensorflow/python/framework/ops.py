# Mirrors tensorflow/python/framework/ops.py.
