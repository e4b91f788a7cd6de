# Mirrors tensorflow/python/framework/test_util.py.
