"""What ``mod graph`` and its kin show of a module graph: the part below some modules, or the paths to some, cut at a
depth.

``whole(graph, start, options)`` shows each module with its dependencies once; ``paths(graph, start, targets, options)``
shows the modules on shortest ways to the targets, whose dependents are all shown. Below the depth only targets and
those who depend on them are left, hung to what is above by an indirect link. Mirrors ``ModExecutor.java`` of Bazel
7.7.1, package ``bazel.bzlmod.modcommand``, in its order and in what it leaves out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.bzlmod.module import ROOT, ModuleKey
from bzlgraph.mod.graph import BUILT_IN, ModuleGraph, sort_key

MAX_VISITS = 200_000
"""How often modules are visited before a tree of paths counts as too big to be shown."""


class Link(NamedTuple):
    """How a module hangs below another. ``expanded``: what it depends on is shown there."""

    expanded: bool = True
    indirect: bool = False
    cycle: bool = False


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """Bazel's options that choose what is shown; a ``depth`` of 0 has no limit."""

    depth: int = 0
    cycles: bool = True
    include_unused: bool = False
    include_builtin: bool = False


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A module that is shown, and what hangs below it, in the order in which it was reached."""

    children: tuple[tuple[ModuleKey, Link], ...]
    target: bool = False

    def by_key(self) -> list[tuple[ModuleKey, Link]]:
        """Each module below once, by name and version."""
        first = dict(reversed(self.children))
        return sorted(first.items(), key=lambda child: sort_key(child[0]))

    def by_link(self) -> list[tuple[ModuleKey, Link]]:
        """Cycles first, then what is shown elsewhere, then direct dependencies, each by name and version."""
        return sorted(self.children, key=_by_link)


def _by_link(child: tuple[ModuleKey, Link]) -> tuple[object, ...]:
    key, link = child
    return not link.cycle, link.expanded, link.indirect, *sort_key(key)


Tree = Mapping[ModuleKey, TreeNode]
"""By module; the root is in it unless there is nothing to show."""


@dataclass(slots=True)
class _Growing:
    """A node that is being made; a child that is added twice in the same way is there once."""

    target: bool = False
    children: dict[ModuleKey, dict[Link, None]] = field(default_factory=dict)

    def add(self, key: ModuleKey, link: Link) -> None:
        self.children.setdefault(key, {})[link] = None

    def node(self) -> TreeNode:
        return TreeNode(tuple((key, link) for key, links in self.children.items() for link in links), self.target)


def whole(graph: ModuleGraph, start: Collection[ModuleKey], options: TreeOptions) -> Tree:
    """Everything below some modules, which hang below the root; the root itself stands for its dependencies."""
    direct = _below(graph, ROOT, options)
    pinned = {*start} - {ROOT} | ({*direct} if ROOT in start else set())
    shown = sorted((key for key in pinned if options.include_builtin or key not in BUILT_IN), key=sort_key)
    tree = {ROOT: _Growing()}
    for key in shown:
        tree[ROOT].add(key, Link(indirect=key not in direct))
    seen, waiting = {ROOT, *shown}, deque(shown)
    while waiting:
        key = waiting.popleft()
        node = tree[key] = _Growing()
        for child in _below(graph, key, options):
            node.add(child, Link(expanded=child not in seen))
            if child not in seen:
                seen.add(child)
                waiting.append(child)
    return _Pruning({key: node.node() for key, node in tree.items()}, None, options).tree()


def paths(
    graph: ModuleGraph,
    start: Sequence[ModuleKey],
    targets: Collection[ModuleKey],
    options: TreeOptions,
    *,
    single: bool = False,
) -> Tree:
    """The ways from some modules to others, ``single`` one to each; empty when there is none. Raises LoadProblem."""
    direct = _below(graph, ROOT, options)
    parents: dict[ModuleKey, ModuleKey | None] = dict.fromkeys(start, ROOT)
    parents[ROOT] = None
    tree: dict[ModuleKey, _Growing] = {}
    reached: set[ModuleKey] = set()
    waiting = deque(start)
    while waiting and not (single and reached >= set(targets)):
        key = waiting.popleft()
        for child in _below(graph, key, options):
            if child in targets and not (single and child in reached):
                _add_path(tree, parents, key, child, direct)
                reached.add(child)
            if child not in parents:
                parents[child] = key
                waiting.append(child)
    return _Pruning({key: node.node() for key, node in tree.items()}, frozenset(targets), options).tree()


def _below(graph: ModuleGraph, key: ModuleKey, options: TreeOptions) -> Collection[ModuleKey]:
    return graph.nodes[key].below(unused=options.include_unused, built_in=options.include_builtin)


def _add_path(
    tree: dict[ModuleKey, _Growing],
    parents: Mapping[ModuleKey, ModuleKey | None],
    above: ModuleKey,
    target: ModuleKey,
    direct: Collection[ModuleKey],
) -> None:
    """A target below ``above``, and the way back to the root."""
    tree.setdefault(target, _Growing()).target = True
    child, parent = target, above
    while True:
        tree.setdefault(parent, _Growing()).add(child, Link(indirect=parent == ROOT and child not in direct))
        next_up = parents[parent]
        if next_up is None:
            return
        child, parent = parent, next_up


@dataclass(slots=True)
class _Pruning:
    """One cut at the depth: from the root downwards, so that a module on its own path is a cycle."""

    old: Tree
    targets: frozenset[ModuleKey] | None
    options: TreeOptions
    grown: dict[ModuleKey, _Growing] = field(default_factory=dict)
    above: set[ModuleKey] = field(default_factory=set)
    visits: int = 0

    def tree(self) -> Tree:
        """The tree that is left, by module."""
        if not self.old:
            return {}
        root = self.grown[ROOT] = _Growing()
        self.above.add(ROOT)
        for key, link in self.old[ROOT].by_key():
            root.add(key, Link(indirect=link.indirect))
            self._visible(key, 1, ROOT, expanded=True)
        return {key: self.grown[key].node() for key in sorted(self.grown, key=sort_key)}

    def _visible(self, key: ModuleKey, depth: int, parent: ModuleKey, *, expanded: bool) -> None:
        """A module above the depth."""
        node = self.grown.setdefault(key, _Growing())
        node.target = self.old[key].target
        if depth > 1:
            self.grown[parent].add(key, Link(expanded))
        for child, link in self._entered(key, node) if expanded else ():
            if not self.options.depth or depth < self.options.depth:
                self._visible(child, depth + 1, key, expanded=link.expanded)
            elif self.targets is not None:
                self._detached(child, key, key, expanded=link.expanded)
        self.above.discard(key)

    def _detached(self, key: ModuleKey, parent: ModuleKey, last: ModuleKey, *, expanded: bool) -> None:
        """A module below the depth: it stays only when it is a target or leads to one; ``last`` is what stays above."""
        node = _Growing(self.old[key].target)
        self.above.add(key)
        if node.target or self._leads_to_target(key):
            self.grown[last].add(key, Link(expanded, indirect=last != parent))
            self.grown[key] = node
            last = key
        for child, link in self._entered(key, node) if expanded else ():
            self._detached(child, key, last, expanded=link.expanded)
        self.above.discard(key)

    def _entered(self, key: ModuleKey, node: _Growing) -> Iterable[tuple[ModuleKey, Link]]:
        """The children that are not above; those that are become cycles. Raises LoadProblem when it is too much."""
        self.visits += 1
        if self.visits > MAX_VISITS:
            hint = "--depth, --from or fewer modules make it smaller"
            raise LoadProblem(Diagnostic("there are too many paths between these modules to show them all", hint=hint))
        self.above.add(key)
        for child, link in self.old[key].by_key():
            if child not in self.above:
                yield child, link
            elif self.options.cycles:
                node.add(child, Link(expanded=False, cycle=True))

    def _leads_to_target(self, key: ModuleKey) -> bool:
        children = (child for child, _ in self.old[key].children)
        return any(child in (self.targets or ()) and child not in self.above for child in children)
