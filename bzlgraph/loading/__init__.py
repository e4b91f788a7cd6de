"""Repositories -> packages: BUILD files evaluated on demand, in parallel, and kept by content."""

from bzlgraph.loading.loader import Loader, open_loader

__all__ = ["Loader", "open_loader"]
