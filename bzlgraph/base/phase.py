"""What a long piece of work does at the moment, for whoever waits for it: a word, and how far it has come.

>>> working("Loading packages", 12, 40)
>>> now().text
'Loading packages'

>>> [now().done for _ in each_of("Reading", ["a", "b"])]
[0, 1]

Telling costs next to nothing; ``cli/terminal/progress.py`` looks at it, on a terminal, a few times a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

Item = TypeVar("Item")


@dataclass(slots=True)
class Phase:
    """``done`` of ``total``; a total of 0 is not known. ``before``: what goes on when all packages are loaded."""

    text: str = "Reading the workspace"
    done: int = 0
    total: int = 0
    before: str = ""

    @property
    def count(self) -> str:
        """``1,000 of 4,000``, "" where that is not known."""
        return f"{self.done:,} of {self.total:,}" if self.total else ""


_LOADING = "Loading packages"
_now = Phase()
"""What this process does; of a worker nobody sees it."""


def working(text: str, done: int = 0, total: int = 0) -> None:
    """Tell what is done from now on."""
    _now.text, _now.done, _now.total = text, done, total


def loading(done: int, total: int) -> None:
    """Tell how many packages are loaded; with the last of them what was done before goes on.

    >>> working("Comparing configurations")
    >>> loading(1, 2), now().text, loading(2, 2), now().text
    (None, 'Loading packages', None, 'Comparing configurations')
    """
    if _now.text != _LOADING:
        _now.before = _now.text
    working(_LOADING if done < total else _now.before, done * (done < total), total * (done < total))


def now() -> Phase:
    """What was told last."""
    return _now


def rest() -> None:
    """Nothing in particular is done any more."""
    working("Working")


def each_of(text: str, items: Sequence[Item]) -> Iterator[Item]:
    """The items, telling how many of them are done."""
    total = len(items)
    for done, item in enumerate(items):
        working(text, done, total)
        yield item
    rest()
