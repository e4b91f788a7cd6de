"""A target as plain BUILD text: what the macros made of it."""

from bzlgraph.expand.target_text import expand, expand_text

__all__ = ["expand", "expand_text"]
