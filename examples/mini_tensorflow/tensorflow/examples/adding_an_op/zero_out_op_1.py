# Mirrors tensorflow/examples/adding_an_op/zero_out_op_1.py.
