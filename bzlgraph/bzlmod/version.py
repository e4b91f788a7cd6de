"""Versions of Bazel modules: ``RELEASE[-PRERELEASE][+BUILD]``, looser than SemVer and ordered like it.

``normalized("1.2-rc1+build7")`` -> ``"1.2-rc1"`` (Bazel forgets the build part); ``version_key(text)`` is what sorts.
The empty version is that of a module that does not come from a registry; it is higher than all others.

>>> sorted(["1.10", "1.9", "1.9-rc1", "", "1.a", "1.9.0"], key=version_key)
['1.9-rc1', '1.9', '1.9.0', '1.10', '1.a', '']

Rules: https://bazel.build/external/module#version_format; ``Version.java`` of Bazel's package ``bazel.bzlmod``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

_VERSION = re.compile(r"([a-zA-Z0-9.]+)(?:-([a-zA-Z0-9.-]+))?(?:\+[a-zA-Z0-9.-]+)?")

Identifier = tuple[bool, int, str, str]
"""What stands between two dots, as it compares: numbers by value (so many digits, these) and before words."""
VersionKey = tuple[bool, tuple[Identifier, ...], bool, tuple[Identifier, ...]]


class VersionError(ValueError):
    """A text that is no version; the message is Bazel's."""


def normalized(version: str) -> str:
    """The version without its build part. Raises VersionError for what is no version."""
    release, prerelease = _parts(version)
    return f"{release}-{prerelease}" if prerelease else release


@cache
def version_key(version: str) -> VersionKey:
    """What versions compare by. Raises VersionError for what is no version."""
    release, prerelease = _parts(version)
    return not version, _identifiers(release), not prerelease, _identifiers(prerelease)


def highest(versions: Iterable[str]) -> str:
    """The highest of some versions, at least one."""
    return max(versions, key=version_key)


def _parts(version: str) -> tuple[str, str]:
    """(release, prerelease); both empty for the empty version."""
    if not version:
        return "", ""
    match = _VERSION.fullmatch(version)
    if match is None:
        raise VersionError(f"bad version (does not match regex): {version}")
    release, prerelease = match[1], match[2] or ""
    if "" in release.split(".") or (prerelease and "" in prerelease.split(".")):
        raise VersionError(f"error parsing version: {version}")
    return release, prerelease


def _identifiers(part: str) -> tuple[Identifier, ...]:
    each = part.split(".") if part else ()
    digits = ((word, word.lstrip("0") if word.isdigit() else "") for word in each)
    return tuple((not word.isdigit(), len(value), value, word) for word, value in digits)
