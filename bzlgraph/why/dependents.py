"""Who names a target, by package, and who names those: the tree from the target outwards.

A large group or many of them are cut: what is shown says how many there are. A target whose dependents are in the tree
already is not followed again.
"""

from __future__ import annotations

from collections import defaultdict

from bzlgraph.why.answer import Dependent, DependentGroup, Dependents
from bzlgraph.why.path_graph import ROOT, Ways
from bzlgraph.why.steps import reasons_of

FEW = 12
"""So many dependents are shown whatever packages they are in."""
MOST_GROUPS, MOST_OF_GROUP = 8, 4


def dependents(ways: Ways, depth: int) -> Dependents:
    """The dependents of the target, ``depth`` steps outwards (1: the direct ones)."""
    return _users(ways, ways.target, depth, {ways.target})


def _users(ways: Ways, node: int, depth: int, seen: set[int]) -> Dependents:
    groups: dict[str, list[int]] = defaultdict(list)
    labels = ways.graph.labels
    named_by = [each for each in ways.predecessors[node] if each != ROOT]
    for each in sorted(named_by, key=labels.__getitem__):
        groups[labels[each].package_label].append(each)
    few = len(named_by) <= FEW
    largest = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    shown = largest if few else largest[:MOST_GROUPS]
    members = {package: users if few else users[:MOST_OF_GROUP] for package, users in shown}
    fresh = {each for users in members.values() for each in users} - seen
    seen |= fresh
    return Dependents(
        ways.graph.count_labels(named_by),
        len(groups),
        tuple(
            DependentGroup(
                package, len(groups[package]), tuple(_dependent(ways, node, each, depth, fresh, seen) for each in users)
            )
            for package, users in members.items()
        ),
    )


def _dependent(ways: Ways, node: int, user: int, depth: int, fresh: set[int], seen: set[int]) -> Dependent:
    reasons = reasons_of(ways, user, node)
    described = ways.graph.describe(user)
    named = any(each != ROOT for each in ways.predecessors[user])
    if depth <= 1 or not named:
        return Dependent(described, reasons)
    if user not in fresh:
        return Dependent(described, reasons, repeated=True)
    return Dependent(described, reasons, _users(ways, user, depth - 1, seen))
