// Mirrors tensorflow/cc/framework/cc_op_gen_main.cc.
