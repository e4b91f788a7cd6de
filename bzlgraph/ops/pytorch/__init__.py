"""PyTorch: a public name -> entries of native_functions.yaml -> C++ functions by dispatch key -> files and targets."""
