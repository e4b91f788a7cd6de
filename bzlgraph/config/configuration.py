"""What every option is set to, and by whom: uses of options in order -> ``Configuration``.

Bazel's rule: the last use wins, except for options that collect all their values.

>>> from bzlgraph.config.option_use import ON_COMMAND_LINE, parse_options
>>> from bzlgraph.facts.options import options_for
>>> words = ["-c", "opt", "--define", "mkl=yes", "--copt=-O1", "--copt=-O2"]
>>> chosen = Configuration(options_for("4.2.3"), tuple(parse_options(words, options_for("4.2.3"), ON_COMMAND_LINE)))
>>> chosen.value("compilation_mode").value, chosen.define("mkl").value, str(chosen.value("cpu").origin)
('opt', 'yes', 'default of Bazel 4.2.3')
>>> [each.value for each in chosen.values("copt")]
['-O1', '-O2']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.label import Label, RepoMapping, identity_mapping, parse
from bzlgraph.config.option_use import ON_COMMAND_LINE, OptionUse, Origin, default_origin
from bzlgraph.facts.options import OptionTable, exec_options


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
    ``files``: the rc files that were read. ``problems``: what in them Bazel would refuse, as warnings.
    """

    table: OptionTable
    uses: tuple[OptionUse, ...] = ()
    given: bool = True
    is_exec: bool = False
    files: tuple[str, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    mapping: RepoMapping = identity_mapping
    _named: dict[str, list[Setting]] = field(default_factory=dict, init=False, repr=False)
    _flags: dict[Label, list[Setting]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        for use in self.uses:
            setting = Setting(use.value, use.origin)
            if use.is_flag:
                self._flags.setdefault(parse(use.name, "", "", self.mapping), []).append(setting)
            elif use.name:
                self._named.setdefault(use.name, []).append(setting)

    def value(self, name: str) -> Setting:
        """An option's value, or its default. An option that no Bazel has: value None, origin default."""
        found = self._named.get(name)
        if found:
            return found[-1]
        fact = self.table.find(name)
        return Setting(fact.default if fact else None, default_origin(self.table.version))

    def values(self, name: str) -> tuple[Setting, ...]:
        """All values of an option that may be repeated, in order; empty when never set."""
        return tuple(self._named.get(name, ()))

    def define(self, key: str) -> Setting | None:
        """What ``--define key=...`` set last; None when nothing did."""
        for setting in reversed(self._named.get("define", ())):
            name, equals, value = (setting.value or "").partition("=")
            if equals and name == key:
                return Setting(value, setting.origin)
        return None

    def flag(self, label: Label) -> Setting | None:
        """What ``--//pkg:flag`` was set to last; None when nothing did (its default is in its BUILD file)."""
        found = self._flags.get(label)
        return found[-1] if found else None

    def flag_values(self, label: Label) -> tuple[Setting, ...]:
        """All uses of a Starlark flag, in order: those of a repeatable flag all count."""
        return tuple(self._flags.get(label, ()))

    def flags(self) -> Iterator[Label]:
        """The Starlark flags that are set."""
        return iter(self._flags)

    @property
    def words(self) -> str:
        """The options of the command line, as typed; "" when only rc files choose."""
        return " ".join(use.written for use in self.uses if use.origin == ON_COMMAND_LINE)

    def exec(self) -> Configuration:
        """The configuration of tools that run while building (host configuration before Bazel 6)."""
        return self if self.is_exec else replace(self, uses=exec_uses(self.uses, self.table), is_exec=True)

    def _content(self) -> tuple[object, ...]:
        pairs = tuple((use.name, use.value) for use in self.uses)
        return self.table.version, self.given, self.is_exec, pairs

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Configuration) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())


def exec_uses(uses: tuple[OptionUse, ...], table: OptionTable) -> tuple[OptionUse, ...]:
    """The uses that a tool is built with, in an order in which the last one still wins.

    Tools run on the machine that builds, so Bazel builds them with its host options: ``--host_cpu`` becomes ``--cpu``,
    what nothing says so of falls back to its default, defines and Starlark flags stay. Before Bazel 6 this was called
    the host configuration, which differs in its name only from what is looked at here.
    """
    rules = exec_options()
    kept = [use for use in uses if use.is_flag or use.name in rules.kept or not _configures(use, table)]
    return (*kept, *_fixed(table), *_taken(uses, table))


def _configures(use: OptionUse, table: OptionTable) -> bool:
    fact = table.find(use.name)
    return fact is not None and fact.configures


def _fixed(table: OptionTable) -> Iterator[OptionUse]:
    for name, values in exec_options().fixed.items():
        for value in values:
            yield OptionUse(name, value, default_origin(table.version))


def _taken(uses: tuple[OptionUse, ...], table: OptionTable) -> Iterator[OptionUse]:
    """What is set through another option: ``--host_compilation_mode`` says how tools are compiled."""
    for name, source in exec_options().taken.items():
        found = [use for use in uses if use.name == source]
        fact = table.find(source)
        if not found and fact is not None and fact.default is not None and not fact.multiple:
            yield OptionUse(name, fact.default, default_origin(table.version).through(f"--{source}"))
        for use in found:
            yield OptionUse(name, use.value, use.origin.through(f"--{source}"))
