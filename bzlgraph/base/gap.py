"""Gaps: what could not be known, said instead of guessed.

A gap never fails an answer and never disappears from it: every answer ends with the gaps that touch it, and with the
problems that it met (``Completeness``).

>>> Completeness().complete
True
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from bzlgraph.base.causes import gap_text
from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.span import Location


class GapKind(Enum):
    """What kind of knowledge is missing. The value is the word shown to people."""

    REPOSITORY = "repository"  # content of a repository that is not on disk
    LOAD = "load"  # a .bzl file that could not be loaded; its names are Unknown
    MACRO = "macro"  # an Unknown value was called to make targets: it may make others too
    CHOICE = "choice"  # code asked an Unknown value which way to go; another way may make other targets
    CALL = "call"  # an Unknown value was called for its result
    GLOB = "glob"  # a glob over sources that are not on disk
    PACKAGE = "package"  # a package that broke; targets after the error are missing
    CONDITION = "condition"  # it is unknown whether a condition of a select() holds
    TOOLCHAIN = "toolchain"  # it is unknown which toolchain a target gets
    LOCK = "lock"  # a repository of which only the names are known that a lock file pins
    FILE = "file"  # a file that could not be read
    VERSION = "version"  # a Bazel newer than all that are known


HIDING_TARGETS = frozenset(
    kind.value for kind in (GapKind.REPOSITORY, GapKind.LOCK, GapKind.MACRO, GapKind.CHOICE, GapKind.GLOB)
)
"""Gaps that may hide targets of their package: a label that nothing there answers to may exist all the same."""


@dataclass(frozen=True, slots=True, order=True)
class Gap:
    """``what`` is missing (a label, a call), noticed at ``location``; ``hides`` says what it may hide.

    ``repository``: the one whose content would close it, "" when none would.
    """

    kind: str
    what: str
    hides: str
    location: Location | None = None
    repository: str = ""

    def __str__(self) -> str:
        return gap_text(self)

    def pins(self, repository: str) -> bool:
        """Whether it says that only what a lock file has is known of this repository, not of one that is loaded."""
        return self.kind == GapKind.LOCK.value and self.repository == repository


@dataclass(frozen=True, slots=True)
class Completeness:
    """How complete an answer is.

    ``problems`` are broken or missing files, packages and targets; ``gaps`` what could not be known.
    """

    problems: tuple[Diagnostic, ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether nothing can be missing from the answer."""
        return not (self.problems or self.gaps)

    def with_more(self, problems: Iterable[Diagnostic] = (), gaps: Iterable[Gap] = ()) -> Completeness:
        """The same with more problems and gaps, each once."""
        return Completeness(
            tuple(dict.fromkeys((*self.problems, *problems))), tuple(dict.fromkeys((*self.gaps, *gaps)))
        )
