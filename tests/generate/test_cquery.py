"""What the answers of cquery are compared with: roots that Bazel analyzes and does not find."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.differential.configured.ours import Ours
from tests.differential.real.bazel import Bazel
from tests.generate.cquery import Said, alike, ask_bazel, ask_ours, differing

_RULES = """
def _nothing(ctx):
    return []

def _turn(settings, attr):
    mode = str(settings["//command_line_option:compilation_mode"])
    return {"//command_line_option:compilation_mode": "dbg" if mode == "opt" else "opt"}

def _opt(settings, attr):
    return {"//command_line_option:compilation_mode": "opt"}

_MODE = ["//command_line_option:compilation_mode"]
_ATTRS = {"_allowlist_function_transition": attr.label(default = "//:list")}
turned = rule(_nothing, cfg = transition(implementation = _turn, inputs = _MODE, outputs = _MODE), attrs = _ATTRS)
moved = rule(_nothing, cfg = transition(implementation = _opt, inputs = [], outputs = _MODE), attrs = _ATTRS)
plain = rule(_nothing)
"""
_BUILD = """
load("//:rules.bzl", "moved", "plain", "turned")
package_group(name = "list", packages = ["//..."])
turned(name = "turned")
moved(name = "moved")
plain(name = "plain")
"""


@pytest.mark.parametrize(("name", "found"), [("turned", []), ("moved", ["//:moved"]), ("plain", ["//:plain"])])
def test_only_a_transition_that_leads_on_hides_a_root(name: str, found: list[str], tmp_path: Path) -> None:
    for file, text in {"WORKSPACE": "", "rules.bzl": _RULES, "BUILD": _BUILD}.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    said = Said("-c dbg", (), (), (), {}, [f"//:{name}"])
    assert [each.label for each in differing(Ours(tmp_path, {}, "7.7.1"), said, "7.7.1")] == found


@pytest.mark.parametrize(
    ("facts", "differing_facts"),
    [
        ([], []),
        (["value //w1:made $cc_toolchain_type other"], ["cquery: Bazel only", "cquery: bzlgraph only"]),
    ],
)
def test_a_computed_default_is_compared_where_bazel_has_it(
    facts: list[str], differing_facts: list[str], tmp_path: Path
) -> None:
    build = """
config_setting(name = "opt", values = {"compilation_mode": "opt"})
genrule(name = "made", outs = ["o"], cmd = select({":opt": "$(CC) a", "//conditions:default": "$(CC) b"}))
"""
    for file, text in {"WORKSPACE": "", "w1/BUILD": build}.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text, encoding="utf-8")
    said = Said("-c dbg", (), (), ["//w1:made"], {"w1": facts})
    found = differing(Ours(tmp_path, {}, "0.19.1"), said, "0.19.1")
    assert [each.cause for each in found if "$cc" in each.what] == differing_facts


_BACK = """
load("//:rules.bzl", "fastbuild", "flag", "opt", "plain")
flag(name = "on", build_setting_default = False)
package_group(name = "list", packages = ["//..."])
plain(name = "seen")
fastbuild(name = "back", deps = [":seen"])
opt(name = "there", deps = [":back"])
plain(name = "top", deps = [":seen", ":there"])
"""
_BACK_RULES = """
def _nothing(ctx):
    return []

_MODE = "//command_line_option:compilation_mode"
_ATTRS = {"deps": attr.label_list(), "_allowlist_function_transition": attr.label(default = "//w1:list")}

def _opt(settings, attr):
    return {_MODE: "opt"}

def _fastbuild(settings, attr):
    return {_MODE: "fastbuild"}

plain = rule(_nothing, attrs = {"deps": attr.label_list()})
flag = rule(_nothing, build_setting = config.bool(flag = True))

def _moved(function):
    return rule(_nothing, cfg = transition(implementation = function, inputs = [], outputs = [_MODE]), attrs = _ATTRS)

opt, fastbuild = _moved(_opt), _moved(_fastbuild)
"""


@pytest.mark.parametrize("line", ["", "--//w1:on=1", "--//w1:on=False"])
def test_the_way_back_to_the_options_of_the_command_line_is_no_other_configuration(line: str, tmp_path: Path) -> None:
    for file, text in {"WORKSPACE": "", "rules.bzl": _BACK_RULES, "w1/BUILD": _BACK, "BUILD": ""}.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text, encoding="utf-8")
    facts = ask_ours(Ours(tmp_path, {}, "4.2.3"), line, ["//w1:top"], ())["w1"]
    assert {"dep //w1:seen", "dep //w1:back", "other 1 //w1:there"} <= facts
    assert not [fact for fact in facts if fact.startswith("other") and fact != "other 1 //w1:there"]


def test_configurations_with_the_same_options_have_the_name_of_the_one_that_was_asked_for() -> None:
    found = [("//:a", "b0"), ("//:a", "a0"), ("//:file", "null"), ("//:t", "c0")]
    options = {"a0": "opt", "b0": "opt", "c0": "tool"}
    renamed, tools = alike(found, ["c0", "HOST"], options.__getitem__, "b0")
    assert renamed == [("//:a", "b0"), ("//:a", "b0"), ("//:file", "null"), ("//:t", "c0")]
    assert tools == {"c0", "HOST"}


def test_nobody_is_asked_about_no_roots(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    nobody = Bazel("0.0.0", tmp_path)
    assert ask_bazel(nobody, Ours(tmp_path, {}, "2.1.0"), "", [], frozenset()) == Said("", [], [], [], {}, [])
