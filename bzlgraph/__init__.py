"""bzlgraph answers questions about a Bazel build without Bazel.

>>> import bzlgraph
>>> ws = bzlgraph.open("tensorflow")                   # doctest: +SKIP
>>> ws.query("deps(//tensorflow/core:lib)")            # doctest: +SKIP
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, whose import takes a quarter of the time of an answer that is given again
if TYPE_CHECKING:
    from typing import Any

    from bzlgraph.api import GraphResult, QueryResult, WhyResult, Workspace, open
    from bzlgraph.base.errors import BzlgraphError

__version__ = "0.1.0"
__all__ = ["BzlgraphError", "GraphResult", "QueryResult", "WhyResult", "Workspace", "open"]


def __getattr__(name: str) -> Any:
    """The public names, imported when they are used: ``import bzlgraph`` alone costs next to nothing."""
    if name == "BzlgraphError":
        from bzlgraph.base.errors import BzlgraphError

        return BzlgraphError
    if name in __all__:
        from bzlgraph import api

        return getattr(api, name)
    raise AttributeError(f"module 'bzlgraph' has no attribute '{name}'")
