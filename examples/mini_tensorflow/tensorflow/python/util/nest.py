# Mirrors tensorflow/python/util/nest.py.
