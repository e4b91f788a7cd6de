"""What every way from one node to another goes through: the dominator tree of a directed graph.

The subtree of a node are those that nobody reaches without it: what ``why`` shows as the trunk, and what a slice of the
tree loses with one target.
"""

from __future__ import annotations

from bzlgraph.base.record import Record

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from typing import Any, TypeVar

    N = TypeVar("N", bound=Hashable)


class Places(Record):
    """All on a way to a node by their places in a row: each stands before those that its own edges bring first, that
    node last. ``named``: what each names of them, as places; ``turns``: whether something that one names stands before
    it, as it does where there is a way round."""

    nodes: list[Any]
    named: list[list[int]]
    turns: bool


def places(
    predecessors: Mapping[N, Sequence[N]], target: N, successors: Mapping[N, Sequence[N]] | None = None
) -> Places:
    """All on a way to ``target``. ``successors``: what each names of them, where that is known."""
    nodes = postorder(predecessors, target)
    successors = successors or _turned(predecessors, nodes)
    place_of = {node: place for place, node in enumerate(nodes)}.__getitem__
    named = [list(map(place_of, successors[node])) for node in nodes]
    turns = bool(named[-1]) or any(map(int.__ge__, range(len(named) - 1), map(min, named)))
    return Places(nodes, named, turns)


def dominator_tree(predecessors: Mapping[N, Sequence[N]], target: N) -> dict[N, N]:
    """node -> the next node towards the target that it cannot avoid; the target itself is absent. Each node comes after
    the one it cannot avoid.

    >>> dominator_tree({"t": ["a", "b"], "a": ["s"], "b": ["s"], "s": []}, "t") == {"a": "t", "b": "t", "s": "t"}
    True
    """
    found = places(predecessors, target)
    nodes, above = found.nodes, dominators(found)
    return {nodes[place]: nodes[above[place]] for place in range(len(nodes) - 2, -1, -1)}


def dominators(found: Places) -> list[int]:
    """The place of the next node that each cannot avoid, which is a later one; the last has itself.

    Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm": the next node that all ways share is found by
    climbing the tree as it is so far, until nothing changes. (networkx has it too, and takes 0.15 s to be imported.)
    """
    top = len(found.nodes) - 1
    tree = [-1] * len(found.nodes)
    tree[top] = top
    changed = True
    while changed:
        changed = False
        for place in range(top - 1, -1, -1):
            best = -1
            for end in found.named[place]:
                if tree[end] < 0:
                    continue
                while 0 <= best != end:
                    if best < end:
                        best = tree[best]
                    else:
                        end = tree[end]
                best = end
                if best == top:
                    break
            if tree[place] != best:
                tree[place], changed = best, found.turns
    return tree


def _turned(predecessors: Mapping[N, Sequence[N]], nodes: Iterable[N]) -> dict[N, list[N]]:
    """What each of these nodes names of them."""
    successors: dict[N, list[N]] = {node: [] for node in nodes}
    for node in successors:
        for before in predecessors[node]:
            successors[before].append(node)
    return successors


def postorder(predecessors: Mapping[N, Sequence[N]], target: N) -> list[N]:
    """All nodes on a way to the target, each after those that its own edges bring first; the target comes last."""
    order: list[N] = []
    seen = {target}
    work = [(target, iter(predecessors[target]))]
    while work:
        node, rest = work[-1]
        for each in rest:
            if each not in seen:
                seen.add(each)
                work.append((each, iter(predecessors[each])))
                break
        else:
            order.append(node)
            work.pop()
    return order
