# Mirrors tensorflow/python/client/session.py.
