"""What toolchain resolution answers, as data: for each toolchain type its candidates and the reason of each.

``Resolution`` -> ``TypeResolution`` -> ``Candidate``; a ``Candidate`` is chosen, not chosen, or may be, as ``Truth``.
"""

from __future__ import annotations

from dataclasses import dataclass

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label
from bzlgraph.config.kinds.platform import Platform
from bzlgraph.config.verdict import Truth


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A registered ``toolchain()``. ``missing``: why it is not known; then it may be of any type."""

    label: Label | None
    type: Label | None = None
    implementation: Label | None = None
    missing: str = ""
    error: str = ""
    built_in: bool = False
    """Whether Bazel registers it by itself: its files are Bazel's, too, and native rules lead there without it."""

    def __str__(self) -> str:
        return str(self.label) if self.label is not None else self.missing


@dataclass(frozen=True, slots=True)
class Candidate:
    """A registered toolchain of a type, in the order in which Bazel looks at them: whether it is chosen, and why."""

    toolchain: Toolchain
    chosen: Truth
    why: str


@dataclass(frozen=True, slots=True)
class TypeResolution:
    """What a target gets for a toolchain type; ``asked`` is how it is written, ``type`` what is behind aliases."""

    asked: Label
    type: Label
    mandatory: bool
    candidates: tuple[Candidate, ...]

    @property
    def chosen(self) -> tuple[Candidate, ...]:
        """Those that are or may be chosen, of which something is known."""
        known = (each for each in self.candidates if each.toolchain.implementation is not None)
        return tuple(each for each in known if each.chosen is not Truth.NO)

    @property
    def unknown(self) -> tuple[str, ...]:
        """What is missing to know which one is chosen."""
        open_ = (each for each in self.candidates if each.chosen is Truth.UNKNOWN)
        return tuple(dict.fromkeys(each.why for each in open_ if self.mandatory or not each.toolchain.built_in))


@dataclass(frozen=True, slots=True)
class Resolution:
    """The toolchains of one exec group of a target, and the platforms that its actions may run on.

    ``error`` is what Bazel refuses the target with, "" when it does not or that is unknown.
    """

    group: str
    target_platform: Platform
    platforms: tuple[Platform, ...]
    types: tuple[TypeResolution, ...]
    error: str = ""
    unknown: tuple[str, ...] = ()
    """What else is missing."""

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """What is missing, as gaps."""
        texts = dict.fromkeys((*self.unknown, *(text for each in self.types for text in each.unknown)))
        return tuple(Gap(GapKind.TOOLCHAIN.value, text, "which toolchains are chosen is unknown") for text in texts)
