"""Exploration -> the data of the explorer's page: columns of numbers and tables of texts, each text once.

Rules
- Node ``n`` is the ``n``-th by label, so that a package is one run; the edges of a node are a run of the edge columns.
- A number that stands for nothing is -1. Frames are linked: each names the one that called it.
- All texts are data: whatever a label or a value holds, the page shows it as text.
- Values longer than ``LONGEST`` are cut, and say so.

``web/src/data.ts`` reads what is written here; the names of the columns are those of its types.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Generic, TypeVar

from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import LABEL_TYPES, OUTPUT_TYPES, OutputFile, Rule, Target
from bzlgraph.config.verdict import Truth
from bzlgraph.explore.exploration import ALWAYS, Exploration
from bzlgraph.export.pictures.palette import family
from bzlgraph.export.row_formats.row_table import Row
from bzlgraph.export.value_text import UNQUOTED, expression
from bzlgraph.graph.columns import Interned
from bzlgraph.graph.model import EdgeFlag, NodeKind

SCHEMA = "bzlgraph.explore/1"
LONGEST = 2_000
"""Characters of a value that a panel shows."""
NOTHING = -1
_NOT_SHOWN = frozenset({"name", "visibility", "generator_name", "generator_function", "generator_location"})
"""Attributes that the page shows elsewhere."""
_LETTERS = {Truth.YES: "y", Truth.NO: "n", Truth.UNKNOWN: "?"}

H = TypeVar("H", bound=Hashable)


class _Numbers(Generic[H]):
    """A table that is filled as its values are met."""

    def __init__(self) -> None:
        self.table: Interned[H] = Interned()

    def __call__(self, value: H) -> int:
        return self.table.intern(value)


class PageColumns:
    """Writes the columns of one exploration; ``data()`` is all that the page needs."""

    def __init__(self, exploration: Exploration, evidence: Iterable[Row] = ()) -> None:
        self._of = exploration
        self._evidence = evidence
        self._graph = exploration.graph
        self._files, self._functions, self._texts = _Numbers[str](), _Numbers[str](), _Numbers[str]()
        self._frames = _Numbers[tuple[int, int, int, int, int]]()
        self._kinds = _Numbers[tuple[str, bool, str]]()
        self._macros = _Numbers[tuple[str, str]]()
        self._attributes = _Numbers[str]()
        self._gaps = _Numbers[Gap]()
        self._attribute_numbers: dict[int, int] = {}

    def data(self) -> dict[str, object]:
        """The columns; JSON can hold them."""
        nodes, edges, packages = self._nodes(), self._edges(), self._packages()
        return {
            "schema": SCHEMA,
            "title": self._of.title,
            "totals": totals(self._of, len(edges["target"])),
            "nodes": nodes,
            "edges": edges,
            "packages": packages,
            "kinds": [{"words": words, "test": test, "family": look} for words, test, look in self._kinds.table],
            "macros": [{"name": name, "function": function} for name, function in self._macros.table],
            "frames": [list(column) for column in zip(*self._frames.table, strict=True)] or [[]] * 5,
            "files": self._files.table,
            "functions": self._functions.table,
            "attributes": self._attributes.table,
            "texts": self._texts.table,
            "flags": {flag.name: flag.value for flag in EdgeFlag},
            "conditions": [{"text": text, "keys": list(keys)} for text, keys in self._of.conditions],
            "gaps": [self._gap(gap) for gap in self._gaps.table],
            "configurations": [
                {
                    "words": each.words,
                    "truths": "".join(map(_LETTERS.__getitem__, each.truths)),
                    "otherRepositories": each.other_repositories,
                }
                for each in self._of.scenarios
            ],
            "evidence": list(self._ops()),
        }

    # --------------------------------------------------------------------------------------------------- ops
    def _ops(self) -> Iterator[dict[str, object]]:
        """The evidence of ops, with the nodes of its targets and of the file that it stands in."""
        labels = self._graph.labels
        position = {str(labels[node]): number for number, node in enumerate(self._of.nodes)}
        files = {
            label.path: number for number, label in enumerate(labels[node] for node in self._of.nodes) if not label.repo
        }
        for asked, op, role, name, file, line, targets, condition in self._evidence:
            assert isinstance(targets, list)
            ends = [position[target] for target in targets if target in position]
            shown = {
                "asked": asked,
                "op": op,
                "role": role,
                "name": name,
                "file": file,
                "line": line,
                "when": condition,
            }
            yield {
                **{key: value or ("" if key != "line" else 0) for key, value in shown.items()},
                "targets": ends,
                "source": files.get(str(file), NOTHING),
            }

    # ------------------------------------------------------------------------------------------------- nodes
    def _nodes(self) -> dict[str, list[object]]:
        labels = self._graph.labels
        names = ("name", "kind", "root", "only", "frame", "macro", "values")
        columns: dict[str, list[object]] = {name: [] for name in names}
        for node in self._of.nodes:
            target, label = self._graph.target(node), labels[node]
            rule = self._rule_of(target)
            row = (
                label.name,
                self._kind(node),
                int(node in self._of.roots),
                self._of.only.get(node, ALWAYS),
                self._frame(target),
                self._macro(rule),
                list(self._values(target, label)) if isinstance(target, Rule) else [],
            )
            for name, value in zip(names, row, strict=True):
                columns[name].append(value)
        return columns

    def _kind(self, node: int) -> int:
        rule_class = self._graph.rule_class(node)
        name, test = (rule_class.name, rule_class.test) if rule_class else ("", False)
        look = family(NodeKind(self._graph.kinds[node]), name)
        return self._kinds((self._graph.kind_words(node), test, look))

    def _rule_of(self, target: Target | None) -> Rule | None:
        """The rule behind a target: itself, or the one that makes the file."""
        if isinstance(target, OutputFile):
            made = self._graph.find(target.rule)
            target = self._graph.target(made) if made is not None else None
        return target if isinstance(target, Rule) else None

    def _macro(self, rule: Rule | None) -> int:
        if rule is None or rule.generator is None:
            return NOTHING
        return self._macros((rule.generator.name, rule.generator.function))

    def _frame(self, target: Target | None) -> int:
        """The call that made a target, with those that led there; the place alone of what no call made."""
        if target is None:
            return NOTHING
        if not isinstance(target, Rule):
            return self._linked("", target.location, NOTHING)
        number = NOTHING
        for frame in reversed(target.stack):
            number = self._linked(*frame, number)
        return number

    def _linked(self, function: str, place: Location, caller: int) -> int:
        return self._frames((self._functions(function), self._files(place.path), place.line, place.column, caller))

    def _values(self, rule: Rule, label: Label) -> Iterator[int]:
        """The attributes that were set and give no edges, or give them under conditions: name, text, name, text..."""
        for name, value in rule.values.items():
            attribute = rule.rule_class.attributes.get(name)
            is_edge = attribute is not None and attribute.type in LABEL_TYPES | OUTPUT_TYPES
            if is_edge or name in _NOT_SHOWN or value is None:
                continue
            text = expression(value, UNQUOTED)
            if len(text) > LONGEST:
                text = f"{text[:LONGEST]}… ({len(text):,} characters)"
            yield self._attributes(name)
            yield self._texts(text)

    # ------------------------------------------------------------------------------------------------- edges
    def _edges(self) -> dict[str, list[int]]:
        edges = self._of.edges
        return {
            "count": edges.counts.tolist(),
            "target": edges.target.tolist(),
            "attribute": [self.attribute(each) for each in edges.attribute],
            "condition": edges.condition.tolist(),
            "flags": edges.flags.tolist(),
        }

    def attribute(self, number: int) -> int:
        """The number on the page of an attribute of the graph; NOTHING is one without a name."""
        known = self._attribute_numbers.get(number)
        if known is None:
            name = self._graph.columns.attributes[number] if number != NOTHING else ""
            known = self._attribute_numbers[number] = self._attributes(name)
        return known

    # ---------------------------------------------------------------------------------------------- packages
    def _packages(self) -> list[dict[str, object]]:
        """The packages in the order of their nodes, with how many nodes each has, and its gaps."""
        counts: dict[tuple[str, str], list[int]] = {}
        for node in self._of.nodes:
            label = self._graph.labels[node]
            counts.setdefault((label.repo, label.package), []).append(node)
        return [
            {
                "repository": repo,
                "name": name,
                "count": len(nodes),
                "gaps": [self._gaps(gap) for gap in self._graph.package_gaps_of(nodes)],
                "broken": (repo, name) in self._graph.diagnostics,
            }
            for (repo, name), nodes in counts.items()
        ]

    def _gap(self, gap: Gap) -> dict[str, str]:
        return {"kind": gap.kind, "what": gap.what, "hides": gap.hides, "place": str(gap.location or "")}


def totals(exploration: Exploration, edges: int) -> dict[str, int]:
    """What the page counts; labels of targets that do not exist are none."""
    targets = len(exploration.nodes) - exploration.missing
    return {"targets": targets, "roots": len(exploration.roots), "edges": edges}


def page_data(exploration: Exploration, evidence: Iterable[Row] = ()) -> dict[str, object]:
    """The data of the page; ``evidence`` of ops are rows of ``op_formats.rows.COLUMNS``."""
    return PageColumns(exploration, evidence).data()
