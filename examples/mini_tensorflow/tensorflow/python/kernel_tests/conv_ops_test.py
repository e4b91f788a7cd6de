# Mirrors tensorflow/python/kernel_tests/conv_ops_test.py.
