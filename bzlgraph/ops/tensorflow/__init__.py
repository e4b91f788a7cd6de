"""TensorFlow 1.x and 2.x: Python API -> generated wrappers -> REGISTER_OP -> kernels -> targets."""
