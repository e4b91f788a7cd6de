"""The options of Bazel, by version: kinds, defaults, abbreviations, expansions, as data.

``options.json`` (made by ``tools/make_options.py`` from what real Bazels print) -> ``OptionTable`` of one version.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OptionFact:
    """One option. ``kind``: boolean, tristate, integer, string, enum (see ``choices``), label, expansion, ..."""

    name: str
    kind: str
    default: str | None
    multiple: bool = False
    abbreviation: str = ""
    choices: tuple[str, ...] = ()
    expansion: tuple[str, ...] = ()
    commands: frozenset[str] = frozenset()
    configures: bool = False
    """Whether it is part of the configuration: a config_setting can read it."""
    foreign: bool = False
    """Whether another version than the table's has it."""

    @property
    def takes_value(self) -> bool:
        """Whether ``--name`` needs a value: all but booleans, tristates and expansions."""
        return self.kind not in ("boolean", "tristate", "expansion")

    def canonical(self, text: str) -> str:
        """A value as it is compared: "true" for any spelling of true. Raises ValueError when it is none."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class OptionTable:
    """The options of one Bazel; those of other versions are there too, marked ``foreign``."""

    version: str
    options: Mapping[str, OptionFact]
    abbreviations: Mapping[str, str]

    def find(self, name: str) -> OptionFact | None:
        """An option by its name, without dashes."""
        return self.options.get(name)


def options_for(version: str = "") -> OptionTable:
    """The options of a Bazel version; "" is the newest we know."""
    raise NotImplementedError
