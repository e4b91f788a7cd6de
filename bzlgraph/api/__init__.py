"""The library: ``bzlgraph.open()`` and what its workspaces answer. ``import bzlgraph`` gives all of it by name."""

from bzlgraph.api.workspace import Workspace, open

__all__ = ["Workspace", "open"]
