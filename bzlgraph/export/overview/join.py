"""Groups that go together -> one: the targets of one call of a macro, cycles, chains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bzlgraph.bazel.model import Rule
from bzlgraph.export.overview.fold import Group
from bzlgraph.export.overview.quotient import Quotient
from bzlgraph.graph.algorithms.components import strong_components
from bzlgraph.graph.view import GraphView


def by_macro(graph: GraphView, nodes: Iterable[int]) -> list[Group]:
    """The targets that one call of a macro makes, where they are several."""
    calls: dict[tuple[str, str, str], list[int]] = {}
    for node in nodes:
        target = graph.target(node)
        if isinstance(target, Rule) and target.generator is not None:
            call = graph.labels[node].package_label, target.generator.name, target.generator.function
            calls.setdefault(call, []).append(node)
    return [
        Group(f"{package}:{name} by {function}", tuple(members), package)
        for (package, name, function), members in calls.items()
        if len(members) > 1
    ]


def joined(quotient: Quotient, wanted: Iterable[str]) -> Quotient:
    """The same with cycles and chains of groups folded, as wanted."""
    for name in wanted:
        if name in _FOUND:
            groups = _merged(quotient, _FOUND[name](_successors(quotient)), name)
            quotient = Quotient(quotient.graph, quotient.plain, groups, quotient.excluded)
    return quotient


def _successors(quotient: Quotient) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {number: [] for number in range(len(quotient.groups))}
    for a, b in sorted(quotient.counts):
        found[a].append(b)
    return found


def _cycles(successors: Mapping[int, list[int]]) -> list[list[int]]:
    _, members = strong_components(successors)
    return [sorted(found) for found in members if len(found) > 1]


def _chains(successors: Mapping[int, list[int]]) -> list[list[int]]:
    """Runs in which each is the only user of the next, and uses nothing else."""
    users: dict[int, list[int]] = {number: [] for number in successors}
    for number, ends in successors.items():
        for end in ends:
            users[end].append(number)
    after = {
        number: ends[0]
        for number, ends in successors.items()
        if len(ends) == 1 and len(users[ends[0]]) == 1 and ends[0] != number
    }
    starts = after.keys() - set(after.values())
    chains = []
    for start in sorted(starts):
        chain = [start]
        while chain[-1] in after:
            chain.append(after[chain[-1]])
        chains.append(chain)
    return chains


_FOUND = {"cycle": _cycles, "chain": _chains}


def _merged(quotient: Quotient, runs: list[list[int]], word: str) -> list[Group]:
    """The groups of each run as one, named by its first and last."""
    groups = quotient.groups
    into = {number: run[0] for run in runs for number in run}
    merged = []
    for number, group in enumerate(groups):
        if into.get(number, number) != number:
            continue
        run = next((each for each in runs if each[0] == number), [number])
        if len(run) > 1:
            members = tuple(node for each in run for node in groups[each].members)
            name = f"{word} of {len(run)}: {group.name} … {groups[run[-1]].name}"
            merged.append(Group(name, members, group.folder))
        else:
            merged.append(group)
    return merged
