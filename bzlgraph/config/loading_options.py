"""Options of Bazel that say what is loaded, not how it is configured: they count in every question.

(checkout, ``ConfigArguments``) -> ``LoadingOptions``, from the command line and from the rc files' lines.
Without a configuration the lines of ``bazel query`` count (``always``, ``common``, ``query``), with one those of
``bazel build``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.config.arguments import LOADING, ConfigArguments, chosen_bazelrc
from bzlgraph.config.bazelrc import Bazelrc
from bzlgraph.config.expansion import ConfigExpander, flatten
from bzlgraph.config.option_use import COMMAND_LINE, ON_COMMAND_LINE, OptionUse, parse_options
from bzlgraph.facts import Facts
from bzlgraph.facts.behaviour import switches
from bzlgraph.facts.options import OptionTable, options_for
from bzlgraph.workspace.options import RepositoryOptions
from bzlgraph.workspace.sources.source import real_path

PackageKey = tuple[str, str]
NO_OPTIONS = RepositoryOptions()
_ENVIRONMENT = ("action_env", "repo_env")
"""The options that set the environment of repository rules; the later in this order wins, as in Bazel."""


def _read() -> frozenset[str]:
    return LOADING | switches() | {"action_env", "package_path"}


@dataclass(frozen=True, slots=True)
class LoadingOptions:
    """``None`` leaves it to the checkout. ``gaps``: rc files that cannot be read may say something else."""

    deleted_packages: frozenset[PackageKey] = frozenset()
    enable_bzlmod: bool | None = None
    enable_workspace: bool | None = None
    gaps: tuple[Gap, ...] = ()
    overrides: tuple[tuple[str, Path], ...] = ()
    repositories: RepositoryOptions = field(default_factory=RepositoryOptions)
    autoloads: tuple[str, ...] | None = None
    without_autoloads: tuple[str, ...] = ()
    switches: tuple[tuple[str, bool], ...] = ()
    """Options that change the language, as far as they are set."""


def loading_options(
    root: Path, facts: Facts, arguments: ConfigArguments, places: RepositoryOptions = NO_OPTIONS
) -> LoadingOptions:
    """What the rc files and the command line say; ``places`` say where imports may lead. Raises UsageProblem for a
    value on the command line that is none.

    A fault in an rc file is a gap: it costs its line.
    """
    written: Sequence[OptionUse] = ()
    try:
        rc = chosen_bazelrc(root, facts, arguments, places)
        faults = rc.problems
        written = _written(rc, facts, arguments)
    except UsageProblem as problem:
        faults = problem.diagnostics
    hidden = "the options they set are unknown"
    gaps = tuple(Gap(GapKind.FILE.value, f"rc files: {each.message}", hidden, each.location) for each in faults)
    if not written and not arguments.loading:
        return LoadingOptions(gaps=gaps)  # most questions: no table of options is read
    table = options_for(facts.version)
    read = _read()
    typed = parse_options(arguments.loading, table, ON_COMMAND_LINE)
    uses = [use for use in (*written, *typed) if use.name in read and not use.problem]
    inside = _Paths(root)
    autoloads = _autoloads(uses, facts, inside.gaps)
    inside.gaps += _other_roots(uses)
    return LoadingOptions(
        _deleted(uses, table),
        _switch("enable_bzlmod", uses),
        _switch("enable_workspace", uses),
        overrides=tuple(inside.pairs("override_repository", uses)),
        repositories=_repositories(uses, inside, _sees_action_env(uses, facts)),
        autoloads=autoloads,
        without_autoloads=_list("repositories_without_autoloads", uses) or (),
        gaps=(*gaps, *inside.gaps),
        switches=tuple((name, on) for name in sorted(switches() - LOADING) if (on := _switch(name, uses)) is not None),
    )


def _written(rc: Bazelrc, facts: Facts, arguments: ConfigArguments) -> list[OptionUse]:
    """The uses of all options in the rc files' lines, and in those of each --config."""
    texts = (*rc.texts.values(), *arguments.tokens)
    if not any(name in text for text in texts for name in _read()):
        return []
    command = arguments.command if arguments.given else "query"
    nodes = ConfigExpander(rc, options_for(facts.version), command).expand(arguments.tokens)
    return [node.use for node in flatten(nodes) if node.use is not None]


def _sees_action_env(uses: Iterable[OptionUse], facts: Facts) -> bool:
    """Whether repository rules see the variables of actions, by the option or as the Bazel has it."""
    ignored = _switch("incompatible_repo_env_ignores_action_env", uses)
    return facts.repository_rules_see_action_env if ignored is None else not ignored


def _repositories(uses: Sequence[OptionUse], inside: _Paths, action_env: bool) -> RepositoryOptions:
    """What is said about repositories."""

    def last(name: str, default: str) -> str:
        return next(reversed(_values(name, uses)), default).lower()

    return RepositoryOptions(
        repo_env=_environment(uses, _ENVIRONMENT if action_env else _ENVIRONMENT[1:]),
        distdirs=tuple(inside.folders("distdir", uses)),
        repository_cache=next(reversed([*inside.folders("repository_cache", uses)]), None),
        vendor_dir=next(reversed([*inside.folders("vendor_dir", uses)]), None),
        registries=tuple(_registries(uses, inside)),
        override_modules=tuple(inside.pairs("override_module", uses)),
        inject_repositories=tuple(inside.pairs("inject_repository", uses)),
        ignore_dev_dependency=_switch("ignore_dev_dependency", uses) or False,
        lockfile_mode=last("lockfile_mode", "update"),
        allow_yanked_versions=tuple(
            each for text in _values("allow_yanked_versions", uses) for each in text.split(",")
        ),
        check_direct_dependencies=last("check_direct_dependencies", "warning"),
        check_bazel_compatibility=last("check_bazel_compatibility", "error"),
        isolated_extension_usages=_switch("experimental_isolated_extension_usages", uses) or False,
        use_plus_in_repo_names=_switch("incompatible_use_plus_in_repo_names", uses) or False,
    )


def _environment(uses: Sequence[OptionUse], options: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The variables that repository rules see. ``--repo_env=NAME`` on the command line takes it from the process:
    nothing else ever reads that, least of all a line of a checkout's rc file. ``=NAME`` takes one away."""
    variables: dict[str, str] = {}
    for use in (use for option in options for use in uses if use.name == option):
        name, equals, value = use.value.partition("=")
        if equals and name:
            variables[name] = value
        elif equals:
            variables.pop(value, None)
        elif use.name == "repo_env" and use.origin.kind == COMMAND_LINE and name in os.environ:
            variables[name] = os.environ[name]
    return tuple(variables.items())


def _registries(uses: Sequence[OptionUse], inside: _Paths) -> Iterator[str]:
    """The URLs of registries; those of folders are checked as folders are."""
    for use in uses:
        if use.name != "registry":
            continue
        scheme, colon, path = use.value.partition(":")
        if not colon or scheme != "file":
            yield use.value
        elif (folder := inside.folder(use, path.removeprefix("//"))) is not None:
            yield folder.as_uri()


class _Paths:
    """Folders that options name. A line of an rc file comes with the checkout: it may not name what lies outside."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.gaps: list[Gap] = []

    def folder(self, use: OptionUse, text: str) -> Path | None:
        """The folder of a text, ``%workspace%`` replaced; None, and a gap, for one that may not be read."""
        typed = use.origin.kind == COMMAND_LINE
        path = Path(text.replace("%workspace%", str(self._root)))
        path = Path(real_path(self._root / (path.expanduser() if typed else path)))
        if typed or path.is_relative_to(self._root):
            return path
        what = f"{use} is outside the checkout and is not read"
        self.gaps.append(
            Gap(
                GapKind.FILE.value,
                what,
                "its content is unknown (only an option on the command line may lead there)",
                use.origin.location,
            )
        )
        return None

    def folders(self, name: str, uses: Sequence[OptionUse]) -> Iterator[Path]:
        """The folders of all uses of an option, in order."""
        found = (self.folder(use, use.value) for use in uses if use.name == name and use.value)
        return (each for each in found if each is not None)

    def pairs(self, name: str, uses: Sequence[OptionUse]) -> Iterator[tuple[str, Path]]:
        """(name, folder) of all uses ``NAME=FOLDER`` of an option, in order."""
        for use in uses:
            key, _, text = use.value.partition("=")
            if use.name == name and text and (folder := self.folder(use, text)) is not None:
                yield key.lstrip("@"), folder


def _other_roots(uses: Sequence[OptionUse]) -> Iterator[Gap]:
    """That Bazel would look for packages elsewhere, too: https://bazel.build/docs/user-manual#package-path"""
    for use in [each for each in uses if each.name == "package_path"][-1:]:
        others = [root for root in use.value.split(":") if root.rstrip("/") not in ("", "%workspace%")]
        if others:
            hides = f"packages in {', '.join(others)} are unknown"
            yield Gap(GapKind.FILE.value, f"{use} is not followed", hides, use.origin.location)


def _values(name: str, uses: Sequence[OptionUse]) -> list[str]:
    return [use.value for use in uses if use.name == name]


def _deleted(uses: Iterable[OptionUse], table: OptionTable) -> frozenset[PackageKey]:
    """The packages that are left out: of all uses where Bazel collects them, else of the last one."""
    lists = [use.value for use in uses if use.name == "deleted_packages"]
    fact = table.find("deleted_packages")
    kept = lists if fact is not None and fact.multiple else lists[-1:]
    return frozenset(_package(item.strip()) for text in kept for item in text.split(",") if item.strip())


def _package(text: str) -> PackageKey:
    """``a/b``, ``//a/b`` or ``@r//a/b`` -> (repository, package)."""
    repo, _, package = text.rpartition("//")
    return repo.lstrip("@"), package.strip("/")


def _autoloads(uses: Sequence[OptionUse], facts: Facts, gaps: list[Gap]) -> tuple[str, ...] | None:
    """What is loaded by itself. Bazel crashes where a name is none: on the command line that is refused."""
    from bzlgraph.facts.autoloads import OPTION, with_autoloads

    items = _list(OPTION, uses)
    if items is None:
        return None
    use = [each for each in uses if each.name == OPTION][-1]
    try:
        with_autoloads(facts, items)
    except ValueError as error:
        if use.origin.kind == COMMAND_LINE:
            raise UsageProblem(str(error)) from None
        gaps.append(
            Gap(GapKind.FILE.value, f"{use}: {error}", "which rules are autoloaded is unknown", use.origin.location)
        )
        return None
    return items


def _list(name: str, uses: Iterable[OptionUse]) -> tuple[str, ...] | None:
    """The items of the last use of an option that takes a list; None when there is none."""
    values = [use.value for use in uses if use.name == name]
    return tuple(item for item in values[-1].split(",") if item) if values else None


def _switch(name: str, uses: Iterable[OptionUse]) -> bool | None:
    values = [use.value == "true" for use in uses if use.name == name]
    return values[-1] if values else None
