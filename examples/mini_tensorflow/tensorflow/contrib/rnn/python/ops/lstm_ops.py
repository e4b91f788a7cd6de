# Mirrors tensorflow/contrib/rnn/python/ops/lstm_ops.py: a function around an op of contrib.
from tensorflow.contrib.rnn.ops import gen_lstm_ops


def lstm_block_cell(x, name=None):
    """One step of an LSTM in one op."""
    return gen_lstm_ops.lstm_block_cell(x, name=name)
