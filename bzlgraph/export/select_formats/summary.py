"""How many selects there are, in words that say what was counted.

A ``select()`` that a macro holds is written once and evaluated for each target the macro makes: in TensorFlow 1.12
``//tensorflow:windows`` is a key in 56 places and of 8,943 evaluated branches. So both are told.
"""

from __future__ import annotations

from bzlgraph.base.words import counted
from bzlgraph.selects.answer import SelectCounts


def summary_text(counts: SelectCounts, *, configured: bool = False) -> str:
    """Sentences on one line; with a configuration also how many branches hold."""
    asked = counted(counts.targets, "target")
    if not counts.selects and not counts.calls:
        return f"No select in {asked}."
    text = f"{counts.with_selects:,} of {asked} {'have' if counts.with_selects != 1 else 'has'} selects"
    if counts.selects:
        text += f": {counted(counts.selects, 'select')} evaluated, written at {counted(counts.places, 'place')}"
    if counts.calls:
        call = "call of unknown functions" if counts.calls == 1 else "calls of unknown functions"
        text += f"; {counts.calls:,} {call}, written at {counted(counts.call_places, 'place')}"
    branches = counted(counts.branches, "branch", "branches")
    edges = f"{counted(counts.edges, 'value')} {'is a dependency' if counts.edges == 1 else 'are dependencies'}"
    text = f"{text}. {branches} in {counted(counts.values, 'row')}, {edges}."
    if configured:
        text += f" {counts.holding:,} hold, {counts.not_holding:,} do not, {counts.unknown:,} unknown."
    return text
