"""Packages are data: whoever reads one runs no Starlark, and every way of getting one gives the same answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

import bzlgraph
from bzlgraph.bazel.model import Package
from bzlgraph.cli.main import main
from bzlgraph.loading.loader import open_loader
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace

DEFINITIONS = """
def _implementation(ctx):
    pass

def _never_ends(x):
    n = 0
    for i in range(100000):
        for j in range(100000):
            n += 1

def _fails(x):
    fail("no swig for " + x)

def _breaks(x):
    return x.nothing

def _outputs_never_end(name):
    return {"out": _never_ends(name)}

def _outputs_fail(name):
    fail("no outputs for " + name)

def _of(default):
    attrs = {"x": attr.string(default = "a"), "_y": attr.label(default = default)}
    return rule(implementation = _implementation, attrs = attrs)

def _with(outputs):
    return rule(implementation = _implementation, outputs = outputs)

never_ends = _of(_never_ends)
fails = _of(_fails)
breaks = _of(_breaks)
outputs_never_end = _with(_outputs_never_end)
outputs_fail = _with(_outputs_fail)
"""
MESSAGES = {
    "never_ends": "the evaluation takes too many steps",
    "fails": "no swig for a",
    "breaks": "no field or method 'nothing'",
    "outputs_never_end": "the evaluation takes too many steps",
    "outputs_fail": "no outputs for x",
}
COMMANDS = (
    ["query", "//:all"],
    ["query", "//:all", "--output=xml"],
    ["query", "//:all", "--output=jsonproto"],
    ["select", "//:all"],
    ["why", "//:x", "--from", "//:x"],
    ["graph", "//:all"],
)


def workspace(folder: Path, rule: str) -> Path:
    folder.mkdir()
    (folder / "WORKSPACE").touch()
    (folder / "defs.bzl").write_text(DEFINITIONS)
    lines = [f'load("//:defs.bzl", "{rule}")', 'filegroup(name = "before")', f'{rule}(name = "x")']
    (folder / "BUILD").write_text("\n".join([*lines, 'filegroup(name = "after")', ""]))
    return folder


def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
    with CliRunner().isolation() as (out, err, _mixed):
        with pytest.raises(SystemExit) as stop:
            main(["--jobs=1", "--max_steps=3000000", "-C", str(folder), *arguments])
        return int(stop.value.code or 0), out.getvalue().decode("utf-8"), err.getvalue().decode("utf-8")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("rule", ["never_ends", "fails"])
def test_a_function_that_goes_wrong_is_a_located_problem(rule: str, command: list[str], tmp_path: Path) -> None:
    tree = workspace(tmp_path / "tree", rule)
    cold = run(tree, f"--cache_dir={tmp_path / 'cache'}", *command)
    assert "BUILD:3:" in cold[2]
    if command[0] == "query":
        assert MESSAGES[rule] in cold[2]
    assert cold[0] != 37
    assert run(tree, f"--cache_dir={tmp_path / 'cache'}", *command) == cold
    assert run(tree, "--no_cache", *command) == cold


@pytest.mark.parametrize("rule", MESSAGES)
def test_the_library_raises_no_error_of_the_evaluator(rule: str, tmp_path: Path) -> None:
    for cache in (True, False):
        opened = bzlgraph.open(workspace(tmp_path / f"tree-{cache}", rule), cache=cache)
        answer = opened.query("//:all", keep_going=True)
        assert "//:before" in map(str, answer)
        assert [gap.what for gap in answer.gaps] == ["package // is broken"]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    folder = tmp_path_factory.mktemp("computed")
    (folder / "WORKSPACE").touch()
    (folder / "defs.bzl").write_text(
        'def _same(x):\n    return Label("//:" + x) if x else None\n'
        'def _outputs(x, name):\n    return {"out": name + x + ".h"}\n'
        "def _impl(ctx):\n    pass\n"
        "made = rule(implementation = _impl, outputs = _outputs,\n"
        '    attrs = {"x": attr.string(values = ["", "a"]), "_y": attr.label(default = _same)})\n'
    )
    (folder / "BUILD").write_text(
        'load("//:defs.bzl", "made")\nmade(name = "m", x = "a")\nmade(name = "n")\n'
        'genrule(name = "a", outs = ["o"], cmd = "", executable = True)\njava_binary(name = "j", main_class = "J")\n'
    )
    loaded = open_loader(open_workspace(folder, Options())).package("", "")
    assert loaded is not None
    assert not loaded.diagnostics
    return loaded


def inside(value: object) -> Iterator[object]:
    """A value and all that it holds."""
    yield value
    if is_dataclass(value):
        for each in fields(value):
            yield from inside(getattr(value, each.name))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from inside(key)
            yield from inside(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from inside(item)


def test_nothing_in_a_package_can_be_called(package: Package) -> None:
    assert [each for each in inside(package) if callable(each)] == []


def test_what_functions_decided_is_in_the_package(package: Package) -> None:
    made = package.targets["m"]
    assert str(made.get("$y")) == "//:a"
    assert [str(each) for each in made.outputs] == ["//:ma.h"]
    assert package.targets["n"].get("$y") is None
    assert package.targets["a"].get("$is_executable") is True
    assert "j.jar" in package.targets
