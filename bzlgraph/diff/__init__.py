"""What another configuration changes: targets, edges and values that one has and the other does not."""

from bzlgraph.diff.compare import compare
from bzlgraph.diff.model import Change, DiffAnswer, Difference, Side, What

__all__ = ["Change", "DiffAnswer", "Difference", "Side", "What", "compare"]
