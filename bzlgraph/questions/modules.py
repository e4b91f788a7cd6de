"""The questions of ``mod``: which modules a workspace has, who asks for them, how its repositories come about."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem, UsageProblem
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.spell import did_you_mean
from bzlgraph.bzlmod.resolution import ExtensionId, ResolvedModules
from bzlgraph.mod.answer import ExtensionInfo, ModOptions, ModTree, ShownRepository
from bzlgraph.mod.ask import TreeCommand, names_in, show_extension, show_tree
from bzlgraph.mod.extensions import ExtensionTable, ShownExtension, extension_table
from bzlgraph.mod.graph import ModuleGraph, module_graph
from bzlgraph.questions.origins import shown_repository
from bzlgraph.questions.session import Reply, Session


def ask_module_tree(
    session: Session, command: TreeCommand, arguments: Sequence[str], options: ModOptions
) -> Reply[ModTree]:
    """The modules that ``graph``, ``deps``, ``path``, ``all_paths`` or ``explain`` shows.

    Raises UsageProblem for what is no module, LoadProblem for one that is not there and for a tree without modules.
    """
    graph = _graph(session)
    wants_all = options.extension_info is ExtensionInfo.ALL
    extensions, gaps = _extensions(session, graph.resolved, among=None if wants_all else ())
    answer = show_tree(command, arguments, graph, extensions, options)
    return _reply(session, answer, graph.resolved, gaps)


def ask_extensions(session: Session, texts: Sequence[str], options: ModOptions) -> Reply[tuple[ShownExtension, ...]]:
    """Extensions with what they make, and what modules say to them. Raises as ``ask_module_tree``."""
    if not texts:
        raise UsageProblem("no extension is named")
    graph = _graph(session)
    extensions, _ = _extensions(session, graph.resolved, among=())
    named = {show_extension(text, graph, extensions, options).id for text in texts}
    extensions, gaps = _extensions(session, graph.resolved, among=named)
    shown = {each.id: each for each in (show_extension(text, graph, extensions, options) for text in texts)}
    return _reply(session, tuple(shown[each] for each in extensions.usages if each in shown), graph.resolved, gaps)


def ask_repositories(session: Session, texts: Sequence[str], options: ModOptions) -> Reply[tuple[ShownRepository, ...]]:
    """The rules that make repositories, with the values that they are given. Raises as ``ask_module_tree``."""
    graph = _graph(session)
    names = names_in(graph, options)
    named = {shown_as: canonical for text in texts for shown_as, canonical in names.repositories(text).items()}
    shown = tuple(shown_repository(session, shown_as, canonical) for shown_as, canonical in named.items())
    return _reply(session, shown, graph.resolved)


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
    if workspace.options.enable_bzlmod is False:
        raise UsageProblem("mod is about modules, and --noenable_bzlmod switches them off")
    hint = "bzlgraph why @NAME tells which line of WORKSPACE defines a repository"
    raise LoadProblem(Diagnostic("this workspace has no MODULE.bazel: its repositories are not modules", hint=hint))


def _graph(session: Session) -> ModuleGraph:
    resolved = resolved_modules(session)
    return session.once("module graph", lambda: module_graph(resolved))


def _extensions(
    session: Session, resolved: ResolvedModules, among: Collection[ExtensionId] | None
) -> tuple[ExtensionTable, list[Gap]]:
    """The extensions; ``among`` those all repositories that they make are wanted, not only those that are taken."""
    wanted = [each for each in resolved.extensions if among is None or each in among]
    made = {each: generated_repositories(session, each) for each in wanted}
    known = {each: names for each, names in made.items() if names is not None}
    return extension_table(resolved, known), [_not_run(each) for each in wanted if each not in known]


def generated_repositories(session: Session, extension: ExtensionId) -> Collection[str] | None:
    """The names of all repositories that an extension makes, None when that is not known."""
    names = session.loader.workspace.names
    prefix = names.modules.extensions[extension].prefix if names.modules is not None else ""
    return names.generated.get(prefix)


def _not_run(extension: ExtensionId) -> Gap:
    hides = "the repositories of it that no module takes by use_repo"
    return Gap(GapKind.REPOSITORY.value, f"what the extension {extension} makes", hides)


def _mapping(session: Session, resolved: ResolvedModules, name: str) -> Mapping[str, str]:
    """The names that one repository sees."""
    module = resolved.module_of(name)
    if module is not None:
        return resolved.module_mapping(module.key)
    rule = resolved.rule_repositories.get(name)
    if rule is not None:
        return resolved.module_mapping(rule.module)
    found = resolved.extension_of(name)
    if found is not None:
        extension, inside = found
        names = generated_repositories(session, extension.id)
        if inside in (names if names is not None else extension.imported()):
            return resolved.extension_mapping(extension, names or extension.imported())
    known = (each.canonical for each in resolved.modules.values())
    raise LoadProblem(f"Repositories not found: {name}{did_you_mean(name, (*known, *resolved.rule_repositories))}")


T = TypeVar("T")


def _reply(session: Session, answer: T, resolved: ResolvedModules, gaps: Sequence[Gap] = ()) -> Reply[T]:
    """An answer with what Bazel refuses, what is missing, and as notes what Bazel warns of."""
    completeness = session.completeness(resolved.problems, (*resolved.gaps, *gaps))
    return Reply(answer, completeness, tuple(each.render() for each in resolved.warnings))
