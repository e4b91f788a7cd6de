# Mirrors tensorflow/contrib/signal/__init__.py.
