"""From a Python function of TensorFlow to the ops that it makes: the walk over the calls between them."""
