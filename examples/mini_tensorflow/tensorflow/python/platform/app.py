# Mirrors tensorflow/python/platform/app.py.
