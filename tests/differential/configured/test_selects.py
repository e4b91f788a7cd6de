"""`select` and `diff-config` in configurations, against what real Bazel's cquery said about them: no Bazel is needed.

The values of branches that hold are what Bazel resolved the attribute to, those of the others are not in it; and what a
command line adds and removes is the difference of Bazel's two answers.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bzlgraph.bazel.model import Rule, Selector, SelectorList
from bzlgraph.diff.compare import Comparison
from bzlgraph.diff.model import Side, What
from bzlgraph.graph.selects import GraphSelects
from bzlgraph.query.environment import Environment, QuerySettings
from bzlgraph.query.evaluate import query
from bzlgraph.query.patterns import expand_list
from bzlgraph.selects.answer import SelectAnswer
from bzlgraph.selects.holds import ChooserByTarget
from tests.differential.configured.ours import Ours, aliases, platform_labels
from tests.differential.configured.recorded import ROOT, Answer, asked, read_answers, versions, workspaces

CASES = [
    pytest.param(workspace, version, answer, id=f"{workspace.name}-{version}-{answer.options or 'nothing'}")
    for workspace in workspaces()
    for version in versions(workspace)
    for answer in read_answers((workspace / "expected" / f"cquery-{version}.txt").read_text(encoding="utf-8"))
    if answer.exit_code == 0
]
WHOLE = [case for case in CASES if asked(case.values[2].options)[1].roots == ROOT]


@pytest.mark.parametrize(("workspace", "version", "answer"), CASES)
def test_the_branches_that_hold_are_the_value(workspace: Path, version: str, answer: Answer, ours_of) -> None:
    ours = ours_of(workspace, version)
    pattern = asked(answer.options)[1].values.split(" + ")
    view = ours.view(answer.options)
    view.closure(expand_list(pattern, view, ours.loader.workspace.map_repository))  # transitions lead somewhere
    nodes = tuple(expand_list(pattern, ours.graph, ours.loader.workspace.map_repository))
    chooser = ChooserByTarget(view.settings_of_label)
    theirs = _values(answer)
    found: dict[tuple[str, str], tuple[set[str], set[str]]] = {}
    for select in SelectAnswer(GraphSelects(ours.graph), nodes, chooser=chooser):
        place = (str(select.rule.label), select.attribute)
        held, left = found.setdefault(place, (_plain(select.rule, select.attribute), set()))
        for branch, holds in zip(select.branches, chooser(select), strict=True):
            assert holds.truth in ("yes", "no"), (place, holds)
            (held if holds.truth == "yes" else left).update(_texts([each.value for each in branch.values]))
    assert found.keys() == theirs.keys()
    for place, (held, left) in found.items():
        value = theirs[place]
        if isinstance(value, list | dict):
            assert held <= set(_texts(value)), (place, held, value)
            assert not (left - held) & set(_texts(value)), (place, left, value)
        elif held:
            assert "".join(sorted("".join(held))) == "".join(sorted(str(value))), (place, held, value)


def _plain(rule: Rule, attribute: str) -> set[str]:
    value = rule.values[attribute]
    parts = value.parts if isinstance(value, SelectorList) else ()
    return {text for part in parts if not isinstance(part, Selector) for text in _texts(part)}


def _texts(value: Any) -> list[str]:
    """The elements of a value as text; nothing for what is empty or the default."""
    if isinstance(value, Mapping):
        return [f"{key}: {item}" for key, item in value.items()]
    listed = value if isinstance(value, list) else [value]
    pairs = [
        f"{each[0]}: {each[1]}" if type(each) is tuple else str(each) for each in listed if each not in (None, [], {})
    ]
    return [text for text in pairs if text]


def _values(answer: Answer) -> dict[tuple[str, str], Any]:
    lines = (fact.split(" ", 3)[1:] for fact in answer.facts if fact.startswith("value "))
    return {(label, attribute): ast.literal_eval(text) for label, attribute, text in lines}


@pytest.mark.parametrize(("workspace", "version", "answer"), WHOLE)
def test_what_a_command_line_changes(workspace: Path, version: str, answer: Answer, ours_of) -> None:
    ours = ours_of(workspace, version)
    first = next(case.values[2] for case in WHOLE if case.values[:2] == (workspace, version))
    sides = [_side(ours, each.options) for each in (first, answer)]
    apart = frozenset[str]().union(*(platform_labels(ours.view(each.options)) for each in (first, answer)))
    apart |= aliases(ours.graph) if version < "3" else frozenset()
    found = {change: set[str]() for change in ("added", "removed")}
    for each in Comparison(sides[0]).with_other(sides[1]).differences:
        if each.what in (What.TARGET, What.SOURCE) and not each.target.repo:
            found[each.change.value].add(str(each.target))
    before, after = _labels(first), _labels(answer)
    assert found["added"] - apart == after - before - apart
    assert found["removed"] - apart == before - after - apart


def _labels(answer: Answer) -> set[str]:
    return {fact.split()[-1] for fact in answer.facts if fact.startswith(("dep ", "tool ", "other "))}


def _side(ours: Ours, options: str) -> Side:
    view = ours.view(options)
    settings = QuerySettings(keep_going=True, mapping=ours.loader.workspace.map_repository)
    answer = query(f"deps({ROOT})", Environment(view, settings))
    return Side(answer.graph, answer.nodes, view.configuration, options, answer.excluded_flags)


def test_the_recorded_command_lines_change_something() -> None:
    answers = [case.values[2] for case in WHOLE]
    assert len({frozenset(_labels(answer)) for answer in answers}) > 20
    assert len({str(sorted(_values(answer).items(), key=str)) for answer in answers}) > 30
