"""What a kept graph was read as: the facts of its Bazel, and where its repositories lie."""

from __future__ import annotations

from dataclasses import replace

from bzlgraph.export.bazel_view.place import Places
from bzlgraph.facts import Facts, for_version
from bzlgraph.snapshot.kept import KeptGraph, Unanswered

ReadAs = tuple[str, bool, bool]
"""The version of Bazel, whether nobody chose it, whether modules are read."""


def kept_facts(facts: Facts) -> ReadAs | None:
    """What facts can be made of again; None for those that options of the checkout have changed."""
    read_as = facts.version, facts.tolerant, facts.bzlmod
    return read_as if _facts(read_as) == facts else None


def facts_of(graph: KeptGraph) -> Facts:
    """The facts of a kept graph. Raises Unanswered."""
    read_as: ReadAs | None = graph.facts["read_as"]
    if read_as is None:
        raise Unanswered
    return _facts(read_as)


def _facts(read_as: ReadAs) -> Facts:
    version, tolerant, bzlmod = read_as
    return replace(for_version(version, tolerant=tolerant), bzlmod=bzlmod)


def places_of(graph: KeptGraph) -> Places:
    """The folders of its repositories; whoever asks for one that is not kept gets Unanswered."""
    folders: dict[str, str] = {
        graph.canonical.get(repo, repo): folder for repo, folder in graph.table("folders").items()
    }

    def folder_of(canonical: str) -> str:
        if canonical not in folders:
            raise Unanswered
        return folders[canonical]

    return Places(folder_of(""), folder_of)
