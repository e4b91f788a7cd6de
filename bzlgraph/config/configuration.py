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

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.label import Label, RepoMapping, identity_mapping, parse
from bzlgraph.config.assumed import NOTHING, Assumptions
from bzlgraph.config.option_use import ON_COMMAND_LINE, OptionUse, Origin, default_origin
from bzlgraph.facts.options import OptionTable, exec_options

SettingName = str | Label
"""The name of an option of Bazel, or the label of a Starlark flag."""
Asked = SettingName | tuple[str, str]
"""What may be asked for: the value of an option or a flag, or whether an option has some value (option, value)."""
Unknowns = tuple[tuple[SettingName, str], ...]
ALL_SETTINGS = "*"
HOST = "host"
"""The mark of the configuration for the machine that builds, which Bazel had before 6: nothing leads out of it."""
NO_OPTIONS = "no options"
"""The mark of the configuration of what no option has an effect on."""
HOST_PLATFORM = "@local_config_platform//:host"
"""The machine that builds, where ``--host_platform`` has no default of its own."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The value of an option; None is Bazel's null (no value at all)."""

    value: str | None
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Configuration:
    """The options in force. Equal and hashed by what they have for values, not by who set it or how often.

    ``given``: somebody chose a configuration; without, all branches are followed, as Bazel's query does.
    ``is_exec``: this is the configuration of tools, made by ``exec()``.
    ``unknown``: options and flags of which a transition that could not be run may have changed the value -> why;
    ``ALL_SETTINGS`` stands for all of them. ``marks``: what else makes it a configuration of its own.
    ``texts``: the flags of labels that a transition has set to texts, where these equal no label.
    ``assumed``: what is taken as given where a fact is missing.
    ``files``: the rc files that were read. ``problems``: what in them Bazel would refuse, as warnings.
    ``asked``: the options and flags that somebody asked for, here or in a configuration that this one led to.
    """

    table: OptionTable
    uses: tuple[OptionUse, ...] = ()
    given: bool = True
    is_exec: bool = False
    files: tuple[str, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    mapping: RepoMapping = identity_mapping
    unknown: Unknowns = ()
    marks: frozenset[str] = frozenset()
    texts: frozenset[SettingName] = frozenset()
    assumed: Assumptions = NOTHING
    asked: set[Asked] = field(default_factory=set, repr=False)
    _named: dict[str, list[Setting]] = field(default_factory=dict, init=False, repr=False)
    _flags: dict[Label, list[Setting]] = field(default_factory=dict, init=False, repr=False)
    _cached: dict[str, tuple[object, ...]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        for use in self.uses:
            setting = Setting(use.value, use.origin)
            if use.is_flag:
                self._flags.setdefault(parse(use.name, "", "", self.mapping), []).append(setting)
            elif use.name:
                self._named.setdefault(use.name, []).append(setting)

    def value(self, name: str) -> Setting:
        """An option's value, or its default. An option that no Bazel has: value None, origin default."""
        self.asked.add(name)
        found = self._named.get(name)
        if found:
            return found[-1]
        fact = self.table.find(name)
        return Setting(fact.default if fact else None, default_origin(self.table.version))

    def values(self, name: str) -> tuple[Setting, ...]:
        """All values of an option that may be repeated, in order; empty when never set."""
        self.asked.add(name)
        return tuple(self._named.get(name, ()))

    def define(self, key: str) -> Setting | None:
        """What ``--define key=...`` set last; None when nothing did."""
        self.asked.add("define")
        for setting in reversed(self._named.get("define", ())):
            name, equals, value = (setting.value or "").partition("=")
            if equals and name == key:
                return Setting(value, setting.origin)
        return None

    def flag(self, label: Label) -> Setting | None:
        """What ``--//pkg:flag`` was set to last; None when nothing did (its default is in its BUILD file)."""
        self.asked.add(label)
        found = self._flags.get(label)
        return found[-1] if found else None

    def flag_values(self, label: Label) -> tuple[Setting, ...]:
        """All uses of a Starlark flag, in order: those of a repeatable flag all count."""
        self.asked.add(label)
        return tuple(self._flags.get(label, ()))

    def flags(self) -> Iterator[Label]:
        """The Starlark flags that are set."""
        self.asked.update(self._flags)
        return iter(self._flags)

    @property
    def words(self) -> str:
        """The options of the command line, as typed; "" when only rc files choose."""
        typed = (use.written for use in self.uses if use.origin == ON_COMMAND_LINE)
        return " ".join(filter(None, (*typed, self.assumed.words)))

    def exec(self) -> Configuration:
        """The configuration of tools that run while building (host configuration before Bazel 6)."""
        return self if self.is_exec else replace(self, uses=exec_uses(self.uses, self.table), is_exec=True)

    def changed(
        self,
        values: Mapping[SettingName, tuple[str, ...]],
        origin: Origin,
        marks: Iterable[str] = (),
        texts: Iterable[SettingName] = (),
    ) -> Configuration:
        """With other values of some options and Starlark flags; none at all is the default."""
        self.asked.update(values)
        kept = [use for use in self.uses if self.name_of(use) not in values]
        new = [OptionUse(str(name), value, origin) for name, given in values.items() for value in given]
        unknown = tuple(pair for pair in self.unknown if pair[0] not in values)
        texts = self.texts.difference(values).union(texts)
        return replace(self, uses=(*kept, *new), unknown=unknown, marks=self.marks.union(marks), texts=texts)

    def would_change(self, name: SettingName, values: tuple[str, ...], as_text: bool) -> bool:
        """Whether ``changed`` with other values of one option or flag alone makes another configuration; ``as_text``:
        whether the flag is among its ``texts``."""
        self.asked.add(name)
        if any(each == name for each, _ in self.unknown) or (name in self.texts) != as_text:
            return True
        if isinstance(name, Label):
            return values != tuple(use.value for use in self._flags.get(name, ()))
        return self._pair(name, values) != self._pair(name, self._texts(name))

    def with_flags_as(self, texts: Mapping[Label, tuple[str, ...]]) -> Configuration:
        """With some of the flags that are set written otherwise, by whom they are set; none at all is the default."""
        origins = {name: use.origin for use in self.uses if use.is_flag and (name := self.name_of(use)) in texts}
        kept = [use for use in self.uses if self.name_of(use) not in texts]
        new = [OptionUse(str(name), value, origins[name]) for name, given in texts.items() for value in given]
        return replace(self, uses=(*kept, *new))

    def without_texts(self) -> Configuration:
        """With labels where flags of labels have texts: what Bazel takes for the same configuration."""
        return replace(self, texts=frozenset()) if self.texts else self

    def renamed(self, names: Mapping[Label, Label]) -> Configuration:
        """With other labels for some of the flags that are set."""
        found = (names.get(parse(use.name, "", "", self.mapping)) if use.is_flag else None for use in self.uses)
        pairs = zip(self.uses, found, strict=True)
        return replace(self, uses=tuple(replace(use, name=str(name)) if name else use for use, name in pairs))

    def doubtful(self, names: Iterable[SettingName], why: str) -> Configuration:
        """Where the values of some options and flags are not known."""
        return replace(self, unknown=tuple(dict([*self.unknown, *((name, why) for name in names)]).items()))

    def doubt(self, name: SettingName) -> str:
        """Why the value of an option or flag is not known; "" when it is."""
        known = dict(self.unknown) if self.unknown else {}
        return known.get(name) or known.get(ALL_SETTINGS, "")

    def without_options(self) -> Configuration:
        """The configuration of what no option has an effect on."""
        return replace(self, uses=(), is_exec=False, unknown=(), marks=frozenset({NO_OPTIONS}), texts=frozenset())

    def name_of(self, use: OptionUse) -> SettingName:
        """What a use sets: the name of an option, or the label of a flag."""
        return parse(use.name, "", "", self.mapping) if use.is_flag else use.name

    def unnoted(self) -> Configuration:
        """The same, where nobody notes what is asked: for whoever notes the question itself."""
        if "unnoted" not in self._cached:
            self._cached["unnoted"] = (replace(self, asked=set()),)
        (found,) = self._cached["unnoted"]
        assert isinstance(found, Configuration)
        return found

    def own(self) -> tuple[object, ...]:
        """What makes it the configuration it is, beside options and flags. Why a value is unknown does not count: what
        is decided without it is the same."""
        more = frozenset(name for name, _ in self.unknown), self.marks, self.texts, self.assumed.listed
        return (self.table.version, self.given, self.is_exec, *more)

    def _content(self) -> tuple[object, ...]:
        """What makes it the configuration it is; options that were given their defaults do not count."""
        found = self._cached.get("content")
        if found is None:
            named = frozenset(filter(None, (self._pair(name, self._texts(name)) for name in self._named)))
            flags = frozenset((label, tuple(use.value for use in uses)) for label, uses in self._flags.items())
            found = self._cached["content"] = (*self.own(), named, flags)
        return found

    def _texts(self, name: str) -> tuple[str | None, ...]:
        return tuple(each.value for each in self._named.get(name, ()))

    def _pair(self, name: str, values: tuple[str | None, ...]) -> tuple[str, tuple[str | None, ...]] | None:
        """An option with its values; None when it is no part of a configuration, or has its default."""
        fact = self.table.find(name)
        if fact is None or not fact.configures or not values:
            return None
        if fact.multiple:
            return name, values
        same = (fact.default, *self._defaults_of_platforms()) if name == "platforms" else (fact.default,)
        return (name, values[-1:]) if values[-1] not in same else None

    def _defaults_of_platforms(self) -> tuple[str | None, ...]:
        """What ``--platforms`` is when nobody sets it: the host's."""
        return self.value("host_platform").value, HOST_PLATFORM

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
    rules = exec_options(table.version)
    named = {use.name for use in uses}
    own = rules.kept | {name for name, where in rules.taken_where.items() if where not in named}
    kept = [use for use in uses if use.is_flag or use.name in own or not _configures(use, table)]
    return (*kept, *_fixed(table), *_taken(uses, own, table))


def _configures(use: OptionUse, table: OptionTable) -> bool:
    fact = table.find(use.name)
    return fact is not None and fact.configures


def _fixed(table: OptionTable) -> Iterator[OptionUse]:
    for name, values in exec_options(table.version).fixed.items():
        for value in values:
            yield OptionUse(name, value, default_origin(table.version))


def _taken(uses: tuple[OptionUse, ...], own: Collection[str], table: OptionTable) -> Iterator[OptionUse]:
    """What is set through another option: ``--host_compilation_mode`` says how tools are compiled."""
    for name, source in exec_options(table.version).taken.items():
        if name in own:
            continue
        found = [use for use in uses if use.name == source]
        fact = table.find(source)
        if not found and fact is not None and fact.default is not None and not fact.multiple:
            yield OptionUse(name, fact.default, default_origin(table.version).through(f"--{source}"))
        for use in found:
            yield OptionUse(name, use.value, use.origin.through(f"--{source}"))
