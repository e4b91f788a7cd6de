# Mirrors tensorflow/contrib/__init__.py.
from tensorflow.contrib import rnn
