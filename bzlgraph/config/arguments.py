"""What a command line says about the configuration -> ``Configuration``: the way in to this half of the folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.label import LabelError, parse
from bzlgraph.config.assumed import OPTION, read_assumptions
from bzlgraph.config.bazelrc import Bazelrc, RcChoice, read_bazelrc
from bzlgraph.config.configuration import Configuration
from bzlgraph.config.expansion import ConfigExpander, flatten
from bzlgraph.config.option_use import (
    BAZELRC,
    OptionToken,
    OptionUse,
    Origin,
    Spelling,
    read_uses,
    refusal,
    spelling,
)
from bzlgraph.facts import Facts
from bzlgraph.facts.behaviour import switches
from bzlgraph.facts.options import OptionFact, OptionTable, options_for
from bzlgraph.workspace.options import RepositoryOptions, reach
from bzlgraph.workspace.sources.source import DiskSource
from bzlgraph.workspace.workspace import Workspace

LOADING = frozenset(
    {
        *("deleted_packages", "enable_bzlmod", "enable_workspace", "override_repository", "repo_env"),
        *("distdir", "repository_cache", "vendor_dir"),
        *("registry", "override_module", "inject_repository", "ignore_dev_dependency", "lockfile_mode"),
        *("allow_yanked_versions", "check_direct_dependencies", "experimental_isolated_extension_usages"),
        *("check_bazel_compatibility", "incompatible_use_plus_in_repo_names"),
        *("incompatible_autoload_externally", "repositories_without_autoloads"),
        *("fetch", "repository_disable_download"),
    }
)
"""The options that say what is loaded, not how it is configured; those that change the language do, too
(``facts.switches``). Nothing is ever fetched, so the last two change nothing."""
RC_SWITCHES = frozenset({"workspace_rc", "home_rc", "system_rc"})
"""The options that say which rc files count, but --bazelrc."""
OWN_TO_RC = ("--bazelrc", "--ignore_all_rc_files", *(f"--no{each}" for each in sorted(RC_SWITCHES)))
"""The words for that."""
LEADING = frozenset({"config", "enable_platform_specific_config", "flag_alias"})
"""Options that are not part of the configuration, but lead to some that are."""


@dataclass(frozen=True, slots=True)
class ConfigArguments:
    """Options of Bazel, as typed, and which rc files take part.

    ``tokens`` choose a configuration, ``loading`` what is loaded (``config.loading_options``), ``assumed`` is our own:
    what is taken as given in it (``config.assumed``).
    Only the workspace's files by default, so that answers do not depend on the machine.
    """

    tokens: tuple[str, ...] = ()
    bazelrc: tuple[str, ...] = ()
    workspace_rc: bool = True
    home_rc: bool = False
    system_rc: bool = False
    command: str = "build"
    loading: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()

    @property
    def given(self) -> bool:
        """Whether anything asks for a configuration. --noworkspace_rc alone does not."""
        return bool(self.tokens or self.bazelrc or self.home_rc or self.system_rc or self.assumed)

    def reading(self, other: ConfigArguments) -> ConfigArguments:
        """These options, with the rc files that ``other`` reads."""
        files = {name: getattr(other, name) for name in ("bazelrc", "workspace_rc", "home_rc", "system_rc")}
        return replace(self, **files)

    def __str__(self) -> str:
        """The configuration in the words that chose it."""
        files, assumed = (f"--bazelrc={file}" for file in self.bazelrc), (f"{OPTION}={each}" for each in self.assumed)
        return " ".join([*files, *self.tokens, *assumed]) or "no options"


def split_words(
    words: Iterable[str], own: Mapping[str, bool], version: str = "", *, configures: bool = True,
    aliases: Mapping[str, str] = MappingProxyType({}),
) -> tuple[list[str], ConfigArguments]:  # fmt: skip
    """Words of our command line -> (what is none of Bazel's, Bazel's options); after ``--`` there are no options.

    ``own``: the names of options that are not Bazel's here -> whether they take a value. What else Bazel has is left:
    only options that are part of a configuration (unless ``configures`` is False), or that say what is loaded or which
    rc files count, mean anything to us. ``aliases``: short names of flags that the checkout defines -> those flags.

    >>> rest, taken = split_words(["--config", "x", "-c", "opt", "//a", "--output", "csv"], {"--output": True})
    >>> rest, taken.tokens
    (['//a', '--output', 'csv'], ('--config', 'x', '-c', 'opt'))
    """
    rest, tokens, loading = list[str](), list[str](), list[str]()
    files, assumed = list[str](), list[str]()
    repeated = {"--bazelrc": files} | ({OPTION: assumed} if configures else {})
    which: dict[str, Any] = dict.fromkeys(RC_SWITCHES, False) | {"workspace_rc": True}
    waiting = _without_aliases(words, own, aliases) if configures else iter(words)
    for word in waiting:
        name, equals, value = word.partition("=")
        plain = name.removeprefix("--").removeprefix("no")
        if word == "--":
            rest += [word, *waiting]
        elif name in own:
            rest += [word, *_next(waiting, own[name] and not equals)]
        elif name in repeated:
            repeated[name] += [value] if equals else _next(waiting, True)
        elif name.startswith("--") and plain in RC_SWITCHES:
            which[plain] = not name.startswith("--no")
        elif name == "--ignore_all_rc_files":
            which = dict.fromkeys(which, False)
        elif (found := spelling(word, options_for(version)) if word.startswith("-") else None) is None:
            rest.append(word)
        else:
            says = _says(found, options_for(version))
            kept = loading if says == "loading" else tokens if says and configures else rest
            kept += [word, *_next(waiting, kept is not rest and found.takes_next)]
    return rest, ConfigArguments(tuple(tokens), tuple(files), loading=tuple(loading), assumed=tuple(assumed), **which)


def _without_aliases(words: Iterable[str], own: Mapping[str, bool], aliases: Mapping[str, str]) -> Iterator[str]:
    """The words, with flags in place of their short names: those known, and those that ``--flag_alias`` defines."""
    short, before = dict(aliases), ""
    waiting = iter(words)
    for word in waiting:
        name, equals, value = word.partition("=")
        defined, _, label = (word if before == "--flag_alias" else value).partition("=")
        if "--flag_alias" in (name, before) and label.startswith(("//", "@")):
            short[defined] = label
        flag = short.get(name.removeprefix("--")) if name.startswith("--") and name not in own else None
        yield word if flag is None else f"--{flag}{equals}{value}"
        if word == "--":
            yield from waiting
        before = word


def flag_aliases(workspace: Workspace, arguments: ConfigArguments) -> dict[str, str]:
    """The short names of flags that a checkout defines, by ``flag_alias()`` of its module and ``--flag_alias`` in its
    rc files. Raises UsageProblem for rc files that cannot be read."""
    from bzlgraph.bzlmod.module import ROOT  # most questions need nothing of modules

    resolved = workspace.resolved_modules
    root = resolved.modules[ROOT].file if resolved is not None and ROOT in resolved.modules else None
    found = {each.name: each.flag for each in (root.flag_aliases if root is not None else ())}
    rc = workspace_bazelrc(workspace, arguments)
    words = (token for section in rc.sections for token in section.tokens)
    uses = read_uses((OptionToken(each.text, Origin(BAZELRC)) for each in words), option_table(workspace))
    pairs = (use.value.partition("=") for use in uses if use.name == "flag_alias" and not use.problem)
    return found | {name: label for name, _, label in pairs}


def taken_options(version: str = "") -> Iterator[OptionFact]:
    """The options of Bazel that mean something to us."""
    table = options_for(version)
    for name, fact in table.options.items():
        if _says(Spelling(name, fact), table):
            yield fact


def _says(found: Spelling, table: OptionTable) -> str:
    """Whether an option is about the "configuration" or the "loading"; "" for what means nothing to us."""
    fact = found.fact
    if found.is_flag:
        return "configuration"
    if fact is None:
        return ""
    if fact.name in LOADING or fact.name in switches():
        return "loading"
    inside = (spelling(word, table) for word in fact.expansion)
    leads = any(each is not None and each.fact is not None and each.fact.configures for each in inside)
    return "configuration" if fact.configures or fact.name in LEADING or leads else ""


def _next(waiting: Iterator[str], wanted: bool) -> list[str]:
    found = next(waiting, None) if wanted else None
    return [] if found is None else [found]


def configuration_for(workspace: Workspace, arguments: ConfigArguments) -> Configuration | None:
    """The configuration that is asked for; None when none is: the unconfigured graph, with all branches.

    Raises UsageProblem: unknown option, unknown or cyclic --config, an rc file that cannot be read.
    """
    return chosen_configuration(workspace, arguments) if arguments.given else None


def chosen_configuration(workspace: Workspace, arguments: ConfigArguments) -> Configuration:
    """The configuration, also when nothing was asked for: what the rc files and Bazel's defaults say."""
    table = option_table(workspace)
    rc = workspace_bazelrc(workspace, arguments)
    nodes = flatten(ConfigExpander(rc, table, arguments.command).expand(arguments.tokens))
    uses = tuple(node.use for node in nodes if node.use is not None)
    for use in uses:
        if use.is_flag:
            _check_label(use, workspace)
    read = tuple(each.path for each in rc.files if each.read)
    found = (*rc.problems, *problems(uses, table, rc, workspace.options.bazel_version))
    mapping = workspace.map_repository
    assumed = read_assumptions(arguments.assumed, lambda text: parse(text, "", "", mapping))
    return Configuration(table, uses, files=read, problems=found, mapping=mapping, assumed=assumed)


def option_table(workspace: Workspace) -> OptionTable:
    """The options of the Bazel that the workspace is read with."""
    return options_for(workspace.facts.version)


def workspace_bazelrc(workspace: Workspace, arguments: ConfigArguments) -> Bazelrc:
    """The rc files that the arguments choose, read. Raises UsageProblem."""
    return chosen_bazelrc(workspace.root, workspace.facts, arguments, workspace.options.repositories)


def chosen_bazelrc(root: Path, facts: Facts, arguments: ConfigArguments, places: RepositoryOptions) -> Bazelrc:
    """The rc files of a checkout that is not open yet; ``places`` say where imports lead. Raises UsageProblem."""
    old = facts.tools_bazel_rc
    choice = RcChoice(
        arguments.bazelrc, arguments.workspace_rc, arguments.home_rc, arguments.system_rc, old, facts.version
    )
    return read_bazelrc(root, DiskSource(root, reach(root, places)), choice)


def problems(uses: Iterable[OptionUse], table: OptionTable, rc: Bazelrc, version: str = "") -> list[Diagnostic]:
    """What in the rc files Bazel would refuse: it is kept, and told. ``version``: the Bazel that was asked for."""
    found = []
    for use in uses:
        if use.problem:
            diagnostic = refusal(use, table)
        elif version and table.find(use.name) is not None and (lacking := table.lacks(use.name)):
            diagnostic = Diagnostic(f"--{use.name}: {lacking}", use.origin.location)
        else:
            continue
        where = diagnostic.location
        diagnostic = diagnostic.with_source(rc.texts.get(where.path, "")) if where else diagnostic
        found.append(replace(diagnostic, severity="warning"))
    return list(dict.fromkeys(found))


def _check_label(use: OptionUse, workspace: Workspace) -> None:
    try:
        parse(use.name, "", "", workspace.map_repository)
    except LabelError as error:
        raise UsageProblem(Diagnostic(f"{use}: {error}", use.origin.location)) from None
