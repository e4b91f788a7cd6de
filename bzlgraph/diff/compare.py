"""Two configurations of the same question -> what one has and the other does not.

Rules
- A target is there when the answer has it; when all ways to it hold only possibly, so does it.
- An edge is told by its ends and its attribute: one that two branches give is no difference when either is taken.
- Edges to conditions and visibilities are no dependencies, and the same on both sides: they are left out, and so are
  the package groups that visibilities name.
- Values of attributes other than edges are compared for targets that both sides have, and only those that depend on
  conditions; a target that is a tool only, on either side, is built for another machine and left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import Rule
from bzlgraph.config.settings import Settings
from bzlgraph.config.verdict import Truth
from bzlgraph.diff.model import CERTAINTY, Change, DiffAnswer, Difference, Side, What, change_of
from bzlgraph.diff.values import BranchValue, ConditionalValues, ValueKey
from bzlgraph.graph.algorithms.components import reachable
from bzlgraph.graph.model import EdgeCondition, EdgeFlag, NodeKind, Term
from bzlgraph.graph.view import GraphView

_POSSIBLE = int(EdgeFlag.POSSIBLE)
_NO_DEPENDENCY = int(EdgeFlag.KEY | EdgeFlag.VISIBILITY | EdgeFlag.NODEP)
_SORTS = {
    **dict.fromkeys(("copts", "conlyopts", "cxxopts", "nocopts"), What.COPTS),
    **dict.fromkeys(("defines", "local_defines"), What.DEFINES),
    **dict.fromkeys(("linkopts", "user_link_flags"), What.LINKOPTS),
}
_ORDER = {what: place for place, what in enumerate(What)}
EdgeKey = tuple[Label, str, Label]


class Comparison:
    """One side that others are compared with: what they have in common is read once. ``text`` is the question."""

    def __init__(self, left: Side, text: str = "") -> None:
        self.text = text
        self._values = ConditionalValues()
        self._left = _Content(left, self._values)

    def with_other(self, right: Side) -> DiffAnswer:
        """All differences, in a fixed order."""
        theirs = self._left if right is self._left.side else _Content(right, self._values)
        return _compared(self._left, theirs, self.text)


def _compared(ours: _Content, theirs: _Content, text: str) -> DiffAnswer:
    found = [*_targets(ours, theirs), *_edges(ours, theirs), *_values(ours, theirs)]
    found.sort(key=lambda each: (_ORDER[each.what], each.target, each.attribute, not each.change.adds, str(each.value)))
    same = len(ours.targets.keys() & theirs.targets.keys())
    counts = len(ours.targets), len(theirs.targets)
    return DiffAnswer(ours.side, theirs.side, tuple(found), counts, same, text, _unknown(ours, theirs))


class _Content:
    """What one side has: targets and edges with their truths."""

    def __init__(self, side: Side, values: ConditionalValues) -> None:
        self.side = side
        self.graph: GraphView = side.graph
        kinds = self.graph.kinds
        self.numbers = {self.graph.labels[n]: n for n in side.nodes if kinds[n] != NodeKind.GROUP}
        self.edges: dict[EdgeKey, tuple[Truth, int]] = {}
        self._values: dict[Label, dict[ValueKey, BranchValue]] = {}
        self._conditional = values
        excluded_flags = int(_NO_DEPENDENCY | side.excluded_flags)
        inside, columns = frozenset(self.numbers.values()), self.graph.columns
        for number in inside:
            for edge in self.graph.edges_from(number):
                flags, end = columns.edge_flags[edge], columns.edge_target[edge]
                if flags & excluded_flags or end not in inside:
                    continue
                truth = Truth.UNKNOWN if flags & _POSSIBLE else Truth.YES
                attribute = self.graph.attribute_of(edge)
                key = (self.graph.labels[number], attribute, self.graph.labels[end])
                if key not in self.edges or self.edges[key][0] is Truth.UNKNOWN:
                    self.edges[key] = truth, edge
        self.targets = self._targets()

    def _targets(self) -> dict[Label, Truth]:
        """Targets that are certainly there: those no edge leads to, and what certain edges reach from there."""
        certain: dict[Label, list[Label]] = {}
        led_to: set[Label] = set()
        for (source, _, end), (truth, _) in self.edges.items():
            if source != end:
                led_to.add(end)
                if truth is Truth.YES:
                    certain.setdefault(source, []).append(end)
        roots = (label for label in self.numbers if label not in led_to or label in self.side.roots)
        reached = reachable(certain, roots)
        return {label: Truth.YES if label in reached else Truth.UNKNOWN for label in self.numbers}

    def values(self, label: Label) -> dict[ValueKey, BranchValue]:
        """The conditional values of a target."""
        known = self._values.get(label)
        if known is None:
            target = self.graph.target(self.numbers[label])
            known = {}
            if isinstance(target, Rule):
                package = self.graph.package_of(self.numbers[label])
                known = self._conditional.of(target, package, self.settings_of(label))
            self._values[label] = known
        return known

    def settings_of(self, label: Label) -> tuple[Settings, ...]:
        """Those of the configurations that a target is in."""
        return self.side.settings_of(label) or (self.side.settings,)

    def place(self, source: Label, attribute: str, end: Label) -> Location | None:
        """Where the select() stands that an edge comes from."""
        values = self.values(source).items()
        return next((each.location for (name, _), each in values if name == attribute and each.label == end), None)

    def kind(self, label: Label) -> str:
        """``cc_library rule``..."""
        return self.graph.kind_words(self.numbers[label])


def _targets(left: _Content, right: _Content) -> Iterator[Difference]:
    for label in left.targets.keys() | right.targets.keys():
        change = change_of(left.targets.get(label, Truth.NO), right.targets.get(label, Truth.NO))
        if change is not None:
            one = right if label in right.numbers else left
            number = one.numbers[label]
            what = What.SOURCE if one.graph.kinds[number] == NodeKind.SOURCE else What.TARGET
            yield Difference(change, what, label, one.kind(label), location=one.graph.describe(number).location)


def _edges(left: _Content, right: _Content) -> Iterator[Difference]:
    none = (Truth.NO, -1)
    both = left.targets.keys() & right.targets.keys()
    for key in left.edges.keys() | right.edges.keys():
        change = change_of(left.edges.get(key, none)[0], right.edges.get(key, none)[0])
        if change is None:
            continue
        source, attribute, end = key
        one = right if change.adds or key not in left.edges else left
        condition = one.graph.edge(one.edges[key][1]).condition
        words = " and ".join(str(each.condition) for each in condition)
        yield Difference(
            change, What.EDGE, source, one.kind(source), attribute, end, words,
            one.place(source, attribute, end), _why(condition, right.settings_of(source)), inside=source not in both,
        )  # fmt: skip


def _why(condition: EdgeCondition, settings: Sequence[Settings]) -> str:
    """Why an edge exists on the right side, or not: in the configuration that has it for sure, if there is one."""
    reasons = []
    for term in condition:
        choices = [each.choose((term.condition, *term.others)) for each in settings]
        surest = max(choices, key=lambda choice: CERTAINTY[choice.truths[0]])
        reasons.append(surest.verdicts[0].why)
    return "; ".join(filter(None, dict.fromkeys(reasons)))


def _unknown(left: _Content, right: _Content) -> int:
    """How many edges and values are unknown on both sides."""
    edges = left.edges.keys() & right.edges.keys()
    values = (ours.truth is theirs.truth is Truth.UNKNOWN for _, _, ours, theirs in _pairs(left, right))
    return sum(left.edges[key][0] is right.edges[key][0] is Truth.UNKNOWN for key in edges) + sum(values)


def _values(left: _Content, right: _Content) -> Iterator[Difference]:
    """What is no edge: flags, defines, texts."""
    for rule, place, ours, theirs in _pairs(left, right):
        change = change_of(ours.truth, theirs.truth)
        if change is not None:
            yield _value(rule, place, change, theirs if change.adds else ours, right.settings_of(rule.label))


def _pairs(left: _Content, right: _Content) -> Iterator[tuple[Rule, ValueKey, BranchValue, BranchValue]]:
    """The conditional values, but edges, of targets that both sides have and build for the same machine."""
    for label in left.targets.keys() & right.targets.keys():
        target = right.graph.target(right.numbers[label])
        if isinstance(target, Rule) and left.side.built(label) and right.side.built(label):
            ours = left.values(label)
            for place, found in right.values(label).items():
                if found.label is None:
                    yield target, place, ours[place], found


def _value(rule: Rule, place: ValueKey, change: Change, found: BranchValue, settings: Sequence[Settings]) -> Difference:
    attribute, value = place
    condition = " and ".join(map(str, found.conditions))
    others = tuple(key for key in found.keys if key != found.conditions[-1])
    reason = _why((Term(found.conditions[-1], others),), settings)
    what = _SORTS.get(attribute, What.ATTRIBUTE)
    return Difference(change, what, rule.label, rule.kind, attribute, value, condition, found.location, reason)
