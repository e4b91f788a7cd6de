# Mirrors tensorflow/examples/tutorials/mnist/input_data.py.
