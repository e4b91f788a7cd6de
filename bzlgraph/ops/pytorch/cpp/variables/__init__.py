"""What a C++ function of PyTorch says of its variables."""
