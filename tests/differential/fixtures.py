"""The fixture workspaces: tests/workspaces/NAME/ -> expected/*.txt, as real Bazel answers.

For each workspace and Bazel version three files (the version is in the name and in the first line):
  rules-V.txt      every target of //...:* with all that rules_text.py writes of it
  questions-V.txt  the expressions of questions.txt (and deps(//...)) with exit code and --output=label_kind
  errors-V.txt     Bazel's ERROR lines while loading //...
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.differential.bazel import Bazel, Reply, cache_folder, program
from tests.differential.proto_answer import read_proto
from tests.differential.rules_text import write_rules
from tests.differential.stubs import read_stubs, write_stubs

FOLDER = Path(__file__).parents[1] / "workspaces"
VERSIONS = ("0.19.1", "4.2.3")
_STUBS = "bazel_rules"
_HEADER = "# Bazel {version}: {what}. Recorded by: python -m tests.differential record\n"


def workspaces() -> list[Path]:
    """The fixture workspaces, by name."""
    return sorted(path.parent for path in FOLDER.glob("*/WORKSPACE"))


def record(names: list[str]) -> None:
    """Re-records the answers of the named workspaces (all when none is named) from each Bazel of this machine."""
    for workspace in workspaces():
        if names and workspace.name not in names:
            continue
        for version in VERSIONS:
            if program(version) is None:
                print(f"skipped: {workspace.name} with Bazel {version} (not on this machine)")
                continue
            _record(workspace, version)
            print(f"recorded: {workspace.name} with Bazel {version}")


def _record(workspace: Path, version: str) -> None:
    overrides = write_stubs(read_stubs(_STUBS, workspace), cache_folder() / "stubs" / "fixtures")
    with tempfile.TemporaryDirectory(prefix="bzlgraph-fixture-") as folder:
        tree = Path(folder) / workspace.name
        shutil.copytree(workspace, tree, ignore=shutil.ignore_patterns("expected"), symlinks=True)
        with Bazel(version, tree, overrides) as bazel:
            texts = _answers(bazel, _questions(workspace))
    expected = workspace / "expected"
    expected.mkdir(exist_ok=True)
    for name, text in texts.items():
        (expected / f"{name}-{version}.txt").write_text(text, encoding="utf-8")


def _questions(workspace: Path) -> list[str]:
    path = workspace / "questions.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return ["deps(//...)", *(line for line in lines if line and not line.startswith("#"))]


def _answers(bazel: Bazel, questions: list[str]) -> dict[str, str]:
    targets = bazel.query("//...:*", "--output=proto", "--noproto:flatten_selects")
    answer = read_proto(targets.output, bazel.place)
    replies = {question: bazel.query(question, "--output=label_kind", "--noimplicit_deps") for question in questions}
    header = {"version": bazel.version}
    return {
        "rules": _HEADER.format(what="query //...:*", **header) + "\n".join(write_rules(answer)) + "\n",
        "questions": _HEADER.format(what="label_kind, --noimplicit_deps", **header) + _question_text(replies),
        "errors": _HEADER.format(what="errors of //...", **header) + "".join(_error_lines(targets, bazel)),
    }


def _question_text(replies: dict[str, Reply]) -> str:
    blocks = []
    for question, reply in replies.items():
        lines = sorted(reply.output.decode().splitlines())
        blocks.append("\n".join([f"? {question}", f"exit code {reply.exit_code}", *(f"    {line}" for line in lines)]))
    return "\n".join(blocks) + "\n"


def _error_lines(reply: Reply, bazel: Bazel) -> Iterator[str]:
    for line in sorted(set(reply.errors)):
        yield re.sub(r"/\S*?/(?=external/|embedded_tools/)", "", line).replace(str(bazel.tree), "ROOT") + "\n"
