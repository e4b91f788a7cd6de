"""What Bazel adds to Starlark without being asked, as data: inert names, and the attributes that every rule has.

``builtins.json``: names that Bazel predeclares and that mean nothing in the loading phase. ``starlark_rules.json``:
by Bazel version, the attributes of plain, executable and test rules made by ``rule()``, in Bazel's order; the types of
build settings; what ``configuration_field`` starts as.

>>> "compile" in namespaces()["cc_common"].names, namespaces()["py_internal"].open
(True, True)
>>> [each.name for each in implicit_attributes("4.2.3", "executable")][-2:]
['output_licenses', '$is_executable']
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple, cast

from bzlgraph.facts.native import FIXED, MANDATORY, NODEP, TOOL, AttributeFact
from bzlgraph.facts.versioned import in_force, in_force_or, table, version_key


class Fields(NamedTuple):
    """The fields of a namespace; ``open`` when there may be others."""

    names: frozenset[str]
    open: bool


_EMPTY: Mapping[str, object] = {
    "string": "",
    "boolean": False,
    "integer": 0,
    "label": None,
    "string_dict": {},
    "string_list_dict": {},
}
_FLAGS = {"mandatory": MANDATORY, "nodep": NODEP}


@cache
def namespaces() -> Mapping[str, Fields]:
    """Inert namespaces of .bzl files of any Bazel, by name."""
    fields = {name: frozenset(text.split()) for name, text in table("builtins")["namespaces"].items()}
    return {name: Fields(names - {"*"}, "*" in names) for name, names in fields.items()}


@cache
def inert_globals() -> tuple[str, ...]:
    """Inert providers and functions of .bzl files of any Bazel."""
    return tuple(table("builtins")["globals"].split())


@cache
def no_keys() -> frozenset[str]:
    """Those of them, by dotted name, that cannot be keys of dicts."""
    return frozenset(table("builtins")["no_keys"].split())


def constants() -> Mapping[str, object]:
    """Names and dotted names that are plain values."""
    return cast("dict[str, object]", table("builtins")["constants"])


@cache
def implicit_attributes(version: str, kind: str, tolerant: bool = False) -> tuple[AttributeFact, ...]:
    """The attributes of a ``kind`` ("base", "executable" or "test") of rule, in order.

    ``tolerant`` adds those that only other versions have.
    """
    rules = table("starlark_rules")
    sets: dict[str, list[str]] = in_force(rules["versions"], version)
    names = [*sets["base"], *(sets[kind] if kind != "base" else ())]
    names += [name for name in rules["accepted"] if tolerant and name not in names]
    return tuple(_attribute(name, version) for name in names)


def build_setting_attributes(version: str, tolerant: bool = False) -> Mapping[str, str]:
    """The attributes that build settings have beside their default, with what those start as.

    ``tolerant``: those of the newest Bazel, which has them all.

    >>> build_setting_attributes("4.2.3"), build_setting_attributes("7.7.1")
    ({}, {'help': ''})
    """
    known: dict[str, dict[str, str]] = table("starlark_rules")["build_setting_attributes"]
    return list(known.values())[-1] if tolerant else in_force(known, version)


def build_setting_type(kind: str) -> str:
    """The attribute type of a build setting made by ``config.KIND()``: "string_set" -> "string_list"."""
    return cast(str, table("starlark_rules")["build_settings"][kind])


def configuration_field(version: str, fragment: str, name: str) -> str | None:
    """The label that ``configuration_field(fragment, name)`` starts as; None when we have none.

    >>> configuration_field("4.2.3", "cpp", "cc_toolchain"), configuration_field("4.2.3", "proto", "proto_compiler")
    ('@bazel_tools//tools/cpp:crosstool', None)
    """
    fields: dict[str, dict[str, str]] = table("starlark_rules")["configuration_fields"]
    return in_force_or(None, fields.get(f"{fragment}.{name}", {}), version)


@cache
def _attribute(name: str, version: str) -> AttributeFact:
    entry = table("starlark_rules")["attributes"][name]
    kind = entry["type"]
    flags = sum(flag for key, flag in _FLAGS.items() if entry.get(key))
    flags |= 0 if entry.get("configurable", True) else FIXED
    flags |= TOOL if "tool" in entry and version_key(version) >= version_key(entry["tool"]) else 0
    return AttributeFact(name, kind, flags, entry.get("default", _EMPTY.get(kind, [])))
