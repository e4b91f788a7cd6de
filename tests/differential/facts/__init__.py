"""What is compared: one frozen record per target, read from Bazel's proto and from bzlgraph's model, and how two
of them differ."""
