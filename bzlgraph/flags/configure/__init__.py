"""Configure scripts: what they ask, and what each answer writes to a .bazelrc."""
