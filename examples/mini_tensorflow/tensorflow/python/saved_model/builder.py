# Mirrors tensorflow/python/saved_model/builder.py.
