"""What every rule made by ``rule()`` has without asking, as data: ``implicit_attributes("4.2.3", "test")``.

``starlark_rules.json`` holds, by Bazel version, the attributes of plain, executable and test rules in Bazel's order,
the types of build settings and what ``configuration_field`` starts as.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from bzlgraph.facts.native import version_key


class ImplicitAttribute(NamedTuple):
    """One attribute; ``type`` is the discriminator of Bazel's ``build.proto`` in lower case, labels are text."""

    name: str
    type: str
    default: Any
    mandatory: bool = False
    configurable: bool = True
    nodep: bool = False
    late_bound: bool = False
    tool: bool = False


_EMPTY: dict[str, Any] = {
    "string": "",
    "boolean": False,
    "integer": 0,
    "label": None,
    "string_dict": {},
    "string_list_dict": {},
}


@cache
def table() -> dict[str, Any]:
    """The shipped table, as it is in the file."""
    data: dict[str, Any] = json.loads(files(__package__).joinpath("starlark_rules.json").read_bytes())
    return data


@cache
def implicit_attributes(version: str, kind: str, tolerant: bool = False) -> tuple[ImplicitAttribute, ...]:
    """The attributes of a ``kind`` ("base", "executable" or "test") of rule, in order.

    ``tolerant`` adds those that only other versions have.
    """
    sets = _in_force(version)
    names = [*sets["base"], *(sets[kind] if kind != "base" else ())]
    names += [name for name in table()["accepted"] if tolerant and name not in names]
    return tuple(_attribute(name) for name in names)


def build_setting_attributes(version: str, tolerant: bool = False) -> dict[str, str]:
    """The attributes that build settings have beside their default, with what those start as.

    >>> build_setting_attributes("4.2.3"), build_setting_attributes("7.7.1")
    ({}, {'help': ''})
    """
    known: dict[str, dict[str, str]] = table()["build_setting_attributes"]
    return {
        name: each["default"]
        for name, each in known.items()
        if tolerant or version_key(version) >= version_key(each["since"])
    }


@cache
def _attribute(name: str) -> ImplicitAttribute:
    entry = dict(table()["attributes"][name])
    kind = entry.pop("type")
    return ImplicitAttribute(name, kind, entry.pop("default", _EMPTY.get(kind, [])), **entry)


def _in_force(version: str) -> dict[str, list[str]]:
    wanted = version_key(version)
    fitting = [entry for since, entry in table()["versions"].items() if version_key(since) <= wanted]
    newest: dict[str, list[str]] = fitting[-1]
    return newest
