"""Which branches hold in a configuration, and the words for it."""

from __future__ import annotations

from pathlib import Path

import pytest

import bzlgraph
from bzlgraph.base.errors import UsageProblem
from bzlgraph.config.arguments import ConfigArguments
from bzlgraph.questions.session import QueryOptions
from bzlgraph.questions.targets import ask_selects
from bzlgraph.selects.answer import SelectAnswer
from bzlgraph.selects.holds import Holds
from tests.selects.small_workspace import kinds, written

SPECIAL = """
config_setting(name = "opt", values = {"compilation_mode": "opt"})
config_setting(name = "opt_fast", values = {"compilation_mode": "opt", "define": "fast=1"})
config_setting(name = "verbose", values = {"copt": "-v"})
alias(name = "quick", actual = ":opt_fast")
cc_library(
    name = "lib",
    copts = select({":opt": ["-O2"], ":quick": ["-O3"], "//conditions:default": []}),
    linkopts = select({":opt": ["-s"]}, no_match_error = "opt only"),
    defines = select({":opt": ["A"], ":verbose": ["B"], "//conditions:default": []}),
    includes = select({":opt": ["same"], ":verbose": ["same"], "//conditions:default": []}),
    deps = select({"@absent//:setting": [":lib2"], "//conditions:default": []}),
)
cc_library(name = "lib2")
"""
RC = "build:quick -c opt\nbuild:quick --define=fast=1\n"


def selects(workspace: bzlgraph.Workspace, target: str, *options: str) -> SelectAnswer:
    asked = QueryOptions(keep_going=True)
    return ask_selects(workspace.session, target, asked, ConfigArguments(options)).answer


def held(workspace: bzlgraph.Workspace, *options: str, target: str = "//:lib") -> dict[tuple[str, str], Holds]:
    answer = selects(workspace, target, *options)
    return {
        (select.attribute, branch.condition): holds
        for select in answer
        for branch, holds in zip(select.branches, answer.holds(select), strict=True)
    }


@pytest.fixture
def special(tmp_path: Path) -> bzlgraph.Workspace:
    return written(tmp_path, {"BUILD": SPECIAL, ".bazelrc": RC})


def truths(found: dict[tuple[str, str], Holds], attribute: str) -> list[str]:
    return [holds.truth for (name, _), holds in found.items() if name == attribute]


def test_without_options_nothing_is_said(special: bzlgraph.Workspace) -> None:
    answer = selects(special, "//:lib")
    assert not answer.configured
    assert [answer.holds(select) for select in answer] == [()] * 5


def test_the_default_holds_when_nothing_else_does(special: bzlgraph.Workspace) -> None:
    found = held(special, "-c", "dbg")
    assert truths(found, "copts") == ["no", "no", "yes"]
    assert found["copts", "//:opt"].reason == "--compilation_mode is dbg (command line), not opt"
    assert found["copts", "//conditions:default"].reason == "no other condition holds"


def test_a_more_special_condition_wins_and_the_other_says_so(special: bzlgraph.Workspace) -> None:
    found = held(special, "--config=quick")
    assert truths(found, "copts") == ["no", "yes", "no"]
    assert found["copts", "//:opt"].reason.endswith("it holds, but //:quick is more specific")
    assert found["copts", "//:quick"].setting is not None
    assert str(found["copts", "//:quick"].setting) == "//:opt_fast"
    told = [str(reason) for reason in found["copts", "//:quick"].reasons]
    assert len(told) == 2
    assert all(".bazelrc:" in each and "config quick" in each for each in told)


def test_what_bazel_refuses_is_told(special: bzlgraph.Workspace) -> None:
    missing = held(special, "-c", "dbg")["linkopts", "//:opt"]
    assert (missing.truth, "opt only" in missing.refused) == ("no", True)
    clash = held(special, "-c", "opt", "--copt=-v")
    assert "ambiguous" in clash["defines", "//:opt"].refused


@pytest.mark.parametrize(("version", "refused"), [("4.2.3", True), ("7.7.1", False)])
def test_two_that_hold_with_one_value_are_a_clash_for_an_old_bazel_only(
    tmp_path: Path, version: str, refused: bool
) -> None:
    folder = written(tmp_path, {"BUILD": SPECIAL, ".bazelrc": RC}).root
    clash = held(bzlgraph.open(folder, bazel_version=version), "-c", "opt", "--copt=-v")
    assert ["ambiguous" in clash["includes", condition].refused for condition in ("//:opt", "//:verbose")] == [
        refused,
        refused,
    ]


def test_a_setting_that_is_not_on_disk_is_unknown_and_so_is_the_default(special: bzlgraph.Workspace) -> None:
    found = held(special, "-c", "opt")
    assert truths(found, "deps") == ["unknown", "unknown"]
    assert "@absent" in found["deps", "@absent//:setting"].reason


def test_a_call_inside_a_branch(tmp_path: Path) -> None:
    workspace = kinds(tmp_path)
    fast = held(workspace, "--define=fast=1", target="//:kinds")
    assert fast["copts", "//:fast"].truth == "yes"
    assert fast["copts", "//:fast and if_cuda(...)"].truth == "unknown"
    assert fast["copts", "//:fast and if_cuda(...)"].reason == "if_cuda(...) cannot be evaluated"
    slow = held(workspace, "--define=slow=1", target="//:kinds")
    assert slow["copts", "//:fast and if_cuda(...)"].truth == "no"
    assert slow["deps", "if_cuda(...)"].truth == "unknown"


def test_the_data_frame_says_what_holds(special: bzlgraph.Workspace) -> None:
    rows = special.select("//:lib", ["--config=quick"], keep_going=True)
    copts = rows[rows.attribute == "copts"]
    assert copts.holds.tolist() == ["no", "yes", "no"]
    assert special.select("//:lib").holds.isna().all()
    with pytest.raises(UsageProblem):
        special.select("//:lib", ["--config=quicker"])


def test_counts(special: bzlgraph.Workspace) -> None:
    counts = selects(special, "//:lib", "--config=quick").counts()
    assert (counts.holding, counts.not_holding, counts.unknown) == (4, 6, 2)
    assert counts.branches == 12
