"""The rows of `bzlgraph select` against Bazel's selects, branch by branch: none is missing, none is too many.

Theirs is the answer read from Bazel's proto (or from the text recorded of it), ours are the rows as they are printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bzlgraph.export.select_formats.rows import select_rows
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.selects import GraphSelects
from bzlgraph.loading.loader import Loader
from bzlgraph.selects.answer import SelectAnswer
from tests.differential.facts.compare import Difference
from tests.differential.facts.records import DEFAULT_CONDITION, Answer, Select, Value, simplified

Place = tuple[str, str]
"""A target and an attribute."""
Branches = dict[str, list[str]]
"""What one select is compared by: condition -> values as text. Bazel gives no order of conditions either."""

_COMPUTED = ("_", "$")
"""Names of attributes that may be computed from others with selects: Bazel prints all results together, or copies."""

Cells = tuple[str, str, str, str, str, str]
"""target, kind, attribute, part, condition, value: the cells of a row that are compared."""


def compare_selects(theirs: Answer, loader: Loader) -> Iterator[Difference]:
    """The differences in the whole main repository."""
    graph = BuildGraph(loader)
    for name in loader.packages_below("", ""):
        graph.load([("", name)])
    nodes = tuple(
        graph.node(target.label) for package in graph.packages.values() for target in package.targets.values()
    )
    rows = (tuple(map(str, row[:6])) for row in select_rows(SelectAnswer(GraphSelects(graph), nodes)))
    yield from compare_rows(theirs, rows)


def compare_rows(theirs: Answer, rows: Iterable[tuple[str, ...]]) -> Iterator[Difference]:
    """The differences, by target and attribute. `rows` have at least the cells of `Cells`."""
    ours: dict[Place, list[Branches]] = {}
    kinds: dict[str, str] = {label: target.kind for label, target in theirs.items()}
    last: tuple[str, ...] = ()
    for target, kind, attribute, part, condition, value, *_ in rows:
        kinds.setdefault(target, kind)
        if attribute.startswith(_COMPUTED):
            continue
        selects = ours.setdefault((target, attribute), [])
        if (target, attribute, part) != last:
            last = (target, attribute, part)
            selects.append({})
        selects[-1].setdefault(condition, []).append(value)
    expected = dict(_of_answer(theirs))
    for place in sorted(expected.keys() | ours.keys()):
        found = [branches for branches in ours.get(place, ()) if branches.keys() != {DEFAULT_CONDITION}]
        wanted = expected.get(place, [])
        if found != wanted:
            label, attribute = place
            yield Difference("branches of selects", kinds[label], attribute, label, _text(wanted), _text(found))


def _of_answer(answer: Answer) -> Iterator[tuple[Place, list[Branches]]]:
    for label, target in answer.items():
        for name, attribute in target.attributes.items():
            value = simplified(attribute.value)
            if attribute.explicit and isinstance(value, Select) and not name.startswith(_COMPUTED):
                selects = [
                    {condition: list(_texts(branch)) for condition, branch in part}
                    for part in value.parts
                    if part and (len(part) != 1 or part[0][0] != DEFAULT_CONDITION)  # 0.19 has `select({})`
                ]
                if selects:
                    yield (label, name), selects


def _texts(value: Value) -> Iterator[str]:
    """A row's values for what Bazel has in one branch."""
    if isinstance(value, list):
        yield from map(_cell, value) if value else ("[]",)
    elif isinstance(value, Mapping):
        yield from (f"{key}: {_cell(item)}" for key, item in value.items()) if value else ("{}",)
    else:
        yield _cell(value)


def _cell(value: Value) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_cell, value))}]"
    return str(value) or '""'


def _text(selects: list[Branches]) -> str:
    return " + ".join(str(branches) for branches in selects)
