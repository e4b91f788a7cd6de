# Mirrors tensorflow/contrib/rnn/python/ops/lstm_ops.py.
