# Mirrors tensorflow/examples/adding_an_op/zero_out_1_test.py.
