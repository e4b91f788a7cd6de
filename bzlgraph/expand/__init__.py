"""A target as plain BUILD text: what the macros made of it."""

from bzlgraph.expand.target_text import expand

__all__ = ["expand"]
