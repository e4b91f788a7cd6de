"""Values in ``--output=proto`` where a default depends on something, or is missing: seen with 0.19.1 and 4.2.3."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.export.bazel_view.asking import ask

_BUILD = """
config_setting(name = "fast", values = {"define": "fast=1"})
java_test(name = "with", srcs = ["A.java"])
java_test(name = "chosen", srcs = ["A.java"], use_testrunner = select({":fast": True, "//conditions:default": False}))
java_binary(name = "left_out", srcs = ["A.java"], launcher = select({":fast": ":with", "//conditions:default": None}))
genrule(name = "no_cmd", outs = ["o"])
genquery(name = "q", expression = "//:with", scope = [":with"])
genquery(
    name = "chosen_scope",
    expression = "//:with",
    scope = select({":fast": [":with"], "//conditions:default": [":with", ":chosen"]}),
)
"""


def _attributes(tree: Path, version: str, label: str) -> dict[str, dict[str, Any]]:
    (tree / "WORKSPACE").touch()
    (tree / "BUILD").write_text(_BUILD)
    (rule,) = json.loads(ask(tree, version, label, "--output=jsonproto"))
    return {each["name"]: each for each in rule["rule"]["attribute"]}


@pytest.mark.parametrize("version", ["0.19.1", "4.2.3"])
def test_a_computed_default_that_depends_has_no_value(tmp_path: Path, version: str) -> None:
    """Also where one branch gives nothing: a written attribute shows the value of the other one then."""
    assert "TestRunner" in _attributes(tmp_path, version, "//:with")["$testsupport"]["stringValue"]
    assert "stringValue" not in _attributes(tmp_path, version, "//:chosen")["$testsupport"]
    assert _attributes(tmp_path, version, "//:left_out")["launcher"]["stringValue"] == "//:with"


def test_a_mandatory_string_that_is_missing_is_empty(tmp_path: Path) -> None:
    assert _attributes(tmp_path, "0.19.1", "//:no_cmd")["cmd"]["stringValue"] == ""
    assert "stringValue" not in _attributes(tmp_path, "0.19.1", "//:no_cmd")["deprecation"]


@pytest.mark.parametrize(("version", "says"), [("0.19.1", True), ("4.2.3", True), ("7.7.1", False)])
def test_whether_the_scope_of_a_genquery_says_that_it_is_a_dependency(tmp_path: Path, version: str, says: bool) -> None:
    assert ("nodep" in _attributes(tmp_path, version, "//:q")["scope"]) is says


@pytest.mark.parametrize(
    ("version", "scope"),
    [("4.2.3", ["//:with", "//:chosen"]), ("7.7.1", ["//:with", "//:with", "//:chosen"])],
)
def test_the_branches_of_a_scope_are_joined_as_those_of_its_type(
    tmp_path: Path, version: str, scope: list[str]
) -> None:
    """Labels that are dependencies are printed once."""
    assert _attributes(tmp_path, version, "//:chosen_scope")["scope"]["stringListValue"] == scope
    shown = ask(tmp_path, version, "//:chosen_scope", "--output=xml")
    assert re.findall('<label value="(.*?)"/>', shown.partition('name="scope"')[2].partition("</list>")[0]) == scope


@pytest.mark.parametrize(("version", "shown"), [("7.7.1", "Ã¼"), ("8.0.0", "Ã¼"), ("8.1.0", "ü")])
def test_proto_has_the_text_itself_from_8_1_on(tmp_path: Path, version: str, shown: str) -> None:
    """Before, each byte of the text in UTF-8 is a character of its own (read in Bazel's sources)."""
    (tmp_path / "MODULE.bazel").touch()
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text('filegroup(name = "f", tags = ["ü"])\n', encoding="utf-8")
    (rule,) = json.loads(ask(tmp_path, version, "//:f", "--output=jsonproto"))
    assert [each["stringListValue"] for each in rule["rule"]["attribute"] if each["name"] == "tags"] == [[shown]]
