"""How many labels a node of the trunk is needed by, beside the rule taken at its word."""

from __future__ import annotations

import random
from types import SimpleNamespace

from bzlgraph.why.dominators import trunk


def taken_at_its_word(tree: dict[int, int], labels: list[str], top: int) -> int:
    below = {top}
    while more := {node for node, parent in tree.items() if parent in below} - below:
        below |= more
    elsewhere = {labels[node] for node in range(len(labels)) if node not in below}
    return len({labels[node] for node in below} - elsewhere - {labels[top]})


def test_labels_that_are_built_for_two_machines() -> None:
    seen = 0
    for seed in range(300):
        chance = random.Random(seed)
        count = chance.randrange(2, 30)
        tree = {node: max(0, node - chance.choice([1, 1, 1, 2])) for node in range(1, count)}
        labels = [f"//:{chance.randrange(count)}" for _ in range(count)]
        ways = SimpleNamespace(
            target=0,
            start=count - 1,
            sources=(count - 1,),
            graph=SimpleNamespace(labels=labels, configuration="given"),
        )
        nodes = list(range(count - 1, -1, -1))  # each before the one above it
        places = [count - 1 - tree.get(node, 0) for node in nodes]
        found = trunk(nodes, places, Sized(ways, count))
        seen += len(found)
        assert [many for _, many in found] == [taken_at_its_word(tree, labels, node) for node, _ in found]
    assert seen > 300


class Sized:
    """Ways of so many targets."""

    def __init__(self, ways: SimpleNamespace, count: int) -> None:
        self.__dict__.update(ways.__dict__)
        self.count = count

    def __len__(self) -> int:
        return self.count
