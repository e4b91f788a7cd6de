"""The table of what differs between Bazel versions -> ``Facts`` of one version: ``for_version("4.2.3")``.

``behaviour.json`` lists for each fact the ``values`` and from which version on they hold; under ``tolerant`` what holds
when nobody chose a version, where that is not the newest value. Of each of the ``changes`` it says how we know: the
two neighbours among the Bazels that were asked (``seen``; ``tools/ask_behaviour.py``), and where a change lies between
them the ``flag`` whose default it is or the ``notes`` that name the release. Only this layer compares versions.

>>> for_version("0.19.1").third_party_licenses, for_version("4.2.3").third_party_licenses
(True, False)
>>> for_version("4.2.3").rule("cc_binary").name
'cc_binary'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, NotRequired, TypedDict, cast

from bzlgraph.facts.facts import Facts
from bzlgraph.facts.native import known_versions, nearest_version
from bzlgraph.facts.versioned import in_force, table, version_key


class Change(TypedDict, total=False):
    """How we know that a value changed in a version."""

    seen: list[str]
    flag: str
    off: Any
    """The value where ``flag`` is taken back, in a version since when it is set: else that of the version before."""
    notes: str


class Behaviour(TypedDict):
    """A fact of ``behaviour.json``."""

    values: dict[str, Any]
    changes: dict[str, Change]
    option: NotRequired[str]
    """The option that the fact is the value of, where no version has set it so far."""
    tolerant: NotRequired[Any]


def for_version(version: str = "", *, tolerant: bool = False) -> Facts:
    """The facts of a Bazel version; "" is the newest we know, marked tolerant."""
    return _facts(version or known_versions()[-1], tolerant or not version)


@cache
def _facts(version: str, tolerant: bool) -> Facts:
    values = {name: _value(fact, version, tolerant) for name, fact in behaviours().items()}
    return Facts(version=version, rules_version=nearest_version(version), tolerant=tolerant, **values)


@cache
def switches() -> frozenset[str]:
    """The options of Bazel by which a tree chooses what another version does (``incompatible_...``)."""
    known = behaviours().values()
    flags = [change["flag"] for fact in known for change in fact["changes"].values() if "flag" in change]
    options = [fact["option"] for fact in known if "option" in fact]
    return frozenset(each.removeprefix("--") for each in (*flags, *options))


def with_switches(facts: Facts, chosen: Mapping[str, bool]) -> Facts:
    """The facts where some of ``switches`` are set: a fact has the value of the version whose default that is.

    >>> with_switches(for_version("7.7.1"), {"incompatible_disallow_empty_glob": True}).glob_allow_empty
    False
    """
    changed: dict[str, Any] = {}
    for name, fact in behaviours().items():
        option = fact.get("option", "").removeprefix("--")
        if option in chosen:
            changed[name] = chosen[option]
        for version, change in fact["changes"].items():
            switch = change.get("flag", "").removeprefix("--")
            if switch in chosen and chosen[switch] != (version_key(version) <= version_key(facts.version)):
                earlier = [each for each in fact["values"] if version_key(each) < version_key(version)]
                off = change.get("off", fact["values"][earlier[-1]])
                changed[name] = _plain(fact["values"][version] if chosen[switch] else off)
    return replace(facts, **changed)


def behaviours() -> dict[str, Behaviour]:
    """The shipped table: name of a fact -> its values by version and how we know."""
    return cast("dict[str, Behaviour]", table("behaviour"))


def _value(fact: Behaviour, version: str, tolerant: bool) -> Any:
    if tolerant and "tolerant" in fact:
        return _plain(fact["tolerant"])
    values = {_begins(since, fact["changes"].get(since, {})): value for since, value in fact["values"].items()}
    return _plain(in_force(values, version))


def _begins(since: str, change: Change) -> str:
    """Where a value begins that is only known to be there in the later of two Bazels that were asked: with that one's
    major version, as the native rules and tools do that it belongs to (``versioned.nearest_of_line``).

    >>> _begins("7.7", {"seen": ["4.2.3", "7.7.1"]}), _begins("0.25", {"seen": ["0.24.1", "0.25.1"]})
    ('7', '0.25')
    """
    if set(change) != {"seen"}:
        return since
    earlier, later = (version_key(each)[0] for each in change["seen"])
    return since if earlier == later else f"{later}"


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
