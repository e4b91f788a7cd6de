"""Tables whose entries hold from one Bazel version on: the one reader of the JSON files beside this module.

``table("native_aspects")`` -> the file, read once; ``in_force({"0.17": x, "4.2": y}, "2.1.0")`` -> x. Versions are
compared here and nowhere else; conditions on them, as ``try-import-if-bazel-version`` of rc files has them, too.

>>> in_force({"0.17": "old", "4.2": "new"}, "4.2.3"), in_force({"1.0": "first"}, "0.5")
('new', 'first')
>>> holds(">=9.0.0", "7.7.1"), holds("!=4.2.3", "7.7.1"), holds("~7.7.0", "7.7.1"), holds("new", "7.7.1")
(False, True, True, None)
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
Key = tuple[int, ...]

_DIGITS = re.compile(r"\d+", re.ASCII)
_CONDITION = re.compile(r"(>=|<=|==|!=|>|<|~)\s*(\d+(?:\.\d+)*)")
_TESTS: dict[str, Callable[[Key, Key], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    "~": lambda ours, theirs: ours >= theirs and ours[:2] == theirs[:2],  # no older, and of the same minor version
}


@cache
def table(name: str) -> Any:
    """The contents of ``NAME.json``; the caller states its type, which the file's own maker guarantees."""
    return json.loads(Path(__file__).with_name(f"{name}.json").read_bytes())


@cache
def version_key(version: str) -> Key:
    """What versions are compared by, three numbers; suffixes such as ``-pre`` or ``rc1`` do not count.

    >>> version_key("4.2.3") < version_key("7.7.1-rc2"), version_key("8"), version_key("8.0.0rc2")
    (True, (8, 0, 0), (8, 0, 0))
    """
    parts = [int(number[0]) if (number := _DIGITS.match(part)) else 0 for part in version.replace("-", ".").split(".")]
    return (*parts, 0, 0)[:3]


def nearest_version(versions: Iterable[str], version: str) -> str:
    """The newest of ``versions``, which are sorted, that is not newer than ``version``; else the oldest."""
    known = list(versions)
    wanted = version_key(version)
    return next((each for each in reversed(known) if version_key(each) <= wanted), known[0])


def nearest_of_line(versions: Iterable[str], version: str) -> str:
    """As ``nearest_version``, but among those of the same minor version where there are any, then of the same major:
    what the native rules and tools are changes from one major version to the next, little within, and a patch release
    repairs faults only.

    >>> nearest_of_line(["4.2.3", "7.7.1"], "7.0.0"), nearest_of_line(["4.2.3", "7.7.1"], "6.5.0")
    ('7.7.1', '4.2.3')
    >>> nearest_of_line(["7.6.1", "7.7.1"], "7.7.0"), nearest_of_line(["7.6.1", "7.7.1"], "7.6.2")
    ('7.7.1', '7.6.1')
    """
    known, wanted = list(versions), version_key(version)
    lines = ([each for each in known if version_key(each)[:length] == wanted[:length]] for length in (2, 1))
    return nearest_version(next(filter(None, lines), known), version)


def near_to_far(versions: Iterable[str], version: str) -> list[str]:
    """This one of ``versions``, then newer ones, then older ones: where to look for what a version does not have."""
    known = list(versions)
    at = known.index(version)
    return known[at:] + known[:at][::-1]


def in_force(entries: Mapping[str, T], version: str) -> T:
    """The entry that holds for ``version``: that of the newest version that is not newer; else the oldest one's."""
    return entries[nearest_version(entries, version)]


def in_force_or(before: T, entries: Mapping[str, T], version: str) -> T:
    """As ``in_force``, but ``before`` for versions older than all entries."""
    return in_force(entries, version) if any(version_key(v) <= version_key(version) for v in entries) else before


def holds(condition: str, version: str) -> bool | None:
    """Whether a condition such as ``>=9.0.0`` holds for a version; None when it is no condition."""
    match = _CONDITION.fullmatch(condition.strip())
    return _TESTS[match[1]](version_key(version), version_key(match[2])) if match else None
