"""The explorer in a notebook: the page in a frame of its own, a picture where no script runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

from bzlgraph.base.gap import Completeness
from bzlgraph.base.words import counted_targets
from bzlgraph.explore.exploration import Exploration
from bzlgraph.export.explorer.page import page
from bzlgraph.export.op_formats.rows import found_rows
from bzlgraph.export.overview.forms import nodes_svg
from bzlgraph.ops.tracer import Answer

HEIGHT = 640
"""Pixels of the frame."""


@dataclass(frozen=True, slots=True)
class ExploreResult:
    """An exploration that shows itself, and how complete it is; it starts at what backs ``ops``."""

    exploration: Exploration
    completeness: Completeness
    ops: tuple[Answer, ...] = ()

    def page(self) -> bytes:
        """The page that opens from disk."""
        return page(self.exploration, found_rows(self.ops, self.completeness))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page."""
        Path(path).write_bytes(self.page())

    def frame(self) -> str:
        """The page as HTML inside of another: its sandbox keeps it from the page around it, and that one from it."""
        held = escape(self.page().decode())
        title = escape(f"bzlgraph explore {self.exploration.title}")
        return (
            f'<iframe title="{title}" sandbox="allow-scripts allow-downloads" srcdoc="{held}" '
            f'style="width: 100%; height: {HEIGHT}px; border: 1px solid #c8d0d8"></iframe>'
        )

    def _repr_mimebundle_(self, **_asked: object) -> Mapping[str, str]:
        drawn = nodes_svg(self.exploration.graph, sorted(self.exploration.roots), self.exploration.title)
        return {"text/html": self.frame(), "image/svg+xml": drawn, "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"<exploration of {counted_targets(len(self.exploration.nodes), self.exploration.missing)}>"
