# Mirrors tensorflow/python/__init__.py.
