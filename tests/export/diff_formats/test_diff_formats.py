"""Differences as text, rows and pictures when there are many of them, and when they are uncertain."""

from __future__ import annotations

from pathlib import Path

import pytest

import bzlgraph
from bzlgraph.diff.model import Change, DiffAnswer
from bzlgraph.export.diff_formats.picture import EDGE_BUDGET, diff_picture
from bzlgraph.export.diff_formats.rows import COLUMNS, diff_table
from bzlgraph.export.diff_formats.text import NAMED, SHOWN, text
from bzlgraph.export.pictures.dot import to_dot
from bzlgraph.export.pictures.picture import ArrowStyle
from tests.selects.small_workspace import written

MANY = EDGE_BUDGET + 1


@pytest.fixture
def many(tmp_path: Path) -> bzlgraph.Workspace:
    users = "".join(f'filegroup(name = "user{n}", srcs = FAST)\n' for n in range(MANY))
    build = 'load("//:defs.bzl", "FAST")\n' + users
    settings = 'config_setting(name = "fast", values = {"define": "fast=1"})\nfilegroup(name = "quick")\n'
    defs = 'FAST = select({"//:fast": ["//:quick"], "//conditions:default": []})\n'
    return written(tmp_path, {"BUILD": settings, "defs.bzl": defs, "users/BUILD": build})


def answer(workspace: bzlgraph.Workspace, text: str, left: list[str], right: list[str]) -> DiffAnswer:
    return workspace.diff_config(text, left, right, keep_going=True).answer


def test_what_many_targets_get_alike_is_told_once(many: bzlgraph.Workspace) -> None:
    found = answer(many, "//users:all", [], ["--define=fast=1"])
    lines = "".join(text(found)).splitlines()
    assert lines[0] == f"1 target added; {MANY} edges added. {MANY + 1} targets are on both sides."
    assert sum("//:quick  when //:fast" in line for line in lines) == 1
    assert sum(line.startswith("       //users:user") for line in lines) == NAMED - 1
    assert f"       and {MANY - NAMED + 1} more targets" in lines
    everything = "".join(text(found, everything=True)).splitlines()
    assert sum(line.startswith("       //users:user") for line in everything) == MANY


def test_too_many_lines_are_cut_and_counted(many: bzlgraph.Workspace) -> None:
    gone = answer(many, "attr(srcs, quick, //users:all)", ["--define=fast=1"], ["--define=fast=1"])
    assert not gone.differences
    found = answer(many, "deps(//users:all) - //:quick", [], ["--define=fast=1"])
    assert not found.differences  # an edge that leaves what is asked for is none of it
    targets = DiffAnswer(
        found.left,
        found.right,
        answer(many, "//users:all", [], ["--define=fast=1"]).differences[:1] * (SHOWN + 5),
        (0, 0),
        0,
    )
    lines = "".join(text(targets)).splitlines()
    assert lines[-1] == "  ... and 5 more (--all, or --output=csv)"
    assert "more (--all" not in "".join(text(targets, everything=True))


def test_a_picture_of_too_many_edges_draws_packages(many: bzlgraph.Workspace) -> None:
    picture = diff_picture(answer(many, "//users:all", [], ["--define=fast=1"]))
    assert [(box.text, box.detail, box.family) for box in picture.boxes] == [
        ("//", "+1 targets", "added"),
        ("//users", "", "on both sides"),
    ]
    assert [(arrow.source, arrow.target, arrow.count, arrow.style) for arrow in picture.arrows] == [
        ("//users", "//", MANY, ArrowStyle.ADDED)
    ]
    few = diff_picture(answer(many, "//users:user1", [], ["--define=fast=1"]))
    assert [box.text for box in few.boxes] == ["+ //:quick", "//users:user1"]
    assert [(arrow.source, arrow.target) for arrow in few.arrows] == [("//users:user1", "//:quick")]


def test_rows_have_all_columns(many: bzlgraph.Workspace) -> None:
    table = diff_table(answer(many, "//users:user1", ["--define=fast=1"], []))
    rows = [dict(zip(table.names, row, strict=True)) for row in table.rows()]
    assert len(COLUMNS) == 9
    assert [(row["change"], row["what"], row["target"], row["value"], row["condition"]) for row in rows] == [
        ("removed", "target", "//:quick", None, None),
        ("removed", "edge", "//users:user1", "//:quick", "//:fast"),
    ]
    assert rows[1]["location"] == "defs.bzl:1"
    assert rows[1]["reason"] == "--define=fast is not set; must be 1"


@pytest.mark.parametrize("change", Change)
def test_every_change_has_a_sign_a_box_and_an_arrow(change: Change, many: bzlgraph.Workspace) -> None:
    from dataclasses import replace

    found = answer(many, "//users:user1", [], ["--define=fast=1"])
    turned = replace(found, differences=tuple(replace(each, change=change) for each in found.differences))
    dot = to_dot(diff_picture(turned))
    assert change.value in dot
    sign = {"added": "+ ", "removed": "- ", "possibly added": "+?", "possibly removed": "-?"}[change.value]
    assert f"  {sign} //:quick" in "".join(text(turned))


def test_a_single_target_is_one(many: bzlgraph.Workspace) -> None:
    same = "1 target, and all its edges and values, are the same on both sides."
    assert "".join(text(answer(many, "//:quick", [], ["--define=fast=1"]))).startswith(f"No difference: {same}")
