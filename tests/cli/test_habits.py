"""What people type out of habit with Bazel: it works, or they are told what does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.in_process import run


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "WORKSPACE").write_text("", encoding="utf-8")
    (tmp_path / "BUILD").write_text('filegroup(name = "a")', encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "out"),
    [
        (["help"], "Usage: bzlgraph [OPTIONS] COMMAND"),
        (["help", "why"], "Usage: bzlgraph why"),
        (["version"], "bzlgraph, version "),
        (["query", "--noshow_progress", "//:a"], "//:a\n"),
        (["--show_progress", "query", "//:a"], "//:a\n"),
    ],
)
def test_words_of_bazel_that_mean_the_same(workspace: Path, words: list[str], out: str) -> None:
    code, found, err = run(workspace, *words)
    assert (code, found.startswith(out)) == (0, True), err


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("cquery", "bzlgraph query EXPR --config=NAME"),
        ("aquery", "actions need Bazel's analysis phase"),
        ("build", "bzlgraph builds nothing"),
        ("test", "bzlgraph builds nothing"),
        ("coverage", "bzlgraph builds nothing"),
        ("vendor", "doctor lists the repositories that are missing"),
        ("config", "flags bazelrc NAME shows what a config sets"),
        ("info", "doctor shows which Bazel is read"),
        ("clean", "doctor says where, and it may be deleted"),
        ("wy", "Did you mean why"),
        ("hlep", "No such command 'hlep'"),
    ],
)
def test_commands_of_bazel_say_what_to_ask_instead(workspace: Path, command: str, said: str) -> None:
    code, out, err = run(workspace, command, "//:a")
    assert (code, out) == (2, "")
    assert said in err


def test_a_bazel_older_than_all_known_ones_is_told(workspace: Path) -> None:
    code, out, err = run(workspace, "query", "//:a", "--bazel_version=0.15.0")
    assert (code, out) == (0, "//:a\n")
    assert "Bazel 0.15.0: read as 0.17" in err


@pytest.mark.parametrize(
    ("command", "example"),
    [
        ("query", "bzlgraph query --output=label_kind 'rdeps(//..., //tensorflow/core:lib)'"),
        ("why", "bzlgraph why @swig//:swig --from //tensorflow/tools/pip_package:build_pip_package"),
        ("graph", "bzlgraph graph 'deps(//tensorflow/core:lib, 2)' -o lib.svg"),
        ("expand", "bzlgraph expand //tensorflow/python:pywrap_tensorflow_internal"),
    ],
)
def test_a_command_without_its_argument_shows_an_example(workspace: Path, command: str, example: str) -> None:
    code, found, err = run(workspace, command)
    assert (code, found) == (2, "")
    assert err.endswith(f"\nhint: for example: {example}\n")
