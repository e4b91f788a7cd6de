"""The C++ half of TensorFlow's tracer: registrations of ops, kernels and gradients, and what computes them."""
