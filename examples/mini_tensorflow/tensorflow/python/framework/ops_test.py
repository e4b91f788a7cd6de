# Mirrors tensorflow/python/framework/ops_test.py.
