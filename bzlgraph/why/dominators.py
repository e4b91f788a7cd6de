"""What every path goes through, and the trunk: what most targets on the way cannot avoid.

Both are read off the dominator tree of the reversed ways, rooted at the target: the ancestors of the source lie on
every path; the subtree of a node are the targets that need it to reach the target at all. At most one child of a node
can hold more than half of everything, so the trunk is one chain.
"""

from __future__ import annotations

from collections import Counter

from bzlgraph.why.path_graph import ROOT

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence
    from typing import TypeVar

    from bzlgraph.why.path_graph import Ways

    N = TypeVar("N", bound=Hashable)


def required(tree: Mapping[N, N], start: N, target: N) -> list[N]:
    """The nodes on every path, in the order of the path, without its ends."""
    chain = []
    here = tree.get(start, target)
    while here != target:
        chain.append(here)
        here = tree[here]
    return chain


def trunk(tree: Mapping[int, int], ways: Ways) -> list[tuple[int, int]]:
    """(node, how many targets on the way need it), from the far end to the target's side; the ends are left out."""
    sizes = dict.fromkeys(ways.successors, 1)
    children: dict[int, list[int]] = {}
    for number, parent in tree.items():
        children.setdefault(parent, []).append(number)
    order = [ways.target]
    for number in order:
        order.extend(children.get(number, ()))
    for number in reversed(order[1:]):
        sizes[tree[number]] += sizes[number]
    chain: list[int] = []
    here = ways.target
    while children.get(here):
        here = max(children[here], key=lambda number: sizes[number])
        if sizes[here] * 2 <= len(ways) or here in ways.sources or here == ways.start:
            break
        chain.append(here)
    return list(zip(chain, _labels_below(chain, order, tree, ways), strict=True))[::-1]


def _labels_below(chain: Sequence[int], order: Sequence[int], tree: Mapping[int, int], ways: Ways) -> list[int]:
    """For each of a chain of nodes, how many labels have all their nodes below it, its own left out; a label that is
    built for two machines may avoid it with one of them."""
    labels: Sequence[Hashable] = ways.graph.labels
    if ways.graph.configuration is None:
        labels = range(len(ways.graph))  # each is one node
    rank = {number: place for place, number in enumerate(chain, 1)}
    within: dict[int, int] = {ways.target: 0}  # how far along the chain a node is
    deepest: dict[Hashable, int] = {}
    for number in order:
        if number != ways.target:
            within[number] = rank.get(number, within[tree[number]])
        if number != ROOT:
            label = labels[number]
            deepest[label] = min(deepest.get(label, within[number]), within[number])
    ending = Counter(deepest.values())
    counts: list[int] = []
    for place in range(len(chain), 0, -1):
        ending[place] += ending[place + 1]
        own = deepest[labels[chain[place - 1]]] >= place
        counts.append(ending[place] - own)
    return counts[::-1]
