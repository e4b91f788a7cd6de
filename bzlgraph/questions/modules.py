"""The questions of ``mod``: which modules a workspace has, who asks for them, how its repositories come about."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem, UsageProblem
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.spell import did_you_mean
from bzlgraph.bzlmod.resolution import Extension, ExtensionId, ResolvedModules
from bzlgraph.mod.answer import ExtensionInfo, ModOptions, ModTree, ShownRepository
from bzlgraph.mod.ask import TreeCommand, names_in, show_extension, show_tree
from bzlgraph.mod.extensions import ExtensionTable, ShownExtension, extension_table
from bzlgraph.mod.graph import BUILT_IN, ModuleGraph, module_graph
from bzlgraph.questions.origins import shown_repository
from bzlgraph.questions.reply import Reply
from bzlgraph.questions.session import Session
from bzlgraph.workspace.running.run_extension import Outcome

T = TypeVar("T")
NO_REPOSITORY = "note: name a repository: MODULE, MODULE@VERSION, @NAME or @@CANONICAL"
"""What is told of a question that Bazel answers with nothing."""


def ask_module_tree(
    session: Session, command: TreeCommand, arguments: Sequence[str], options: ModOptions
) -> Reply[ModTree]:
    """The modules that ``graph``, ``deps``, ``path``, ``all_paths`` or ``explain`` shows.

    Raises UsageProblem for what is no module, LoadProblem for one that is not there and for a tree without modules.
    """
    graph = _graph(session)
    run = _run(session, graph.resolved, None if options.tree.include_builtin else _of_people(graph.resolved))
    answer = show_tree(command, arguments, graph, run.table, options)
    gaps = run.gaps if options.extension_info is ExtensionInfo.ALL else ()
    return _reply(session, answer, graph.resolved, gaps, run.problems)


def ask_extensions(session: Session, texts: Sequence[str], options: ModOptions) -> Reply[tuple[ShownExtension, ...]]:
    """Extensions with what they make, and what modules say to them. Raises as ``ask_module_tree``."""
    graph = _graph(session)
    if not texts:
        own = sorted(map(str, _of_people(graph.resolved)))
        hint = f"the extensions are {', '.join(own)}" if own else "only Bazel's own modules use any"
        raise UsageProblem(Diagnostic("no extension given", hint=hint))
    names, everything = names_in(graph, options), extension_table(graph.resolved, {})
    run = _run(session, graph.resolved, {names.extension(text) for text in texts})
    listed = (show_extension(text, graph, run.table, options) for text in texts)
    shown = {each.id: each for each in listed}
    answer = tuple(shown[each] for each in everything.usages if each in shown)
    return _reply(session, answer, graph.resolved, run.gaps, run.problems)


def ask_repositories(session: Session, texts: Sequence[str], options: ModOptions) -> Reply[tuple[ShownRepository, ...]]:
    """The rules that make repositories, with the values that they are given. Raises as ``ask_module_tree``."""
    graph = _graph(session)
    names = names_in(graph, options)
    named = {shown_as: canonical for text in texts for shown_as, canonical in names.repositories(text).items()}
    shown = tuple(
        shown_repository(session.loader.workspace, shown_as, canonical) for shown_as, canonical in named.items()
    )
    reply = _reply(session, shown, graph.resolved)
    return reply if texts else replace(reply, notes=(*reply.notes, NO_REPOSITORY))


def ask_repository_mappings(session: Session, names: Sequence[str]) -> Reply[tuple[Mapping[str, str], ...]]:
    """What names of repositories mean in repositories, given by their canonical names ("" for the main one).

    Raises UsageProblem when none is named, LoadProblem for one that nobody defines.
    """
    if not names:
        raise UsageProblem("No repository name(s) specified")
    resolved = resolved_modules(session)
    return _reply(session, tuple(_mapping(session, resolved, name) for name in names), resolved)


def resolved_modules(session: Session) -> ResolvedModules:
    """The modules of a checkout. Raises UsageProblem when modules are switched off, LoadProblem when it has none."""
    workspace = session.loader.workspace
    resolved = workspace.resolved_modules
    if resolved is not None:
        return resolved
    if workspace.why_without_modules:
        hint = "--enable_bzlmod on the command line lets MODULE.bazel count, whatever an rc file says"
        raise UsageProblem(Diagnostic(f"MODULE.bazel is ignored: {workspace.why_without_modules}", hint=hint))
    hint = "bzlgraph why @NAME shows which line of WORKSPACE defines a repository"
    raise LoadProblem(Diagnostic("this workspace has no MODULE.bazel: its repositories are not modules", hint=hint))


def _graph(session: Session) -> ModuleGraph:
    resolved = resolved_modules(session)
    return session.once("module graph", lambda: module_graph(resolved))


@dataclass(frozen=True, slots=True)
class _Run:
    """The extensions after they were run: what they make, and what went wrong with that or is not known."""

    table: ExtensionTable
    gaps: tuple[Gap, ...]
    problems: tuple[Diagnostic, ...]


def _of_people(resolved: ResolvedModules) -> set[ExtensionId]:
    """The extensions that other modules than Bazel's own use."""
    return {each.id for each in resolved.extensions.values() if not BUILT_IN.issuperset(each.usages)}


def _run(session: Session, resolved: ResolvedModules, among: Collection[ExtensionId] | None = None) -> _Run:
    """Run the extensions, all or some."""
    outcomes = {
        identity: _outcome(session, extension)
        for identity, extension in resolved.extensions.items()
        if among is None or identity in among
    }
    known = {identity: tuple(each.calls) for identity, each in outcomes.items() if each.calls or each.known}
    gaps = (_gap(identity, outcome) for identity, outcome in outcomes.items() if not outcome.known)
    problems = (problem for each in outcomes.values() for problem in each.problems)
    return _Run(extension_table(resolved, known), tuple(gap for each in gaps for gap in each), tuple(problems))


def _outcome(session: Session, extension: Extension) -> Outcome:
    """What an extension makes; it is run at the first call."""
    runner = session.loader.workspace.extensions
    return runner.outcome(extension) if runner is not None else Outcome()


def _gap(extension: ExtensionId, outcome: Outcome) -> tuple[Gap, ...]:
    hides = "its repositories that no use_repo() imports are unknown"
    return outcome.gaps or (Gap(GapKind.REPOSITORY.value, f"module extension {extension}", hides),)


def _mapping(session: Session, resolved: ResolvedModules, name: str) -> Mapping[str, str]:
    """The names that one repository sees; the main one sees those of WORKSPACE, too, where it counts."""
    names = session.loader.workspace.names
    of_workspace = [*names.context.repositories, *names.built_in] if names.workspace_counts else []
    module = resolved.module_of(name)
    if module is not None:
        own = dict.fromkeys(["__main__"] if of_workspace else [], "") | {each: each for each in of_workspace}
        return {**({} if name else own), **resolved.module_mapping(module.key)}
    if name in of_workspace:
        return resolved.root_mapping
    rule = resolved.rule_repositories.get(name)
    if rule is not None:
        return resolved.module_mapping(rule.module)
    found = resolved.extension_of(name)
    if found is not None:
        extension, inside = found
        outcome = _outcome(session, extension)
        made = {**outcome.calls, **({} if outcome.known else extension.imported())}
        if inside in made:
            return resolved.extension_mapping(extension, made)
    known = (each.canonical for each in resolved.modules.values())
    raise LoadProblem(f"Repositories not found: {name}{did_you_mean(name, (*known, *resolved.rule_repositories))}")


def _reply(
    session: Session,
    answer: T,
    resolved: ResolvedModules,
    gaps: Sequence[Gap] = (),
    problems: Sequence[Diagnostic] = (),
) -> Reply[T]:
    """An answer with what Bazel refuses, what is missing, and as notes what Bazel warns of."""
    completeness = session.completeness((*resolved.problems, *problems), (*resolved.gaps, *gaps))
    return Reply(answer, completeness, tuple(each.render() for each in resolved.warnings))
