# Mirrors tensorflow/contrib/signal/python/ops/spectral_ops.py.
