"""The rows of each table but ``edges``: a list for each package, or for all of a small table. See ``schema.toml``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count, groupby

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import Package, Rule
from bzlgraph.export.bazel_view.attributes import AttributeReader
from bzlgraph.export.dataset.content import CheckoutContent, Numbering
from bzlgraph.export.dataset.schema import tables
from bzlgraph.export.flags_formats.rows import flags_table
from bzlgraph.export.row_formats.row_table import Row
from bzlgraph.export.select_formats.cells import macro_text
from bzlgraph.export.select_formats.rows import COLUMNS as SELECT_COLUMNS
from bzlgraph.export.select_formats.rows import select_rows
from bzlgraph.export.value_text import as_json
from bzlgraph.flags.bazelrc_table import rows as bazelrc_rows
from bzlgraph.graph.model import NodeKind
from bzlgraph.graph.selects import GraphSelects
from bzlgraph.selects.answer import SelectAnswer
from bzlgraph.workspace.repositories.from_archive import urls
from bzlgraph.workspace.repositories.table import Repository

Batches = Iterator[list[Row]]


def checkout_rows(content: CheckoutContent, _numbering: Numbering) -> Batches:
    """The one row of ``checkouts``."""
    state = "complete" if content.completeness.complete else "partial"
    yield [(state, None, content.revision, content.answer.text, content.workspace.facts.version)]


def failed_row(message: str, expression: str) -> Row:
    """The one row of ``checkouts`` for one of which nothing is known."""
    return "failed", message, None, expression, None


def repository_rows(content: CheckoutContent, numbering: Numbering) -> Batches:
    """Those of all targets."""
    graph, workspace = content.answer.graph, content.workspace
    asked = {repo for repo, _ in (*graph.packages, *graph.absent)}
    names = dict.fromkeys(key[0] for key, _ in numbering.packages())
    yield [
        _repository_row(workspace.repositories.get(name))
        if name in asked
        else (name, workspace.map_repository.canonical(name), False, *(None,) * 7)
        for name in names
    ]


def _repository_row(repository: Repository) -> Row:
    call = repository.call
    sources = urls(call.attributes) if call is not None else None
    return (
        *(repository.name, repository.canonical, True, repository.present, repository.way or None),
        *(call.rule if call is not None else None, sources or None),
        *_place(call.location if call is not None else None),
    )


def package_rows(content: CheckoutContent, numbering: Numbering) -> Batches:
    """Those of all targets; more is told of those that have targets that match."""
    packages, matches = content.answer.graph.packages, numbering.matches
    for number, (key, nodes) in enumerate(numbering.packages(), numbering.first_package):
        matching = any(matches[node] for node in nodes)
        package = packages.get(key) if matching else None
        told = _package_cells(package) if package is not None else (None,) * 5
        yield [(number, *key, Label(*key, "").package_label, matching, *told)]


def _package_cells(package: Package) -> Row:
    return (
        *(str(package.build_file), package.broken or bool(package.diagnostics), len(package.targets)),
        *(sum(1 for _ in package.rules()), [str(each) for each in package.bzl_files]),
    )


def target_rows(content: CheckoutContent, numbering: Numbering) -> Batches:
    """Those that match, and those that their edges name."""
    matches, possible, numbers = numbering.matches, content.answer.possible, count(numbering.first)
    for package, (_, nodes) in enumerate(numbering.packages(), numbering.first_package):
        yield [
            (next(numbers), package, *_target_cells(numbering, node, bool(matches[node]), possible)) for node in nodes
        ]


def _target_cells(numbering: Numbering, node: int, matches: bool, possible: Iterable[Label]) -> Row:
    graph = numbering.graph
    label, kind, target = graph.labels[node], graph.kinds[node], graph.target(node)
    words = None if kind == NodeKind.PENDING else graph.kind_words(node)
    names = (str(label), *label, words)
    common = (matches, matches and label in possible)
    if not isinstance(target, Rule):
        return (*names, None, None, *common, None, None, *_place(target.location if target is not None else None))
    rule_class, made_by = target.rule_class, target.generator
    return (
        *(*names, rule_class.name, str(rule_class.bzl) if rule_class.bzl is not None else None),
        *(*common, made_by.function if made_by is not None else None, macro_text(target) or None),
        *_place(target.location),
    )


def attribute_rows(content: CheckoutContent, numbering: Numbering) -> Batches:
    """Those of the rules that match."""
    graph, reader, ids = content.answer.graph, AttributeReader(content.workspace.facts), numbering.ids
    to_json = json.JSONEncoder(ensure_ascii=False).encode
    for _, nodes in numbering.matching_packages():
        batch: list[Row] = []
        for node in nodes:
            rule = graph.target(node)
            if isinstance(rule, Rule):
                number = int(ids[node])
                for each in reader.explicit(rule, graph.package_of(node)):
                    batch.append((number, each.name, each.type.value, to_json(as_json(each.value))))
        yield batch


def branch_rows(content: CheckoutContent, numbering: Numbering) -> Batches:
    """The rows of ``bzlgraph select`` of the targets that match, with numbers for labels."""
    labels, ids = numbering.graph.labels, numbering.ids
    nodes = [node for _, nodes in numbering.matching_packages() for node in nodes]
    positions = {column.name: number for number, column in enumerate(SELECT_COLUMNS)}
    chosen = [positions[column.name] for column in tables()["branches"].columns[1:]]

    def numbered() -> Iterator[tuple[int, Row]]:
        waiting, node, label = iter(nodes), -1, ""
        for row in select_rows(SelectAnswer(GraphSelects(numbering.graph), tuple(nodes))):
            if row[0] != label:  # rules come in the order of the nodes
                label = str(row[0])
                node = next(each for each in waiting if str(labels[each]) == label)
            yield node, (int(ids[node]), *[row[position] for position in chosen])

    for _, batch in groupby(numbered(), lambda each: labels[each[0]][:2]):
        yield [row for _, row in batch]


def setting_rows(content: CheckoutContent, _numbering: Numbering) -> Batches:
    """What ``bzlgraph flags settings`` lists."""
    yield list(flags_table("settings", content.settings).rows())


def rc_option_rows(content: CheckoutContent, _numbering: Numbering) -> Batches:
    """What ``bzlgraph flags bazelrc`` lists."""
    yield list(flags_table("bazelrc", list(bazelrc_rows(content.rc))).rows())


def gap_rows(content: CheckoutContent, _numbering: Numbering) -> Batches:
    """The gaps of the answer."""
    gaps = content.completeness.gaps
    yield [(each.kind, each.what, each.hides, each.repository or None, *_place(each.location)) for each in gaps]


def problem_rows(content: CheckoutContent, _numbering: Numbering) -> Batches:
    """The problems of the answer."""
    problems = content.completeness.problems
    yield [(each.severity, each.message, each.hint, *_place(each.location)) for each in problems]


def _place(location: Location | None) -> Row:
    if location is None:
        return None, None, None
    return location.path, location.line or None, location.column or None


ROWS: Mapping[str, Callable[[CheckoutContent, Numbering], Batches]] = {
    "checkouts": checkout_rows,
    "repositories": repository_rows,
    "packages": package_rows,
    "targets": target_rows,
    "attributes": attribute_rows,
    "branches": branch_rows,
    "settings": setting_rows,
    "rc_options": rc_option_rows,
    "gaps": gap_rows,
    "problems": problem_rows,
}
"""Table -> what makes its rows."""
