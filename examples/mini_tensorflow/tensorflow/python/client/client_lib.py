# Mirrors tensorflow/python/client/client_lib.py.
