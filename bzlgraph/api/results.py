"""The results of a ``Workspace``'s methods: they print as on the command line and display themselves in notebooks.

Each has ``completeness``: the problems and gaps that affect it, and whether there are none (``complete``). A DataFrame
has the same as plain data in ``attrs``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Completeness, Gap
from bzlgraph.base.label import Label
from bzlgraph.base.words import plural
from bzlgraph.graph.view import GraphView
from bzlgraph.query.answer import QueryAnswer
from bzlgraph.why.answer import WhyAnswer

if TYPE_CHECKING:
    import networkx
    import pandas

    from bzlgraph.diff.model import DiffAnswer, Difference
    from bzlgraph.export.overview.build import Shape
    from bzlgraph.questions.health import Health


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The targets that a query found: iterable, sized, printable, a table and a networkx graph."""

    answer: QueryAnswer

    @property
    def completeness(self) -> Completeness:
        """The problems and gaps that affect the answer."""
        return Completeness(self.answer.problems, self.answer.gaps)

    @property
    def labels(self) -> list[Label]:
        """The labels, in output order."""
        return list(self.answer)

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """What could not be known and may affect the answer."""
        return self.answer.gaps

    @property
    def problems(self) -> tuple[Diagnostic, ...]:
        """Missing targets and broken packages that affect the answer."""
        return self.answer.problems

    def to_frame(self) -> pandas.DataFrame:
        """A row per target: label, kind, package, location, macro."""
        from bzlgraph.export.query_formats.rows import targets_table
        from bzlgraph.export.row_formats.columnar import frame

        return frame(targets_table(self.answer), self.completeness)

    def to_networkx(self) -> networkx.DiGraph[str]:
        """The targets and the edges between them; nodes and edges have kinds and reasons."""
        from bzlgraph.graph.networkx_view import to_networkx

        return to_networkx(self.answer.graph, self.answer.nodes, self.answer.excluded_flags)

    def __len__(self) -> int:
        return len(self.answer)

    def __iter__(self) -> Iterator[str]:
        return map(str, self.answer)

    def __contains__(self, label: object) -> bool:
        return str(label) in set(self)

    def __str__(self) -> str:
        return "\n".join(self)

    def __repr__(self) -> str:
        return f"<{len(self)} {plural(len(self), 'target')}>"

    def _repr_html_(self) -> str:
        return str(self.to_frame().to_html(max_rows=60, index=False))


@dataclass(frozen=True, slots=True)
class WhyResult:
    """The answer to ``why``: prints as on the command line, and displays itself as a picture in a notebook."""

    answer: WhyAnswer
    graph: GraphView
    completeness: Completeness
    """What is wrong or not known in what the answer was made from."""

    @property
    def found(self) -> bool:
        """Whether there is a path."""
        return self.answer.found

    @property
    def labels(self) -> list[str]:
        """The labels of the path shown, source first."""
        return [str(step.node.label) for step in self.answer.steps]

    def to_frame(self) -> pandas.DataFrame:
        """A row per reason of each step: path, step, label, kind, location, macro, attribute, when, flags."""
        from bzlgraph.export.row_formats.columnar import frame
        from bzlgraph.export.why_formats.rows import why_table

        return frame(why_table(self.answer, self.completeness), self.completeness)

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain data (the schema of ``--output=json``)."""
        from bzlgraph.export.why_formats.as_json import to_dict

        return to_dict(self.answer, self.completeness)

    def __str__(self) -> str:
        from bzlgraph.export.why_formats.text import render

        return render(self.answer)

    def __repr__(self) -> str:
        return str(self)

    def _repr_svg_(self) -> str | None:
        from bzlgraph.export.pictures.why_picture import why_picture
        from bzlgraph.export.save import svg_text

        return svg_text(why_picture(self.answer)) if self.found else None


@dataclass(frozen=True, slots=True)
class DiffResult:
    """The differences between two configurations: prints as on the command line, and displays itself as a picture."""

    answer: DiffAnswer
    completeness: Completeness
    """What is wrong or not known in what the answer was made from."""

    @property
    def differences(self) -> tuple[Difference, ...]:
        """All differences, by kind."""
        return self.answer.differences

    def to_frame(self) -> pandas.DataFrame:
        """A row per difference: change, what, target, kind, attribute, value, condition, location, reason."""
        from bzlgraph.export.diff_formats.rows import diff_table
        from bzlgraph.export.row_formats.columnar import frame

        return frame(diff_table(self.answer), self.completeness)

    def __len__(self) -> int:
        return len(self.answer.differences)

    def __str__(self) -> str:
        from bzlgraph.export.diff_formats.text import text

        return "".join(text(self.answer)).rstrip("\n")

    def __repr__(self) -> str:
        return str(self)

    def _repr_svg_(self) -> str | None:
        from bzlgraph.export.diff_formats.picture import diff_picture
        from bzlgraph.export.save import svg_text

        return svg_text(diff_picture(self.answer)) if len(self) else None


@dataclass(frozen=True, slots=True)
class GraphResult:
    """A part of the graph, as a picture."""

    answer: QueryAnswer
    collapse: str = "auto"
    max_nodes: int | None = None

    @property
    def completeness(self) -> Completeness:
        """The problems and gaps that affect the answer."""
        return Completeness(self.answer.problems, self.answer.gaps)

    def to_frame(self) -> pandas.DataFrame:
        """A row per reason of an edge: source, target, attribute, when, flags, location."""
        from bzlgraph.export.data import edges_table
        from bzlgraph.export.row_formats.columnar import frame

        return frame(edges_table(self.answer), self.completeness)

    def to_networkx(self) -> networkx.DiGraph[str]:
        """The targets and the edges between them, with kinds and reasons."""
        return QueryResult(self.answer).to_networkx()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a picture or file; the extension chooses the format: dot, svg, png, html, mmd, graphml, json, csv, md,
        jsonl, parquet, sqlite."""
        from bzlgraph.export.save import save_graph

        save_graph(self.answer, Path(path), shape=self._shape())

    def _shape(self) -> Shape:
        from bzlgraph.export.overview.build import Shape

        return Shape(self.collapse, self.max_nodes)

    def _repr_svg_(self) -> str:
        from bzlgraph.export.overview.forms import graph_bytes

        return graph_bytes(self.answer, "svg", shape=self._shape()).data.decode()

    def __repr__(self) -> str:
        return f"<graph of {len(self.answer)} {plural(len(self.answer), 'target')}>"


@dataclass(frozen=True, slots=True)
class DatasetResult:
    """A dataset that was written: its folder, the number of rows of each table, and how complete it is."""

    folder: Path
    rows: Mapping[str, int]
    completeness: Completeness


@dataclass(frozen=True, slots=True)
class HealthResult:
    """What loads, what is missing and what that may hide: the answer of ``doctor``."""

    health: Health
    completeness: Completeness

    @property
    def problems(self) -> tuple[Diagnostic, ...]:
        """What Bazel would reject."""
        return self.completeness.problems

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """What could not be known."""
        return self.completeness.gaps

    @property
    def packages(self) -> int:
        """How many packages were loaded."""
        return len(self.health.packages)

    def missing(self) -> pandas.DataFrame:
        """A row per repository that is not on disk, those that hide most first; ``give``: options that provide it."""
        from bzlgraph.export.row_formats.columnar import frame
        from bzlgraph.export.row_formats.row_table import RowTable, columns

        names = ("name", "rule", "targets", "edges", "places", "urls", "give")
        rows = [
            tuple(list(value) if isinstance(value := getattr(each, name), tuple) else value for name in names)
            for each in self.health.missing
        ]
        typed = dict.fromkeys(("targets", "edges", "places"), "integer") | dict.fromkeys(("urls", "give"), "texts")
        return frame(RowTable("missing", columns(names, **typed), lambda: iter(rows)), self.completeness)

    def __repr__(self) -> str:
        broken = len(self.health.broken)
        words = f"{broken} of them broken" if broken else "all of them load"
        return f"<{self.packages} {plural(self.packages, 'package')}, {words}; {len(self.gaps)} gaps>"
