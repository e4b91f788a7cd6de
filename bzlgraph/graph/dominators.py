"""What every way from one node to another goes through: the dominator tree of a directed graph.

The subtree of a node are those that nobody reaches without it: what ``why`` shows as the trunk, and what a slice of the
tree loses with one target.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import reduce
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def dominator_tree(predecessors: Mapping[N, Sequence[N]], target: N) -> dict[N, N]:
    """node -> the next node towards the target that it cannot avoid; the target itself is absent.

    Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm": the next node that all ways share is found by
    climbing the tree as it is so far, until nothing changes. (networkx has it too, and takes 0.15 s to be imported.)

    >>> dominator_tree({"t": ["a", "b"], "a": ["s"], "b": ["s"], "s": []}, "t") == {"a": "t", "b": "t", "s": "t"}
    True
    """
    order = _postorder(predecessors, target)
    height = {node: place for place, node in enumerate(order)}  # the target is highest
    users: dict[N, list[N]] = {node: [] for node in order}
    for node in reversed(order):
        for before in predecessors[node]:
            users[before].append(node)
    tree = {target: target}

    def common(one: N, other: N) -> N:
        while one != other:
            while height[one] < height[other]:
                one = tree[one]
            while height[other] < height[one]:
                other = tree[other]
        return one

    changed = True
    while changed:
        changed = False
        for node in reversed(order[:-1]):
            best = reduce(common, (each for each in users[node] if each in tree))
            if tree.get(node) != best:
                tree[node], changed = best, True
    del tree[target]
    return tree


def _postorder(predecessors: Mapping[N, Sequence[N]], target: N) -> list[N]:
    """All nodes on a way to the target, each after those that its own edges bring first; the target comes last."""
    order, seen = [], {target}
    work = [(target, iter(predecessors[target]))]
    while work:
        node, rest = work[-1]
        fresh = next((each for each in rest if each not in seen), None)
        if fresh is None:
            order.append(node)
            work.pop()
        else:
            seen.add(fresh)
            work.append((fresh, iter(predecessors[fresh])))
    return order
