"""Where a graph gets packages from: the one door between graph/ and loading/."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.bazel.model import Package


class GraphSource(Protocol):
    """Gives packages by repository and name; the loader is one, a dictionary in a test another."""

    def package(self, repo: str, name: str) -> Package | None:
        """The package, ``None`` when its repository is not on disk. Raises LoadProblem when there is no such package
        or its BUILD file could not be evaluated at all."""

    def missing(self, repo: str, name: str) -> Diagnostic:
        """Why there is no such package, and what may have been meant."""

    def packages_below(self, repo: str, prefix: str) -> Sequence[str]:
        """Names of the packages at or below ``prefix`` ("" is the root), sorted; empty for an absent repository."""

    def build_file(self, repo: str, package: str) -> str | None:
        """The name of a package's BUILD file, None when the folder is no package. Loads nothing."""

    def prefetch(self, keys: Iterable[tuple[str, str]]) -> None:
        """These (repository, package) will be asked for next: a loader may load them in parallel. May do nothing."""
