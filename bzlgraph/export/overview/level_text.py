"""Overview -> its levels as text: what needs nothing else at the bottom, each level needing only those below it.

Parts of one cycle share no level; what runs against the levels is said at the part where it starts.
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.base.words import column_width, counted, in_columns
from bzlgraph.export.overview.model import Overview

WIDEST_NAME = 60


def levels_text(seen: Overview) -> Iterator[str]:
    """Lines of text, from the top level down."""
    against: dict[int, list[str]] = {}
    for line in seen.lines:
        if line.up:
            against.setdefault(line.lower, []).append(seen.parts[line.upper].name)
    for source, target, _ in seen.implied:
        if seen.levels[source] < seen.levels[target]:
            against.setdefault(source, []).append(seen.parts[target].name)
    width = column_width((part.name for part in seen.parts), WIDEST_NAME)
    for level in sorted(set(seen.levels), reverse=True):
        numbers = [number for number, each in enumerate(seen.levels) if each == level]
        yield f"level {level}: {counted(len(numbers), 'box')}\n"
        for number in numbers:
            part = seen.parts[number]
            up = sorted(against.get(number, ()))
            more = f", and {len(up) - 3} more" if len(up) > 3 else ""
            words = f"needs what is above: {', '.join(up[:3])}{more}" if up else ""
            root = "root · " if part.root else ""
            yield "  " + in_columns([part.name, f"{root}{part.detail}", words], [width, 14, 0]) + "\n"
    if seen.tools:
        yield f"folded away: {counted(len(seen.tools.members), 'target')} of Bazel's own tools\n"
