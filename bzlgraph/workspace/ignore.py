"""``.bazelignore``: one folder a line, relative to the root; ``#`` begins a comment line.

https://bazel.build/run/bazelrc#bazelignore
"""

from __future__ import annotations

from bzlgraph.workspace.source import Source

IGNORE_FILE = ".bazelignore"


def ignored_folders(source: Source) -> frozenset[str]:
    """The folders that a repository's ``.bazelignore`` hides."""
    try:
        text = source.read(IGNORE_FILE).decode("utf-8", "replace")
    except OSError:
        return frozenset()
    lines = (line.strip() for line in text.splitlines())
    return frozenset(line.removeprefix("./").rstrip("/") for line in lines if line and not line.startswith("#"))
