"""The questions of answers.QUESTIONS asked of bzlgraph's command line -> one difference per line of label_kind."""

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
    """One difference for each line that only one of the two printed."""
    for question, options in QUESTIONS.items():
        if question in said:
            ours = ask(tree, overrides, version, question, *options)
            yield from _lines(question, said[question], ours)


def ask(tree: Path, overrides: Mapping[str, Path], version: str, question: str, *options: str) -> list[str]:
    """The sorted lines that `bzlgraph query` prints."""
    command = [sys.executable, "-m", "bzlgraph", "-C", str(tree), "--bazel_version", version]
    command += [f"--override_repository={name}={path}" for name, path in overrides.items()]
    command += ["query", "--keep_going", "--output=label_kind", *options, question]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        return [f"exit code {done.returncode}: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else ''}"]
    return sorted(done.stdout.splitlines())


def _lines(question: str, theirs: list[str], ours: list[str]) -> Iterator[Difference]:
    left, right = set(theirs), set(ours)
    for line in sorted(left - right):
        yield Difference("answer lacks", line.rpartition(" ")[0], question, line.rpartition(" ")[2], line, "")
    for line in sorted(right - left):
        yield Difference("answer has too many", line.rpartition(" ")[0], question, line.rpartition(" ")[2], "", line)
