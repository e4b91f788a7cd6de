"""What is known of values where C++ functions of PyTorch run: what they are given, make and ask."""
