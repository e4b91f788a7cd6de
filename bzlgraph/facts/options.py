"""The options of Bazel, by version: kinds, defaults, abbreviations, expansions, as data.

``options.json`` (made by ``tools/make_options.py`` from what real Bazels print) -> ``OptionTable`` of one version.
The view is tolerant, as that of native rules: an option that the version does not have is taken from the nearest one
that has it, marked ``foreign``. Defaults that depend on the machine are those of Linux on x86-64.

Format of the file: ``versions``; ``commands``: distinct sets of commands; ``options``: name -> {version: spec}, where a
version that changes nothing is left out, and null says that the option is gone. A spec is ``[kind, default, bits,
index of the commands, abbreviation, choices, expansion, adds]``, empty ends left out.

>>> options_for("4.2.3").options["compilation_mode"].default
'fastbuild'
>>> options_for("4.2.3").options["stamp"].canonical("yes")
'true'
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bzlgraph.facts.native import version_key

_MULTIPLE, _CONFIGURES = 1, 2
_SHORT = 4
"""The index of the abbreviation in a spec."""
_TRUE = frozenset(("true", "1", "yes", "t", "y"))
_FALSE = frozenset(("false", "0", "no", "f", "n"))
_INTEGER = re.compile(r"([+-]?)(?:(?:0[xX]|#)([0-9a-fA-F]+)|0([0-7]+)|(\d+))", re.ASCII)
_WITHOUT_VALUE = frozenset(("boolean", "tristate", "switch", "expansion"))


@dataclass(frozen=True, slots=True)
class OptionFact:
    """One option.

    ``kind``: boolean, tristate, integer, number, string, path, list (separated by commas), assignment, label, enum and
    switch (see ``choices``; a switch has a ``--no`` form), expansion (stands for the options of ``expansion``).
    ``adds``: the options that Bazel adds to it when it is used.
    """

    name: str
    kind: str
    default: str | None
    multiple: bool = False
    abbreviation: str = ""
    choices: tuple[str, ...] = ()
    expansion: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()
    commands: frozenset[str] = frozenset()
    configures: bool = False
    """Whether it is part of the configuration: a config_setting can read it."""
    foreign: bool = False
    """Whether only another version than the table's has it: ``home``."""
    home: str = ""

    @property
    def takes_value(self) -> bool:
        """Whether ``--name`` needs a value: all but booleans, tristates, switches and expansions."""
        return self.kind not in _WITHOUT_VALUE

    @property
    def has_no(self) -> bool:
        """Whether there is a ``--noname``."""
        return self.kind in ("boolean", "tristate", "switch")

    def canonical(self, text: str) -> str:
        """A value as it is compared: "true" for any spelling of true. Raises ValueError when it is none."""
        lowered = text.lower()
        if self.kind == "boolean":
            if lowered in _TRUE or lowered in _FALSE:
                return "true" if lowered in _TRUE else "false"
            raise ValueError(f"'{text}' is not a boolean")
        if self.kind == "tristate":
            if lowered == "auto":
                return "auto"
            if lowered in _TRUE or lowered in _FALSE:
                return "yes" if lowered in _TRUE else "no"
            raise ValueError(f"'{text}' is not a boolean (yes, no or auto)")
        if self.kind in ("enum", "switch"):
            if self.kind == "switch" and lowered in _TRUE | _FALSE:
                lowered = "true" if lowered in _TRUE else "false"
            found = next((each for each in self.choices if each.lower() == lowered), None)
            if found is None:
                raise ValueError(f"'{text}' is none of {', '.join(self.choices)}")
            return found
        if self.kind == "integer":
            return _integer(text)
        return text


def _integer(text: str) -> str:
    """As Java's ``Integer.decode`` reads it: ``0x`` and ``#`` are hexadecimal, a leading 0 is octal."""
    match = _INTEGER.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is not an int")
    sign, hexadecimal, octal, decimal = match.groups()
    number = int(hexadecimal, 16) if hexadecimal else int(octal, 8) if octal else int(decimal)
    return str(-number if sign == "-" else number)


@dataclass(frozen=True, slots=True, eq=False)
class OptionTable:
    """The options of one Bazel; those of other versions are there too, marked ``foreign``."""

    version: str
    options: Mapping[str, OptionFact]
    abbreviations: Mapping[str, str]

    def find(self, name: str) -> OptionFact | None:
        """An option by its name, without dashes; by an old name too, where the version has only the new one."""
        fact = self.options.get(name)
        if fact is None or fact.foreign:
            renamed = [self.options[new] for new in _renames().get(name, ()) if new in self.options]
            return next((each for each in renamed if not each.foreign), fact)
        return fact


def options_for(version: str = "") -> OptionTable:
    """The options of a Bazel version; "" is the newest we know."""
    return _table(version or tuple(_data()["versions"])[-1])


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(Path(__file__).with_name("options.json").read_bytes())
    return data


@cache
def _renames() -> dict[str, list[str]]:
    """Old names of options: ``option_renames.json``, made by ``tools/record_option_renames.py``."""
    data: dict[str, list[str]] = json.loads(Path(__file__).with_name("option_renames.json").read_bytes())
    return data


@cache
def _table(version: str) -> OptionTable:
    known = list(_data()["versions"])
    older = [each for each in known if version_key(each) <= version_key(version)]
    options = _Options(older[-1] if older else known[0], known)
    return OptionTable(version, options, dict(options.abbreviations()))


class _Options(Mapping[str, OptionFact]):
    """All options as one version sees them; each is made when it is asked for."""

    def __init__(self, home: str, known: list[str]) -> None:
        at = known.index(home)
        self._known = known
        self._near_to_far = [*known[at:], *known[:at][::-1]]
        self._commands = [frozenset(group) for group in _data()["commands"]]
        self._made: dict[str, OptionFact] = {}

    def __getitem__(self, name: str) -> OptionFact:
        found = self._made.get(name)
        if found is None:
            found = self._made[name] = self._fact(name, _data()["options"][name])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_data()["options"])

    def __len__(self) -> int:
        return len(_data()["options"])

    def __contains__(self, name: object) -> bool:
        return name in _data()["options"]

    def abbreviations(self) -> Iterator[tuple[str, str]]:
        """(letter, name) of the options that have a letter in this version."""
        for name, entry in _data()["options"].items():
            if any(spec and len(spec) > _SHORT and spec[_SHORT] for spec in entry.values()) and not self[name].foreign:
                yield self[name].abbreviation, name

    def _fact(self, name: str, entry: dict[str, Any]) -> OptionFact:
        """The option in this version, or as the nearest version has it: newer ones first, then older ones."""
        specs = dict(_in_force(entry, self._known))
        version = next(each for each in self._near_to_far if specs[each])
        spec = specs[version]
        ends: list[Any] = ["", [], [], []]
        kind, default, bits, group, short, choices, expansion, adds = list(spec) + ends[len(spec) - _SHORT :]
        return OptionFact(
            name, kind, default, bool(bits & _MULTIPLE), short, tuple(choices), tuple(expansion), tuple(adds),
            self._commands[group], bool(bits & _CONFIGURES), version != self._near_to_far[0], version,
        )  # fmt: skip


def _in_force(entry: dict[str, Any], known: list[str]) -> Iterator[tuple[str, Any]]:
    spec: Any = None
    for version in known:
        spec = entry.get(version, spec)
        yield version, spec
