# Mirrors tensorflow/python/kernel_tests/identity_op_py_test.py.
