// Mirrors tensorflow/contrib/lite/toco/python/toco_python_api.h.
