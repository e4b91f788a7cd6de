"""Selects that cannot be resolved, as commands tell them in a configuration: whatever edges the question follows.

Which ones Bazel refuses is compared in ``tests/differential/configured/test_recorded.py``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

WORKSPACE = Path(__file__).parents[1] / "workspaces" / "configured" / "refused"
WITH_WORDS = "BUILD:41:45: error: //:with_words: attribute srcs: no condition holds: only with -c opt"


def run(*arguments: str, tree: Path = WORKSPACE) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bzlgraph", "--no_cache", "-C", str(tree), "--bazel_version=7.7.1", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("expression", ["//:with_words", "//:needs_refused", "kind(filegroup, //:names_refused)"])
def test_no_branch_holds_and_nothing_else_is_lost(expression: str) -> None:
    done = run("query", "-c", "dbg", f"{expression} + //:x")
    assert (done.returncode, "//:x" in done.stdout.split()) == (7, True)
    assert done.stderr.splitlines()[1:] == [WITH_WORDS]
    kept = run("query", "-c", "dbg", "-k", f"{expression} + //:x")
    assert (kept.returncode, kept.stdout, kept.stderr) == (3, done.stdout, done.stderr)
    assert run("query", "-c", "opt", f"{expression} + //:x").returncode == 0
    assert run("query", f"{expression} + //:x").returncode == 0


def test_several_branches_hold() -> None:
    done = run("query", "-c", "opt", "--define=a=1", "//:two_hold")
    assert (done.returncode, done.stdout) == (7, "//:two_hold\n")
    assert "//:two_hold: attribute srcs: illegal ambiguous match: //:opt, //:a hold" in done.stderr


def test_a_graph_tells_it() -> None:
    done = run("graph", "-c", "dbg", "//:needs_refused")
    assert (done.returncode, done.stderr.splitlines()[1:]) == (7, [WITH_WORDS])


def test_branches_that_are_not_taken_lead_nowhere() -> None:
    """//:needed_in_opt needs //:with_words with -c opt alone, where a branch holds."""
    assert run("query", "-c", "dbg", "//:needed_in_opt").returncode == 0


OF_TOOLS = """\
config_setting(name = "opt", values = {"compilation_mode": "opt"})
filegroup(name = "only_opt", srcs = select({":opt": []}))
genrule(name = "uses_tool", outs = ["o"], cmd = "", tools = [":only_opt"])
"""


def test_a_tool_is_looked_at_in_its_own_configuration(tmp_path: Path) -> None:
    """Tools are built with -c opt: Bazel 7.7.1 refuses the target, and not the one that needs it as a tool."""
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(OF_TOOLS, encoding="utf-8")
    assert run("query", "-c", "dbg", "//:uses_tool", tree=tmp_path).returncode == 0
    assert run("query", "-c", "dbg", "//:only_opt", tree=tmp_path).returncode == 7
