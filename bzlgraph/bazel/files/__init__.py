"""The kinds of files (BUILD, .bzl, WORKSPACE, MODULE.bazel) and the names that each may use."""
