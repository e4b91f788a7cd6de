# Mirrors tensorflow/python/keras/layers/convolutional_test.py.
