"""The Python half of PyTorch's tracer: public names, and what Python registers for operators."""
