"""The answer to a query, and its plain text forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label
from bzlgraph.graph.view import GraphView


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """The targets found, in output order (by label, or along the path for ``somepath``).

    ``text`` is the query itself, ``excluded_flags`` the flags of edges it did not follow.
    ``problems`` are missing targets and broken packages met on the way, ``gaps`` what could not be known, ``remarks``
    what may help whoever asked.
    """

    graph: GraphView
    nodes: tuple[int, ...]
    problems: tuple[Diagnostic, ...] = ()
    gaps: tuple[Gap, ...] = ()
    excluded_flags: int = 0
    text: str = ""
    remarks: tuple[Diagnostic, ...] = ()

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Label]:
        return (self.graph.labels[number] for number in self.nodes)

    def label(self) -> Iterator[str]:
        """``--output=label``, line by line."""
        return (str(label) for label in self)

    def label_kind(self) -> Iterator[str]:
        """``--output=label_kind``, line by line."""
        return (f"{self.graph.kind_words(number)} {self.graph.labels[number]}" for number in self.nodes)
