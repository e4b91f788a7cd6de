"""What the kinds of settings may ask while one of them is evaluated: the door to ``settings.Settings``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bzlgraph.base.label import Label, RepoMapping
from bzlgraph.bazel.model import Condition, Target
from bzlgraph.config.choice import Choice
from bzlgraph.config.configuration import Configuration
from bzlgraph.config.verdict import Truth, Verdict
from bzlgraph.facts import Facts


class Evaluation(Protocol):
    """One configuration over one graph."""

    @property
    def configuration(self) -> Configuration:
        """What the options are set to."""

    @property
    def mapping(self) -> RepoMapping:
        """What the name of a repository means in another one, for labels that are values of options."""

    @property
    def facts(self) -> Facts:
        """What the Bazel version at hand does."""

    def target(self, label: Label) -> Target | None:
        """The target of a label, loaded when it was not; None when there is none or nobody can know."""

    def absence(self, label: Label) -> str:
        """Why a label has no target, in words."""

    def is_error(self, label: Label) -> bool:
        """Whether the absence of a target is an error of the workspace, not a gap in what we know."""

    def verdict(self, label: Label) -> Verdict:
        """Whether the condition holds."""

    def truths(self, keys: tuple[Condition, ...]) -> tuple[Truth, ...]:
        """For each key of a select() whether its branch is the one."""

    def choose(
        self, keys: Sequence[Condition], values: Sequence[object] | None = None, no_match_error: str = ""
    ) -> Choice:
        """Which branch of a select() with these keys is taken."""
