"""What the names and the expressions of one function are: tensors, lists of them, or values of Python."""
