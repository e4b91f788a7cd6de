"""What real Bazel prints in each of its output formats, on the fixture workspaces: expected/outputs-V.txt.

    ? //...:* --output=build
        # ROOT/BUILD:3:11
        cc_library(

`ROOT` stands for the workspace's folder. Formats whose order is that of a hash table are asked with
--order_output=full, which is the same order every time. Re-record: python -m tests.differential.formats.outputs
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.differential.fixtures import FOLDER, VERSIONS
from tests.differential.real.bazel import Bazel, cache_folder, program
from tests.differential.real.stubs import read_stubs, write_stubs

WORKSPACES = (
    "alias_bind",
    "generated",
    "genrules",
    "implicit_outputs",
    "labels",
    "macros",
    "rule_attributes",
    "selects",
    "visibility",
)
_FULL = "--order_output=full"
_OWN = "--noimplicit_deps"
QUESTIONS: tuple[tuple[str, ...], ...] = (
    ("//...:*", "--output=label"),
    ("//...:*", "--output=label_kind", "--order_output=full"),
    ("//...:*", "--output=package"),
    ("//...:*", "--output=location"),
    ("//...:*", "--output=location", "--relative_locations"),
    ("//...:*", "--output=build"),
    ("//...:*", "--output=xml"),
    ("kind(rule, //...)", "--output=xml", _OWN, "--relative_locations", "--noxml:line_numbers"),
    ("//...", "--output=xml", "--xml:default_values", _FULL),
    ("//...:*", "--output=minrank", _FULL),
    ("//...:*", "--output=maxrank", _FULL),
    ("deps(//...)", "--output=minrank", _FULL, _OWN),
    ("deps(//...)", "--output=maxrank", _FULL, _OWN),
    ("//...:*", "--output=graph", _FULL),
    ("//...:*", "--output=graph", _FULL, "--nograph:factored", "--graph:conditional_edges_limit=1"),
    ("deps(//...)", "--output=graph", _FULL, _OWN, "--graph:node_limit=100"),
)


def path_of(workspace: str, version: str) -> Path:
    """The file of recorded answers."""
    return FOLDER / workspace / "expected" / f"outputs-{version}.txt"


def read(path: Path) -> Iterator[tuple[tuple[str, ...], str]]:
    """(question and options, what was printed) for each block of a file."""
    for block in path.read_text(encoding="utf-8").split("\n? ")[1:]:
        question, *lines = block.splitlines()
        yield tuple(question.split("  ")), "".join(f"{line[4:]}\n" for line in lines)


def record(workspace: str, version: str) -> None:
    """Ask real Bazel, on a copy of the workspace."""
    overrides = write_stubs(read_stubs("bazel_rules", FOLDER / workspace), cache_folder() / "stubs" / "fixtures")
    with tempfile.TemporaryDirectory(prefix="bzlgraph-outputs-") as folder:
        tree = Path(folder).resolve() / workspace
        shutil.copytree(FOLDER / workspace, tree, ignore=shutil.ignore_patterns("expected"), symlinks=True)
        with Bazel(version, tree, overrides) as bazel:
            blocks = [_block(bazel, question) for question in QUESTIONS]
    head = f"# Bazel {version}: query. Recorded by: python -m tests.differential.formats.outputs\n"
    path_of(workspace, version).write_text(head + "".join(blocks), encoding="utf-8")


def _block(bazel: Bazel, question: tuple[str, ...]) -> str:
    printed = bazel.query(*question).output.decode().replace(str(bazel.tree), "ROOT")
    return f"\n? {'  '.join(question)}\n" + "".join(f"    {line}\n" for line in printed.split("\n")[:-1])


def main() -> None:
    """Re-record the workspaces named on the command line, all when none is named."""
    for workspace in sys.argv[1:] or WORKSPACES:
        for version in VERSIONS:
            if program(version) is None:
                print(f"skipped: {workspace} with Bazel {version} (not on this machine)")
                continue
            record(workspace, version)
            print(f"recorded: {workspace} with Bazel {version}")


if __name__ == "__main__":
    main()
