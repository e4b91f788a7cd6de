"""python -m tests.differential.repository_rules.record TREE STUBS VERSION TSV [NAME...]: what Bazel's own run of
repository rules writes for a tree, with stubs for the repositories that would be downloaded.

The table (repository, file, sha256, from) is what generated.py compares with. `from` is a file of the tree that is
linked or that has the same content, else the size of what the rule wrote. Links out of the tree (to headers and
programs of this machine) are left out: what they lead to is another on each machine. Repositories are asked for by
name, all that rules of the tree itself write when none is named; of these no stubs count. The output base is told as
the nominal one, and the shell is that of the nominal host: what a file says of them is the same on each machine.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bzlgraph.bazel.repository.host import NominalHost
from bzlgraph.workspace.running.nominal_files import OUTPUT_BASE
from tests.differential.real.bazel import Bazel, cache_folder
from tests.differential.real.stubs import read_stubs, write_stubs

_NOT_WRITTEN = ("archive", "bind", "git_repository", "http_file", "http_jar", "import_external", "local_repository")
"""How the names of rules end whose repositories are downloaded, or that are none."""


class Row(NamedTuple):
    """A file of a repository."""

    repository: str
    file: str
    sha256: str
    origin: str


def record(bazel: Bazel, names: Sequence[str]) -> Iterator[Row]:
    """Lets Bazel write the repositories, and lists their files."""
    base = bazel.run("info", "output_base").stdout.decode().strip()
    external = Path(base) / "external"
    tree = _by_content(bazel.tree)
    for name in names or sorted(_written(bazel)):
        bazel.query(f"@{name}//...")
        yield from _rows(external / name, bazel.tree, base, tree)


def _written(bazel: Bazel) -> Iterator[str]:
    """The repositories that rules write, by what the rules are called."""
    for line in bazel.query("//external:*", "--output=label_kind").output.decode().splitlines():
        rule, what, label = line.split(" ")[0], *line.rsplit(" ", 1)
        if what.endswith(" rule") and not rule.endswith(_NOT_WRITTEN):
            yield label.partition(":")[2]


def _rows(folder: Path, tree: Path, base: str, contents: dict[str, str]) -> Iterator[Row]:
    for parent, folders, files in os.walk(folder):
        folders.sort()
        for path in (Path(parent, name) for name in sorted(files)):
            target = path.resolve()
            if not path.is_file() or (path.is_symlink() and not target.is_relative_to(tree)):
                continue
            data = path.read_bytes().replace(os.fsencode(base), OUTPUT_BASE.encode())
            digest = hashlib.sha256(data).hexdigest()
            linked = path.is_symlink() and target.relative_to(tree).as_posix()
            origin = linked or (data and contents.get(digest)) or f"({len(data)} bytes)"
            yield Row(folder.name, path.relative_to(folder).as_posix(), digest, origin)


def _by_content(tree: Path) -> dict[str, str]:
    """sha256 -> a file of the tree."""
    paths = (path for path in sorted(tree.rglob("*"), reverse=True) if path.is_file() and not path.is_symlink())
    return {hashlib.sha256(path.read_bytes()).hexdigest(): path.relative_to(tree).as_posix() for path in paths}


def main() -> None:
    """Writes the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("stubs")
    parser.add_argument("version")
    parser.add_argument("table", type=Path)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    tree = options.tree.resolve()
    os.environ["BAZEL_SH"] = NominalHost().program("bash") or ""
    stubs = write_stubs(read_stubs(options.stubs, tree), cache_folder() / "stubs" / f"generated-{tree.name}")
    stubs = {name: folder for name, folder in stubs.items() if name not in options.names}
    with Bazel(options.version, tree, stubs) as bazel, options.table.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t", lineterminator="\n")
        table.writerow(("repository", "file", "sha256", "from"))
        table.writerows(record(bazel, options.names))


if __name__ == "__main__":
    main()
