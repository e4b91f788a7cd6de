"""The Bazel dialect: what BUILD, .bzl, WORKSPACE and MODULE.bazel files mean, on top of Starlark values."""
