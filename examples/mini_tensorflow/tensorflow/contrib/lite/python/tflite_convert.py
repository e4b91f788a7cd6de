# Mirrors tensorflow/contrib/lite/python/tflite_convert.py.
