"""Configurations: what `bazel cquery` answers, recorded, and the same from bzlgraph."""
