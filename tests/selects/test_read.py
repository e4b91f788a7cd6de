"""Every branch of every kind of select, as data."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.bazel.selects import Select
from tests.selects.small_workspace import kinds, selects_of

Found = dict[tuple[str, str, int], Select]


@pytest.fixture
def found(tmp_path: Path) -> Found:
    return {(each.rule.label.name, each.attribute, each.part): each for each in selects_of(kinds(tmp_path))}


def branches(select: Select) -> list[tuple[str, list[str], list[bool]]]:
    return [
        (each.condition, [str(value.value) for value in each.values], [value.edge for value in each.values])
        for each in select.branches
    ]


def test_which_attributes_have_selects(found: Found) -> None:
    assert sorted(found) == [
        ("kinds", "copts", 1),
        ("kinds", "deps", 1),
        ("kinds", "deps", 2),
        ("kinds", "linkstatic", 1),
        ("kinds", "srcs", 2),
        ("made", "deps", 1),
        ("text", "cmd", 2),
    ]


def test_a_part_of_a_concatenation_with_a_default_and_nothing(found: Found) -> None:
    select = found["kinds", "srcs", 2]
    assert (select.parts, select.type, select.evaluated) == (2, "label_list", True)
    assert branches(select) == [
        ("//:fast", ["//:b.cc", "//:c.cc"], [True, True]),
        ("//:slow", ["None"], [False]),
        ("//conditions:default", ["[]"], [False]),
    ]
    assert [each.number for each in select.branches] == [1, 2, 3]


def test_a_call_that_cannot_be_evaluated_is_a_branch_also_inside_a_branch(found: Found) -> None:
    call = found["kinds", "deps", 1]
    assert branches(call) == [("if_cuda(...)", ["//:plain"], [True])]
    assert not call.evaluated
    assert call.branches[0].kind == "unknown"
    assert branches(found["kinds", "copts", 1]) == [
        ("//:fast", ["-O3"], [False]),
        ("//:fast and if_cuda(...)", ["-DCUDA"], [False]),
        ("//conditions:default", ["-O0"], [False]),
    ]
    assert [each.kind for each in found["kinds", "copts", 1].branches] == ["setting", "unknown", "default"]
    assert [each.number for each in found["kinds", "copts", 1].branches] == [1, 1, 2]


def test_single_values(found: Found) -> None:
    assert branches(found["kinds", "linkstatic", 1]) == [
        ("//:fast", ["True"], [False]),
        ("//conditions:default", ["False"], [False]),
    ]
    assert branches(found["text", "cmd", 2])[0] == ("//:fast", [""], [False])


def test_a_select_in_a_macro_stands_where_it_is_written(found: Found) -> None:
    select = found["made", "deps", 1]
    assert select.location is not None
    assert (select.location.path, select.location.line) == ("defs.bzl", 8)


def test_counts_tell_what_is_written_from_what_is_evaluated(tmp_path: Path) -> None:
    workspace = kinds(tmp_path)
    with (tmp_path / "BUILD").open("a") as build:
        build.write('lib(name = "made_too")\n')
    counts = selects_of(workspace).counts()
    assert (counts.targets, counts.with_selects) == (7, 4)
    assert (counts.selects, counts.places) == (7, 6)
    assert (counts.calls, counts.call_places) == (1, 1)
    assert (counts.branches, counts.values, counts.edges) == (16, 17, 6)


def test_targets_without_selects_have_no_rows(tmp_path: Path) -> None:
    answer = selects_of(kinds(tmp_path), "//:plain + //:a.cc")
    assert list(answer) == []
    assert answer.counts().with_selects == 0
