# Mirrors tensorflow/examples/tutorials/mnist/__init__.py.
