"""One package in the making: its functions, its targets, and what Bazel does when its BUILD file has run."""
