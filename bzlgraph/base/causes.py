"""What is told of problems and gaps below an answer, as lines of text.

Whatever has the attributes of a ``Gap`` may be told of. This module is imported before anything heavy is: nothing but
built-in modules and ``words`` here.
"""

from __future__ import annotations

from bzlgraph.base.words import counted, plural, printable, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
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


ONLY_ITSELF = "the answer is only the target itself: {} (deps and rdeps always include their argument)"
"""A remark on an answer, with why there is nothing else."""
NO_DEPENDENCIES = "it has no dependencies that this query follows"
NOT_KNOWN = "what it depends on is not known"
EMPTY = "no target matches the expression"
NO_PATH = "there is no path; bzlgraph why END --from START tells what may hide one"
"""Remarks on an answer without targets that says nothing else of itself."""
SHOWN_GAPS = 3
SHOWN_PROBLEMS = 10
_BEGINNINGS = {"load": 0, "lock": 1, "repository": 2, "package": 3, "file": 4}
"""By the kind of a gap: what says best what is missing."""
_HIDES = {"package": 8, "repository": 8, "lock": 4, "macro": 4, "choice": 2, "glob": 2}
"""By the kind of a gap, how much it may hide: a package or more with all behind it; what is behind a package; targets
of any name; files. All else hides an edge or a value."""
LONGEST_CAUSE = 90
"""The most characters of a cause in the line below an answer."""
_WHOLE_ANSWER = "version"
"""The kind of a gap that concerns all of an answer."""


class Cause:
    """Gaps that one thing would close: the content of ``repository``, or of all that ``source`` makes, or else what
    they all tell is missing."""

    __slots__ = ("gaps", "repository", "source")

    def __init__(self, repository: str, gaps: tuple[Told, ...], source: str = "") -> None:
        self.repository = repository
        self.gaps = gaps
        self.source = source

    @property
    def first(self) -> Told:
        """The gap that says best what is missing: where it begins, not what follows from it."""
        return min(self.gaps, key=lambda gap: _BEGINNINGS.get(gap.kind, len(_BEGINNINGS)))


def causes(gaps: Iterable[Told], sources: Mapping[str, str] | None = None) -> list[Cause]:
    """The causes of gaps, first what concerns the whole answer, then what may hide most of it.

    ``sources`` names what makes a repository, where one thing makes several, and one repository by its many names.

    >>> from bzlgraph.base.gap import Gap
    >>> absent = [Gap("load", "@a//:x.bzl", "names", None, "a"), Gap("call", "f()", "targets", None, "a")]
    >>> [(each.repository, each.first.what, len(each.gaps)) for each in causes([Gap("file", "b", "lines"), *absent])]
    [('a', '@a//:x.bzl', 2), ('', 'b', 1)]
    >>> incomplete_lines([*absent, Gap("glob", "glob(['*'])", "files")])
    ["Incomplete: 3 unresolved inputs may hide edges: @a//:x.bzl (2), glob(['*']); bzlgraph doctor"]
    >>> incomplete_lines([Gap("glob", f"glob(['{'a' * 40}', '{'b' * 40}']) in @zlib//", "files")])[0][47:]
    "glob(['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'... in @zlib//; bzlgraph doctor"
    """
    known = sources or {}
    groups: dict[object, list[Told]] = {}
    for gap in gaps:
        name = gap.repository
        groups.setdefault(known.get(name, name) if name else (gap.what, gap.hides), []).append(gap)
    ranked = sorted(groups.values(), key=lambda group: (group[0].kind != _WHOLE_ANSWER, -_weight(group)))
    return [Cause(group[0].repository, tuple(group), known.get(group[0].repository, "")) for group in ranked]


def _weight(gaps: list[Told]) -> int:
    """How much gaps may hide together."""
    return sum(_HIDES.get(gap.kind, 1) for gap in gaps)


def incomplete_lines(gaps: Iterable[Told]) -> list[str]:
    """What is told of the gaps of an answer, in one line or none: how many there are, and what may hide most."""
    listed = list(gaps)
    if not listed:
        return []
    found = causes(listed)
    shown = ", ".join(map(_brief, found[:SHOWN_GAPS]))
    more = f" and {len(found) - SHOWN_GAPS:,} more" if len(found) > SHOWN_GAPS else ""
    count = counted(len(listed), "unresolved input")
    return [f"Incomplete: {count} may hide edges: {shown}{more}; bzlgraph doctor"]


def _brief(cause: Cause) -> str:
    """A cause in a few words, with how many gaps it has."""
    first = cause.first
    what = printable(f"{first.what}: {first.hides}" if first.kind == _WHOLE_ANSWER else first.what)
    if len(what) > LONGEST_CAUSE:  # where a list of patterns ends tells more than what else is in it
        head, place, where = what.rpartition(" in @")
        what = f"{shortened(head, LONGEST_CAUSE - len(place + where))}{place}{where}" if place else what
    what = shortened(what, LONGEST_CAUSE)
    return f"{what} ({len(cause.gaps)})" if len(cause.gaps) > 1 else what


def problem_texts(rendered: Iterable[str], most: int | None = None) -> list[str]:
    """The texts of problems, each once, and how many are not told."""
    texts = list(dict.fromkeys(rendered))
    if most is not None and len(texts) > most:
        texts[most:] = [f"... and {counted(len(texts) - most, 'more problem')} (bzlgraph doctor lists all)"]
    return texts


def gap_text(gap: Told) -> str:
    """What is missing, what that hides, and where it was noticed."""
    return f"{gap.what}: {gap.hides}{f' ({gap.location})' if gap.location else ''}"


def told_lines(
    notes: Iterable[str],
    problems: Iterable[str],
    gaps: Iterable[Told],
    *,
    quiet: bool,
    verbose: bool,
    most: int | None = SHOWN_PROBLEMS,
) -> list[str]:
    """The lines below an answer. ``quiet``: only of what is wrong, at ``most`` so many problems; ``verbose``: every
    problem and every gap, one by one."""
    of_gaps: Iterable[str] = ()
    if not quiet:
        of_gaps = (f"gap: {printable(gap_text(gap))}" for gap in gaps) if verbose else incomplete_lines(gaps)
    wrong = problem_texts(problems, None if verbose else most)
    return [*dict.fromkeys(() if quiet else notes), *wrong, *dict.fromkeys(of_gaps)]


def possible_note(possible: int, of: int) -> str:
    """How much of an answer is there only if something unknown adds it."""
    rounded = f"{possible / of:.1%}"
    rounded = {"0.0%": "less than 0.1%", "100.0%": "more than 99.9%"}.get(rounded, rounded) if possible < of else "100%"
    share = f"{possible:,} of {counted(of, 'target')} ({rounded})"
    verb, depends = ("is", "it depends") if possible == 1 else ("are", "they depend")
    return f"{share} {verb} only possible: {depends} on an unknown value"


def gap_lines(causes: Iterable[Cause]) -> list[str]:
    """A line for each cause: what is missing, what that hides, and where."""
    return [_gap_line(each) for each in causes]


def _gap_line(cause: Cause) -> str:
    first = cause.first
    alike = [gap for gap in cause.gaps if (gap.what, gap.hides) == (first.what, first.hides)]
    places = _places([gap.location for gap in alike if gap.location])
    others = len(cause.gaps) - len(alike)
    closed = f"; {_closing(cause)} would close {counted(others, 'more gap')}" if others else ""
    return printable(f"{first.what}: {first.hides}{places}{closed}")


def _closing(cause: Cause) -> str:
    repositories = len({gap.repository for gap in cause.gaps})
    if cause.source and repositories > 1:
        return f"the {repositories} repositories of {cause.source}"
    return f"@{cause.repository}"


def _places(locations: list[object]) -> str:
    if not locations:
        return ""
    more = len(locations) - 1
    word = plural(more, "place")
    return f" ({locations[0]}{f' and {more} more {word}' if more else ''})"
