# Mirrors tensorflow/python/keras/__init__.py.
