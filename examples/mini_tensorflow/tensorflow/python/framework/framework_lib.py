# Mirrors tensorflow/python/framework/framework_lib.py.
