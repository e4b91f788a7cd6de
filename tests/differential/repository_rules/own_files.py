"""Ask real Bazels what they write into the repositories of their own: ``facts/own_files.json``.

Each Bazel of this machine lets its rules for the shell, the compiler and Xcode run for an empty workspace, on a host
that is as the nominal one (Debian 12 on x86-64, bash at /bin/bash, gcc 12 at /usr/bin/gcc). Kept is what is the same
wherever that holds: what names gcc's own folders is kept of Bazels that ran beside gcc 12 only.

    python -m tests.differential.repository_rules.own_files 0.19.1 0.24.1 2.1.0 4.2.3 7.7.1

Output: repository -> file -> Bazel version -> text, from the version on that wrote it first; "" where it is not known.
WORKSPACE and REPO.bazel, which every rule gets, are not kept (``repository_marks``).
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from bzlgraph.facts.built_in import default_workspace
from tests.differential.real.bazel import Bazel, program
from tools.table_text import table_text

TABLE = Path(__file__).parents[3] / "bzlgraph" / "facts" / "own_files.json"
KEPT = {
    "local_config_cc": ("cc_wrapper.sh", "builtin_include_directory_paths", "tools/cpp/empty.cc"),
    "local_config_cc_toolchains": ("BUILD",),
    "local_config_sh": ("BUILD",),
    "local_config_xcode": ("BUILD",),
}
HOST = {"BAZEL_SH": "/bin/bash", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}
GCC = "/usr/lib/gcc/x86_64-linux-gnu/"
NOMINAL_GCC = f"{GCC}12/"


def main() -> None:
    """Record the versions named on the command line, oldest first; the table is made anew."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="+")
    os.environ |= HOST
    table: dict[str, Any] = {}
    for version in parser.parse_args().versions:
        if program(version) is None:
            print(f"skipped: no Bazel {version} on this machine")
            continue
        for repository, files in record(version).items():
            for path, text in files.items():
                before = table.setdefault(repository, {}).setdefault(path, {})
                if not before or [*before.values()][-1] != text:
                    before[version] = text
        print(f"recorded: {version}")
    written = json.loads(TABLE.read_text(encoding="utf-8")) | {"repositories": table}
    TABLE.write_text(table_text(written), encoding="utf-8")


def record(version: str) -> dict[str, dict[str, str]]:
    """repository -> file -> text, of one Bazel."""
    found: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory(prefix="bzlgraph-record-") as folder:
        tree = Path(folder).resolve() / "empty"
        tree.mkdir()
        (tree / "WORKSPACE").touch()
        with Bazel(version, tree) as bazel:
            for repository in KEPT.keys() & default_workspace(version).repositories.keys():
                bazel.query(f"@{repository}//...")  # rule sets that are not here do not matter: the files are written
            for repository, place in bazel.fetched().items():
                found[repository] = dict(_kept(place, KEPT.get(repository, ())))
    return {repository: found[repository] for repository in KEPT if found.get(repository)}


def _kept(folder: Path, names: tuple[str, ...]) -> list[tuple[str, str]]:
    texts = [(name, (folder / name).read_text(encoding="utf-8")) for name in names if (folder / name).is_file()]
    return [(name, "" if GCC in text and NOMINAL_GCC not in text else text) for name, text in texts]


if __name__ == "__main__":
    main()
