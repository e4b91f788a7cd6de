# Mirrors tensorflow/contrib/rnn/__init__.py.
from tensorflow.contrib.rnn.python.ops.lstm_ops import *
