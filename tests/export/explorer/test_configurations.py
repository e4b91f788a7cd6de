"""Configurations in the explorer: which branches hold, what fades, what another one adds; beside `query`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.export.conftest import make_page

Opened = Callable[..., Any]
BUILD = """
config_setting(name = "fast", values = {"compilation_mode": "opt"})
config_setting(name = "gpu", values = {"define": "gpu=true"})
config_setting(name = "both", values = {"define": "gpu=true", "compilation_mode": "opt"})
filegroup(name = "top", srcs = [":always"] + select({":gpu": [":cuda"], "//conditions:default": [":cpu"]}))
filegroup(name = "always", srcs = select({":fast": [":quick"], "//conditions:default": []}))
filegroup(name = "cuda", srcs = select({":both": [":tuned"], "//conditions:default": [":plain"]}))
filegroup(name = "cpu")
filegroup(name = "quick")
filegroup(name = "tuned")
filegroup(name = "plain")
filegroup(name = "maybe", srcs = select({"@absent//:unknown": [":cpu"], "//conditions:default": []}))
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("configured")
    (root / "WORKSPACE").touch()
    (root / "BUILD").write_text(BUILD)
    (root / ".bazelrc").write_text("build:gpu --define=gpu=true\nbuild:release --config=gpu -c opt\n")
    return root


@pytest.fixture(scope="module")
def file(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_page(workspace, tmp_path_factory.mktemp("page") / "page.html", "//:top")


def needed(workspace: Path, words: str) -> set[str]:
    """What `query` says is needed in a configuration; asked in a process of its own (see conftest.py)."""
    command = [sys.executable, "-m", "bzlgraph", "-C", str(workspace), "--no_cache", "query", "deps(//:top)"]
    done = subprocess.run([*command, *words.split()], check=True, capture_output=True, text=True)
    return set(done.stdout.splitlines())


def state(**more: str) -> str:
    labels = ["//:top", "//:always", "//:cuda"]
    return urlencode([*(("focus", each) for each in labels), *(("down", each) for each in labels), *more.items()])


def boxes(tab: Any, wanted: str) -> set[str]:
    labels = tab.locator(f".box{wanted}").evaluate_all("all => all.map(e => e.ariaLabel)")
    return {each.split(",")[0] for each in labels}


@pytest.mark.parametrize("words", ["-c fastbuild", "-c opt", "-c dbg", "--config=gpu", "--config=release"])
def test_what_a_configuration_needs_stays_bright(opened: Opened, file: Path, workspace: Path, words: str) -> None:
    tab = opened(file, state())
    tab.select_option("#config", words)
    shown = boxes(tab, "")
    assert {"//:top", "//:quick", "//:tuned", "//:plain", "//:cpu"} <= shown
    assert boxes(tab, ".faded") == shown - needed(workspace, words)


def test_the_branches_that_hold_light_up(opened: Opened, file: Path) -> None:
    tab = opened(file, state(config="--config=gpu", selected="//:top"))
    said = tab.inner_text("#panel")
    assert "when //:gpu (holds)" in said
    assert "when //conditions:default (not //:gpu) (does not hold)" in said
    assert tab.locator(".lines .holds:not([data-extra])").count() == 2
    assert tab.locator(".lines .fails:not([data-extra])").count() == 3


def test_two_configurations_are_compared(opened: Opened, file: Path) -> None:
    tab = opened(file, state(config="--config=release"))
    tab.select_option("#versus", "-c fastbuild")
    assert boxes(tab, ".appears") == {"//:cuda", "//:both", "//:tuned", "//:quick"}
    assert boxes(tab, ".vanishes") == {"//:cpu"}


def test_why_goes_no_way_that_does_not_hold(opened: Opened, file: Path) -> None:
    ends = {"from": "//:top", "to": "//:tuned"}
    assert "does not depend on" in opened(file, urlencode({**ends, "config": "-c opt"})).inner_text("#why")
    tab = opened(file, urlencode({**ends, "config": "--config=release"}))
    assert tab.locator(".path .jump").all_inner_texts() == ["//:top", "//:cuda", "//:tuned"]


def test_a_condition_that_is_not_known_may_hold(opened: Opened, workspace: Path, tmp_path: Path) -> None:
    page = make_page(workspace, tmp_path / "page.html", "//:maybe")
    tab = opened(page, urlencode({"focus": "//:maybe", "down": "//:maybe", "config": "-c opt", "selected": "//:maybe"}))
    assert "when @absent//:unknown (may hold)" in tab.inner_text("#panel")
    assert tab.locator(".line.doubtful").count() >= 1
    assert boxes(tab, ".faded") == set()


CHOOSING = """
load("//:rules.bzl", "user", "chain")
label_flag(name = "engine", build_setting_default = ":steam")
filegroup(name = "steam", srcs = [":coal"])
filegroup(name = "diesel", srcs = [":oil"])
filegroup(name = "coal")
filegroup(name = "oil")
filegroup(name = "car", srcs = [":engine", ":plain"])
filegroup(name = "plain")
user(name = "made", deps = [":engine"])
toolchain_type(name = "kind")
chain(name = "arm_impl", tools = [":arm_tool"])
chain(name = "any_impl", tools = [":any_tool"])
filegroup(name = "arm_tool")
filegroup(name = "any_tool")
constraint_setting(name = "cpu")
constraint_value(name = "arm", constraint_setting = ":cpu")
platform(name = "board", constraint_values = [":arm"])
toolchain(name = "arm_chain", toolchain = ":arm_impl", toolchain_type = ":kind", target_compatible_with = [":arm"])
toolchain(name = "any_chain", toolchain = ":any_impl", toolchain_type = ":kind")
"""
RULES = """
def _impl(ctx):
    return [platform_common.ToolchainInfo()]
user = rule(_impl, attrs = {"deps": attr.label_list()}, toolchains = ["//:kind"])
chain = rule(_impl, attrs = {"tools": attr.label_list()})
"""
CHOSEN = {
    "-c opt": {"//:steam", "//:coal", "//:any_impl", "//:any_tool"},
    "--config=diesel": {"//:diesel", "//:oil", "//:any_impl", "//:any_tool"},
    "--config=board": {"//:steam", "//:coal", "//:arm_impl", "//:arm_tool"},
}


@pytest.fixture(scope="module")
def choosing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("choosing")
    (root / "WORKSPACE").write_text('register_toolchains("//:arm_chain", "//:any_chain")')
    (root / "BUILD").write_text(CHOOSING)
    (root / "rules.bzl").write_text(RULES)
    (root / ".bazelrc").write_text("build:diesel --//:engine=//:diesel\nbuild:board --platforms=//:board\n")
    (root / ".bazelversion").write_text("7.7.1")
    return root


@pytest.fixture(scope="module")
def chosen(choosing: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_page(choosing, tmp_path_factory.mktemp("page") / "page.html", "//:car + //:made")


@pytest.mark.parametrize("words", CHOSEN)
def test_what_configurations_choose_by_themselves_is_in_the_file(
    opened: Opened, chosen: Path, choosing: Path, words: str
) -> None:
    shown = ["//:car", "//:made", "//:engine", *sorted(set[str]().union(*CHOSEN.values()))]
    tab = opened(chosen, urlencode([*(("focus", each) for each in shown), ("config", words)]))
    command = [sys.executable, "-m", "bzlgraph", "-C", str(choosing), "--no_cache", "query", *words.split()]
    done = subprocess.run([*command, "deps(//:car + //:made)"], check=True, capture_output=True, text=True)
    assert boxes(tab, "") - boxes(tab, ".faded") == boxes(tab, "") & set(done.stdout.splitlines())
    assert boxes(tab, "") - boxes(tab, ".faded") == {"//:car", "//:made", "//:engine", *CHOSEN[words]}


def test_targets_of_one_configuration_are_marked(opened: Opened, chosen: Path) -> None:
    tab = opened(chosen, urlencode([("focus", "//:engine"), ("down", "//:engine"), ("selected", "//:diesel")]))
    assert boxes(tab, ".only") == {"//:diesel"}
    assert "only under --config=diesel" in tab.inner_text("#panel")
    assert "only under --config=diesel" in tab.locator(".box.only").get_attribute("aria-label")
    tab.locator("#panel .jump", has_text="//:engine").first.click()
    assert "when --config=diesel" in tab.inner_text("#panel")
    tab.select_option("#config", "--config=board")
    assert boxes(tab, ".only.faded") == {"//:diesel"}
    tab = opened(chosen, urlencode([("focus", "//:made"), ("down", "//:made"), ("selected", "//:made")]))
    assert boxes(tab, ".only") == {"//:any_impl", "//:arm_impl"}


def test_the_map_shows_targets_of_one_configuration(opened: Opened, chosen: Path) -> None:
    tab = opened(chosen, urlencode({"open": "//"}))
    assert boxes(tab, ".only") >= {"//:diesel", "//:oil", "//:arm_impl", "//:arm_tool"}
    tab.locator("#search").fill("arm_tool")
    assert tab.locator("#matches li").all_inner_texts() == ["//:arm_tool"]
