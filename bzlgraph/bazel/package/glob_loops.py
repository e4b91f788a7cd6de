"""Links that ``glob()`` may not meet: those to a folder above them, and those to one another.

``report_loops(context, patterns)``: an error of the package for each that one of the patterns, taken apart at their
slashes, would look at. Bazel then has no
such package ("Symlink issue while evaluating globs"); here its targets stay, and the files that are no loop.
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
    """Whether a pattern looks at a path: the path is what the pattern begins with.

    >>> [_meets(["d", "up"], each.split("/")) for each in ("**", "**/x.c", "d/up/x", "up", "d", "e/**")]
    [True, True, True, False, False, False]
    """
    if not names:
        return True
    if not segments:
        return False
    first, *rest = segments
    if first == RECURSIVE:
        return _meets(names, rest) or _meets(names[1:], segments)
    fits = first == names[0] if isinstance(first, str) else bool(first.matches(names[0]))
    return fits and _meets(names[1:], rest)
