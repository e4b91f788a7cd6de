"""One BUILD file -> one ``Package``.

The file runs against a fresh ``PackageContext``; macros loaded from .bzl files run with it. A broken file keeps the
targets made before the error. Mirrors Bazel's loading phase: https://bazel.build/extending/concepts#evaluation-model
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label
from bzlgraph.base.words import counted
from bzlgraph.bazel.context.contexts import EVERYWHERE, PackageContext
from bzlgraph.bazel.files.environment import dialect_of
from bzlgraph.bazel.files.run_file import run_file
from bzlgraph.bazel.model import Package
from bzlgraph.bazel.package.package_function import apply_defaults
from bzlgraph.bazel.package.post_process import finish
from bzlgraph.bazel.repository.placeholder import readable, unknown_values
from bzlgraph.bazel.rules.rule import unknown_rule
from bzlgraph.loading.prelude import begin, prelude_of
from bzlgraph.starlark.evaluation.budget import Budget, OverBudget, breached
from bzlgraph.starlark.evaluation.thread import Thread
from bzlgraph.starlark.evaluation.watchdog import watched
from bzlgraph.starlark.module import Module
from bzlgraph.syntax.dialect import BUILD
from bzlgraph.workspace.bzl_files import BzlLoader
from bzlgraph.workspace.repositories.table import Repository
from bzlgraph.workspace.sources.source import ContentUnknown
from bzlgraph.workspace.workspace import Workspace

FINISHING = 4
"""The part of the limits that completing a package may take: one in so many."""

_BEHIND_LINK = "the files and packages there are unknown (--allow_outside=DIR allows links into DIR)"


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """A package fresh from its BUILD file.

    ``listing_used``: it depends on which files its folder has. ``over_budget``: a budget ended it, or a file that it
    loads. How far it came depends on the machine.
    """

    package: Package
    listing_used: bool
    over_budget: bool


def evaluate_package(workspace: Workspace, repository: Repository, name: str) -> EvaluationResult:
    """Evaluate the BUILD file of a package that exists. Never raises for what the file does; see ``diagnostics``."""
    build_file = Label(repository.name, name, repository.tree.build_file(name) or "BUILD")
    package = Package(repository.name, name, build_file)
    files = repository.tree.package_files(name)
    context = PackageContext(
        repository.name,
        name,
        workspace.bzl_loader.mapping,
        workspace.facts,
        modules=workspace.context.modules,
        gaps=package.gaps,
        loaded=workspace.bzl_loader.contexts,
        building=package,
        files=files,
    )
    over_budget = False
    try:
        data, path = repository.tree.read_build_file(name)
    except ContentUnknown as unknown:
        context.add_gap(
            Gap(
                GapKind.REPOSITORY.value,
                f"{build_file}: {unknown.strerror}",
                "the targets of the package are unknown",
                repository=repository.name,
            )
        )
    except OSError as error:
        package.diagnostics.append(Diagnostic(f"cannot read {build_file}: {error.strerror}"))
    else:
        inside = path if name in repository.tree.overlays else repository.path_of(path)
        over_budget = _run(workspace, context, data, inside)
    over_budget |= _finish(context, workspace.options.budget)
    package.diagnostics.extend(repository.problems)
    for gap in (*repository.gaps, *(refused_link(repository, *each) for each in files.refused())):
        context.add_gap(gap)
    return EvaluationResult(package, files.used, over_budget)


def refused_link(repository: Repository, link: str, target: str) -> Gap:
    """What is not known because a link leads out of the checkout."""
    shown = repository.path_of(link)
    what = f"{shown} is a link to {target}, outside the checkout, and is not read"
    return Gap(GapKind.FILE.value, what, _BEHIND_LINK, repository=repository.name)


def is_refused_link(gap: Gap) -> bool:
    """Whether a gap is one of ``refused_link``."""
    return gap.hides == _BEHIND_LINK


def _run(workspace: Workspace, context: PackageContext, data: bytes, path: str) -> bool:
    """Run the BUILD file; whether a budget ended it, or a file that it loads."""
    package, bzl_loader = context.building, workspace.bzl_loader
    loads: list[Label] = []
    unknown = unknown_values(data)
    repository = workspace.repository(package.repo)
    if repository.guessed:
        context.choices.add(EVERYWHERE)
    more = {**unknown, **{name: unknown_rule(name) for name in repository.rules}}
    names = {**workspace.build_names, **more} if more else workspace.build_names
    thread = bzl_loader.thread(context, loads, package.diagnostics)
    over_budget = False
    try:
        with watched(thread.budget):
            try:
                if defaults := repository.defaults:
                    thread.run(apply_defaults, defaults, context)
                beginning = begin(bzl_loader, repository, thread, names)
                _run_in_turn(bzl_loader, thread, (*beginning.files, (data, path)), beginning.names)
            finally:
                over_budget = thread.steps_left < 0 or breached()
    except BzlgraphError as error:
        over_budget |= isinstance(error, OverBudget)
        package.diagnostics.extend(error.diagnostics)
    if unknown:
        _doubt(context)
    loaded = bzl_loader.transitive(loads)
    package.bzl_files = tuple(each.label for each in loaded)
    if (prelude := prelude_of(repository)) is not None:
        of_prelude = [each for each in bzl_loader.transitive([prelude]) if each not in loaded]
        package.prelude_files = tuple({prelude: None, **{each.label: None for each in of_prelude}})
        loaded += of_prelude
    for each in loaded:
        for gap in each.gaps:
            context.add_gap(gap)
    return over_budget or any(each.over_budget for each in loaded)


def _run_in_turn(
    bzl_loader: BzlLoader, thread: Thread, files: Sequence[tuple[bytes, str]], names: Mapping[str, object]
) -> None:
    """Run (bytes, path) of a BUILD file, and of what stands before it. Raises BzlgraphError."""
    context: PackageContext = thread.host
    problems = context.building.diagnostics
    bound: dict[str, object] = {}
    for number, (data, path) in enumerate(files, 1):
        context.source = data.decode("utf-8", "surrogateescape")
        known = {**names, **bound} if bound else names
        text = (data, path, dialect_of(BUILD, context.facts), known.keys())
        module = Module(bzl_loader.programs.salvaged(*text, problems), known)
        module.bind_early(bound)
        try:
            going_on = None if context.facts.failed_statement_ends_file else problems
            run_file(module, thread, context, partial(bzl_loader.programs.prefix, *text), going_on, unbound=True)
            if number < len(files):
                bound = {**module.loaded, **module.globals}
        finally:
            module.close()


def _doubt(context: PackageContext) -> None:
    """Make the problems of a package gaps whose BUILD file holds unknown text: the true text may have none."""
    for each in context.building.diagnostics:
        what = f"caused by an unknown string: {readable(each.message)}"
        hides = "what the rest of the package creates is unknown"
        context.add_gap(Gap(GapKind.REPOSITORY.value, what, hides, each.location, context.repo))
    context.building.diagnostics.clear()


def _finish(context: PackageContext, budget: Budget) -> bool:
    """Complete the package, and say so when an error may have cost targets; whether a budget ended it."""
    package = context.building
    over_budget = False
    try:
        with watched(budget.part(FINISHING)):
            try:
                finish(context)
            finally:
                over_budget = breached()
    except BzlgraphError as error:
        over_budget |= isinstance(error, OverBudget)
        package.diagnostics.extend(error.diagnostics)
    package.broken = any(each.severity == "error" for each in package.diagnostics)
    if package.broken:
        count = sum(1 for _ in package.rules())
        where = f"@{package.repo}//{package.name}" if package.repo else f"//{package.name}"
        context.add_gap(
            Gap(
                GapKind.PACKAGE.value,
                f"package {where} is broken",
                f"{counted(count, 'rule')} before the error kept; what follows may be missing",
                package.diagnostics[0].location,
            )
        )
    return over_budget
