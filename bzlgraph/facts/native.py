"""Native rules, as data: which rules each Bazel version has, their attributes, defaults and implicit outputs.

``native_rules.json`` (made by ``tools/make_facts.py`` from what real Bazels print) -> ``RuleFact`` of one version.
The view is tolerant: a rule or attribute that the version does not have is taken from the nearest version that has it,
marked ``foreign``, because people read trees written for another Bazel. Doc: https://bazel.build/reference/be/overview
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

MANDATORY, FIXED, NODEP, TOOL, EXECUTABLE, SORTED = 1, 2, 4, 8, 16, 32
"""Bits of ``AttributeFact.flags``; FIXED: not configurable; TOOL: built for the host; SORTED: Bazel sorts the list."""

WORKSPACE_RULES = frozenset(
    {
        "android_ndk_repository",
        "android_sdk_repository",
        "bind",
        "git_repository",
        "http_archive",
        "http_file",
        "http_jar",
        "local_config_platform",
        "local_repository",
        "maven_jar",
        "maven_server",
        "new_git_repository",
        "new_http_archive",
        "new_local_repository",
    }
)
"""Native rules that only WORKSPACE may call."""


class AttributeFact(NamedTuple):
    """One attribute: ``type`` is the discriminator of Bazel's ``build.proto``; labels in ``default`` are text."""

    name: str
    type: str
    flags: int
    default: Any
    foreign: bool = False


class RuleFact(NamedTuple):
    """One native rule. ``outputs`` are (template, attribute that must be set or None)."""

    name: str
    attributes: tuple[AttributeFact, ...]
    outputs: tuple[tuple[str, str | None], ...]
    foreign: bool
    test: bool
    executable: bool


def version_key(version: str) -> tuple[int, ...]:
    """What versions are compared by; suffixes such as ``-pre`` or ``rc1`` do not count.

    >>> version_key("4.2.3") < version_key("7.7.1-rc2")
    True
    """
    parts = version.replace("-", ".").split(".")
    return tuple(int("".join(c for c in part if c.isdigit()) or "0") for part in parts[:3])


@cache
def table() -> dict[str, Any]:
    """The shipped table, as it is in the file."""
    data: dict[str, Any] = json.loads(Path(__file__).with_name("native_rules.json").read_bytes())
    return data


def known_versions() -> tuple[str, ...]:
    """The versions we have native rules of, oldest first."""
    return tuple(table()["versions"])


def nearest_version(version: str) -> str:
    """The version whose rules stand for ``version``: the newest that is not newer, or the oldest we have.

    >>> nearest_version("0.20.0"), nearest_version("5.0"), nearest_version("0.1")
    ('0.19.1', '4.2.3', '0.17.2')
    """
    wanted = version_key(version)
    older = [known for known in known_versions() if version_key(known) <= wanted]
    return older[-1] if older else known_versions()[0]


def rule_names() -> tuple[str, ...]:
    """Native rules of every version, sorted."""
    return tuple(table()["rules"])


@cache
def accepted_attributes() -> dict[str, dict[str, str]]:
    """Attributes of versions that we have no table of: rule (``*``: every rule) -> {attribute: type}."""
    data: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("accepted_attributes.json").read_bytes())
    return data


@cache
def rule(version: str, name: str, tolerant: bool = False) -> RuleFact | None:
    """A native rule as one of the known versions sees it; None when no version has it.

    ``tolerant``: mandatory is only what every version demands that has the rule.
    """
    entry = table()["rules"].get(name)
    if entry is None:
        return None
    order = _from_near_to_far(version)
    home = next(v for v in order if _in_force(entry["attributes"], v))
    found: dict[str, AttributeFact] = {}
    for known in (home, *order):
        for index in _in_force(entry["attributes"], known):
            attribute, kind, flags, default = table()["attributes"][index]
            if attribute not in found:
                foreign = known != home
                fact = AttributeFact(attribute, kind, flags & ~MANDATORY, None, True)
                found[attribute] = fact if foreign else AttributeFact(attribute, kind, flags, default)
    if tolerant:
        needless = {name for known in order for name in _optional(entry, known)}
        found = {
            key: each._replace(flags=each.flags & ~MANDATORY) if key in needless else each
            for key, each in found.items()
        }
    for group in ("*", name):
        for attribute, kind in accepted_attributes().get(group, {}).items():
            found.setdefault(attribute, AttributeFact(attribute, kind, 0, None, True))
    # An implicit attribute of another version is no dependency in this one.
    attributes = tuple(a for a in found.values() if not (a.foreign and a.name[0] in "$:"))
    outputs = tuple((template, attribute) for template, attribute in _in_force(entry.get("outputs", {}), home))
    runs = name.endswith("_test") or any(a.name == "$is_executable" and a.default for a in attributes)
    return RuleFact(name, attributes, outputs, home != version, name.endswith("_test"), runs)


@cache
def attribute_order(version: str, name: str) -> tuple[str, ...]:
    """The attributes of a native rule as Bazel prints them, ``name`` first; those of other versions come last.

    >>> attribute_order("7.7.1", "cc_library")[:4]
    ('name', 'expect_failure', 'visibility', 'transitive_configs')
    """
    fact = rule(version, name)
    return tuple(each.name for each in fact.attributes) if fact is not None else ()


def _optional(entry: dict[str, Any], version: str) -> set[str]:
    """The attributes that are not mandatory in a version, or unknown to it though it has the rule."""
    specs = [table()["attributes"][index] for index in _in_force(entry["attributes"], version)]
    every = {table()["attributes"][index][0] for indices in entry["attributes"].values() for index in indices}
    mandatory = {attribute for attribute, _, flags, _ in specs if flags & MANDATORY}
    return every - mandatory if specs else set()


def _in_force(entry: dict[str, list[Any]], version: str) -> list[Any]:
    """What holds for a version: an entry is only written where it changes."""
    value: list[Any] = []
    for known in known_versions():
        value = entry.get(known, value)
        if known == version:
            break
    return value


def _from_near_to_far(version: str) -> list[str]:
    """This version, then newer ones, then older ones."""
    versions = list(known_versions())
    at = versions.index(version)
    return versions[at:] + versions[:at][::-1]
