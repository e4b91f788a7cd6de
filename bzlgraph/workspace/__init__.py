"""Directory -> repositories: which files exist, what WORKSPACE and MODULE.bazel declare, and the .bzl files."""
