"""``visible(from, targets)``: the targets that every target of ``from`` may depend on.

A package group is visible to all, an environment group to nobody; a target to its own package, which Bazel (0.19 to 7.7
at least) tells by its path alone: the same folder of another repository sees it too, and ``javatests/x`` what is in
``java/x``. Otherwise its visibility, or its package's default, decides (``graph.visibility``). A package group that is
not there, or includes one that is not, is an error and lets nobody in. Asked of Bazel 4.2.3 and 7.7.1.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import EnvironmentGroup, PackageGroup
from bzlgraph.graph.model import NodeKind
from bzlgraph.graph.seen import WrittenInTargets
from bzlgraph.graph.view import GraphView
from bzlgraph.graph.visibility import Visibilities
from bzlgraph.query.environment import Environment, Nodes

_PACKAGES = ("__pkg__", "__subpackages__")
"""What an item that names packages itself is called."""


def visible(environment: Environment, users: Nodes, targets: Nodes) -> Nodes:
    """Those of ``targets`` that all of ``users`` see."""
    graph, settings = environment.graph, environment.settings
    packages = {(environment.home(node)[1], graph.labels[node][:2]) for node in users}
    """The package that Bazel takes for a target's own, and that of its label: they differ for a file that is loaded."""
    written = WrittenInTargets(graph)
    asked = Visibilities(written, settings.mapping, settings.facts.package_group_root_is_everything)

    @cache
    def is_whole(item: Label | str) -> bool:
        missing = _missing_group(item, graph, written) if isinstance(item, Label) else None
        if missing is None:
            return True
        (problem,) = graph.missing_among([missing])
        why = problem.message.removeprefix(f"{item}: ")
        environment.note(replace(problem, message=f"invalid visibility label '{item}': {why}"))
        return False

    @cache  # a package has many targets, which say one thing of who sees them
    def admits(package: str, items: tuple[Label | str, ...]) -> bool:
        homes, whole = _homes(package), tuple(filter(is_whole, items)) if packages else ()
        return all(home in homes or asked.admission(whole, own).admitted for home, own in packages)

    def is_visible(node: int) -> bool:
        target = graph.target(node)
        if isinstance(target, PackageGroup):
            return True
        if graph.kinds[node] == NodeKind.UNLOADED:  # it may be
            return True
        if node in environment.loaded_by and not environment.is_declared(node):
            return True
        items = () if target is None or isinstance(target, EnvironmentGroup) else written.items(target)[0]
        return admits(graph.labels[node].package, items)

    return set(filter(is_visible, targets))


def _missing_group(item: Label, graph: GraphView, written: WrittenInTargets) -> int | None:
    """The first package group that an item of a visibility names, or includes, and that does not exist."""
    groups = [] if item.package == "visibility" or item.name in _PACKAGES else [item]
    for label in groups:  # they become more
        node = graph.resolve(label)
        if graph.kinds[node] == NodeKind.MISSING:
            return node
        group = written.group(label)
        groups += [each for each in group.includes if each not in groups] if group is not None else []
    return None


def _homes(package: str) -> tuple[str, ...]:
    """The packages that a target's own package is for Bazel's query.

    >>> _homes("java/a"), _homes("javatests/a")
    (('java/a', 'javatests/a'), ('javatests/a',))
    """
    inside = package.removeprefix("java/")
    return (package,) if inside == package else (package, f"javatests/{inside}")
