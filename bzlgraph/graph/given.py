"""What a graph is given from outside: where its packages come from, and the configuration that it is seen in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Package

if TYPE_CHECKING:
    from bzlgraph.workspace.written_names import WrittenNames

PackageKey = tuple[str, str]
"""A package by its repository and name."""


class GraphSource(Protocol):
    """Gives packages by repository and name; the loader is one, a dictionary in a test another."""

    def package(self, repo: str, name: str) -> Package | None:
        """The package, ``None`` when its repository is not on disk. Raises LoadProblem when there is no such package
        or its BUILD file could not be evaluated at all."""

    def missing(self, repo: str, name: str) -> Diagnostic:
        """Why there is no such package, and what may have been meant."""

    def absent(self, repo: str, name: str) -> Gap:
        """What is not known where a package is asked for whose repository is not on disk."""

    def packages_below(self, repo: str, prefix: str) -> Sequence[str]:
        """Names of the packages at or below ``prefix`` ("" is the root), sorted; empty for an absent repository."""

    def written_names(self) -> WrittenNames:
        """The names in the checkout, as its folders and the texts of its BUILD files tell. Loads nothing."""

    def build_file(self, repo: str, package: str) -> str | None:
        """The name of a package's BUILD file, None when the folder is no package. Loads nothing."""

    def is_file(self, label: Label) -> bool:
        """Whether there is a file where a label would be one. Loads nothing."""

    def repositories(self) -> Collection[str]:
        """The names of the repositories that somebody defines, as labels have them."""

    def in_turn(self, keys: Iterable[PackageKey]) -> Iterable[PackageKey]:
        """These (repository, package), each once, in order, as they are there: a loader may load them in parallel."""


class ChosenConfiguration(Protocol):
    """What every layer may know of the configuration that a graph is seen in."""

    @property
    def words(self) -> str:
        """The options that chose it, as typed."""

    @property
    def problems(self) -> Sequence[Diagnostic]:
        """What is wrong with these options."""
