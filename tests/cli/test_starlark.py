"""``bzlgraph starlark`` and the function behind it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from bzlgraph.cli.commands.language.starlark import Options, command, run


def answers(files: dict[str, str], paths: list[str], **options: Any) -> tuple[int, list[str], list[str]]:
    out: list[str] = []
    errors: list[str] = []
    sources = {path: text.encode() for path, text in files.items()}
    code = run(sources.__getitem__, paths, Options(**options), out.append, errors.append)
    return code, out, errors


def test_json_has_one_object_for_each_file() -> None:
    files = {"a.star": "x = 1", "b.star": "def f():\n  return 1 // 0\nf()\n", "c.star": "a\nb\n"}
    code, out, _ = answers(files, list(files), as_json=True)
    first, second, third = map(json.loads, out)
    assert code == 1
    assert first == {"file": "a.star", "ok": True}
    assert second["error"] == {
        "line": 2,
        "column": 12,
        "message": "integer division by zero",
        "stack": [{"line": 2, "column": 12}, {"line": 3, "column": 2}],
    }
    assert [error["line"] for error in third["errors"]] == [1, 2]


def test_text_form() -> None:
    code, out, errors = answers({"d/a.star": "print('hello')\nfail('no')"}, ["d/a.star"])
    assert (code, out) == (1, ["d/a.star:2:5: error: no"])
    assert errors == ["d/a.star:1:6: hello"]


def test_parse_only_runs_nothing() -> None:
    assert answers({"a.star": "fail('x')"}, ["a.star"], parse_only=True)[0] == 0
    assert answers({"a.star": "undefined"}, ["a.star"], parse_only=True)[0] == 1


ALLOWED = {
    "while": "def f():\n  i = 0\n  while i < 3: i += 1\n  return i\nf()",
    "toplevelcontrol": "x = []\nfor i in range(2): x.append(i)\nif x: y = 1",
    "globalreassign": "x = 1\nx = 2",
    "recursion": "def f(n): return 1 if n < 1 else f(n - 1)\nf(50)",
}


@pytest.mark.parametrize("option", ALLOWED)
def test_options_switch_things_on(option: str) -> None:
    files = {"a.star": ALLOWED[option]}
    assert answers(files, ["a.star"])[0] == 1
    assert answers(files, ["a.star"], allow=(option,))[0] == 0


def test_dialects() -> None:
    assert answers({"a.star": "x = b'a'"}, ["a.star"])[0] == 1
    assert answers({"a.star": "x = b'a'"}, ["a.star"], dialect="spec")[0] == 0
    assert answers({"a.star": "'a b'.split()"}, ["a.star"], dialect="spec")[0] == 0
    assert answers({"a.star": "'a b'.split()"}, ["a.star"])[0] == 1
    assert answers({"BUILD": "def f(): pass"}, ["BUILD"])[0] == 1
    assert answers({"a.bzl": r"x = '\d'"}, ["a.bzl"])[0] == 1


def test_loads_of_files_beside_and_no_others() -> None:
    files = {"d/a.star": "load('b.star', 'x')\nx.append(1)", "d/b.star": "x = [1]"}
    assert answers(files, ["d/a.star"])[1] == ["d/a.star:2:9: error: trying to mutate a frozen list value"]
    for module in ("//x:y.bzl", "@r//:f.bzl", "../x.star", "/etc/passwd"):
        code, out, _ = answers({"a.star": f"load('{module}', 'x')"}, ["a.star"])
        assert code == 1
        assert "without a workspace" in out[0]
    assert "there is no file" in answers({"a.star": "load('b.star', 'x')"}, ["a.star"])[1][0]
    cycle = {"a.star": "load('b.star', 'x')", "b.star": "load('a.star', 'x')"}
    assert "cycle of loads: a.star -> b.star -> a.star" in answers(cycle, ["a.star"])[1][0]


def test_unknown_option() -> None:
    result = CliRunner().invoke(command, ["--allow=set,whlie", "a.star"])
    assert result.exit_code == 2
    assert "unknown option 'whlie'; choose from set, while" in result.output
