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
    from collections.abc import Sequence

    from bzlgraph.base.resolved_label import Label
    from bzlgraph.why.path_graph import Ways


def required(nodes: Sequence[int], tree: Sequence[int], start: int) -> list[int]:
    """The nodes on every path, in the order of the path, without its ends. ``nodes``: in their places; ``tree``: the
    place of the next that each cannot avoid."""
    chain: list[int] = []
    here, top = tree[nodes.index(start)], len(nodes) - 1
    while here != top:
        chain.append(nodes[here])
        here = tree[here]
    return chain


def trunk(nodes: Sequence[int], tree: Sequence[int], ways: Ways) -> list[tuple[int, int]]:
    """(node, how many targets on the way need it), from the far end to the target's side; the ends are left out."""
    top = len(nodes) - 1
    sizes = [1] * len(nodes)
    largest: dict[int, int] = {}
    for place in range(top):
        above, size = tree[place], sizes[place]
        sizes[above] += size
        if size * 2 > len(ways):
            largest[above] = place
    chain: list[int] = []
    here = top
    while here in largest:
        here = largest[here]
        if nodes[here] in ways.sources or nodes[here] == ways.start:
            break
        chain.append(here)
    if ways.graph.configuration is not None:
        counts = _labels_below(chain, nodes, tree, ways.graph.labels)
    else:  # each label is one node
        on_every_path = {ROOT, *required(nodes, tree, ROOT)} if ways.start == ROOT else set()
        counts = [sizes[place] - 1 - (nodes[place] in on_every_path) for place in chain]
    return [(nodes[place], count) for place, count in zip(chain, counts, strict=True)][::-1]


def _labels_below(
    chain: Sequence[int], nodes: Sequence[int], tree: Sequence[int], labels: Sequence[Label]
) -> list[int]:
    """For each of a chain of places, how many labels have all their nodes below it, its own left out; a label that is
    built for two machines may avoid it with one of them."""
    rank = {place: number for number, place in enumerate(chain, 1)}
    within = [0] * len(nodes)  # how far along the chain a node is
    deepest: dict[Label, int] = {}
    for place in range(len(nodes) - 1, -1, -1):
        within[place] = rank.get(place, within[tree[place]])
        if nodes[place] != ROOT:
            label = labels[nodes[place]]
            deepest[label] = min(deepest.get(label, within[place]), within[place])
    ending = Counter(deepest.values())
    counts: list[int] = []
    for number in range(len(chain), 0, -1):
        ending[number] += ending[number + 1]
        own = deepest[labels[nodes[chain[number - 1]]]] >= number
        counts.append(ending[number] - own)
    return counts[::-1]
