"""What every option is set to, and by whom: uses of options in order -> ``Configuration``.

Bazel's rule: the last use wins, except for options that collect all their values.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bzlgraph.base.label import Label
from bzlgraph.config.option_use import OptionUse
from bzlgraph.config.origin import Origin
from bzlgraph.facts.options import OptionTable


@dataclass(frozen=True, slots=True)
class Setting:
    """The value of an option; None is Bazel's null (no value at all)."""

    value: str | None
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Configuration:
    """The options in force. Equal and hashed by what is set to what, not by who set it.

    ``given``: somebody chose a configuration; without, all branches are followed, as Bazel's query does.
    ``is_exec``: this is the configuration of tools, made by ``exec()``.
    ``files``: the rc files that were read, as shown to people.
    """

    table: OptionTable
    uses: tuple[OptionUse, ...] = ()
    given: bool = True
    is_exec: bool = False
    files: tuple[str, ...] = ()
    _last: dict[str, Setting] = field(default_factory=dict, init=False, repr=False)

    def value(self, name: str) -> Setting:
        """An option's value, or its default. An option that no Bazel has: value None, origin default."""
        raise NotImplementedError

    def values(self, name: str) -> tuple[Setting, ...]:
        """All values of an option that may be repeated, in order; empty when never set."""
        raise NotImplementedError

    def define(self, key: str) -> Setting | None:
        """What ``--define key=...`` set last; None when nothing did."""
        raise NotImplementedError

    def flag(self, label: Label) -> Setting | None:
        """What ``--//pkg:flag`` was set to; None when nothing did (its default is in its BUILD file)."""
        raise NotImplementedError

    def exec(self) -> Configuration:
        """The configuration of tools that run while building (host configuration before Bazel 6)."""
        raise NotImplementedError
