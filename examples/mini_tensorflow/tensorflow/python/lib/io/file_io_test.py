# Mirrors tensorflow/python/lib/io/file_io_test.py.
