"""Running repository rules and module extensions, in memory."""
