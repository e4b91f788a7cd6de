# Mirrors tensorflow/python/keras/backend.py.
