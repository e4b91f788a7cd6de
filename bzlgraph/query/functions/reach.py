"""Functions that follow edges: deps, rdeps, allrdeps, allpaths, somepath, same_pkg_direct_rdeps, and deps_by, rdeps_by.

A missing target that an edge leads to is noted as a problem, also where it is not part of the answer, as in Bazel.
"""

from __future__ import annotations

import re

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.java.regex import PatternError
from bzlgraph.bazel.model import Rule
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.query.environment import Environment, Nodes, PackageKey


def deps(environment: Environment, targets: Nodes, depth: int | None = None) -> Nodes:
    """What ``targets`` need, themselves included."""
    return environment.targets(environment.closure(targets, depth))


def rdeps(environment: Environment, universe: Nodes, targets: Nodes, depth: int | None = None) -> Nodes:
    """What in the dependencies of ``universe`` needs ``targets``, themselves included."""
    return _reaching(environment, environment.closure(universe, towards=targets), targets, depth)


def allrdeps(environment: Environment, targets: Nodes, depth: int | None = None) -> Nodes:
    """``rdeps`` in the universe of the command line, and those of ``targets`` that its packages have beside. For Bazel
    there is no package outside of it."""
    closure = environment.everything(targets)
    loaded = environment.packages_of(closure)
    beside = {node for node in targets if environment.home(node) in loaded}
    outside = targets - closure - beside
    packages = environment.graph.packages  # of one that is absent there is a gap
    for label in sorted(environment.graph.labels[node] for node in outside if environment.home(node) in packages):
        universe = " ".join(environment.universe_scope())
        hint = "--universe_scope says where allrdeps() searches"
        environment.note(Diagnostic(f"{label}: not in the universe of the query ({universe})", hint=hint))
    return _reaching(environment, closure, targets, depth) | beside


def allpaths(environment: Environment, start: Nodes, end: Nodes) -> Nodes:
    """Everything on any way from ``start`` to ``end``."""
    return _reaching(environment, environment.closure(start, towards=end), end, None)


def _reaching(environment: Environment, closure: Nodes, targets: Nodes, depth: int | None) -> Nodes:
    environment.targets(closure)
    ends = environment.graph.same_label(targets)
    return environment.targets(environment.index().reaching(ends, closure, depth))


def somepath(environment: Environment, start: Nodes, end: Nodes) -> list[int]:
    """The shortest path; among several the one that Bazel comes to first: the order of attributes in the rule class
    decides, then that of an attribute's labels. Of several starts, and ends, the nearest."""
    closure = environment.closure(start, towards=end)
    environment.targets(closure)
    graph, excluded_flags = environment.graph, environment.settings.excluded_flags
    distances = environment.index().distances_to(graph.same_label(end), closure)
    starts = [(distances[node], graph.labels[node], node) for node in start if node in distances]
    if not starts:
        return []
    left, _, here = min(starts)
    path = [here]
    while left:
        left -= 1
        nearer = {step for step in graph.ends_of(here, excluded_flags) if distances.get(step) == left}
        here = _first_named(environment, here, nearer)
        path.append(here)
    return path


def _first_named(environment: Environment, node: int, ends: Nodes) -> int:
    """Which of its dependencies a target names first."""
    graph, columns, excluded = environment.graph, environment.graph.columns, environment.settings.excluded_flags
    target = graph.target(node)
    order = target.rule_class.attributes if isinstance(target, Rule) else ()
    places = {name: place for place, name in enumerate(order)}
    edges = (
        (places.get(graph.attribute_of(edge), len(places)), edge)
        for edge in graph.edges_from(node)
        if columns.edge_target[edge] in ends and not columns.edge_flags[edge] & excluded
    )
    return columns.edge_target[min(edges)[1]]


def same_pkg_direct_rdeps(environment: Environment, targets: Nodes) -> Nodes:
    """What names one of ``targets`` in the same package."""
    graph, excluded_flags = environment.graph, environment.settings.excluded_flags
    by_package: dict[PackageKey, Nodes] = {}
    for node in graph.same_label(targets):
        by_package.setdefault(environment.home(node), set()).add(node)
    nodes = {key: environment.package_nodes(key) for key in by_package}
    siblings = set().union(*nodes.values())
    if environment.settings.facts.auto_order == "label":  # those Bazels do not look into other packages
        ends = {end for node in siblings for end in graph.ends_of(node, excluded_flags)}
        named = siblings | {end for end in ends if graph.labels[end][:2] in by_package}
    else:
        named = graph.closure(siblings, excluded_flags, 1)
    environment.targets(named)
    return {
        node
        for key, wanted in by_package.items()
        for node in nodes[key]
        if not wanted.isdisjoint(graph.ends_of(node, excluded_flags))
    }


def deps_by(environment: Environment, attribute: str, targets: Nodes, depth: int | None = None) -> Nodes:
    """``deps`` along edges of some attributes only. A generated file always leads to its rule."""
    allowed = _attributes(environment, attribute)
    graph, columns = environment.graph, environment.graph.columns
    reached, wave = set(targets), set(targets)
    while wave and depth != 0:
        depth = None if depth is None else depth - 1
        for node in wave:
            graph.resolve(graph.labels[node])
        edges = (edge for node in wave for edge in graph.edges_from(node))
        wave = {columns.edge_target[edge] for edge in edges if _follows(environment, edge, allowed)} - reached
        reached |= wave
    for node in wave:
        graph.resolve(graph.labels[node])
    environment.seen |= reached
    return environment.targets(reached)


def rdeps_by(
    environment: Environment, attribute: str, universe: Nodes, targets: Nodes, depth: int | None = None
) -> Nodes:
    """``rdeps`` along edges of some attributes only."""
    closure = environment.closure(universe, towards=targets)
    allowed = _attributes(environment, attribute)
    graph, columns = environment.graph, environment.graph.columns
    users: dict[int, list[int]] = {}
    for node in closure:
        for edge in graph.edges_from(node):
            if _follows(environment, edge, allowed):
                users.setdefault(columns.edge_target[edge], []).append(node)
    reached = wave = graph.same_label(targets) & closure
    while wave and depth != 0:
        depth = None if depth is None else depth - 1
        wave = {user for node in wave for user in users.get(node, ())} - reached
        reached = reached | wave
    return environment.targets(reached)


def _attributes(environment: Environment, pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise PatternError(f"`{pattern}`: invalid regular expression: {error}") from None


def _follows(environment: Environment, edge: int, allowed: re.Pattern[str]) -> bool:
    graph = environment.graph
    flags = graph.columns.edge_flags[edge]
    if flags & (environment.settings.excluded_flags | EdgeFlag.KEY):
        return False
    return bool(flags & EdgeFlag.OUTPUT or allowed.fullmatch(graph.attribute_of(edge)))
