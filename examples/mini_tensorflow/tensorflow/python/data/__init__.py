# Mirrors tensorflow/python/data/__init__.py.
