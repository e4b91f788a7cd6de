// Mirrors tensorflow/python/lib/core/numpy.cc.
