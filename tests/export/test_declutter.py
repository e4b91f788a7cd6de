"""What a picture hides, beside the rule taken at its word."""

from __future__ import annotations

import random

from bzlgraph.export.pictures.declutter import only_named


def taken_at_its_word(full: dict[int, list[int]], plain: dict[int, list[int]]) -> set[int]:
    """Round after round, the nodes that nothing shown depends on."""
    roots = full.keys() - {end for ends in full.values() for end in ends}
    hidden: set[int] = set()
    depended = {end for ends in plain.values() for end in ends}
    while more := full.keys() - hidden - roots - depended:
        hidden |= more
        depended = {end for node, ends in plain.items() if node not in hidden for end in ends}
    return hidden


def test_nodes_that_are_only_named() -> None:
    seen = 0
    for seed in range(300):
        chance = random.Random(seed)
        nodes = range(chance.randrange(1, 12))
        full = {node: sorted({end for end in nodes if end != node and chance.random() < 0.2}) for node in nodes}
        plain = {node: [end for end in ends if chance.random() < 0.6] for node, ends in full.items()}
        hidden = only_named(full, plain)
        seen += len(hidden)
        assert hidden == taken_at_its_word(full, plain)
    assert seen > 300
