"""The subcommands of ``bazel mod``: a module graph, its extensions, arguments and options -> an answer as data.

Mirrors ``ModCommand.java`` and ``ModExecutor.java`` of Bazel 7.7.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

from bzlgraph.base.errors import LoadProblem, UsageProblem
from bzlgraph.base.spell import did_you_mean
from bzlgraph.bzlmod.module import ROOT, ModuleKey
from bzlgraph.bzlmod.resolution import ExtensionId
from bzlgraph.mod.answer import ModOptions, ModTree
from bzlgraph.mod.arguments import Names
from bzlgraph.mod.extensions import ExtensionTable, ShownExtension
from bzlgraph.mod.graph import BUILT_IN, ModuleGraph
from bzlgraph.mod.tree import Tree, TreeNode, paths, whole

NO_TARGETS = "No target modules specified."
NO_PATH = "No path found to the specified target modules."


class TreeCommand(Enum):
    """The subcommands that answer with a tree of modules."""

    GRAPH = "graph"
    DEPS = "deps"
    PATH = "path"
    ALL_PATHS = "all_paths"
    EXPLAIN = "explain"


_DEPTHS = {TreeCommand.EXPLAIN: 1, TreeCommand.DEPS: 2}
"""Where there is a depth without ``--depth``."""


def names_in(graph: ModuleGraph, options: ModOptions) -> Names:
    """What arguments mean, seen from the base module. Raises UsageProblem and LoadProblem for what is none."""
    base = Names(graph).one_module(options.base_module, "--base_module")
    return Names(graph, base, options.tree.include_unused)


def show_tree(
    command: TreeCommand, arguments: Sequence[str], graph: ModuleGraph, extensions: ExtensionTable, options: ModOptions
) -> ModTree:
    """The modules that a subcommand shows. Raises UsageProblem for arguments that are none, LoadProblem for what is
    not there, and for too many paths."""
    if command is TreeCommand.GRAPH and arguments:
        raise UsageProblem("the 'graph' command doesn't take extra arguments")
    names = names_in(graph, options)
    named, start = _modules(names, arguments), _modules(names, options.start)
    if options.tree.depth < 1:
        options = replace(options, tree=replace(options.tree, depth=_DEPTHS.get(command, 0)))
    users: list[ModuleKey] = []
    if options.extension_filter is not None:
        chosen = [names.extension(text) for text in options.extension_filter] or list(extensions.usages)
        extensions = extensions.only(chosen)
        users = _users(graph, extensions, options)
    answer = ModTree(graph, {}, extensions, options)
    if command in (TreeCommand.GRAPH, TreeCommand.DEPS):
        below = named if command is TreeCommand.DEPS else start
        return replace(answer, tree=_whole_or_users(graph, below, users, options))
    targets = {*users, *named}
    if not targets:
        return replace(answer, nothing=NO_TARGETS)
    tree = paths(graph, start, targets, options.tree, single=command is TreeCommand.PATH)
    return replace(answer, tree=tree, nothing="" if tree else NO_PATH)


def show_extension(text: str, graph: ModuleGraph, extensions: ExtensionTable, options: ModOptions) -> ShownExtension:
    """An extension with its repositories and usages. Raises UsageProblem for what is none, LoadProblem for one that
    nobody uses."""
    extension = names_in(graph, options).extension(text)
    if extension not in extensions.usages:
        near = did_you_mean(str(extension), map(str, extensions.usages))
        raise LoadProblem(f"No extension {extension} exists in the dependency graph{near}")
    return _shown(extension, graph, extensions, options)


def _shown(
    extension: ExtensionId, graph: ModuleGraph, extensions: ExtensionTable, options: ModOptions
) -> ShownExtension:
    usages, imports = extensions.usages[extension], extensions.imports(extension)
    chosen = _modules(names_in(graph, options), options.extension_usages) or list(usages)
    return ShownExtension(
        extension,
        imports,
        tuple(extensions.others(extension, imports)),
        extension in extensions.generated,
        {key: usages[key] for key in chosen if key in usages},
    )


def _modules(names: Names, texts: Sequence[str]) -> list[ModuleKey]:
    """The modules of several arguments, each once."""
    return list(dict.fromkeys(key for text in texts for key in names.modules(text)))


def _users(graph: ModuleGraph, extensions: ExtensionTable, options: ModOptions) -> list[ModuleKey]:
    """The modules that use any of the extensions."""
    return [
        node.key
        for node in graph.nodes.values()
        if (node.used or options.tree.include_unused)
        and (options.tree.include_builtin or node.key not in BUILT_IN)
        and extensions.used_by(node.key)
    ]


def _whole_or_users(
    graph: ModuleGraph, start: Sequence[ModuleKey], users: Sequence[ModuleKey], options: ModOptions
) -> Tree:
    """All modules or, when there is a filter that somebody passes, the ways to those who do; at least the root."""
    if not users:
        return whole(graph, start, options.tree)
    return paths(graph, start, users, options.tree) or {ROOT: TreeNode(())}
