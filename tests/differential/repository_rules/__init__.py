"""Files that repository rules write: Bazel's own, recorded, and those of bzlgraph's run in memory."""
