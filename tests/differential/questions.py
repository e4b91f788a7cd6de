"""Questions asked of bzlgraph's command line, with Bazel's answers -> one difference per line that only one printed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.differential.answers import QUESTIONS
from tests.differential.compare import Difference
from tests.differential.trees import REPOSITORY


def compare_questions(
    tree: Path, overrides: Mapping[str, Path], version: str, said: Mapping[str, list[str]]
) -> Iterator[Difference]:
    """The questions of a whole tree, each in a process of its own."""
    for question, asked in QUESTIONS.items():
        if question in said:
            line = [sys.executable, "-m", "bzlgraph", *arguments(tree, overrides, version, *asked)]
            done = subprocess.run(line, cwd=REPOSITORY, capture_output=True, text=True, check=False)
            if done.returncode not in (0, 3):
                what = done.stderr.strip().splitlines() or [""]
                yield Difference("exit code", question, str(done.returncode), question, "0 or 3", what[-1])
            yield from compare_lines(question, said[question], done.stdout.splitlines())


def arguments(tree: Path, overrides: Mapping[str, Path], version: str, question: str, *options: str) -> list[str]:
    """The command line of bzlgraph for a question, as Bazel is asked."""
    stubs = [f"--override_repository={name}={path}" for name, path in overrides.items()]
    query = ["query", "--keep_going", "--output=label_kind", *options, question]
    return ["-C", str(tree), "--no_cache", "--bazel_version", version, *stubs, *query]


def compare_lines(question: str, theirs: list[str], ours: list[str]) -> Iterator[Difference]:
    """Lines of --output=label_kind, in any order."""
    left, right = set(theirs), set(ours)
    for line in sorted(left - right):
        yield Difference("answer lacks", line.rpartition(" ")[0], question, line.rpartition(" ")[2], line, "")
    for line in sorted(right - left):
        yield Difference("answer has too many", line.rpartition(" ")[0], question, line.rpartition(" ")[2], "", line)
