"""What ``why`` answers, as data: text, JSON and pictures are made from it, and it knows nothing of them."""

from __future__ import annotations

from bzlgraph.base.record import Record
from bzlgraph.graph.model import condition_text

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from collections.abc import Iterable

    from bzlgraph.base.diagnostic import Diagnostic
    from bzlgraph.base.gap import Gap
    from bzlgraph.base.resolved_label import Label
    from bzlgraph.base.span import Location
    from bzlgraph.config.toolchains.answer import Resolution
    from bzlgraph.graph.model import EdgeCondition, EdgeFlag, Node
    from bzlgraph.workspace.repositories.origin import Origin


_OF_ONE_PACKAGE = "package"
"""The kind of a gap that concerns no other package: ``GapKind.PACKAGE``."""


class EdgeReason(Record):
    """Why one target names another: one edge. When the attribute is not set on the target (its default decides),
    ``bzl`` is the file of the rule's definition and ``defined_at`` the place of the attribute's."""

    attribute: str
    condition: EdgeCondition
    flags: EdgeFlag
    bzl: Label | None = None
    defined_at: Location | None = None

    @property
    def when(self) -> str:
        """The condition in words, "" for always."""
        return condition_text(self.condition)


class PathStep(Record):
    """A target on the way and the reasons why the one before it names it (none for the first), best first."""

    node: Node
    reasons: tuple[EdgeReason, ...]


class CycleSteps(Record):
    """Targets that need themselves: ``steps`` end with the target they begin with. ``size``: how many targets all need
    each other, of which this is the shortest way round. ``certain``: it is there in every configuration, or in the one
    chosen; else where the conditions of its steps hold together, or what is not on disk decides as was assumed."""

    steps: tuple[PathStep, ...]
    size: int
    certain: bool


class TrunkNode(Record):
    """A target that ``needing`` of the targets on the way cannot avoid."""

    node: Node
    needing: int


class CutPlace(Record):
    """One place to change: an attribute of a target, of a rule class (its default), or of a rule in a macro.

    ``users`` counts the targets of the loaded graph that get the edge from this place.
    """

    attribute: str
    target: Label
    source: Label | None
    rule_class: str = ""
    macro: str = ""
    location: Location | None = None
    users: int = 1


class Miss(Record):
    """An edge that the configuration leaves out, of the path that lacks fewest: ``source`` would name that of the
    step. ``options``: what its conditions ask for, as typed, where they are known."""

    source: Node
    step: PathStep
    options: tuple[str, ...] = ()


class StepVisibility(Record):
    """How the visibility of ``target`` treats ``package``, which names it or would have to. ``items`` are what is
    written, or what the package's default has (``by_default``); ``chain`` what lets the package in, groups from the
    outermost to the specification. ``known`` is False where a group that is not on disk may let it in."""

    package: str
    target: Node
    admitted: bool
    items: tuple[str, ...]
    by_default: bool = False
    chain: tuple[str, ...] = ()
    known: bool = True


class NoWay(Record):
    """There is no path: what is nearest, and why not.

    ``missing`` says that the target itself does not exist, ``similar`` are targets with near names among the
    dependencies, ``users`` those who name the target (``user_count`` in all), ``reversed`` that the target needs the
    source, ``excluded`` that a path exists along edges the question leaves out; ``misses`` are the fewest edges that
    the configuration leaves out and with which there would be a path; ``gaps`` may hide an edge on a path, those that
    are next to the target first.
    """

    missing: str = ""
    similar: tuple[Label, ...] = ()
    users: tuple[Label, ...] = ()
    user_count: int = 0
    reversed: bool = False
    excluded: str = ""
    misses: tuple[Miss, ...] = ()
    gaps: tuple[Gap, ...] = ()


class Neighbour(Record):
    """A target that names the one above it, or is named by it, and why; ``below``: its own neighbours, by package, None
    where it is not followed.

    ``repeated``: its neighbours are told where it hangs nearest to the root.
    """

    node: Node
    reasons: tuple[EdgeReason, ...]
    below: Neighbours | None = None
    repeated: bool = False


class NeighbourGroup(Record):
    """The neighbours in one package: how many, and the first of them."""

    package: str
    count: int  # type: ignore[assignment]  # what tuples have of that name nobody asks for
    shown: tuple[Neighbour, ...]


class Neighbours(Record):
    """Those who name a target, or what it names: how many, in how many packages, and the largest groups."""

    count: int  # type: ignore[assignment]
    packages: int
    groups: tuple[NeighbourGroup, ...]


class TreeAnswer(Record):
    """What hangs below targets. ``direction`` is "deps" or "rdeps", ``text`` what was asked about, ``within`` the
    targets whose dependencies dependents are looked for in ("" for deps), ``depth`` how many steps are shown.

    ``reached`` counts the labels that the question is about, without the roots, as ``query`` counts them; ``followed``
    those that the trees would have if they were whole, ``shown`` those that they have.
    """

    direction: str
    text: str
    within: str
    depth: int
    configuration: str
    roots: tuple[Neighbour, ...]
    reached: int
    followed: int
    shown: int


class ToolchainReason(Record):
    """How the toolchains of a target were resolved: of one on the way, or of one that the target asked about is a
    candidate for."""

    node: Node
    resolution: Resolution


class WhyAnswer(Record):
    """The answer. ``steps`` is the path shown (empty when there is none, then ``no_way`` says more).

    ``dependencies`` counts the labels that the sources depend on, as ``query`` prints them, ``needing`` how many of
    those depend on the target. ``configuration`` are the options that chose one, "" when all branches count.
    ``shortest`` is the number of steps of the shortest path, ``shortest_count`` and ``path_count`` count paths;
    ``path_count_exact`` is False when cycles made ``path_count`` a count of paths between cycles.
    ``cut`` are the fewest places whose removal leaves no path, if that is known.
    ``cycles``: those of targets on the way, the ends included.
    ``toolchains``: the candidates of each toolchain on the way; those that the target itself is one of.
    ``among`` are the patterns that gave the sources, as written: those are what ``source_count`` counts, not files;
    ``direct_sources`` how many of them name the target themselves.
    ``dependents``: who names the target, where several sources are asked about; a tree from the target outwards.
    ``visibility``: of the targets on the path that not everybody sees; without a path that of the target, where the
    package of the only source does not see it.
    ``origin``: where the target's repository comes from, None for the main one and for one that nobody defines.
    ``gaps`` are those on the way, ``other_gaps`` those of other targets that the sources depend on, both with those of
    the whole workspace; ``problems`` what does not exist there, or what Bazel would refuse.
    """

    target: Node
    sources: tuple[Node, ...]
    source_count: int
    steps: tuple[PathStep, ...]
    dependencies: int
    needing: int
    direct_sources: int = 0
    shortest: int = 0
    shortest_count: int = 0
    path_count: int = 0
    path_count_exact: bool = True
    required: tuple[Node, ...] = ()
    trunk: tuple[TrunkNode, ...] = ()
    cut: tuple[CutPlace, ...] | None = None
    others: tuple[tuple[PathStep, ...], ...] = ()
    cycles: tuple[CycleSteps, ...] = ()
    gaps: tuple[Gap, ...] = ()
    other_gaps: tuple[Gap, ...] = ()
    no_way: NoWay | None = None
    problems: tuple[Diagnostic, ...] = ()
    configuration: str = ""
    origin: Origin | None = None
    toolchains: tuple[ToolchainReason, ...] = ()
    visibility: tuple[StepVisibility, ...] = ()
    dependents: Neighbours | None = None
    among: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        """Whether there is a path."""
        return bool(self.steps)

    @property
    def gaps_elsewhere(self) -> int:
        """The number of gaps that are not on the way."""
        return len(self.other_gaps)

    def within(self, gaps: Iterable[Gap]) -> WhyAnswer:
        """With the gaps of the whole workspace: a package that is broken is elsewhere, others (an rc file that is not
        there) may touch every way."""
        known = {*self.gaps, *self.other_gaps}
        more = [gap for gap in gaps if gap not in known]
        everywhere = tuple(gap for gap in more if self.found and gap.kind != _OF_ONE_PACKAGE)
        elsewhere = tuple(gap for gap in more if gap not in everywhere)
        return self._replace(gaps=(*self.gaps, *everywhere), other_gaps=(*self.other_gaps, *elsewhere))
