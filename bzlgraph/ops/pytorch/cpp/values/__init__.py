"""What the values in a C++ function of PyTorch are, as far as its text and the names of its file say."""
