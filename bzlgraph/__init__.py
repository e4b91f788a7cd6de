"""bzlgraph answers questions about a Bazel build without Bazel.

>>> import bzlgraph
>>> ws = bzlgraph.open("tensorflow")                   # doctest: +SKIP
>>> ws.query("deps(//tensorflow/core:lib)")            # doctest: +SKIP
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, whose import takes a quarter of the time of an answer that is given again
if TYPE_CHECKING:
    from typing import Any

    from bzlgraph.api.results import DatasetResult, DiffResult, GraphResult, HealthResult, QueryResult, WhyResult
    from bzlgraph.api.workspace import Workspace, open
    from bzlgraph.base.diagnostic import Diagnostic
    from bzlgraph.base.errors import BzlgraphError, LoadProblem, QueryProblem, UsageProblem
    from bzlgraph.base.gap import Completeness, Gap
    from bzlgraph.export.flags_formats.results import FlagsResult, TraceResult
    from bzlgraph.export.op_formats.results import OpResult

__version__ = "0.1.0"
__all__ = [
    "BzlgraphError", "Completeness", "DatasetResult", "Diagnostic", "DiffResult", "FlagsResult", "Gap", "GraphResult",
    "HealthResult", "LoadProblem", "OpResult", "QueryProblem", "QueryResult", "TraceResult", "UsageProblem",
    "WhyResult", "Workspace", "open",
]  # fmt: skip
_HOMES = {
    "bzlgraph.api.results": "DatasetResult DiffResult GraphResult HealthResult QueryResult WhyResult",
    "bzlgraph.api.workspace": "Workspace open",
    "bzlgraph.base.diagnostic": "Diagnostic",
    "bzlgraph.base.errors": "BzlgraphError LoadProblem QueryProblem UsageProblem",
    "bzlgraph.base.gap": "Completeness Gap",
    "bzlgraph.export.flags_formats.results": "FlagsResult TraceResult",
    "bzlgraph.export.op_formats.results": "OpResult",
}
"""The modules that the public names come from."""


def __getattr__(name: str) -> Any:
    """The public names, imported when they are used: ``import bzlgraph`` alone costs next to nothing."""
    for module, names in _HOMES.items():
        if name in names.split():
            from importlib import import_module

            return getattr(import_module(module), name)
    raise AttributeError(f"module 'bzlgraph' has no attribute '{name}'")
