"""Ask real Bazels which names they predeclare: ``tests/facts/recorded_names.json``, which ``names.json`` is tested by.

For each version: the fields of ``native`` and other namespaces in .bzl files, and which of all names that we know are
predeclared in .bzl files and in BUILD files. A name is asked in a package of its own: one that Bazel does not have
breaks no other.

    python tools/record/names.py 0.19.1 4.2.3 7.7.1
    BZLGRAPH_BAZEL_0_25_1=/opt/bazel-0.25.1 python tools/record/names.py 0.25.1
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from bzlgraph.bazel.files.environment import build_environment, bzl_environment
from bzlgraph.facts import for_version
from bzlgraph.facts.names import NAMESPACES
from bzlgraph.facts.versioned import version_key
from tests.differential.real.bazel import Bazel
from tools.table_text import table_text

RECORD = Path(__file__).parents[2] / "tests/facts/recorded_names.json"
_FIELDS = "fields"
_WITH_FIELDS = ("native", *NAMESPACES)


def main() -> None:
    """Ask the versions that the command line names; what is recorded of others stays."""
    recorded: dict[str, dict[str, str]] = json.loads(RECORD.read_bytes()) if RECORD.exists() else {}
    for version in sys.argv[1:]:
        recorded[version] = names_of(version)
    ordered = {version: recorded[version] for version in sorted(recorded, key=version_key)}
    RECORD.write_text(table_text(ordered), encoding="utf-8")


def names_of(version: str) -> dict[str, str]:
    """``native``, ``bzl``, ``build`` and namespaces: the names of one Bazel, sorted, in one text."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in _files().items():
            (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / path).write_text(text, encoding="utf-8")
        with Bazel(version, Path(folder).resolve()) as bazel:
            told = bazel.query("//...").output.decode().split()
    made = [label.removeprefix("//").partition(":") for label in told]
    kinds: dict[str, list[str]] = {name: [] for name in ("native", "bzl", "build", *NAMESPACES)}
    for package, _, name in made:
        if package.startswith(f"{_FIELDS}/") and name not in ("to_json", "to_proto"):
            kinds[package.removeprefix(f"{_FIELDS}/")].append(name)
    for kind in ("bzl", "build"):
        kinds[kind] = [package.removeprefix(f"{kind}/") for package, _, _ in made if package.startswith(f"{kind}/")]
    return {kind: " ".join(sorted(names)) for kind, names in kinds.items()}


def _files() -> dict[str, str]:
    """The workspace that is asked."""
    facts = for_version()
    load = 'load(":a.bzl", "X")\n'
    files = {
        "WORKSPACE": "",
    }
    for name in _WITH_FIELDS:
        files[f"{_FIELDS}/{name}/BUILD"] = f"{load}[filegroup(name = name) for name in X]\n"
        files[f"{_FIELDS}/{name}/a.bzl"] = f"X = dir({name})\n"
    for name in bzl_environment(facts):
        files[f"bzl/{name}/BUILD"] = f"{load}filegroup(name = X())\n"
        files[f"bzl/{name}/a.bzl"] = f'def X():\n    return [{name}] and "x"\n'
    for name in build_environment(facts):
        files[f"build/{name}/BUILD"] = f'filegroup(name = [{name}] and "x")\n'
    return files


if __name__ == "__main__":
    main()
