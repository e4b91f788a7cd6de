"""Ask real Bazels what stands behind the labels that rules name without being asked: ``facts/bazel_tools.json``.

Native rules depend on targets of ``@bazel_tools`` (and those on ``@platforms``), which are on disk only where a Bazel
has run. For each Bazel of this machine: ``deps()`` of all labels in the native rules' defaults and in the binds of
Bazel's own WORKSPACE, with ``--output=proto``; of each target its kind, place and labels are kept, of each package
the .bzl files it loads. ``@local_config_cc`` is as a run makes it on this machine (Linux, x86-64, gcc); what lies in
folders of this machine (``@local_jdk``) is not kept.

    python tools/record/bazel_tools.py 0.19.1 0.24.1 2.1.0 4.2.3 7.7.1

Output: version -> repository -> package -> ``build_file``, ``bzl_files``, ``targets``: ``[kind, line, column, more]``;
``more`` is, for a rule, its attributes that hold labels (and then 1 if a .bzl file defines the rule), for a generated
file the name of its rule, for a source file the labels of its visibility. A ``select()`` is
``{"+": [part, ...]}``, a part a plain value or ``[[condition, value], ...]``. Facts only: no text of any BUILD file.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from bzlgraph.base.label import parse
from bzlgraph.bazel.rules.native_macros import DEPLOY_JAR_RULES
from bzlgraph.facts import for_version
from bzlgraph.facts.built_in import default_workspace
from tests.differential.facts.proto_answer import read_proto
from tests.differential.facts.records import DEFAULT_CONDITION, Answer, Attribute, Select, TargetFacts
from tests.differential.real.bazel import Bazel, cache_folder, program
from tests.differential.real.stubs import read_stubs, write_stubs
from tools.table_text import table_text

TABLE = Path(__file__).parents[2] / "bzlgraph" / "facts" / "bazel_tools.json"
REPOSITORIES = ("bazel_tools", "platforms", "local_config_cc", "embedded_jdk")
DEFAULTS = ("", "tools/defaults")
"""The package of the main repository that old Bazels make up."""
NAMED_BY_PEOPLE = (
    "@bazel_tools//platforms:all",
    "@bazel_tools//src/conditions:all",
    "@bazel_tools//tools/bash/runfiles:all",
    "@bazel_tools//tools/cpp/runfiles:all",
    "@bazel_tools//tools/python/runfiles:all",
    "@bazel_tools//tools/cpp:all",
    "@bazel_tools//tools/jdk:all",
    "@bazel_tools//tools/python:all",
    "@bazel_tools//tools/sh:all",
    "@platforms//...",
    "//tools/defaults:all",
)
"""Packages whose targets BUILD files name themselves."""
DERIVED = ("$config_dependencies", "generator_name")
PUBLIC, PRIVATE = ("//visibility:public",), ("//visibility:private",)


def main() -> None:
    """Record the versions named on the command line; those in the table that are not named stay."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="+")
    table: dict[str, Any] = json.loads(TABLE.read_text()) if TABLE.is_file() else {}
    for version in parser.parse_args().versions:
        if program(version) is None:
            print(f"skipped: no Bazel {version} on this machine")
            continue
        table[version] = record(version)
        print(f"recorded: {version}, {sum(len(packages) for packages in table[version].values())} packages")
    ordered = {version: table[version] for version in sorted(table, key=lambda each: [*map(int, each.split("."))])}
    TABLE.write_text(table_text(ordered), encoding="utf-8")


def record(version: str) -> dict[str, Any]:
    """repository -> package -> what the table keeps of it."""
    with tempfile.TemporaryDirectory(prefix="bzlgraph-record-") as folder:
        tree = Path(folder).resolve() / "empty"
        tree.mkdir()
        (tree / "WORKSPACE").touch()
        stubs = write_stubs(read_stubs("bazel_rules", tree), cache_folder() / "stubs" / "recording-bazel_tools")
        with Bazel(version, tree, stubs) as bazel:
            closure = f"deps({_set(named_labels(version))} + {_set(NAMED_BY_PEOPLE)})"
            reply = bazel.query(closure, "--output=proto", "--noproto:flatten_selects")
            packages = _packages(read_proto(reply.output, bazel.place))
            for (repository, name), package in list(packages.items()):
                where = f"@{repository}//{name}" if repository else f"//{name}"
                files = bazel.query(f"buildfiles({where}:*)").output.decode().split()
                _note_files(files, package, packages)
        found: dict[str, Any] = {repository: {} for repository in REPOSITORIES}
        for (repository, name), package in sorted(packages.items()):
            found.setdefault(repository, {})[name] = package
        return found


def _packages(answer: Answer) -> dict[tuple[str, str], dict[str, Any]]:
    """(repository, package) -> its targets."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for text, target in sorted(answer.items()):
        label = parse(text, "", "")
        if label.repo in REPOSITORIES or (label.repo, label.package) == DEFAULTS:
            package = found.setdefault((label.repo, label.package), {"targets": {}})
            package["targets"][label.name] = list(_target(target, str(label._replace(name=""))))
    return found


def named_labels(version: str) -> set[str]:
    """The labels that native rules and Bazel's own WORKSPACE name."""
    facts = for_version(version)
    found = {actual for actual in default_workspace(version).binds.values() if actual}
    for name in facts.rule_names():
        rule = facts.rule(name)
        if rule is not None and rule.foreign and name in DEPLOY_JAR_RULES:  # no BUILD file can call it
            continue
        for attribute in rule.attributes if rule is not None else ():
            if not attribute.foreign and attribute.type.startswith("LABEL"):
                found.update(_texts(attribute.default))
    return {text for text in found if text.startswith("@")}


def _set(labels: Iterable[str]) -> str:
    return f"set({' '.join(sorted(labels))})"


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def _target(target: TargetFacts, package: str) -> Iterator[Any]:
    """[kind, line, column, more, made by a .bzl file]"""
    yield target.kind
    yield from (int(part) for part in [*target.location.split(":"), "0", "0"][1:3])
    if target.kind == "generated file":
        yield from (label.removeprefix(package) for label in target.inputs)
    elif target.kind == "source file":
        yield from ([list(target.members)] if target.members not in (PUBLIC, PRIVATE) else ())
    elif target.kind.endswith(" rule"):
        starlark = "$rule_implementation_hash" in target.attributes
        yield {
            name: _short(attribute.value, package)
            for name, attribute in target.attributes.items()
            if (attribute.type.startswith("label") or name == "visibility")
            and name not in DERIVED
            and _is_kept(attribute, starlark)
        }
        yield from filter(None, [int(starlark)])


def _is_kept(attribute: Attribute, starlark: bool) -> bool:
    """What somebody wrote; of a Starlark rule also its defaults, which no other table of ours has."""
    return (attribute.explicit or starlark) and attribute.value not in ("", [], {}, list(PUBLIC))


def _short(value: Any, package: str) -> Any:
    if isinstance(value, Select):
        return {"+": [_part(part, package) for part in value.parts]}
    if isinstance(value, dict):
        return {_short(key, package): _short(item, package) for key, item in value.items()}
    if isinstance(value, str):
        return value.replace(package, ":", 1) if value.startswith(package) else value
    return [_short(item, package) for item in value] if isinstance(value, list) else value


def _part(part: tuple[tuple[str, Any], ...], package: str) -> Any:
    if len(part) == 1 and part[0][0] == DEFAULT_CONDITION:
        return _short(part[0][1], package)
    return [[condition, _short(value, package)] for condition, value in part]


def _note_files(texts: Iterable[str], package: dict[str, Any], packages: dict[tuple[str, str], dict[str, Any]]) -> None:
    """The .bzl files that a package loads, and the BUILD files: its own and those of the packages of .bzl files."""
    labels = [parse(text, "", "") for text in sorted(texts)]
    package["bzl_files"] = [str(label) for label in labels if label.name.endswith(".bzl")]
    for label in labels:
        kept = label.repo in REPOSITORIES or (label.repo, label.package) == DEFAULTS
        if kept and not label.name.endswith(".bzl"):
            home = packages.setdefault((label.repo, label.package), {"targets": {}, "bzl_files": []})
            home["build_file"] = label.name


if __name__ == "__main__":
    main()
