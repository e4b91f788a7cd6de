# Mirrors tensorflow/contrib/lite/python/interpreter.py.
