"""Which Bazels are known, and how: ``release("8.x")`` -> ``Release("8.7.0", "read", ...)``.

``versions.json`` lists the Bazels whose answers were compared with ours, those of which single facts were recorded and
those whose sources were read. Any other version is read as a known one of its line: a patch release as another of the
same minor version, else the newest that is not newer.

>>> release("8.x").version, release("4.2.3").evidence.value, release("9.0.0").evidence.value
('8.7.0', 'compared', 'read')
>>> release("99.1").beyond, release("99.1").nearest, release("9.1.1").beyond
(True, '9.1.0', False)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import cast

from bzlgraph.facts.versioned import nearest_of_line, table, version_key

_WORDS = frozenset(("latest", "last_green", "last_rc", "last_downstream_green", "rolling"))
"""Words of .bazelversion that name the newest Bazel of some kind."""
_NUMBER = re.compile(r"(\d+(?:\.\d+){0,3})(\.x|\.\*)?((?:rc|[-+.]\w)[\w.+-]*)?", re.ASCII)


class Evidence(Enum):
    """How we know what a Bazel does: the value is the word of ``versions.json``."""

    COMPARED = "compared"
    RECORDED = "recorded"
    READ = "read"


@dataclass(frozen=True, slots=True)
class Release:
    """A Bazel as it was asked for. ``nearest``: the known one that it is read as; ``beyond``: it belongs to a later
    line than all that are known; ``before``: it is older than all of them."""

    version: str
    evidence: Evidence
    nearest: str
    beyond: bool
    before: bool = False


def release(text: str) -> Release:
    """What is known of a version as options and .bazelversion write it: ``7.7.1``, ``8.x``, ``latest``.

    Raises ValueError for what is no version.
    """
    version = _complete(text)
    nearest = nearest_of_line(known(), version)
    beyond = version_key(version)[:2] > version_key(newest(version_key(version)[0]))[:2]
    before = version_key(version)[:2] < version_key(known()[0])[:2]
    return Release(version, _evidence()[nearest], nearest, beyond, before)


def is_moving(text: str) -> bool:
    """Whether a text names another Bazel each time one is released.

    >>> is_moving("latest"), is_moving("8.x"), is_moving("8.0.1")
    (True, False, False)
    """
    return text in _WORDS


@cache
def known() -> tuple[str, ...]:
    """Every known Bazel, oldest first."""
    return tuple(sorted(_evidence(), key=version_key))


def compared() -> tuple[str, ...]:
    """The Bazels whose answers are compared with ours, oldest first."""
    return tuple(table("versions")[Evidence.COMPARED.value])


def newest(major: int | None = None) -> str:
    """The newest known Bazel, of a major version if there is any.

    >>> newest(8), newest(99) == newest()
    ('8.7.0', True)
    """
    of_its_line = [each for each in known() if version_key(each)[0] == major]
    return (of_its_line or known())[-1]


def _complete(text: str) -> str:
    if text in _WORDS:
        return newest()
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is not a version of Bazel")
    number, any_later, rest = match.groups()
    whole = "." not in number and not rest
    if not whole and any_later is None:
        return text
    line = [each for each in known() if f"{each}.".startswith(f"{number}.")]
    return line[-1] if line else number


@cache
def _evidence() -> dict[str, Evidence]:
    kinds = cast("dict[str, list[str]]", table("versions"))
    return {version: evidence for evidence in Evidence for version in kinds[evidence.value]}
