"""Links that ``glob()`` may not meet: those to a folder above them, and those to one another.

``report_loops(context, patterns)``: an error of the package for each that one of the patterns, taken apart at their
slashes, would look at. Bazel then has no such package ("Symlink issue while evaluating globs"); here its targets stay,
and the files that are no loop.
Bazel 4.2.3 and 7.7.1 were asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.bazel.context.contexts import PackageContext
from bzlgraph.bazel.context.scope import report
from bzlgraph.starlark.evaluation.budget import LOOK, charge
from bzlgraph.starlark.evaluation.thread import current_thread

RECURSIVE = "**"


class Matcher(Protocol):
    """A part of a pattern with stars."""

    def matches(self, name: str, /) -> object:
        """Whether it may stand for a name."""


def report_loops(context: PackageContext, patterns: Sequence[Sequence[str | Matcher]]) -> None:
    """Report the links that the patterns meet."""
    told: set[str] = context.state.setdefault(__name__, set())
    for path, kind in context.files.loops():
        if path in told:
            continue
        names = path.split("/")
        charge(LOOK * len(names) * len(patterns))
        if any(_meets(names, segments) for segments in patterns):
            told.add(path)
            where = current_thread().innermost_location()
            report(Diagnostic(f"Symlink issue while evaluating globs: {kind}: {path}", where), context)


def _meets(names: Sequence[str], segments: Sequence[str | Matcher]) -> bool:
    """Whether a pattern looks at a path: the path is what the pattern begins with. Each name is looked at once for each
    segment, however many ``**`` there are.

    >>> [_meets(["d", "up"], each.split("/")) for each in ("**", "**/x.c", "d/up/x", "up", "d", "e/**")]
    [True, True, True, False, False, False]
    >>> _meets(["d"] * 200, [*["**"] * 200, "e"]), _meets(["d"] * 200, ["d", *["**", "d"] * 99, "e"])
    (True, True)
    """
    here = _begun(segments, {0})
    for name in names:
        here = _begun(segments, {after for at in here for after in _behind(segments, at, name)})
    return bool(here)


def _behind(segments: Sequence[str | Matcher], at: int, name: str) -> list[int]:
    """Where a pattern goes on behind a name that its segment ``at`` stands for; nowhere where it does not."""
    if at == len(segments):
        return []
    segment = segments[at]
    if segment == RECURSIVE:
        return [at]
    fits = segment == name if isinstance(segment, str) else segment.matches(name)
    return [at + 1] if fits else []


def _begun(segments: Sequence[str | Matcher], places: set[int]) -> set[int]:
    """Places in a pattern with those behind a ``**`` there, which may stand for nothing."""
    found, waiting = set(places), list(places)
    for at in waiting:
        if at < len(segments) and segments[at] == RECURSIVE and at + 1 not in found:
            found.add(at + 1)
            waiting.append(at + 1)
    return found
