"""The file of ``--platform_mappings``: which options a platform stands for, and which platform options stand for.

    platforms:
      //platforms:phone
        --cpu=armeabi-v7a
    flags:
      --cpu=ppc
        //platforms:server

Rules
- A configuration with ``--platforms`` gets the options of the first of them; an option that collects values has only
  those of the file then.
- One without gets the platform of the first entry whose options are all set so, else the machine that builds. An option
  that collects values is never set so.
- Every configuration is mapped: those of tools, those that transitions lead to, and that of the command line twice: a
  platform that its options stand for gives it the options of that platform.

Mirrors PlatformMappingFunction and PlatformMappingValue of Bazel's source.
Doc: https://bazel.build/concepts/platforms#platform-mappings
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label, LabelError, RepoMapping, parse
from bzlgraph.base.span import Location
from bzlgraph.config.configuration import HOST, HOST_PLATFORM, NO_OPTIONS, Configuration, SettingName
from bzlgraph.config.option_use import COMMAND_LINE, OptionUse, Origin, parse_options
from bzlgraph.facts.options import OptionTable
from bzlgraph.workspace.workspace import Workspace

OPTION = "platform_mappings"
_PLATFORMS, _FLAGS = "platforms:", "flags:"


@dataclass(frozen=True, slots=True)
class PlatformMappings:
    """Entries of both sections in order: a platform and options."""

    platforms: tuple[tuple[Label, tuple[OptionUse, ...]], ...] = ()
    flags: tuple[tuple[tuple[OptionUse, ...], Label], ...] = ()
    gaps: tuple[Gap, ...] = ()
    """The file that an rc file names and that is not on disk."""

    def __bool__(self) -> bool:
        return bool(self.platforms or self.flags)

    def applied(self, configuration: Configuration) -> Configuration:
        """A configuration as the file has it."""
        if not self or NO_OPTIONS in configuration.marks:
            return configuration
        named = (configuration.value("platforms").value or "").partition(",")[0]
        if not named and configuration.is_exec and HOST not in configuration.marks:
            named = _host(configuration)
        if named:
            uses = dict(self.platforms).get(parse(named, "", "", configuration.mapping), ())
            values: dict[SettingName, tuple[str, ...]] = {}
            for use in uses:
                values[configuration.name_of(use)] = (*values.get(configuration.name_of(use), ()), use.value)
            return configuration.changed(values, uses[0].origin) if uses else configuration
        found = next((pair for pair in self.flags if all(_is_set(use, configuration) for use in pair[0])), None)
        if found is None:
            return configuration.changed({"platforms": (_host(configuration),)}, Origin(OPTION))
        return configuration.changed({"platforms": (str(found[1]),)}, found[0][0].origin)


NO_MAPPINGS = PlatformMappings()


def _host(configuration: Configuration) -> str:
    return configuration.value("host_platform").value or HOST_PLATFORM


def _is_set(use: OptionUse, configuration: Configuration) -> bool:
    if use.is_flag:
        setting = configuration.flag(parse(use.name, "", "", configuration.mapping))
        return setting is not None and setting.value == use.value
    fact = configuration.table.find(use.name)
    return fact is not None and not fact.multiple and configuration.value(use.name).value == use.value


def platform_mappings(workspace: Workspace, configuration: Configuration) -> PlatformMappings:
    """The mappings of a workspace. Raises UsageProblem for a file that Bazel refuses, or that was typed and does not
    exist; one that an rc file names may be in a part of the checkout that is not there, as a submodule."""
    setting = configuration.value(OPTION)
    path, origin = setting.value, setting.origin
    source = workspace.repositories.main.tree.source
    if configuration.table.find(OPTION) is None or not (path or source.is_file("platform_mappings")):
        return NO_MAPPINGS
    if path and not source.is_file(path):
        if origin.kind == COMMAND_LINE:
            raise UsageProblem(Diagnostic(f"--{OPTION}={path}: there is no such file in the workspace"))
        hidden = "which options and platforms stand for each other is unknown"
        missing = Gap(GapKind.FILE.value, f"{path} of --{OPTION} is not on disk", hidden, origin.location)
        return PlatformMappings(gaps=(missing,))
    path = path or "platform_mappings"
    return read_mappings(
        source.read(path).decode("utf-8", "replace"), path, configuration.table, workspace.map_repository
    )


def read_mappings(text: str, path: str, table: OptionTable, mapping: RepoMapping) -> PlatformMappings:
    """The mappings that a text says. Raises UsageProblem."""
    return _Reader(text, path, table, mapping).mappings()


class _Reader:
    """The lines that say something, one after the other."""

    def __init__(self, text: str, path: str, table: OptionTable, mapping: RepoMapping) -> None:
        lines = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
        self._lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
        self._text, self._path, self._table, self._mapping = text, path, table, mapping

    def mappings(self) -> PlatformMappings:
        platforms: list[tuple[Label, tuple[OptionUse, ...]]] = []
        flags: list[tuple[tuple[OptionUse, ...], Label]] = []
        if self._lines and self._next.lower() not in (_PLATFORMS, _FLAGS):
            raise self._problem("'platforms:' or 'flags:'")
        if self._lines and self._next.lower() == _PLATFORMS:
            self._lines.pop(0)
            while self._lines and self._next.lower() != _FLAGS:
                platforms.append((self._platform(), self._options()))
        if self._lines:
            self._lines.pop(0)
            while self._lines and self._next.startswith("--"):
                flags.append((self._options(), self._platform()))
        if self._lines:
            raise self._problem("an option that begins with --")
        self._refuse_twins([(label,) for label, _ in platforms])
        self._refuse_twins([tuple(sorted(map(str, uses))) for uses, _ in flags])
        return PlatformMappings(tuple(platforms), tuple(flags))

    @property
    def _next(self) -> str:
        return self._lines[0][1]

    def _platform(self) -> Label:
        try:
            label = parse(self._next if self._lines else "", "", "", self._mapping)
        except LabelError:
            raise self._problem("the label of a platform") from None
        self._lines.pop(0)
        return label

    def _options(self) -> tuple[OptionUse, ...]:
        if not self._lines or not self._next.startswith("--"):
            raise self._problem("an option that begins with --")
        return tuple(self._uses())

    def _uses(self) -> Iterator[OptionUse]:
        while self._lines and self._next.startswith("--"):
            number, line = self._lines.pop(0)
            yield from parse_options([line], self._table, Origin(OPTION, Location(self._path, number, 0)))

    def _problem(self, wanted: str) -> UsageProblem:
        number, found = self._lines[0] if self._lines else (self._text.count("\n") or 1, "the end of the file")
        where = Location(self._path, number, 0)
        return UsageProblem(Diagnostic(f"expected {wanted}, got {found}", where).with_source(self._text))

    def _refuse_twins(self, keys: Sequence[tuple[object, ...]]) -> None:
        if len(set(keys)) < len(keys):
            twin = next(key for number, key in enumerate(keys) if key in keys[:number])
            raise UsageProblem(Diagnostic(f"{' '.join(map(str, twin))} has two entries", Location(self._path, 1, 0)))
