// Mirrors tensorflow/python/framework/python_op_gen_main.cc.
