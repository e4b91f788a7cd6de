# Mirrors tensorflow/python/keras/layers/convolutional.py.
