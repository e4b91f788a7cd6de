"""Questions asked of bzlgraph's command line, with Bazel's answers -> one difference per line that only one printed.

A question is a line: options first (words that begin with `--`), then the expression, as it is.

>>> split("--nohost_deps --order_output=no deps(//a:b, 1)")
(['--nohost_deps', '--order_output=no'], 'deps(//a:b, 1)')
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from bzlgraph.facts import for_version
from tests.differential.facts.compare import Difference
from tests.differential.real.bazel import CRASHED, LINKED, OUR_OPTIONS
from tests.differential.real.module_registry import Modules
from tests.differential.trees import REPOSITORY

_FOLDER = Path(__file__).with_name("questions")
_ANY_TARGET = "some("
_FULL_ORDER, _NO_ORDER = "--order_output=full", ("--order_output=no", "--order_output=deps")
_FOLLOWS_ALL = re.compile(r"//[^ ]+|(deps|allpaths)\([^()]*(?<!, \d)\)")


class Said(NamedTuple):
    """An exit code and the lines of --output=label_kind, as printed."""

    exit_code: int
    lines: list[str]


def split(question: str) -> tuple[list[str], str]:
    """(options, expression)"""
    options = []
    while question.startswith("--"):
        option, _, question = question.partition(" ")
        options.append(option)
    return options, question


def read_questions(path: Path) -> tuple[str, ...]:
    """The lines of a file of questions; none when there is no such file."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return tuple(line for line in lines if line and not line.startswith("#"))


def named_questions(name: str) -> tuple[str, ...]:
    """The questions of questions/NAME.txt."""
    return read_questions(_FOLDER / f"{name}.txt")


def compare_questions(
    tree: Path, overrides: Mapping[str, Path], version: str, said: Mapping[str, Said], modules: Modules | None = None
) -> Iterator[Difference]:
    """The questions of a whole tree, each in a process of its own; they share a cache made for them."""
    with tempfile.TemporaryDirectory(prefix="bzlgraph-questions-") as cache:
        for question, theirs in said.items():
            if theirs.exit_code == CRASHED:
                continue
            options, expression = split(question)
            asked = arguments(tree, overrides, version, expression, *options, modules=modules)
            line = [sys.executable, "-m", "bzlgraph", f"--cache_dir={cache}", *asked]
            line.remove("--no_cache")
            done = subprocess.run(line, cwd=REPOSITORY, capture_output=True, text=True, check=False)
            ours = Said(done.returncode, done.stdout.splitlines())
            incomplete = re.search(r"^Incomplete: ", done.stderr, re.MULTILINE) is not None
            for each in compare_said(question, version, theirs, ours):
                yield replace(each, gap=incomplete) if each.cause == "exit code" else each


def arguments(
    tree: Path,
    overrides: Mapping[str, Path],
    version: str,
    question: str,
    *options: str,
    modules: Modules | None = None,
) -> list[str]:
    """The command line of bzlgraph for a question, as Bazel is asked."""
    stubs = [f"--override_repository={name}={path}" for name, path in overrides.items()]
    stubs += [f"--allow_outside={folder}" for folder in LINKED]
    own = (*modules.options, "--noenable_workspace") if modules else OUR_OPTIONS.get(version, ())
    query = ["query", "--keep_going", *own, "--output=label_kind", "--noimplicit_deps", *options]
    return ["-C", str(tree), "--no_cache", "--bazel_version", version, *stubs, *query, "--", question]


def compare_said(question: str, version: str, theirs: Said, ours: Said) -> Iterator[Difference]:
    """Two answers. A Bazel that refuses a question has no lines; with 7 it prints nothing where bzlgraph may."""
    if theirs.exit_code != ours.exit_code:
        yield Difference("exit code", question, "", question, str(theirs.exit_code), str(ours.exit_code))
    if theirs.exit_code in (2, 7):
        return
    _, expression = split(question)
    if expression.startswith(_ANY_TARGET):  # any target: as many will do
        if len(theirs.lines) != len(ours.lines):
            yield Difference("length of answer", "", question, "", " ".join(theirs.lines), " ".join(ours.lines))
        return
    yield from compare_lines(question, theirs.lines, ours.lines)
    ordered = theirs.lines == ours.lines or sorted(theirs.lines) != sorted(ours.lines)
    if not ordered and has_order(question, version):
        yield Difference("order of answer", "", question, "", " ".join(theirs.lines), " ".join(ours.lines))


def has_order(question: str, version: str) -> bool:
    """Whether the question says in which order Bazel prints its answer.

    Bazels that print each target before its dependencies know only the edges that the query happened to follow: there
    a pattern and what follows all edges have an order, a filter or a ``deps`` of some depth has not.
    """
    options, expression = split(question)
    if expression.startswith("somepath("):
        return True
    if any(option.startswith(_NO_ORDER) for option in options):
        return False
    by_label = for_version(version).auto_order == "label" and _FULL_ORDER not in options
    return by_label or _FOLLOWS_ALL.fullmatch(expression) is not None


def compare_lines(question: str, theirs: list[str], ours: list[str]) -> Iterator[Difference]:
    """Lines of --output=label_kind, in any order."""
    left, right = set(theirs), set(ours)
    for line in sorted(left - right):
        yield Difference("answer lacks", line.rpartition(" ")[0], question, line.rpartition(" ")[2], line, "")
    for line in sorted(right - left):
        yield Difference("answer has too many", line.rpartition(" ")[0], question, line.rpartition(" ")[2], "", line)
