"""A workspace of modules: its MODULE.bazel files read, resolved and checked, and the repositories that come of it."""
