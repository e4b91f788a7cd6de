"""flags/settings: kinds, what is read, defaults, uses direct and through groups, what branches add."""

from __future__ import annotations

from pathlib import Path

import pytest

import bzlgraph
from bzlgraph.bazel.model import Package
from bzlgraph.facts.options import options_for
from bzlgraph.flags.settings import select_use
from bzlgraph.flags.settings.rows import settings
from bzlgraph.flags.settings.table import COLUMNS, SettingRow, SettingsAnswer
from tests.flags.flags_workspace import opened

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> SettingsAnswer:
    return settings(opened(tmp_path_factory.mktemp("flags")).build_graph, options_for("4.2.3"))


@pytest.mark.parametrize("tree", ["examples/mini_tensorflow", "tests/workspaces/selects"])
def test_packages_that_stay_encoded_say_the_same(tree: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    for cache in (False, True, True):
        workspace = bzlgraph.open(ROOT / tree, cache=cache, cache_dir=tmp_path, jobs=1)
        found = settings(workspace.build_graph, options_for("4.2.3"))
        told.append(([each.cells() for each in found.rows], {name: list(uses) for name, uses in found.calls.items()}))
        if cache:  # kept by then: nobody goes through the targets
            monkeypatch.setattr(Package, "rules", None)
    assert told[0] == told[1] == told[2]
    assert told[0][0]


def row(answer: SettingsAnswer, name: str) -> SettingRow:
    return next(each for each in answer.rows if each.label.name == name)


def cells(answer: SettingsAnswer, name: str) -> dict[str, object]:
    return dict(zip(COLUMNS, row(answer, name).cells(), strict=True))


def test_every_setting_has_a_row_and_inner_links_of_groups_have_none(answer: SettingsAnswer) -> None:
    names = [each.label.name for each in answer.rows]
    assert names == [
        "all_of_them", "fast_and_shiny", "fast_or_opt", "is_shiny", "nobody", "opt", "renamed", "shiny", "with_fast"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "kind", "reads", "default"),
    [
        ("with_fast", "config_setting", "--define=fast=true", "not set"),
        ("opt", "config_setting", "--compilation_mode=opt", "fastbuild"),
        ("shiny", "bool_flag", "--//:shiny", "false"),
        ("is_shiny", "config_setting", "--//:shiny=true", ""),
        ("all_of_them", "config_setting_group", "all of //:with_fast, //:opt, //:is_shiny", ""),
        ("fast_or_opt", "alias", "any of //:with_fast, //:opt", ""),
        ("renamed", "alias", "//:fast_or_opt", ""),
    ],
)
def test_what_a_setting_is(answer: SettingsAnswer, name: str, kind: str, reads: str, default: str) -> None:
    found = cells(answer, name)
    assert (found["kind"], found["reads"], found["default"]) == (kind, reads, default)


@pytest.mark.parametrize(
    ("name", "selects", "branches", "through", "targets", "places", "adds"),
    [
        ("with_fast", 4, 4, 2, 3, 3, "//:quick"),  # one and two directly; three through both of its conditions
        ("all_of_them", 1, 1, 0, 1, 1, "//:quick"),
        ("shiny", 1, 1, 1, 1, 1, "//:quick"),
        ("renamed", 1, 1, 0, 1, 1, ""),
        ("nobody", 0, 0, 0, 0, 0, ""),
    ],
)
def test_uses(
    answer: SettingsAnswer, name: str, selects: int, branches: int, through: int, targets: int, places: int, adds: str
) -> None:
    found = cells(answer, name)
    expected = (selects, branches, through, targets, places, adds)
    assert tuple(found[each] for each in ("selects", "branches", "through", "targets", "places", "adds")) == expected


def test_what_a_branch_sets_beside_dependencies(answer: SettingsAnswer) -> None:
    assert [use.sets for use in row(answer, "renamed").uses] == [("-O3",)]


def test_calls_that_nobody_can_evaluate_are_kept_apart(answer: SettingsAnswer) -> None:
    assert {name: [str(label) for use in uses for label in use.adds] for name, uses in answer.calls.items()} == {
        "if_gpu": ["//:base"]
    }


def test_a_key_of_an_absent_repository_has_a_row_and_a_gap(tmp_path: Path) -> None:
    workspace = opened(tmp_path)
    (tmp_path / "BUILD").write_text(
        'cc_library(name = "a", deps = select({"@gone//:x": [":b"]}))\ncc_library(name = "b")'
    )
    found = settings(workspace.build_graph)
    assert [(str(each.label), each.kind) for each in found.rows] == [("@gone//:x", "unloaded target")]
    assert [gap.what for gap in found.gaps] == ["@gone//"]


def test_a_bind_stands_for_its_setting_as_an_alias_does(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").write_text('bind(name = "bound", actual = "//:fast")\n')
    (tmp_path / "BUILD").write_text(
        'config_setting(name = "fast", define_values = {"fast": "true"})\n'
        'cc_library(name = "a", copts = select({"//external:bound": ["-O3"], "//conditions:default": []}))\n'
    )
    workspace = bzlgraph.open(tmp_path, cache=False, jobs=1)
    found = settings(workspace.build_graph, options_for("4.2.3"))
    assert cells(found, "bound")["reads"] == "//:fast"
    assert cells(found, "fast")["through"] == 1


def test_a_select_of_many_targets_is_read_once_for_each_attribute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "WORKSPACE").write_text("")
    (tmp_path / "BUILD").write_text(
        'config_setting(name = "fast", define_values = {"fast": "true"})\n'
        'WORDS = select({":fast": [":quick"], "//conditions:default": []})\n'
        '[cc_library(name = "a%d" % i, deps = WORDS, copts = WORDS) for i in range(9)]\n'
    )
    read: list[object] = []
    values = select_use.dependencies
    monkeypatch.setattr(select_use, "dependencies", lambda plain, **how: read.append(plain) or values(plain, **how))  # type: ignore[func-returns-value]
    workspace = bzlgraph.open(tmp_path, cache=False, jobs=1)
    uses = row(settings(workspace.build_graph, options_for("4.2.3")), "fast").uses
    assert {(use.attribute, use.sets, tuple(map(str, use.adds))) for use in uses} == {
        ("deps", (), ("//:quick",)), ("copts", (":quick",), ())
    }  # fmt: skip
    assert (len(uses), len(read)) == (18, 4), "two branches of two attributes are read, for nine targets"
