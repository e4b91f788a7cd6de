# Mirrors tensorflow/contrib/tpu/python/tpu/topology.py.
