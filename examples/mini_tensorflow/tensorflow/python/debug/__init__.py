# Mirrors tensorflow/python/debug/__init__.py.
