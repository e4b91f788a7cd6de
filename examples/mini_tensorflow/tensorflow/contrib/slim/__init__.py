# Mirrors tensorflow/contrib/slim/__init__.py.
