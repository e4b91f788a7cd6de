"""What Bazel carries inside itself, as data: packages of ``@bazel_tools`` and what it adds to every WORKSPACE.

That repository is on disk only where a Bazel has run, and labels of it stand behind what rules name without being
asked. Four tables, by Bazel version, recorded from what real Bazels answer:

* ``bazel_tools.json`` (``tools/record/bazel_tools.py``): the targets that native rules and Bazel's own WORKSPACE lead
  to: kinds, places, attributes that hold labels. ``@platforms`` of Bazel 4 as well;
* ``shared_settings.json``: the config_settings that BUILD files of many projects name as conditions;
* ``default_workspace.json``: binds and repositories of every WORKSPACE, from ``bazel query //external:*``, and the
  binds that calls of native repository rules bring (the rules for Android, which Debian's 4.2.3 lacks: there they are
  those of 2.1.0);
* ``own_files.json`` (``tests/differential/repository_rules/own_files.py``): texts that Bazel writes into some of these
  repositories on the nominal host.

>>> package("4.2.3", "bazel_tools", "tools/cpp").targets["malloc"].kind
'cc_library rule'
>>> shared_setting("2.1.0", "@bazel_tools//src/conditions", "windows")
{'values': {'cpu': 'x64_windows'}}
>>> default_workspace("0.19.1").binds["cc_toolchain"]
'@local_config_cc//:toolchain'
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, TypedDict

from bzlgraph.facts.versioned import in_force, in_force_or, nearest_of_line, table, version_key


class SharedSetting(TypedDict, total=False):
    """The attributes of a config_setting; labels are text."""

    values: dict[str, str]
    constraint_values: list[str]


class _Package(TypedDict):
    """An entry of ``bazel_tools.json``; a target is ``[kind, line, column]``, ``more`` and whether a .bzl file defines
    it, empty ends left out (``_target``)."""

    build_file: str
    bzl_files: list[str]
    targets: dict[str, list[Any]]


@dataclass(frozen=True, slots=True)
class TargetFact:
    """One target. ``attributes``: those of a rule that hold labels, as text; ``starlark``: a .bzl file defines it;
    ``rule``: what makes a generated file; ``visibility`` of a source file or rule, empty when public.

    A ``select()`` is ``{"+": [part, ...]}``, a part a plain value or ``[[condition, value], ...]``; ``:x`` is a label
    of the same package.
    """

    kind: str
    line: int
    column: int
    attributes: Mapping[str, object]
    starlark: bool
    rule: str
    visibility: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PackageFact:
    """One package, as Bazel ``version`` has it."""

    version: str
    build_file: str
    bzl_files: tuple[str, ...]
    targets: Mapping[str, TargetFact]


@dataclass(frozen=True, slots=True)
class DefaultWorkspace:
    """``binds``: name -> what it stands for (None: nothing); ``repositories``: name -> rule that makes it.

    ``brought``: native repository rule -> the binds that a call of it brings, labels as its repository sees them.
    """

    binds: Mapping[str, str | None]
    repositories: Mapping[str, str]
    brought: Mapping[str, Mapping[str, str]]


@cache
def package(version: str, repository: str, name: str) -> PackageFact | None:
    """A package of one of Bazel's own repositories; None when there is none."""
    packages: dict[str, dict[str, dict[str, _Package]]] = table("bazel_tools")
    home = nearest_of_line(packages, version)
    entry = packages[home].get(repository, {}).get(name)
    if entry is None:
        return None
    targets = {label: _target(*each) for label, each in entry["targets"].items()}
    return PackageFact(home, entry["build_file"], tuple(entry["bzl_files"]), targets)


@cache
def named_repositories(version: str) -> frozenset[str]:
    """The repositories that the labels in those packages name.

    >>> sorted(named_repositories("9.0"))[:3]
    ['android_gmaven_r8', 'android_test_support', 'android_tools']
    """
    packages: dict[str, Any] = table("bazel_tools")
    return frozenset(re.findall(r'"@([\w.-]+)//', json.dumps(packages[nearest_of_line(packages, version)])))


def shared_setting(version: str, package: str, name: str) -> SharedSetting | None:
    """A config_setting of Bazel's own; None when there is none of that name."""
    settings: dict[str, dict[str, dict[str, SharedSetting]]] = table("shared_settings")
    return in_force(settings[package], version).get(name) if package in settings else None


def default_workspace(version: str) -> DefaultWorkspace:
    """What Bazel itself defines in every WORKSPACE; a workspace's own definition of a name wins."""
    entries: dict[str, dict[str, Any]] = table("default_workspace")
    return DefaultWorkspace(**in_force(entries, version))


def own_files(version: str, repository: str, environment: Iterable[str] = ()) -> dict[str, str]:
    """What a Bazel writes into a repository of its own on the nominal host, as far as it is recorded: path -> text.

    ``environment``: names of the variables that its rules see.

    >>> sorted(own_files("0.24.1", "local_config_sh")), own_files("0.24.1", "local_config_cc_toolchains")
    (['BUILD'], {})
    """
    recorded = table("own_files")
    changed = any(fnmatchcase(name, each) for name in environment for each in recorded["environment"])
    if changed or version_key(version) >= version_key(recorded["not_from"]):
        return {}
    files: dict[str, dict[str, str]] = recorded["repositories"].get(repository, {})
    known = {path: in_force_or("", texts, version) for path, texts in files.items()}
    return {path: text for path, text in known.items() if text}


def recorded_name(canonical: str) -> str:
    """The name that the table has for a repository: that of the module, or the extension's own name for it.

    >>> [recorded_name(each) for each in ("platforms~", "bazel_tools~cc_configure~local_config_cc", "", "zlib")]
    ['platforms', 'local_config_cc', '', 'zlib']
    """
    home, *rest = re.split("[~+]+", canonical)
    return rest[-1] if home == "bazel_tools" and rest and rest[-1] else home


def _target(kind: str, line: int, column: int, more: object = None, starlark: int = 0) -> TargetFact:
    """``more``: the attributes of a rule, the visibility of a source file, the rule that makes a generated file."""
    attributes = dict(more) if isinstance(more, dict) else {}
    visibility = attributes.pop("visibility", more if isinstance(more, list) else ())
    rule = more if isinstance(more, str) else ""
    return TargetFact(kind, line, column, attributes, bool(starlark), rule, tuple(visibility))


_OWN_REPOSITORIES = re.compile(
    r"""
    (bazel_tools|platforms|internal_platforms_do_not_use|host_platform
    |local_config_(platform|cc|cc_toolchains|sh|xcode|apple_cc)
    |remote_java_tools\w*|remotejdk\w*|local_jdk|remote_coverage_tools|\w*_toolchains?)  # by its own name
    | bazel_tools[~+].*                                             # made by an extension of Bazel's own module
    | rules_(java|python|cc|sh)[~+]+\w*(toolchain|remote_java_tools|remotejdk|local_jdk)\w*[~+].*
    """,
    re.VERBOSE,
)


def is_own_tool(repo: str) -> bool:
    """Whether a repository is one that Bazel, not the checkout, brings in.

    >>> [is_own_tool(name) for name in ("@bazel_tools~cc_configure~local_config_cc", "zlib", "")]
    [True, False, False]
    """
    plain = re.sub(r"(?<=[a-z_])[~+]+$", "", repo.removeprefix("@"))
    return _OWN_REPOSITORIES.fullmatch(plain) is not None
