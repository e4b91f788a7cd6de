"""The formats of ``bzlgraph query --output``: Bazel's, byte for byte where Bazel has an order, and our own."""
