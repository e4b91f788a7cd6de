// Mirrors tensorflow/python/lib/core/numpy.h.
