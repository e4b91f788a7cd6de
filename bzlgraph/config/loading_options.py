"""Options of Bazel that say what is loaded, not how it is configured: they count in every question.

(checkout, ``ConfigArguments``) -> ``LoadingOptions``, from the command line and from the rc files' lines.
Without a configuration the lines of ``bazel query`` count (``always``, ``common``, ``query``), with one those of
``bazel build``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.config.arguments import LOADING, ConfigArguments, chosen_bazelrc
from bzlgraph.config.expansion import ConfigExpander, flatten
from bzlgraph.config.option_use import ON_COMMAND_LINE, OptionUse, parse_options
from bzlgraph.facts import Facts
from bzlgraph.facts.options import OptionTable, options_for

PackageKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class LoadingOptions:
    """``None`` leaves it to the checkout. ``gaps``: rc files that cannot be read may say something else."""

    deleted_packages: frozenset[PackageKey] = frozenset()
    enable_bzlmod: bool | None = None
    enable_workspace: bool | None = None
    gaps: tuple[Gap, ...] = ()


def loading_options(root: Path, facts: Facts, arguments: ConfigArguments) -> LoadingOptions:
    """What the rc files and the command line say. Raises UsageProblem for a value on the command line that is none.

    A fault in an rc file is a gap: a question that chooses a configuration refuses it by itself.
    """
    written: Sequence[OptionUse] = ()
    gaps: tuple[Gap, ...] = ()
    try:
        written = _written(root, facts, arguments)
    except UsageProblem as problem:
        found = problem.diagnostic
        gaps = (Gap(GapKind.FILE.value, f"rc files: {found.message}", "options that they set", found.location),)
    if not written and not arguments.loading:
        return LoadingOptions(gaps=gaps)  # most questions: no table of options is read
    table = options_for(facts.version)
    typed = parse_options(arguments.loading, table, ON_COMMAND_LINE)
    uses = [use for use in (*written, *typed) if use.name in LOADING and not use.problem]
    modules, workspace = _switch("enable_bzlmod", uses), _switch("enable_workspace", uses)
    return LoadingOptions(_deleted(uses, table), modules, workspace, gaps)


def _written(root: Path, facts: Facts, arguments: ConfigArguments) -> list[OptionUse]:
    """The uses of all options in the rc files' lines, and in those of each --config."""
    rc = chosen_bazelrc(root, facts, arguments)
    if not any(name in text for text in rc.texts.values() for name in LOADING):
        return []
    command = arguments.command if arguments.given else "query"
    nodes = ConfigExpander(rc, options_for(facts.version), command).expand(arguments.tokens)
    return [node.use for node in flatten(nodes) if node.use is not None]


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


def _switch(name: str, uses: Iterable[OptionUse]) -> bool | None:
    values = [use.value == "true" for use in uses if use.name == name]
    return values[-1] if values else None
