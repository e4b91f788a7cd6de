"""What the functions of the query language do: name -> function over sets of nodes.

Semantics: https://bazel.build/query/language#functions. ``deps`` goes through every branch of every select(), to the
conditions themselves and to package groups; a missing target is noted and left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from bzlgraph.bazel.model import Rule
from bzlgraph.graph.edges import attribute_labels
from bzlgraph.graph.index import mask_of, numbers_of
from bzlgraph.query.attribute_text import attribute_texts
from bzlgraph.query.environment import Environment

Nodes = set[int]


def _deps(environment: Environment, targets: Nodes, depth: int | None = None) -> Nodes:
    return environment.targets(environment.closure(targets, depth))


def _rdeps(environment: Environment, universe: Nodes, targets: Nodes, depth: int | None = None) -> Nodes:
    closure = environment.closure(universe)
    index = environment.index()
    within = mask_of(index.size, closure)
    return environment.targets(numbers_of(index.reaching(targets & closure, within, depth)))


def _allpaths(environment: Environment, start: Nodes, end: Nodes) -> Nodes:
    closure = environment.closure(start)
    index = environment.index()
    return environment.targets(numbers_of(index.reaching(end & closure, mask_of(index.size, closure))))


def _somepath(environment: Environment, start: Nodes, end: Nodes) -> list[int]:
    """The shortest path; among several the one whose labels sort first."""
    closure = environment.closure(start)
    index, labels = environment.index(), environment.graph.labels
    distances = index.distances_to(end & closure, mask_of(index.size, closure))
    starts = [(int(distances[number]), labels[number], number) for number in start if distances[number] >= 0]
    if not starts:
        return []
    left, _, here = min(starts)
    path = [here]
    while left:
        left -= 1
        steps = (int(step) for step in index.forward.of(here))
        here = min((step for step in steps if distances[step] == left), key=labels.__getitem__)
        path.append(here)
    return path


def _labels(environment: Environment, attribute: str, targets: Nodes) -> Nodes:
    graph = environment.graph
    found: Nodes = set()
    for number in targets:
        target = graph.target(number)
        if isinstance(target, Rule):
            package = graph.packages[target.label.repo, target.label.package]
            found.update(graph.resolve(label) for label in attribute_labels(target, attribute, package))
    return environment.targets(found)


def _some(environment: Environment, targets: Nodes, count: int = 1) -> Nodes:
    if not targets:
        raise ValueError("argument set is empty")
    labels = environment.graph.labels
    return set(sorted(targets, key=lambda number: labels[number])[:count])


def _kind(environment: Environment, pattern: str, targets: Nodes) -> Nodes:
    matches = _searcher(pattern)
    return {number for number in targets if matches(environment.graph.kind_words(number))}


def _filter(environment: Environment, pattern: str, targets: Nodes) -> Nodes:
    matches, labels = _searcher(pattern), environment.graph.labels
    return {number for number in targets if matches(str(labels[number]))}


def _attr(environment: Environment, attribute: str, pattern: str, targets: Nodes) -> Nodes:
    matches, graph = _searcher(pattern), environment.graph
    rules = ((number, graph.target(number)) for number in targets)
    return {
        number
        for number, rule in rules
        if isinstance(rule, Rule) and any(matches(text) for text in attribute_texts(rule, attribute))
    }


def _searcher(pattern: str) -> Callable[[str], Any]:
    """A regular expression, searched anywhere in the text."""
    try:
        return re.compile(pattern).search
    except re.error as error:
        raise ValueError(f"`{pattern}` is no regular expression: {error}") from None


FUNCTIONS: dict[str, Callable[..., Iterable[int]]] = {
    "allpaths": _allpaths,
    "attr": _attr,
    "deps": _deps,
    "filter": _filter,
    "kind": _kind,
    "labels": _labels,
    "rdeps": _rdeps,
    "some": _some,
    "somepath": _somepath,
}
