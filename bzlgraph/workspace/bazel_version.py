"""Which Bazel a checkout is read as when nobody says: what its own files tell.

``.bazelversion`` names it (https://github.com/bazelbuild/bazelisk#how-does-bazelisk-know-which-bazel-version-to-run);
MODULE.bazel means a Bazel that reads it by default. A tree that has neither was written for WORKSPACE.
"""

from __future__ import annotations

import re

from bzlgraph.facts.native import known_versions
from bzlgraph.workspace.source import Source

BEFORE_MODULES = "4.2.3"
"""The newest Bazel that reads WORKSPACE without being asked to and that our answers are compared with."""

_NUMBER = re.compile(rb"\s*(?:[\w.-]+/)?(\d+(?:\.\d+)*)")


def version_of_checkout(source: Source) -> str:
    """The version, as full as the files tell it (``8.x`` is ``8``); words such as ``latest`` are the newest we know."""
    if source.is_file(".bazelversion"):
        try:
            named = _NUMBER.match(source.read(".bazelversion"))
        except OSError:
            named = None
        return named.group(1).decode() if named else known_versions()[-1]
    return known_versions()[-1] if source.is_file("MODULE.bazel") else BEFORE_MODULES
