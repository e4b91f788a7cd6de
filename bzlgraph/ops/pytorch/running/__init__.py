"""What runs inside of the operators of PyTorch: the steps of each, and the trees of the names that are asked for."""
