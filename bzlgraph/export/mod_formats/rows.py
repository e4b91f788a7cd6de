"""Answers about modules as rows: who depends on whom, what rules and extensions make, what names mean."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from bzlgraph.base.gap import Completeness
from bzlgraph.base.span import place_text
from bzlgraph.export.row_formats.row_table import Column, Row, RowTable, columns
from bzlgraph.export.value_text import as_json
from bzlgraph.mod.answer import ModTree, ShownRepository
from bzlgraph.mod.extensions import ShownExtension

TREE = columns("parent module version link requested location dev", dev="boolean")
REPOSITORIES = columns("asked canonical rule attributes defined_at kind")
EXTENSIONS = columns("extension repository imported_by", imported_by="texts")
MAPPINGS = columns("repository name canonical")


def tree_rows(answer: ModTree, completeness: Completeness) -> RowTable:
    """A row per dependency that the tree shows; ``link`` is direct, indirect or cycle."""
    return _table("modules", TREE, lambda: _tree(answer), completeness)


def _tree(answer: ModTree) -> Iterator[Row]:
    for parent, node in answer.tree.items():
        for key, link in node.by_link():
            edge = answer.edge(key, parent)
            written = edge.written if edge is not None else None
            how = "cycle" if link.cycle else "indirect" if link.indirect else "direct"
            asked = (written.version, place_text(written.location) or None, written.dev) if written else (None,) * 3
            yield str(parent), str(key), answer.graph.nodes[key].version, how, *asked


def repository_rows(shown: Sequence[ShownRepository], completeness: Completeness) -> RowTable:
    """A row per repository; ``attributes`` are JSON."""
    return _table("repositories", REPOSITORIES, lambda: map(_repository, shown), completeness)


def _repository(shown: ShownRepository) -> Row:
    attributes = json.dumps(as_json(shown.attributes), ensure_ascii=False)
    place = place_text(shown.defined_at) or None
    return shown.shown_as, shown.canonical, shown.rule, attributes, place, shown.origin.kind if shown.origin else None


def extension_rows(shown: Sequence[ShownExtension], completeness: Completeness) -> RowTable:
    """A row per repository of an extension."""
    return _table("extensions", EXTENSIONS, lambda: _extensions(shown), completeness)


def _extensions(shown: Sequence[ShownExtension]) -> Iterator[Row]:
    for each in shown:
        for name in (*each.imported, *each.others):
            yield str(each.id), name, [str(key) for key in each.imported.get(name, ())]


def mapping_rows(names: Sequence[str], found: Sequence[Mapping[str, str]], completeness: Completeness) -> RowTable:
    """A row per name that a repository sees."""
    rows = [
        (repository, name, canonical)
        for repository, mapping in zip(names, found, strict=True)
        for name, canonical in sorted(mapping.items())
    ]
    return _table("mappings", MAPPINGS, lambda: iter(rows), completeness)


def _table(
    kind: str, named: tuple[Column, ...], rows: Callable[[], Iterator[Row]], completeness: Completeness
) -> RowTable:
    return RowTable(f"mod {kind}", named, rows, f"bzlgraph.mod.{kind}/1", completeness=completeness)
