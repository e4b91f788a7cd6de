"""What is told of problems and gaps below an answer, as lines of text.

Whatever has the attributes of a ``Gap`` may be told of. This module is imported before anything heavy is: nothing but
built-in modules and ``words`` here.
"""

from __future__ import annotations

from bzlgraph.base.words import counted, plural, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    class Told(Protocol):
        """A gap: ``base.gap.Gap``."""

        @property
        def kind(self) -> str:
            """What kind of knowledge is missing."""

        @property
        def what(self) -> str:
            """What is missing."""

        @property
        def hides(self) -> str:
            """What it may hide."""

        @property
        def location(self) -> object:
            """Where it was noticed; nothing where that is not known."""

        @property
        def repository(self) -> str:
            """The repository whose content would close it, or nothing."""


ONLY_ITSELF = "the answer is the target itself: {} (deps and rdeps always contain what they are asked about)"
"""A remark on an answer, with why there is nothing else."""
SHOWN_GAPS = 3
SHOWN_PROBLEMS = 40
_BEGINNINGS = {"load": 0, "lock": 1, "repository": 2, "package": 3, "file": 4}
"""By the kind of a gap: what says best what is missing."""
_WHOLE_ANSWER = "version"
"""The kind of a gap that concerns all of an answer."""


class Cause:
    """Gaps that one thing would close: the content of ``repository``, or else what they all tell is missing."""

    __slots__ = ("gaps", "repository")

    def __init__(self, repository: str, gaps: tuple[Told, ...]) -> None:
        self.repository = repository
        self.gaps = gaps

    @property
    def first(self) -> Told:
        """The gap that says best what is missing: where it begins, not what follows from it."""
        return min(self.gaps, key=lambda gap: _BEGINNINGS.get(gap.kind, len(_BEGINNINGS)))


def causes(gaps: Iterable[Told]) -> list[Cause]:
    """The causes of gaps, that of the most of them first, but for what concerns the whole answer.

    >>> from bzlgraph.base.gap import Gap
    >>> absent = [Gap("load", "@a//:x.bzl", "names", None, "a"), Gap("call", "f()", "targets", None, "a")]
    >>> [(each.repository, each.first.what, len(each.gaps)) for each in causes([Gap("file", "b", "lines"), *absent])]
    [('a', '@a//:x.bzl', 2), ('', 'b', 1)]
    """
    groups: dict[object, list[Told]] = {}
    for gap in gaps:
        groups.setdefault(gap.repository or (gap.what, gap.hides), []).append(gap)
    by_size = sorted(groups.values(), key=lambda group: (group[0].kind != _WHOLE_ANSWER, -len(group)))
    return [Cause(group[0].repository, tuple(group)) for group in by_size]


def incomplete_lines(gaps: Iterable[Told]) -> list[str]:
    """What is told of the gaps of an answer: how many there are, and the first causes."""
    listed = list(gaps)
    if not listed:
        return []
    found = causes(listed)
    of = f" of {counted(len(found), 'cause')}" if len(found) < len(listed) else ""
    lines = [f"Incomplete: {counted(len(listed), 'unresolved input')}{of} may hide edges:"]
    lines += [f"  {line}" for line in gap_lines(found[:SHOWN_GAPS])]
    if len(found) > SHOWN_GAPS:
        lines.append(f"  ... and {len(found) - SHOWN_GAPS:,} more (bzlgraph doctor lists all)")
    return lines


def problem_texts(rendered: Iterable[str], most: int | None = None) -> list[str]:
    """The texts of problems, each once, and how many are not told."""
    texts = list(dict.fromkeys(rendered))
    if most is not None and len(texts) > most:
        texts[most:] = [f"... and {counted(len(texts) - most, 'problem')} more (bzlgraph doctor lists all)"]
    return texts


def possible_note(possible: int, of: int) -> str:
    """How much of an answer is there only if something unknown adds it."""
    share = f"{counted(possible, 'target')} of {of:,} ({possible / of:.1%})"
    return f"{share} only possibly: if an unknown value adds what leads there"


def gap_lines(causes: Iterable[Cause]) -> list[str]:
    """A line for each cause: what is missing, what that hides, and where."""
    return [_gap_line(each) for each in causes]


def _gap_line(cause: Cause) -> str:
    first = cause.first
    alike = [gap for gap in cause.gaps if (gap.what, gap.hides) == (first.what, first.hides)]
    places = _places([gap.location for gap in alike if gap.location])
    others = len(cause.gaps) - len(alike)
    closed = f"; {counted(others, 'more gap')} that @{cause.repository} closes" if others else ""
    return printable(f"{first.what}: {first.hides}{places}{closed}")


def _places(locations: list[object]) -> str:
    if not locations:
        return ""
    more = len(locations) - 1
    word = plural(more, "place")
    return f" ({locations[0]}{f' and {more} more {word}' if more else ''})"
