"""How many selects there are, in a sentence: all that is imported to tell of targets without any."""

from __future__ import annotations

from bzlgraph.base.words import counted

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from bzlgraph.selects.answer import SelectCounts


def nothing_text(targets: int) -> str:
    """What is said where none of the targets has a select()."""
    return f"No select in {counted(targets, 'target')}."


def summary_text(counts: SelectCounts, *, configured: bool = False) -> str:
    """Sentences on one line; with a configuration also how many branches hold."""
    if not counts.selects and not counts.calls:
        return nothing_text(counts.targets)
    have = "have" if counts.with_selects != 1 else "has"
    text = f"{counts.with_selects:,} of {counted(counts.targets, 'target')} {have} selects"
    if counts.selects:
        text += f": {counted(counts.selects, 'select')} evaluated, {_written(counts.places)}"
    if counts.calls:
        calls = "1 call of an unknown function" if counts.calls == 1 else f"{counts.calls:,} calls of unknown functions"
        text += f"; {calls}, {_written(counts.call_places)}"
    branches = counted(counts.branches, "branch", "branches")
    edges = f"{counted(counts.edges, 'value')} {'is a dependency' if counts.edges == 1 else 'are dependencies'}"
    text = f"{text}. {branches} in {counted(counts.values, 'row')}, {edges}."
    if configured:
        holds, does = "holds" if counts.holding == 1 else "hold", "does" if counts.not_holding == 1 else "do"
        text += f" {counts.holding:,} {holds}, {counts.not_holding:,} {does} not, {counts.unknown:,} unknown."
    return text


def _written(places: int) -> str:
    return f"written at {counted(places, 'place')}"
