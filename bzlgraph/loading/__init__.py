"""Repositories -> packages: BUILD files evaluated on demand, in parallel, and kept by content."""
