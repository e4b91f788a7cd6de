"""What stands behind the labels that rules name without being asked, as data: targets of ``@bazel_tools``.

Bazel carries that repository inside itself, so it is on disk only where a Bazel has run. ``bazel_tools.json`` (made by
``tools/record_bazel_tools.py`` from what real Bazels answer) holds the targets that native rules and Bazel's own
WORKSPACE lead to: kinds, places, attributes that hold labels. ``@platforms`` of Bazel 4 as well.

>>> package("4.2.3", "bazel_tools", "tools/cpp").targets["malloc"].kind
'cc_library rule'
>>> package("4.2.3", "bazel_tools", "tools/none") is None
True
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from bzlgraph.facts.native import version_key


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
    attributes: dict[str, Any]
    starlark: bool
    rule: str
    visibility: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PackageFact:
    """One package, as Bazel ``version`` has it."""

    version: str
    build_file: str
    bzl_files: tuple[str, ...]
    targets: dict[str, TargetFact]


@cache
def package(version: str, repository: str, name: str) -> PackageFact | None:
    """A package of the newest Bazel of the table that is not newer than ``version`` (or of the oldest)."""
    older = [known for known in _table() if version_key(known) <= version_key(version)]
    home = older[-1] if older else next(iter(_table()))
    entry = _table()[home].get(repository, {}).get(name)
    if entry is None:
        return None
    targets = {label: _target(*each) for label, each in entry["targets"].items()}
    return PackageFact(home, entry["build_file"], tuple(entry["bzl_files"]), targets)


def _target(kind: str, line: int, column: int, more: Any = None, starlark: int = 0) -> TargetFact:
    attributes = dict(more) if isinstance(more, dict) else {}
    visibility = attributes.pop("visibility", more if isinstance(more, list) else ())
    return TargetFact(
        kind, line, column, attributes, bool(starlark), more if isinstance(more, str) else "", tuple(visibility)
    )


@cache
def _table() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(files(__package__).joinpath("bazel_tools.json").read_bytes())
    return data
