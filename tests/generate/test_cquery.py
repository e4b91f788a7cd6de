"""What the answers of cquery are compared with: roots that Bazel analyzes and does not find."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.differential.configured_ours import Ours
from tests.generate.cquery import Said, differing

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
