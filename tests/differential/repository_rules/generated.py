"""python -m tests.differential.repository_rules.generated TSV TREE: are the files of repository rules real Bazel's?

The table (repository, file, sha256; more columns are not looked at) lists what a Bazel's own run of the rules wrote for
a bare tree. Each repository is evaluated in memory; exit code 1 when less than --least percent of the files are equal.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import Workspace, open_workspace
from tests.differential.real.bazel import cache_folder
from tests.differential.real.stubs import read_stubs, write_stubs


class Written(NamedTuple):
    """A file that Bazel wrote, and what ours is: "equal", "other", or why there is none."""

    repository: str
    file: str
    ours: str


def compare(table: Path, workspace: Workspace) -> Iterator[Written]:
    """Each file of the table beside ours."""
    with table.open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows, delimiter="\t"):
            yield Written(row["repository"], row["file"], _ours(workspace, row))


def _ours(workspace: Workspace, row: dict[str, str]) -> str:
    source = workspace.repository(row["repository"]).tree.source
    try:
        digest = hashlib.sha256(source.read(row["file"])).hexdigest()
    except OSError as error:
        return str(error.strerror)
    return "equal" if digest == row["sha256"] else "other"


def _repositories(table: Path) -> set[str]:
    """What Bazel's rules wrote, of which no stub counts."""
    with table.open(encoding="utf-8", newline="") as rows:
        return {row["repository"] for row in csv.DictReader(rows, delimiter="\t")}


def _open(options: argparse.Namespace) -> Workspace:
    tree = options.tree.resolve()
    folder = cache_folder() / "stubs" / f"generated-{tree.name}"
    stubs = write_stubs(read_stubs(options.stubs, tree), folder) if options.stubs else {}
    stubs = {name: place for name, place in stubs.items() if name not in _repositories(options.table)}
    return open_workspace(tree, Options(bazel_version=options.bazel, overrides=stubs))


def main() -> int:
    """Prints what differs, and the share of what is equal."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", type=Path)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--bazel", default="", help="the version of the Bazel that wrote the table")
    parser.add_argument("--stubs", default="", help="the table of stub repositories that Bazel was given")
    parser.add_argument("--least", type=float, default=90, help="percentage of files that have to be equal")
    options = parser.parse_args()
    found = list(compare(options.table, _open(options)))
    equal = sum(each.ours == "equal" for each in found)
    for each in found:
        if each.ours != "equal":
            print(f"@{each.repository}//{each.file}: {each.ours}")
    share = 100 * equal / len(found)
    print(f"{equal} of {len(found)} files are equal ({share:.0f} %)")
    return 0 if share >= options.least else 1


if __name__ == "__main__":
    raise SystemExit(main())
