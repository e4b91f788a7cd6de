# Mirrors tensorflow/contrib/lite/toco/python/toco_from_protos.py.
