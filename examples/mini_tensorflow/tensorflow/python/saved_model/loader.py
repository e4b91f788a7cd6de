# Mirrors tensorflow/python/saved_model/loader.py.
