// Mirrors tensorflow/python/framework/python_op_gen.h.
