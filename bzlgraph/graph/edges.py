"""One target -> its edges, as Bazel's query graph has them.

Rules
- The *type* of an attribute decides: every label type gives edges; ``nodep`` attributes and outputs give none.
- A ``select()`` gives the labels of all its branches, each under its condition, and the conditions themselves (KEY),
  also when the attribute holds strings; where it is ``nodep``, it is Bazel's ``$config_dependencies``, which is
  IMPLICIT, that has them. A branch that is None stands for the attribute's default.
- What is not set on the rule is IMPLICIT: Bazel's ``--noimplicit_deps`` drops every attribute not set explicitly.
- A target depends on the package groups of its visibility. That of a rule without one is its package's default, and
  IMPLICIT, as all that is not set on a rule; files have no attributes, so theirs is not.
- A generated file depends on its rule and nothing else but visibility.
- An attribute that applies an aspect brings the aspect's own attributes, where it leads to a rule that advertises what
  the aspect requires: files have none.
- Rules of an unknown class: whatever looks like a label is an edge, and POSSIBLE.

Mirrors AggregatingAttributeMapper.visitLabels and LabelVisitationUtils of Bazel's source.

Theory of operation: what can be known of a rule class is read once (``_ClassPlan``); a rule then costs one look-up per
attribute that is set. Lists are filled rather than yielded: TensorFlow 2.12 has half a million edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bzlgraph.base.label import Label, LabelError, may_be_target, parse
from bzlgraph.bazel.condition import Condition
from bzlgraph.bazel.conditional import condition_labels, is_conditional, plain_values
from bzlgraph.bazel.model import (
    LABEL_TYPES,
    OUTPUT_TYPES,
    Aspect,
    Attribute,
    AttrType,
    OutputFile,
    Package,
    PackageGroup,
    Rule,
    RuleClass,
    Selector,
    SelectorList,
    SourceFile,
    Target,
)
from bzlgraph.graph.model import DEFAULT_CONDITION, EdgeCondition, EdgeFlag, EdgeSpec, Term

_IMPLICIT, _TOOL, _POSSIBLE = int(EdgeFlag.IMPLICIT), int(EdgeFlag.TOOL), int(EdgeFlag.POSSIBLE)
_KEY, _VISIBILITY, _OUTPUT = int(EdgeFlag.KEY), int(EdgeFlag.VISIBILITY), int(EdgeFlag.OUTPUT)
_NODEP, _ASPECT = int(EdgeFlag.NODEP), int(EdgeFlag.ASPECT)
_NOT_GROUPS = ("__pkg__", "__subpackages__")
UNKNOWN_CLASS = RuleClass("", {}, unknown=True)
"""Of what may be a rule."""
_FILLED_IN = ("$implicit_tests",)
"""Set by Bazel for each rule, but no default: ``--noimplicit_deps`` keeps the tests of a suite that names none."""
_ALL_LABELS = frozenset({Label})
_new = tuple.__new__
Portion = tuple[EdgeSpec, ...]
_NO_LABELS = ("name", "visibility")
"""Attributes that are read from elsewhere in the model or hold no label, whatever they look like."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """How one attribute is read: the name to show, whether its values are labels, its flags, its default."""

    name: str
    labels: bool
    by_looks: bool
    flags: int
    default: Any


@dataclass(frozen=True, slots=True)
class _ClassPlan:
    """What is known of a rule class: ``readings`` of attributes that may give edges, ``unset`` edges of each attribute
    left at its default, the ``aspects`` of an attribute, each with the edges that it adds."""

    readings: dict[str, _Reading]
    unset: dict[str, Portion]
    aspects: dict[str, list[tuple[Aspect, list[EdgeSpec]]]]
    _left: dict[frozenset[str], Portion] = field(default_factory=dict)

    def left_unset(self, values: Mapping[str, Any]) -> Portion:
        """The edges of all attributes that are not among ``values``."""
        written = frozenset(self.unset.keys() & values)
        known = self._left.get(written)
        if known is None:
            left = (specs for name, specs in self.unset.items() if name not in written)
            known = self._left[written] = tuple(each for specs in left for each in specs)
        return known


class EdgeReader:
    """Reads the edges of targets; remembers a plan per rule class. ``class_of`` tells what rules of other packages are:
    ``UNKNOWN_CLASS`` for what may be one, None for what is none."""

    def __init__(self, class_of: Callable[[Label], RuleClass | None] = lambda _: UNKNOWN_CLASS) -> None:
        self._plans: dict[RuleClass, _ClassPlan] = {}
        self._package: Package | None = None
        """The one that is being read."""
        self._shared: dict[tuple[int, int], Portion] = {}
        """The edges of values and selects that its rules may share, by the identity of each, which the package keeps,
        and that of how it is read."""
        self._by_default: tuple[Portion, Portion] = ((), ())
        """The edges that its default visibility gives to files and to rules."""
        self._class_of = class_of

    def read(self, target: Target, package: Package) -> list[EdgeSpec]:
        """The edges of one target, in the order of its attributes; an edge may be listed more than once."""
        return [each for portion in self.portions(target, package) for each in portion]

    def portions(self, target: Target, package: Package) -> list[Sequence[EdgeSpec]]:
        """The same in portions. One that is a tuple is the same object for other targets of the package, too: what is
        made of it need be made once."""
        if package is not self._package:
            self._package, self._shared = package, {}
            flags = (_VISIBILITY, _VISIBILITY | _NODEP | _IMPLICIT)
            of_files, of_rules = (tuple(_visibility_edges(package.default_visibility, package, each)) for each in flags)
            self._by_default = (of_files, of_rules)
        if type(target) is Rule:
            return self._of_rule(target, package)
        if type(target) is SourceFile and target.visibility is None:
            return [self._by_default[0]]
        return [list(_of_file_or_group(target, package))]

    def _of_rule(self, rule: Rule, package: Package) -> list[Sequence[EdgeSpec]]:
        plan = self._plans.get(rule.rule_class) or self._make_plan(rule.rule_class)
        values, brought = rule.values, list[EdgeSpec]()
        own: list[EdgeSpec] = []
        found: list[Sequence[EdgeSpec]] = [own]
        for name, value in values.items():
            reading = plan.readings.get(name)
            if reading is None:
                if not rule.rule_class.unknown or name in _NO_LABELS:
                    continue
                reading = _reading(Attribute(name, AttrType.UNKNOWN), rule.rule_class, written=True)
            if type(value) is SelectorList and not reading.by_looks:
                for part in value.parts if reading.labels else (value,):
                    if is_conditional(part):
                        own = []
                        found += self._of_conditional(part, reading), own
                    else:
                        _read_value(part, reading, (), own, rule, package)
            elif reading.labels or type(value) is Selector:
                _read_value(value, reading, (), own, rule, package)
            if aspects := plan.aspects.get(name):
                specs: list[EdgeSpec] = []
                _read_value(value, reading, (), specs, rule, package)
                brought += self._brought(aspects, specs, package)
        found.append(plan.left_unset(values))
        if brought:
            known = {(each.attribute, each.target) for portion in found for each in portion}
            found.append([each for each in brought if (each.attribute, each.target) not in known])
        if rule.visibility is None:
            found.append(self._by_default[1])
        else:
            found.append(list(_visibility_edges(rule.visibility, package, _VISIBILITY | _NODEP)))
        return found

    def _of_conditional(self, value: Selector | SelectorList, reading: _Reading) -> Portion:
        """The edges of a select, or of a value that holds no labels: rules may share it."""
        key = (id(value), id(reading))
        known = self._shared.get(key)
        if known is None:
            found: list[EdgeSpec] = []
            _read_value(value, reading, (), found, None, None)
            known = self._shared[key] = tuple(dict.fromkeys(found))
        return known

    def _brought(
        self, aspects: Iterable[tuple[Aspect, list[EdgeSpec]]], specs: Iterable[EdgeSpec], package: Package
    ) -> Iterator[EdgeSpec]:
        """What aspects bring to an attribute with these edges."""
        ends = [each.target for each in specs if not each.flags & _KEY]
        for aspect, edges in aspects:
            applied = self._is_applied(aspect, ends, package)
            if applied is not False:
                yield from edges if applied else (each._replace(flags=each.flags | _POSSIBLE) for each in edges)

    def _is_applied(self, aspect: Aspect, ends: Iterable[Label], package: Package) -> bool | None:
        """Whether an aspect is applied to any of these; None where that is not known."""
        home, applied = (package.repo, package.name), set[bool | None]()
        for label in ends:  # as few as needed: each may load a package
            if (label.repo, label.package) != home:
                kind = self._class_of(label)
            else:
                target = package.targets.get(label.name)
                kind = target.rule_class if isinstance(target, Rule) else None
            if kind is not None:
                applied.add(aspect.is_applied_to(kind))
                if True in applied:
                    return True
        return None if None in applied else False

    def _make_plan(self, rule_class: RuleClass) -> _ClassPlan:
        readings: dict[str, _Reading] = {}
        unset: dict[str, Portion] = {}
        aspects: dict[str, list[tuple[Aspect, list[EdgeSpec]]]] = {}
        for attribute in rule_class.attributes.values():
            if attribute.type in OUTPUT_TYPES or attribute.name in _NO_LABELS:
                continue
            written = not attribute.implicit or attribute.name in _FILLED_IN
            readings[attribute.name] = _reading(attribute, rule_class, written=written)
            if attribute.aspects and (brought := _of_aspects(attribute, rule_class)):
                aspects[attribute.name] = brought
            if specs := _of_default(attribute, rule_class):
                unset[attribute.name] = specs
        plan = self._plans[rule_class] = _ClassPlan(readings, unset, aspects)
        return plan


def attribute_labels(rule: Rule, name: str, value: object, package: Package) -> list[Label]:
    """All labels in a value of an attribute, outputs and ``nodep`` labels too: what ``labels(name, rule)`` asks for."""
    attribute = _attribute(rule.rule_class, name)
    if attribute is None:
        return []
    reading = _reading(attribute, rule.rule_class, written=True)
    found: list[EdgeSpec] = []
    _read_value(value, replace(reading, labels=True), (), found, rule, package)
    return list(dict.fromkeys(spec.target for spec in found if not spec.flags & _KEY))


def _attribute(rule_class: RuleClass, name: str) -> Attribute | None:
    unknown = Attribute(name, AttrType.UNKNOWN) if rule_class.unknown else None
    return rule_class.attributes.get(name, unknown)


def holds_dependencies(rule_class: RuleClass, name: str) -> tuple[bool, bool]:
    """Whether labels in the values of an attribute are dependencies; and whether, because the class is not known, texts
    that look like labels are, too (``labels_by_looks``)."""
    attribute = _attribute(rule_class, name)
    if attribute is None or attribute.type in OUTPUT_TYPES or name in _NO_LABELS:
        return False, False
    reading = _reading(attribute, rule_class, written=True)
    return reading.labels, reading.by_looks


def labels_by_looks(rule: Rule, package: Package) -> Callable[[object], list[Label]]:
    """A function from a plain value of a rule of an unknown class to what looks like a dependency in it."""
    return lambda value: list(_labels(value, rule, package))


def written_name(name: str, rule_class: RuleClass | None) -> str:
    """An attribute's name as people write it: Starlark's ``_x`` is ``$x`` or ``:x`` inside Bazel."""
    return f"_{name[1:]}" if name[0] in "$:" and (rule_class is None or rule_class.bzl is not None) else name


def _reading(attribute: Attribute, rule_class: RuleClass | None, *, written: bool) -> _Reading:
    name = written_name(attribute.name, rule_class)
    by_looks = attribute.type is AttrType.UNKNOWN
    written = written and not attribute.nodep
    flags = (0 if written else _IMPLICIT) | (_TOOL if attribute.tool else 0) | (_POSSIBLE if by_looks else 0)
    labels = by_looks or (attribute.type in LABEL_TYPES and not attribute.nodep)
    return _Reading(name, labels, by_looks, flags, attribute.default)


def _of_default(attribute: Attribute, rule_class: RuleClass | None) -> tuple[EdgeSpec, ...]:
    """The edges of an attribute left at its default."""
    found: list[EdgeSpec] = []
    _read_value(attribute.default, _reading(attribute, rule_class, written=False), (), found, None, None)
    return tuple(found)


def _of_aspects(attribute: Attribute, rule_class: RuleClass) -> list[tuple[Aspect, list[EdgeSpec]]]:
    """What each of the aspects of an attribute names by itself, those they require included; without those that name
    nothing: whether they are applied is of no matter, and may depend on other packages."""
    waiting = list(attribute.aspects)
    found: list[tuple[Aspect, list[EdgeSpec]]] = []
    for aspect in waiting:
        if edges := [each for own in aspect.attributes.values() for each in aspect_edges(own, rule_class)]:
            found.append((aspect, edges))
        waiting.extend(each for each in aspect.requires if each not in waiting)
    return found


def aspect_edges(own: Attribute, rule_class: RuleClass) -> list[EdgeSpec]:
    """The edges that an attribute of an aspect gives to whoever applies the aspect."""
    return [each._replace(flags=each.flags | _ASPECT) for each in _of_default(own, rule_class)]


def _read_value(
    value: Any,
    reading: _Reading,
    condition: EdgeCondition,
    found: list[EdgeSpec],
    rule: Rule | None,
    package: Package | None,
) -> None:
    """Append the edges of one attribute's value: every branch of every select, and the conditions."""
    kind = type(value)
    if kind is SelectorList:
        for part in value.parts:
            _read_value(part, reading, condition, found, rule, package)
    elif kind is Selector:
        _read_select(value, reading, condition, found, rule, package)
    elif reading.labels and value:
        name, flags = reading.name, reading.flags
        if condition and any(term.condition.label is None for term in condition):
            flags |= _POSSIBLE
        if kind is not list or not _ALL_LABELS.issuperset(map(type, value)):
            value = _labels(value, rule if reading.by_looks else None, package if reading.by_looks else None)
        # What EdgeSpec(...) does, for half a million in a large tree.
        found += [_new(EdgeSpec, (name, label, condition, flags)) for label in value]


def _read_select(
    selector: Selector,
    reading: _Reading,
    condition: EdgeCondition,
    found: list[EdgeSpec],
    rule: Rule | None,
    package: Package | None,
) -> None:
    again = len({branch.label for branch, _ in selector.branches}) < len(selector.branches)
    for place, (branch, value) in enumerate(selector.branches):
        is_default = branch.label == DEFAULT_CONDITION
        if branch.label is not None and not is_default:
            found.append(EdgeSpec(reading.name, branch.label, condition, reading.flags & ~_POSSIBLE | _KEY))
        if not reading.labels:
            continue
        if value is None:  # "the attribute's default"
            value = reading.default
        if value:
            others = tuple(other for other, _ in selector.branches if other is not branch)
            if again and branch.label is not None:
                others = _others(selector, place)
            _read_value(value, reading, (*condition, Term(branch, others)), found, rule, package)


def _others(selector: Selector, place: int) -> tuple[Condition, ...]:
    """The other keys of a select that has one twice: the later of two excludes the earlier, which it does not know."""
    branch = selector.branches[place][0]
    others = ((at, other) for at, (other, _) in enumerate(selector.branches) if at != place)
    return tuple(other for at, other in others if other != branch or at > place)


def _labels(value: Any, rule: Rule | None, package: Package | None) -> Iterator[Label]:
    """All labels inside a plain value; with ``package``, strings that look like labels too."""
    if type(value) is Label:
        yield value
    elif type(value) is list or type(value) is tuple:
        for item in value:
            if type(item) is Label:
                yield item
            else:
                yield from _labels(item, rule, package)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _labels(key, rule, package)
            yield from _labels(item, rule, package)
    elif is_conditional(value):  # inside a list or dictionary, which only rules of unknown kind accept
        yield from (label for label in condition_labels(value) if label != DEFAULT_CONDITION)
        for plain in plain_values(value):
            yield from _labels(plain, rule, package)
    elif isinstance(value, str) and package is not None:
        label = _label_by_looks(value, package)
        if label is not None and (rule is None or label != rule.label):
            yield label


def _label_by_looks(text: str, package: Package) -> Label | None:
    """A string of an unknown rule is a label if it is written like one, or names a target of its package."""
    if not (may_be_target(text) if text.startswith(("//", "@", ":")) else text in package.targets):
        return None
    try:
        return parse(text, package.repo, package.name)
    except LabelError:
        return None


def _of_file_or_group(target: Target, package: Package) -> Iterator[EdgeSpec]:
    if isinstance(target, PackageGroup):
        for label in target.includes:
            yield EdgeSpec("includes", label)
    elif isinstance(target, OutputFile):
        yield EdgeSpec("", target.rule, (), _OUTPUT)
        rule = package.targets.get(target.rule.name)
        written = rule.visibility if isinstance(rule, Rule) else None
        yield from _visibility_edges(package.default_visibility if written is None else written, package)
    elif isinstance(target, SourceFile):
        written = target.visibility
        yield from _visibility_edges(package.default_visibility if written is None else written, package)


def _visibility_edges(
    visibility: Iterable[Label | str] | None, package: Package, flags: int = _VISIBILITY
) -> Iterator[EdgeSpec]:
    """The package groups a visibility names; public, private, ``__pkg__`` and ``__subpackages__`` are no targets."""
    for item in visibility or ():
        label = item if isinstance(item, Label) else _label_by_looks(item, package)
        if label is not None and label.name not in _NOT_GROUPS and label.package != "visibility":
            yield EdgeSpec("visibility", label, (), flags)
