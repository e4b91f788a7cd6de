"""What people write in calls of macros that are not on disk: values no attribute could hold, and hostile texts."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from bzlgraph.base.label import LabelError, parse
from bzlgraph.export.query_formats.formats import FORMATS
from tests.export.bazel_view.asking import ask

_LOAD = 'load("@absent//:defs.bzl", "mystery")\n'
_MIXED = """
mystery(name = "a", d = {"k": "x", "l": ["y"], 3: True, "3": "text"}, big = 1 << 40, real = 1.5)
mystery(
    name = "b",
    l = [select({"//c": "x", "//conditions:default": [":z"]}), [1, ":w"]],
    d = {"k": select({"//c": 1})},
)
mystery(name = "m", either = select({"//c": "x", "//conditions:default": ["y"]}))
"""
_SELECT = 'select({"//c:c": "x", "//conditions:default": ["//:z"]})'


def tree_of(folder: Path, text: str) -> Path:
    (folder / "WORKSPACE").touch()
    (folder / "BUILD").write_text(_LOAD + text)
    return folder


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_write_them(tmp_path: Path, name: str) -> None:
    for flag in ("--proto:flatten_selects", "--noproto:flatten_selects"):
        assert ask(tree_of(tmp_path, _MIXED), "4.2.3", "//:all", f"--output={name}", flag)


def _json(tree: Path) -> list[dict[str, Any]]:
    records = [
        json.loads(line) for line in ask(tree, "4.2.3", "//:all", "--output=jsonl", "--order_output=no").splitlines()
    ]
    return [{key: each["value"] for key, each in record["attributes"].items()} for record in records[:3]]


def test_json_has_them_whole(tmp_path: Path) -> None:
    a, b, _ = _json(tree_of(tmp_path, _MIXED))
    assert a["d"] == {"k": "x", "l": ["y"], "3": True, '"3"': "text"}
    assert (a["big"], a["real"]) == (1 << 40, 1.5)
    when = [{"when": "//c:c", "value": "x"}, {"when": "//conditions:default", "value": ["//:z"]}]
    assert json.dumps({"select": when, "no_match_error": ""}) in json.dumps(b["l"])
    assert '{"when": "//c:c", "value": 1}' in json.dumps(b["d"])


def test_other_formats_have_the_text_of_starlark(tmp_path: Path) -> None:
    tree = tree_of(tmp_path, _MIXED)
    lines = ask(tree, "4.2.3", "//:a + //:b", "--output=streamed_jsonproto", "--order_output=no").splitlines()
    a, b = ({each["name"]: each for each in json.loads(line)["rule"]["attribute"]} for line in lines)
    pairs = [(each["key"], each["value"]) for each in a["d"]["stringDictValue"]]
    assert pairs == [("k", "x"), ("l", '["y"]'), ("3", "True"), ("3", "text")]
    assert a["big"]["stringValue"] == str(1 << 40)
    assert b["l"]["stringListValue"] == [_SELECT, '[1, "//:w"]']
    assert f"l = [{_SELECT}, [1, " in ask(tree, "4.2.3", "//:b", "--output=build")


def test_labels_in_selects_inside_of_them_are_dependencies(tmp_path: Path) -> None:
    found = ask(tree_of(tmp_path, _MIXED), "4.2.3", "deps(//:b)", "-k").split()
    assert {"//:w", "//:z"} <= set(found)


_HOSTILE = r"""
mystery(name = "a\033[31mred|<b>\nnext", deps = [":x\033[1m"], s = select({"//c": "v\033[1m\nw"}))
"""


@pytest.mark.parametrize(
    "name", [name for name in FORMATS if name not in ("proto", "streamed_proto", "parquet", "sqlite")]
)
def test_no_name_reaches_the_terminal_raw(tmp_path: Path, name: str) -> None:
    """Whoever writes a BUILD file must not choose what a terminal does, nor add a line to an answer."""
    text = ask(tree_of(tmp_path, _HOSTILE), "4.2.3", "//:all", f"--output={name}")
    assert "\x1b" not in text
    assert "red" in text or name == "package"
    if name in ("label", "label_kind", "location", "minrank", "maxrank"):
        assert len(text.splitlines()) == 1
    if name == "csv":
        assert len(list(csv.reader(io.StringIO(text, newline="")))) == 2
    if name in ("table", "markdown"):
        assert len(text.splitlines()) == (2 if name == "table" else 3)


def test_a_package_or_repository_with_control_characters_is_no_label(tmp_path: Path) -> None:
    for text in ("//a\x1b[1m:b", "@r\x1b//a:b", "@r\x1b", "//a\nb"):
        with pytest.raises(LabelError):
            parse(text, "", "")


def test_two_rules_of_one_name_may_have_different_attributes(tmp_path: Path) -> None:
    """What Bazel brings along is known by its values only, so that each rule of a table has a class of its own."""
    both = "@bazel_tools//tools/jdk:current_java_runtime + @bazel_tools//tools/jdk:legacy_current_java_runtime"
    assert len(ask(tree_of(tmp_path, ""), "4.2.3", both, "--output=build").split("java_runtime_alias(")) == 3


def test_a_call_that_cannot_be_evaluated_is_no_label_of_a_branch(tmp_path: Path) -> None:
    """``--output=build`` has no syntax for it: the key says what it is, as ``expand`` does."""
    tree = tree_of(tmp_path, 'cc_library(name = "a", deps = mystery([":d"]))')
    assert 'deps = select({"unknown: mystery(...)": ["//:d"]})' in ask(tree, "4.2.3", "//:a", "--output=build")
