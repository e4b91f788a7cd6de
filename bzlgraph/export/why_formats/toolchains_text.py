"""How toolchains were resolved, as text: a line for each candidate, and one above for what was asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bzlgraph.base.words import column_width, in_columns
from bzlgraph.config.toolchains.answer import Candidate, Resolution, TypeResolution
from bzlgraph.config.verdict import Truth
from bzlgraph.why.answer import ToolchainReason

_WORDS = {Truth.YES: "chosen", Truth.NO: "no", Truth.UNKNOWN: "possible"}
MAX_COLUMN = 64


def toolchain_lines(reasons: Sequence[ToolchainReason]) -> Iterator[str]:
    """The lines, for each target and type."""
    for reason in reasons:
        resolution = reason.resolution
        for kind in resolution.types:
            optional = "" if kind.mandatory else ", optional"
            group = f", exec group {resolution.group}" if resolution.group else ""
            yield f"Toolchain of {reason.node.label}, type {kind.asked}{optional}{group}, {_platforms(resolution)}:"
            yield from _candidates(kind)


def _platforms(resolution: Resolution) -> str:
    """What it is for, and where it runs."""
    places = " or ".join(map(str, resolution.platforms)) or "none that is known"
    return f"for {resolution.target_platform}, run on {places}"


def _candidates(kind: TypeResolution) -> Iterator[str]:
    rows = [_cells(each) for each in kind.candidates]
    if not rows:
        yield "  no toolchain of this type is registered"
        return
    widths = [column_width(cells, MAX_COLUMN) for cells in zip(*rows, strict=True)]
    yield from (f"  {in_columns(cells, widths)}" for cells in rows)


def _cells(candidate: Candidate) -> tuple[str, str, str]:
    why = "" if str(candidate.toolchain) == candidate.why else candidate.why
    return _WORDS[candidate.chosen], str(candidate.toolchain), why
