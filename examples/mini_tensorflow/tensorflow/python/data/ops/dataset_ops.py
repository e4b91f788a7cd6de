# Mirrors tensorflow/python/data/ops/dataset_ops.py.
