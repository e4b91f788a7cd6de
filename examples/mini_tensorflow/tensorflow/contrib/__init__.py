# Mirrors tensorflow/contrib/__init__.py.
