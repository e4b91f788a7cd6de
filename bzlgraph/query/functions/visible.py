"""``visible(from, targets)``: the targets that every target of ``from`` may depend on.

A package group is visible to all, an environment group to nobody; a target to its own package, which Bazel (0.19 to 7.7
at least) tells by its path alone: the same folder of another repository sees it too, and ``javatests/x`` what is in
``java/x``. Otherwise its visibility, or its package's default, decides (``graph.visibility``).
"""

from __future__ import annotations

from functools import cache

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import EnvironmentGroup, PackageGroup
from bzlgraph.graph.model import NodeKind
from bzlgraph.graph.seen import WrittenInTargets
from bzlgraph.graph.visibility import Visibilities
from bzlgraph.query.environment import Environment, Nodes


def visible(environment: Environment, users: Nodes, targets: Nodes) -> Nodes:
    """Those of ``targets`` that all of ``users`` see."""
    graph, settings = environment.graph, environment.settings
    packages = set(map(environment.home, users))
    written = WrittenInTargets(graph)
    asked = Visibilities(written, settings.mapping, settings.facts.package_group_root_is_everything)

    @cache  # a package has many targets, which say one thing of who sees them
    def admits(home: str, items: tuple[Label | str, ...]) -> bool:
        homes = _homes(home)
        return all(each[1] in homes or asked.admission(items, each).admitted for each in packages)

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


def _homes(package: str) -> tuple[str, ...]:
    """The packages that a target's own package is for Bazel's query.

    >>> _homes("java/a"), _homes("javatests/a")
    (('java/a', 'javatests/a'), ('javatests/a',))
    """
    inside = package.removeprefix("java/")
    return (package,) if inside == package else (package, f"javatests/{inside}")
