# Mirrors tensorflow/python/lib/io/file_io.py.
