"""Packages whose targets are not read yet: their names, kinds and edges are known, which is what a graph is made of.

Package -> ``PackageEdges``, plain columns that travel and are kept beside the encoded package. A graph takes them as
they are: most questions read few of the targets of a checkout, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Set
from itertools import compress
from typing import Any, NamedTuple

from bzlgraph.base.span import Frame
from bzlgraph.bazel.conditional import any_conditional
from bzlgraph.bazel.model import EnvironmentGroup, OutputFile, PackageGroup, Rule, RuleClass, SourceFile, Target
from bzlgraph.graph.model import EdgeCondition, NodeKind

KINDS: dict[type, NodeKind] = {
    Rule: NodeKind.RULE,
    SourceFile: NodeKind.SOURCE,
    OutputFile: NodeKind.GENERATED,
    PackageGroup: NodeKind.GROUP,
    EnvironmentGroup: NodeKind.ENVIRONMENTS,
}


def has_selects_in(targets: Mapping[str, Target], name: str) -> bool:
    """Whether a target of a package ``has_selects``. Reads none that was not read yet."""
    return targets.has_selects(name) if isinstance(targets, StoredTargets) else has_selects(targets[name])


def call_of(targets: Mapping[str, Target], name: str) -> Frame | None:
    """``innermost_call`` of a target of a package. Reads none that was not read yet."""
    return targets.call(name) if isinstance(targets, StoredTargets) else innermost_call(targets[name])


def class_of(targets: Mapping[str, Target], name: str) -> RuleClass | None:
    """The class of a target that is a rule. Reads none that was not read yet."""
    return targets.classes[name] if isinstance(targets, StoredTargets) else _class_of(targets[name])


def classes_of(targets: Mapping[str, Target]) -> Mapping[str, RuleClass | None]:
    """The class of each target that is a rule, None of each other one, by name. Reads none that was not read yet."""
    if isinstance(targets, StoredTargets):
        return targets.classes
    return {name: _class_of(target) for name, target in targets.items()}


def has_selects(target: Target) -> bool:
    """Whether a value of a rule depends on the configuration."""
    return isinstance(target, Rule) and any_conditional(target.values.values())


def innermost_call(target: Target) -> Frame | None:
    """The innermost call of the macros that make a rule; None for what no macro makes."""
    return target.stack[0] if isinstance(target, Rule) and len(target.stack) > 1 else None


def _class_of(target: Target) -> RuleClass | None:
    return target.rule_class if isinstance(target, Rule) else None


class PackageEdges(NamedTuple):
    """The edges of a package's targets, one target after the other; ``counts`` says how many each has.

    ``columns`` are the four of an ``EdgeRow`` as bytes of arrays, three of ``i``, that of flags of ``H``. An edge's end
    is the number of one of the package's targets or, behind these, of ``others``: (number of a package in ``homes``,
    name). Attributes and conditions are numbers of those here.
    """

    counts: bytes
    columns: tuple[bytes, bytes, bytes, bytes]
    attributes: tuple[str, ...]
    conditions: tuple[EdgeCondition, ...]
    homes: tuple[tuple[str, str], ...]
    others: tuple[tuple[int, str], ...]


class StoredTargets(MutableMapping[str, Target]):
    """The targets of a package by name, read when somebody asks for one; behaves as the dict they were.

    ``kinds`` has the ``NodeKind`` of each, ``classes`` the names, with the class of each that is a rule. ``open_``
    gives what reads one by its name, or raises KeyError. ``calls`` gives the ``innermost_call`` of those that have one.
    ``selects`` says of each whether it ``has_selects``. Packed, ``configurable`` has what depends on the
    configuration, ``written`` how they are written.
    """

    __slots__ = (
        *("_edges", "_found", "_known_calls", "_known_selects", "_open", "_open_calls", "_reader", "_selects"),
        *("_targets", "classes", "configurable", "kinds", "written"),
    )

    def __init__(
        self,
        kinds: bytes,
        classes: Mapping[str, RuleClass | None],
        open_: Callable[[], Callable[[str], Target]],
        edges: Callable[[], PackageEdges | None],
        calls: Callable[[], Mapping[str, Frame]],
        selects: bytes,
        configurable: bytes,
        written: bytes,
    ) -> None:
        self.kinds = kinds
        self.classes = classes
        self._open = open_
        self._reader: Callable[[str], Target] | None = None
        self._edges = edges
        self._open_calls = calls
        self._known_calls: Mapping[str, Frame] | None = None
        self._selects = selects
        self.configurable = configurable
        self.written = written
        self._known_selects: Set[str] | None = None
        self._found: dict[str, Target] = {}
        self._targets: dict[str, Target] | None = None

    def edges(self) -> PackageEdges | None:
        """Their edges, anew for each who asks; None where they depend on what rules of other packages are."""
        return self._edges()

    def call(self, name: str) -> Frame | None:
        """``innermost_call`` of a target. Reads none that was not read yet."""
        if self._targets is not None:
            return innermost_call(self._targets[name])
        if self._known_calls is None:
            self._known_calls = self._open_calls()
        return self._known_calls.get(name)

    def has_selects(self, name: str) -> bool:
        """``has_selects`` of a target. Reads none that was not read yet."""
        if self._targets is not None:
            return has_selects(self._targets[name])
        if self._known_selects is None:
            self._known_selects = frozenset(compress(self.classes, self._selects))
        return name in self._known_selects

    def _all(self) -> dict[str, Target]:
        if self._targets is None:
            self._targets = {name: self[name] for name in self.classes}
        return self._targets

    def __getitem__(self, name: str) -> Target:
        if self._targets is not None:
            return self._targets[name]
        found = self._found.get(name)
        if found is None:
            if self._reader is None:
                self._reader = self._open()
            found = self._found[name] = self._reader(name)
        return found

    def get(self, name: str, default: Any = None) -> Any:
        """As of every mapping, whose own way takes longer than the look at what was read: it is asked all the time."""
        found = self._found.get(name) if self._targets is None else None
        return super().get(name, default) if found is None else found

    def __setitem__(self, name: str, target: Target) -> None:
        self._all()[name] = target

    def __delitem__(self, name: str) -> None:
        del self._all()[name]

    def __contains__(self, name: object) -> bool:
        return name in (self.classes if self._targets is None else self._targets)

    def __iter__(self) -> Iterator[str]:
        return iter(self.classes if self._targets is None else self._targets)

    def __len__(self) -> int:
        return len(self.classes if self._targets is None else self._targets)

    def __repr__(self) -> str:
        return repr(self._all())
