"""Which repositories we can stand in for, and our own sources for some of their files.

``family("rules_cc+")`` -> "rules_cc"; ``source("bazel_skylib", "lib/paths.bzl")`` -> bytes; ``is_native("rules_cc",
"cc/defs.bzl")``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TypedDict

from bzlgraph.facts.versioned import table, version_key

FOLDER = Path(__file__).with_name("fallbacks")


class Family(TypedDict, total=False):
    """A well-known repository. ``native``: folders whose names are Bazel's own, but for those of the files ``others``;
    ``sources``: files of ours; ``rules``: repository rules of these that write what Bazel's do; ``since``: the first
    Bazel that has it so; ``versions``: of a source, the first Bazel that has it so, and the first that has not."""

    native: list[str]
    others: list[str]
    sources: list[str]
    rules: list[str]
    since: str
    versions: dict[str, tuple[str, str]]


def families() -> dict[str, Family]:
    """The repositories that we can stand in for, by name."""
    found: dict[str, Family] = table("fallbacks")["families"]
    return found


@cache
def family(repository: str) -> str | None:
    """The well-known repository that a name stands for; canonical names of bzlmod (``rules_cc+``) too.

    >>> family("rules_cc~0.0.9"), family("com_google_protobuf"), family("llvm")
    ('rules_cc', 'protobuf', None)
    """
    plain = repository.partition("~")[0].partition("+")[0]
    aliases: dict[str, str] = table("fallbacks")["aliases"]
    plain = aliases.get(plain, plain)
    return plain if plain in families() else None


def is_there(name: str, version: str) -> bool:
    """Whether a Bazel has this repository as we know it.

    >>> is_there("local_config_platform", "0.24.1"), is_there("local_config_platform", "4.2.3")
    (False, True)
    """
    return version_key(families()[name].get("since", "0")) <= version_key(version)


@cache
def source(name: str, path: str, version: str) -> bytes | None:
    """Our own text of a file of a family, as a Bazel has it; None when there is none."""
    known = families()[name]
    first, end = known.get("versions", {}).get(path, ("0", ""))
    too_old, too_new = version_key(version) < version_key(first), end and version_key(version) >= version_key(end)
    if path not in known.get("sources", ()) or too_old or too_new:
        return None
    return (FOLDER / name / path).read_bytes()


def is_native(name: str, path: str) -> bool:
    """Whether the names of this file are those of Bazel's native rules and globals."""
    known = families()[name]
    return path.startswith(tuple(known.get("native", ()))) and path not in known.get("others", ())


def is_run(name: str, rule: str) -> bool:
    """Whether a repository rule of ours writes what Bazel's does."""
    return rule in families()[name].get("rules", ())
