"""Modules of Bazel (bzlmod) as pure data: what a MODULE.bazel says, and which versions and repositories follow."""
