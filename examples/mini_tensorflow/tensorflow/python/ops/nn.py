# Mirrors tensorflow/python/ops/nn.py.
