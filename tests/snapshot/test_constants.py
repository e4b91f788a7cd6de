"""What the kept graph says in numbers is what the enumerations say, which it does not import."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from bzlgraph.cli.main import cli
from bzlgraph.graph.model import KIND_WORDS, EdgeFlag, NodeKind
from bzlgraph.query import evaluate
from bzlgraph.snapshot import kept
from bzlgraph.snapshot.evaluation import functions

LIGHT = """
import sys
before = set(sys.modules)
import bzlgraph.snapshot.answer
print(*sorted(set(sys.modules) - before))
"""
VERSION = """
import sys
before = set(sys.modules)
sys.argv = ["bzlgraph", *sys.argv[1:]]
import os
os._exit = lambda code: print(*sorted(set(sys.modules) - before)) or sys.exit(code)
from bzlgraph.__main__ import run
run()
"""
IMPORTED = {
    *(
        "__future__",
        "_blake2",
        "_operator",
        "bzlgraph",
        "errno",
        "itertools",
        "marshal",
        "mmap",
        "posix",
        "stat",
        "time",
    ),
    *("bzlgraph.base", "bzlgraph.base.causes", "bzlgraph.base.words", "bzlgraph.cache", "bzlgraph.snapshot"),
    *(f"bzlgraph.cache.{name}" for name in ("answers", "code", "counters", "looks", "private", "seal")),
    *(f"bzlgraph.snapshot.{name}" for name in ("answer", "command_line", "evaluation", "kept", "mapped", "place")),
    *(f"bzlgraph.snapshot.evaluation.{name}" for name in ("evaluate", "expression", "functions", "patterns")),
    *(f"bzlgraph.snapshot.evaluation.{name}" for name in ("found", "run", "faults")),
    *("bzlgraph.snapshot.nodes", "bzlgraph.snapshot.nodes.walk"),
}


def test_the_functions_that_follow_edges() -> None:
    assert functions.FOLLOWING == evaluate.FOLLOWING & functions.FUNCTIONS.keys() == evaluate.FOLLOWING


def test_kinds_of_nodes() -> None:
    assert (kept.RULE, kept.GROUP, kept.NODE_MISSING, kept.NODE_PENDING) == (
        NodeKind.RULE,
        NodeKind.GROUP,
        NodeKind.MISSING,
        NodeKind.PENDING,
    )
    assert (kept.MISSING, kept.UNLOADED) == (NodeKind.MISSING, NodeKind.UNLOADED)
    assert list(kept.KIND_WORDS) == ["", *(KIND_WORDS[kind] for kind in NodeKind if kind is not NodeKind.RULE)]


def test_flags_of_edges() -> None:
    names = ("IMPLICIT", "TOOL", "NODEP", "POSSIBLE", "VISIBILITY", "OUTPUT", "ASPECT")
    assert [getattr(kept, name) for name in names] == [EdgeFlag[name] for name in names]


def test_the_quick_way_imports_nothing_heavy() -> None:
    run = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) <= IMPORTED | set(sys.builtin_module_names)


def test_select_of_targets_without_selects_imports_nothing_heavy() -> None:
    code = LIGHT.replace("snapshot.answer", "snapshot.answer, bzlgraph.snapshot.commands.select_answer")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    more = {"bzlgraph.export", "bzlgraph.export.select_formats", "bzlgraph.export.select_formats.summary"}
    more |= {"bzlgraph.snapshot.commands", "bzlgraph.snapshot.commands.select_answer"}
    assert set(run.stdout.split()) <= IMPORTED | more | set(sys.builtin_module_names)


def test_why_imports_what_it_runs_and_nothing_heavy() -> None:
    code = LIGHT.replace("snapshot.answer", "snapshot.answer, bzlgraph.snapshot.commands.why, bzlgraph.why.tree")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = set(run.stdout.split()) - IMPORTED
    assert imported.isdisjoint(
        ("dataclasses", "re", "sqlite3", "typing", "bzlgraph.bazel.model", "bzlgraph.graph.view")
    )
    ours = {name.split(".")[1] for name in imported if name.startswith("bzlgraph.")}
    assert ours == {"base", "bazel", "export", "graph", "loading", "snapshot", "why", "workspace"}
    assert {name for name in imported if name.startswith(("bzlgraph.loading", "bzlgraph.workspace"))} == {
        *("bzlgraph.loading", "bzlgraph.loading.written", "bzlgraph.workspace"),
        *("bzlgraph.workspace.repositories", "bzlgraph.workspace.repositories.origin"),
    }


def test_select_imports_what_it_runs_and_nothing_heavy() -> None:
    more = (
        "snapshot.commands.select_answer",
        "snapshot.commands.kept_selects",
        "selects.answer",
        "export.select_formats.text",
    )
    code = LIGHT.replace("snapshot.answer", ", bzlgraph.".join(("snapshot.answer", *more)))
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = set(run.stdout.split()) - IMPORTED
    assert imported.isdisjoint(("dataclasses", "enum", "re", "sqlite3", "typing", "bzlgraph.bazel.model"))
    ours = {name.split(".")[1] for name in imported if name.startswith("bzlgraph.")}
    assert ours == {"base", "bazel", "export", "loading", "selects", "snapshot"}


_UNUSED = ["hashlib", "json", "pathlib", "random", "urllib"]
FULL_WAY = ("click", "numpy", "lark", "bzlgraph.cli", "bzlgraph.syntax", "bzlgraph.starlark")


@pytest.mark.parametrize(
    ("module", "more"),
    [
        *(
            (
                "why_and_expand, bzlgraph.questions.paths, bzlgraph.export.why_formats.text",
                ["bzlgraph.facts.facts", *_UNUSED],
            ),
            (
                "select_answer, bzlgraph.snapshot.evaluation.view, bzlgraph.export.select_formats.text",
                ["bzlgraph.facts.facts", "bzlgraph.export.row_formats", *_UNUSED],
            ),
            ("trees", []),
            ("written", []),
        ),
        ("switches", ["bzlgraph.workspace.workspace", "bzlgraph.config.arguments"]),
    ],
)
def test_what_reads_targets_imports_nothing_of_the_full_way(module: str, more: list[str]) -> None:
    code = LIGHT.replace("snapshot.answer", f"snapshot.commands.{module}")
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [each for each in told.stdout.split() if each.startswith((*FULL_WAY, *more))] == []


@pytest.mark.parametrize("words", ["--version", "version"])
def test_the_version_is_told_before_anything_heavy_is_imported(words: str) -> None:
    done = subprocess.run([sys.executable, "-c", VERSION, words], capture_output=True, text=True, check=True)
    told, imported = done.stdout.splitlines()
    full = CliRunner().invoke(cli, ["--version"], prog_name="bzlgraph")
    assert f"{told}\n" == full.output
    ours = {name for name in imported.split() if name.startswith("bzlgraph.")}
    assert {"click", "bzlgraph.cli", "bzlgraph.snapshot"}.isdisjoint(imported.split())
    assert {name.split(".")[1] for name in ours} == {"__main__", "cache", "defaults"}
