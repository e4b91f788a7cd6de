"""Which repositories we can stand in for, and our own sources for some of their files.

``family("rules_cc+")`` -> "rules_cc"; ``source("bazel_skylib", "lib/paths.bzl")`` -> bytes; ``is_native("rules_cc",
"cc/defs.bzl")``.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

FOLDER = "fallbacks"


@cache
def _table() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(files(__package__).joinpath("fallbacks.json").read_bytes())
    return data


@cache
def family(repository: str) -> str | None:
    """The well-known repository that a name stands for; canonical names of bzlmod (``rules_cc+``) too.

    >>> family("rules_cc~0.0.9"), family("com_google_protobuf"), family("llvm")
    ('rules_cc', 'protobuf', None)
    """
    plain = repository.partition("~")[0].partition("+")[0]
    plain = _table()["aliases"].get(plain, plain)
    return plain if plain in _table()["families"] else None


@cache
def source(name: str, path: str) -> bytes | None:
    """Our own text of a file of a family; None when there is none."""
    if path not in _table()["families"][name].get("sources", ()):
        return None
    return files(__package__).joinpath(FOLDER, name, *path.split("/")).read_bytes()


def is_native(name: str, path: str) -> bool:
    """Whether the names of this file are those of Bazel's native rules and globals."""
    return path.startswith(tuple(_table()["families"][name].get("native", ())))
