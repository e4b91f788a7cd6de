"""One name followed through everything: who asks for it, what sets it, what reads it, which branches that chooses.

name + ``Knowledge`` -> ``Trace``. A name may be an environment variable, a define, a config, a setting or build setting
(label, or just its name), an option of Bazel, a flag of a program, or a function that nobody can evaluate.
From the name the trace goes forward (what it sets, what reads that) through configs that set others, and back to what
sets it: lines of rc files, and the questions that write them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.base.spell import nearest_names
from bzlgraph.flags.knowledge import ConfigureLine, Knowledge, NamingLine, RcUse, mentioned
from bzlgraph.flags.mentions import CONFIG, DEFINE, FLAG, OPTION, PLATFORMS, VARIABLE, Mention, folded
from bzlgraph.flags.rows import ConfigureRow, RuntimeFlag
from bzlgraph.flags.settings.table import SettingRow, Uses, each_once

COLUMNS = ("step", "name", "detail", "file", "line")
LISTS = ("settings", "bazelrc", "configure", "runtime")
"""The words before a name that ask for rows of one kind."""
CONSTRAINT_VALUE = "constraint_value"
CALL, SETTING, RUNTIME, CARRIER = "call", "setting", "runtime flag", "variable of runtime flags"


class Step(NamedTuple):
    """One step of a trace, as a row: ``step`` is one of asked, written, set by, sets, read by, turns off, named in,
    chooses, adds, runtime."""

    step: str
    name: str
    detail: str
    file: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """What is known of a name. ``kinds`` says what it is; ``sets`` what it turns on by itself (of a config).

    ``read_by`` are the settings that the name decides, with the branches they choose; ``partly`` those that want more
    than the name gives, with what they want; ``turned_off`` those that want another value than it gives.
    ``named_in`` are the lines that name an environment variable, which repository rules read there, or read a define:
    the name itself, or what it sets.
    """

    name: str
    kinds: tuple[str, ...]
    asked: tuple[ConfigureRow, ...] = ()
    written: tuple[ConfigureLine, ...] = ()
    set_by: tuple[RcUse, ...] = ()
    sets: tuple[RcUse, ...] = ()
    read_by: tuple[SettingRow, ...] = ()
    partly: tuple[tuple[SettingRow, tuple[str, ...]], ...] = ()
    turned_off: tuple[SettingRow, ...] = ()
    named_in: tuple[NamingLine, ...] = ()
    calls: dict[str, Uses] = field(default_factory=dict)
    runtime: tuple[RuntimeFlag, ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def uses(self) -> Uses:
        """The branches that are chosen, each once."""
        return each_once([*(row.uses for row in self.read_by), *self.calls.values()])

    def steps(self) -> Iterator[Step]:
        """The trace as rows."""
        for row in self.asked:
            yield Step("asked", row.variable, row.question or "(read, not asked)", row.file, row.line)
        for line in self.written:
            file, _, number = line.place.rpartition(":")
            yield Step("written", line.variable, line.text, file, int(number))
        for word, uses in (("set by", self.set_by), ("sets", self.sets)):
            for use in uses:
                yield Step(word, use.section, use.text, *_where(use.location))
        for setting in self.read_by:
            yield Step("read by", str(setting.label), ", ".join(setting.reads), *_where(setting.location))
        for setting, more in self.partly:
            yield Step("read by", str(setting.label), f"{', '.join(setting.reads)} (needs {', '.join(more)} too)")
        for setting in self.turned_off:
            yield Step("turns off", str(setting.label), ", ".join(setting.reads))
        for named in self.named_in:
            yield Step("named in", named.text, "", named.file, named.line)
        yield from self._chosen()
        for flag in self.runtime:
            yield Step("runtime", f"{flag.group} {flag.name}", flag.description, flag.file, flag.line)

    def _chosen(self) -> Iterator[Step]:
        for use in self.uses:
            where = _where(use.location)
            yield Step("chooses", str(use.target), use.attribute, *where)
            for label in use.adds:
                yield Step("adds", str(label), f"to {use.target}", *where)


def _where(location: Location | None) -> tuple[str, int | None]:
    """The file and line of a step."""
    return (location.path, location.line) if location is not None else ("", None)


def trace_of(name: str, known: Knowledge) -> Trace:
    """The trace of a name. Raises LoadProblem when nothing has that name, with the nearest one."""
    tracer = _Tracer(name, known)
    if not tracer.kinds:
        raise _unknown(name, known)
    return tracer.trace()


def is_written(name: str) -> bool:
    """Whether a name says that it is a config or a variable (``--config=X``, ``--action_env=X``)."""
    return _plain(name)[1] in (CONFIG, VARIABLE)


def refuse_unwritten(name: str, written: Knowledge) -> None:
    """Raises LoadProblem for a name that ``is_written``, and that no rc file and no script names: no package and no
    source can make one, so that nobody needs to wait for those."""
    if not is_written(name):
        return
    plain, kind = _plain(name)
    names = {each for known_as, each in mentioned(written) if known_as == kind}
    if plain not in names:
        start = name.removesuffix(plain) if name.endswith(plain) else f"{name.partition('=')[0]}="
        near = [start + each for each in nearest_names(plain, sorted(names))]
        raise _refusal(f"no {kind} is named '{plain}'", near, "bazelrc and configure", written)


class _Tracer:
    """What a name is, and the trace from there."""

    def __init__(self, name: str, known: Knowledge) -> None:
        self.name = name
        self.known = known
        self.plain, self.only = _plain(name)
        if self.plain.startswith(("@", "//")) or (self.plain in known.names.others and self._may(OPTION)):
            self.plain, self.only = known.names.label(self.plain), "" if self.only == OPTION else self.only
        self.kinds: list[str] = []
        self.seeds: dict[tuple[str, str], None] = {}
        self._find_options()
        self.rows = [row for row in known.settings.rows if self._may(SETTING) and self._is_named(row)]
        self.calls = {self.plain: found} if self._may(CALL) and (found := known.settings.calls.get(self.plain)) else {}
        self.runtime = self._runtime()
        flags = {RUNTIME: [flag.name for flag in self.runtime], CARRIER: [flag.variable for flag in self.runtime]}
        self.kinds += [word for word, found_any in ((SETTING, self.rows), (CALL, self.calls)) if found_any]
        self.kinds += [word for word, names in flags.items() if self.plain in names]

    def _is_named(self, row: SettingRow) -> bool:
        label = row.label
        names = (str(label), label.shorthand, label.name, f":{label.name}", self.known.names.label(str(label)))
        return self.plain in names

    def _may(self, kind: str) -> bool:
        return not self.only or self.only == kind

    def _runtime(self) -> list[RuntimeFlag]:
        if self.only not in ("", OPTION):
            return []
        return [flag for flag in self.known.runtime.rows if self.plain and self.plain in (flag.name, flag.variable)]

    def _find_options(self) -> None:
        """Defines, configs, variables, build settings and options of this name, wherever they are mentioned."""
        for kind, name in mentioned(self.known):
            if self._may(kind) and name == self.plain and (kind, name) not in self.seeds:
                self.seeds[kind, name] = None
                self.kinds.append(kind)

    def trace(self) -> Trace:
        """Forward to what is set and read, back to what sets."""
        for row in self.rows:
            label = str(row.label)
            meant = self.known.names.label(label)
            if meant != label or f"--{label}" in row.reads:
                self.seeds[FLAG, meant] = None
        sets, back = self._forward(), self._backward()
        wanted = self._given(sets)
        read_by: dict[Label, SettingRow] = {row.label: row for row in self.rows}
        partly: dict[Label, tuple[SettingRow, tuple[str, ...]]] = {}
        for row in self._readers(wanted):
            if row.label in read_by:
                continue
            if more := self._wants_more(row, wanted):
                partly[row.label] = row, more
            else:
                read_by[row.label] = row
        written = tuple(self._written(back))
        variables = {line.variable for line in written} | {self.plain}
        asked = tuple(row for row in self.known.configure.rows if row.variable in variables)
        return Trace(
            self.name,
            tuple(self.kinds),
            asked=asked,
            written=written,
            set_by=self._set_by(back),
            sets=tuple(sets),
            read_by=tuple(read_by.values()),
            partly=tuple(partly.values()),
            turned_off=(*self._turned_off(wanted), *self._other_values(read_by, wanted)),
            named_in=self._named_in(wanted),
            calls=self.calls,
            runtime=tuple(self.runtime),
            gaps=(*self._gaps(read_by), *self._platforms(sets)),
        )

    def _named_in(self, wanted: set[Mention]) -> tuple[NamingLine, ...]:
        """The lines that may read the name, or the variables and defines that its configs set."""
        names = dict.fromkeys([*self.seeds, *sorted((each.kind, each.name) for each in wanted)])
        read = [each for each in names if each[0] in (VARIABLE, DEFINE)]
        return tuple(dict.fromkeys(line for each in read for line in self.known.texts.naming(*each)))

    def _set_by(self, back: set[tuple[str, str]]) -> tuple[RcUse, ...]:
        """The lines of rc files that set the name, then those that do it through a config."""
        found = [use for use in self.known.rc_uses if (use.mention.kind, use.mention.name) in back
                 and (CONFIG, use.config) not in self.seeds]  # fmt: skip
        return tuple(sorted(found, key=lambda use: (use.mention.kind, use.mention.name) not in self.seeds))

    def _given(self, sets: Iterable[RcUse]) -> set[Mention]:
        """What the name's configs and answers set, ``folded``."""
        lines = [line for line in self._own_lines() if line.answer != "no"]
        given = {use.mention for use in sets} | {each for line in lines for each in line.line.mentions}
        return set(map(folded, given))

    def _wants_more(self, row: SettingRow, wanted: set[Mention]) -> tuple[str, ...]:
        """The defines and build settings that a setting reads, and that nothing here sets."""
        if any((each.kind, each.name) in self.seeds for each in row.mentions):
            return ()
        always = {folded(use.mention) for use in self.known.rc_uses if not use.config}
        return tuple(
            f"--{each.kind}={each.name}={each.value}" if each.kind == DEFINE else f"--{each.name}={each.value}"
            for each in row.mentions
            if each.kind in (DEFINE, FLAG) and folded(each) not in wanted and folded(each) not in always
        )

    def _turned_off(self, wanted: set[Mention]) -> Iterator[SettingRow]:
        """The settings that want another value of a define or build setting than is set here."""
        values = {(each.kind, each.name): each.value for each in wanted if each.kind in (DEFINE, FLAG)}
        for row in self.known.settings.rows:
            for each in map(folded, row.mentions):
                if values.get((each.kind, each.name), each.value).lower() != each.value.lower():
                    yield row
                    break

    def _other_values(self, read_by: Mapping[Label, SettingRow], wanted: set[Mention]) -> Iterator[SettingRow]:
        """The other constraint values of what a chosen platform decides."""
        chosen = {each for each in wanted if (each.kind, each.name) == (OPTION, PLATFORMS)}
        decided = {row.reads for row in read_by.values() if not chosen.isdisjoint(row.mentions)}
        for row in self.known.settings.rows:
            if row.kind == CONSTRAINT_VALUE and row.reads in decided and row.label not in read_by:
                yield row

    def _gaps(self, read_by: Iterable[Label]) -> tuple[Gap, ...]:
        """What is not known of the settings of the trace."""
        repositories = {label.repo for label in read_by if label.repo}
        return tuple(gap for gap in self.known.gaps if any(gap.what.startswith(f"@{each}//") for each in repositories))

    def _platforms(self, sets: Iterable[RcUse]) -> Iterator[Gap]:
        """What is not known of the platforms that are chosen."""
        known = set(map(str, self.known.settings.platforms))
        for use in (*sets, *(use for use in self.known.rc_uses if (use.mention.kind, use.mention.name) in self.seeds)):
            kind, name, platform = use.mention
            if (kind, name) == (OPTION, PLATFORMS) and platform not in known:
                hides = "which constraint values hold with it; select with that option shows it"
                yield Gap(GapKind.CONDITION.value, f"{use.text} is not followed", hides, use.location)

    def _forward(self) -> list[RcUse]:
        """What the configs of the name set, configs that they name included; a variable starts with what it writes."""
        configs = [name for kind, name in self.seeds if kind == CONFIG]
        configs += [each.name for line in self._own_lines() for each in line.line.mentions if each.kind == CONFIG]
        configs = list(dict.fromkeys(configs))
        found: list[RcUse] = []
        for config in configs:
            for use in self.known.rc_uses:
                if use.config == config:
                    found.append(use)
                    if use.mention.kind == CONFIG and use.mention.name not in configs:
                        configs.append(use.mention.name)
        return found

    def _own_lines(self) -> list[ConfigureLine]:
        """The lines that are written for a variable of this name."""
        variables = {name for kind, name in self.seeds if kind == VARIABLE}
        return [line for line in self.known.written if line.variable in variables]

    def _backward(self) -> set[tuple[str, str]]:
        """The name, and the configs that set it, and those that set these."""
        found = {seed for seed in self.seeds if seed[0] != VARIABLE}
        grown = True
        while grown:
            grown = False
            for use in self.known.rc_uses:
                above = (CONFIG, use.config)
                if use.config and (use.mention.kind, use.mention.name) in found and above not in found:
                    found.add(above)
                    grown = True
        return found

    def _written(self, back: set[tuple[str, str]]) -> Iterator[ConfigureLine]:
        for line in self.known.written:
            own = (VARIABLE, line.variable) in self.seeds
            if own or any((each.kind, each.name) in back for each in line.line.mentions):
                yield line

    def _readers(self, wanted: set[Mention]) -> Iterator[SettingRow]:
        """The settings that read the name, or exactly what its configs and answers set."""
        for row in self.known.settings.rows:
            if any((read.kind, read.name) in self.seeds or folded(read) in wanted for read in row.mentions):
                yield row


def _plain(name: str) -> tuple[str, str]:
    """(name without what says its kind, that kind): ``--config=cuda`` is the config cuda."""
    for start, kind in (("--define=", DEFINE), ("--config=", CONFIG), ("--action_env=", VARIABLE)):
        if name.startswith(start):
            return name.removeprefix(start).partition("=")[0], kind
    if name.startswith(("--//", "--@")):
        return name[2:].partition("=")[0], SETTING
    if name.startswith("--"):
        return name[2:].partition("=")[0], OPTION
    return name, ""


def _unknown(name: str, known: Knowledge) -> LoadProblem:
    names = {each for _, each in mentioned(known)} | {row.label.name for row in known.settings.rows}
    names |= {each for flag in known.runtime.rows for each in (flag.name, flag.variable)} - {""}
    names |= {str(row.label) for row in known.settings.rows} | set(known.settings.calls) | set(LISTS)
    near = nearest_names(name, sorted(names)) or nearest_names(_plain(name)[0], sorted(names))
    what = f"no setting, config, variable, option or flag is named '{name}'"
    return _refusal(what, near, "settings, bazelrc, configure and runtime", known)


def _refusal(what: str, near: Sequence[str], lists: str, known: Knowledge) -> LoadProblem:
    """What is said of a name that nothing has: of one that nobody can have seen in a file that was not read, too."""
    hint = f"did you mean {', '.join(near)}?" if near else f"all names: bzlgraph flags {lists}"
    unread = sorted({gap.what for gap in known.gaps if gap.kind == GapKind.FILE.value})
    if unread:
        more = f" and {len(unread) - 1} more" if len(unread) > 1 else ""
        hint += f" (it may be in {unread[0]}{more}, not read to the end: bzlgraph flags)"
    return LoadProblem(Diagnostic(what, hint=hint))
