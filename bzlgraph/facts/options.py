"""The options of Bazel, by version: kinds, defaults, abbreviations, expansions, as data.

``options.json`` (made by ``tools/options/make_options.py`` from what real Bazels print, for newer ones by
``tools/options/read_options.py`` from their documentation) -> ``OptionTable`` of one version.
The view is tolerant, as that of native rules: an option that the version does not have is taken from the nearest one
that has it, marked ``foreign``. Defaults that depend on the machine are those of Linux on x86-64.

Format of the file: ``versions``; ``commands``: distinct sets of commands; ``options``: name -> {version: spec}, where a
version that changes nothing is left out, and null says that the option is gone. A spec is ``[kind, default, bits,
index of the commands, abbreviation, choices, expansion, adds]``, empty ends left out.

``exec_options.json`` says which of them the configuration of tools keeps.

>>> options_for("4.2.3").options["compilation_mode"].default
'fastbuild'
>>> options_for("4.2.3").options["stamp"].canonical("yes")
'true'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypedDict, cast

from bzlgraph.facts.versioned import in_force, in_force_or, near_to_far, nearest_version, table, version_key

_MULTIPLE, _CONFIGURES = 1, 2
_NEWEST_ASKED = "7.7.1"
_TRUE = frozenset(("true", "1", "yes", "t", "y"))
_FALSE = frozenset(("false", "0", "no", "f", "n"))
_INTEGER = re.compile(r"([+-]?)(?:(?:0[xX]|#)([0-9a-fA-F]+)|0([0-7]+)|(\d+))", re.ASCII)
_SWITCHES = {
    "experimental_cancel_concurrent_tests": ("on_passed", "never"),
    "experimental_convenience_symlinks": ("normal", "ignore"),
    "guard_against_concurrent_changes": ("full", "off"),
    "incompatible_enforce_starlark_utf8": ("error", "off"),
    "subcommands": ("true", "false"),
}
"""What true and false mean for each switch: what its ``BoolOrEnumConverter`` in Bazel's sources is made of."""
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
            found = next((each for each in self.choices if each.lower() == lowered), None)
            if found is None and self.kind == "switch" and lowered in _TRUE | _FALSE:
                return _SWITCHES[self.name][lowered in _FALSE]
            if found is None:
                raise ValueError(f"'{text}' is not one of {', '.join(self.choices)}")
            return found
        if self.kind == "integer":
            return _integer(text)
        return text or (self.default or "" if self.name in _OF_THE_MACHINE else text)


_OF_THE_MACHINE = ("cpu", "host_cpu")
"""Options whose empty value means that of the machine, their default: ``AutoCpuConverter`` of Bazel."""


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

    @property
    def around(self) -> tuple[str, ...]:
        """The Bazel that it is recorded of; of a Bazel between two recorded ones, both."""
        versions = list(_data()["versions"])
        at = versions.index(nearest_version(versions, self.version))
        between = version_key(versions[at])[:2] < version_key(self.version)[:2]
        return tuple(versions[at : at + 1 + between])

    def lacks(self, name: str) -> str:
        """What is said of an option that it does not have, "" where Bazel may have it all the same."""
        fact = self.find(name)
        if fact is not None and (not fact.foreign or fact.home in self.around):
            return ""
        if len(self.around) > 1:
            lacking = f"neither Bazel {' nor Bazel '.join(self.around)} has such an option"
        elif version_key(self.version) > version_key(_NEWEST_ASKED):  # documentation names no hidden options
            lacking = f"the documentation of Bazel {self.version} has no such option"
        else:
            lacking = "Bazel has no such option" if fact is None else f"Bazel {self.version} has no such option"
        return f"{lacking} (Bazel {fact.home} does)" if fact is not None else lacking

    def find(self, name: str) -> OptionFact | None:
        """An option by its name, without dashes; by an old name too, where the version has only the new one."""
        fact = self.options.get(name)
        if fact is None or fact.foreign:
            renamed = [self.options[new] for new in _renames().get(name, ()) if new in self.options]
            return next((each for each in renamed if not each.foreign), fact or next(iter(renamed), None))
        return fact


def options_for(version: str = "") -> OptionTable:
    """The options of a Bazel version; "" is the newest we know."""
    return _table(version or tuple(_data()["versions"])[-1])


@dataclass(frozen=True, slots=True)
class ExecOptions:
    """The configuration of tools: ``kept`` stay as they are; ``taken`` names the option whose value an option gets;
    ``fixed`` come first. All other options of Bazel fall back to their defaults. What ``taken_where`` names is taken
    where that other option is set, and kept where it is not.
    """

    kept: frozenset[str]
    taken: Mapping[str, str]
    fixed: Mapping[str, tuple[str, ...]]
    taken_where: Mapping[str, str]


@cache
def exec_options(version: str) -> ExecOptions:
    """The table of the configuration of tools.

    >>> exec_options("4.2.3").taken["compilation_mode"], exec_options("4.2.3").fixed["copt"]
    ('host_compilation_mode', ('-g0',))
    >>> ["features" in exec_options(each).kept for each in ("4.2.3", "7.7.1")]
    [True, False]
    """
    data = in_force({key: value for key, value in table("exec_options").items() if key[0].isdigit()}, version)
    fixed = {name: tuple(values) for name, values in data["fixed"].items()}
    return ExecOptions(frozenset(data["kept"]), data["taken"], fixed, data["taken_where"])


_Row = list[Any]
"""The fields of a ``_Spec``."""


class _Data(TypedDict):
    """``options.json``."""

    versions: list[str]
    commands: list[list[str]]
    options: dict[str, dict[str, _Row | None]]


def _data() -> _Data:
    return cast(_Data, table("options"))


def _renames() -> dict[str, list[str]]:
    """Old names of options: ``option_renames.json``, made by ``tools/options/record_option_renames.py``."""
    return cast("dict[str, list[str]]", table("option_renames"))


@cache
def _table(version: str) -> OptionTable:
    options = _Options(nearest_version(_data()["versions"], version))
    return OptionTable(version, options, dict(options.abbreviations()))


class _Spec(NamedTuple):
    """A spec of the file; ``commands``: index of a set of commands."""

    kind: str
    default: str | None
    bits: int
    commands: int
    abbreviation: str = ""
    choices: Sequence[str] = ()
    expansion: Sequence[str] = ()
    adds: Sequence[str] = ()


class _Options(Mapping[str, OptionFact]):
    """All options as one version sees them; each is made when it is asked for."""

    def __init__(self, home: str) -> None:
        self._near_to_far = near_to_far(_data()["versions"], home)
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
            if any(row and _Spec(*row).abbreviation for row in entry.values()) and not self[name].foreign:
                yield self[name].abbreviation, name

    def _fact(self, name: str, entry: Mapping[str, _Row | None]) -> OptionFact:
        """The option in this version, or as the nearest version has it: newer ones first, then older ones."""
        rows = ((version, in_force_or(None, entry, version)) for version in self._near_to_far)
        version, spec = next((version, _Spec(*row)) for version, row in rows if row)
        return OptionFact(
            name, spec.kind, spec.default, bool(spec.bits & _MULTIPLE), spec.abbreviation, tuple(spec.choices),
            tuple(spec.expansion), tuple(spec.adds), self._commands[spec.commands], bool(spec.bits & _CONFIGURES),
            version != self._near_to_far[0], version,
        )  # fmt: skip
