# Mirrors tensorflow/contrib/lite/python/lite.py.
