"""One target -> its edges, as Bazel's query graph has them.

Rules
- The *type* of an attribute decides: every label type gives edges; ``nodep`` attributes and outputs give none.
- A ``select()`` gives the labels of all its branches, each under its condition, and the conditions themselves (KEY),
  also when the attribute holds strings. A branch that is None stands for the attribute's default.
- What nobody wrote on the rule is IMPLICIT: Bazel's ``--noimplicit_deps`` drops every attribute not set explicitly.
- A rule depends on the package groups of a visibility written on it; a file also on those of its package's default.
- A generated file depends on its rule and nothing else but visibility.
- Rules of an unknown class: whatever looks like a label is an edge, and POSSIBLE.

Mirrors AggregatingAttributeMapper.visitLabels and LabelVisitationUtils of Bazel's source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bzlgraph.base.label import Label, LabelError, parse
from bzlgraph.bazel.model import (
    LABEL_TYPES,
    OUTPUT_TYPES,
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
_NOT_GROUPS = ("__pkg__", "__subpackages__")
_FILLED_IN = ("$implicit_tests",)
"""Set by Bazel for each rule, but no default: ``--noimplicit_deps`` keeps the tests of a suite that names none."""
_NO_LABELS = ("name", "visibility")
"""Attributes that are read from elsewhere in the model or hold no label, whatever they look like."""


_Unset = tuple[tuple[tuple[str, tuple[EdgeSpec, ...]], ...], tuple[Attribute, ...]]


class EdgeReader:
    """Reads the edges of targets; remembers per rule class what its defaults give."""

    def __init__(self) -> None:
        self._unset: dict[int, tuple[RuleClass, _Unset]] = {}

    def read(self, target: Target, package: Package) -> Iterator[EdgeSpec]:
        """The edges of one target, each once, in the order of the attributes."""
        if isinstance(target, Rule):
            return iter(dict.fromkeys(self._of_rule(target, package)))
        return iter(dict.fromkeys(_of_file_or_group(target, package)))

    def _of_rule(self, rule: Rule, package: Package) -> Iterator[EdgeSpec]:
        attributes, unknown = rule.rule_class.attributes, rule.rule_class.unknown
        for name, value in rule.values.items():
            if value is None or name in _NO_LABELS or value == []:
                continue
            attribute = attributes.get(name)
            if attribute is None:
                if unknown:
                    attribute = Attribute(name, AttrType.UNKNOWN)
                else:
                    continue
            flags = _flags_of(attribute, written=not attribute.implicit or name in _FILLED_IN)
            yield from _of_value(attribute, value, flags, rule.rule_class, rule, package)
            yield from _of_aspects(attribute)
        constant, computed = self._when_unset(rule.rule_class)
        for name, specs in constant:
            if name not in rule.values:
                yield from specs
        for attribute in computed:
            if attribute.name not in rule.values:
                yield from _of_computed_default(attribute, rule, package)
        yield from _visibility_edges(rule.visibility, package)

    def _when_unset(self, rule_class: RuleClass) -> _Unset:
        """What attributes give that a rule leaves unset: edges (the same for every rule of the class), or computed."""
        known = self._unset.get(id(rule_class))
        if known is None:
            constant, computed = [], []
            for attribute in rule_class.attributes.values():
                if attribute.computed is not None and attribute.type in LABEL_TYPES:
                    computed.append(attribute)
                elif attribute.default and attribute.name not in _NO_LABELS:
                    flags = _flags_of(attribute, written=False)
                    specs = tuple(_of_value(attribute, attribute.default, flags, rule_class, None, None))
                    if specs:
                        constant.append((attribute.name, specs))
            known = self._unset[id(rule_class)] = (rule_class, (tuple(constant), tuple(computed)))
        return known[1]


def attribute_labels(rule: Rule, name: str, package: Package) -> list[Label]:
    """All labels an attribute may hold, outputs and ``nodep`` labels too: what ``labels(name, rule)`` asks for."""
    attribute = rule.rule_class.attributes.get(name)
    if attribute is None and rule.rule_class.unknown:
        attribute = Attribute(name, AttrType.UNKNOWN)
    if attribute is None:
        return []
    parts = _parts(rule.get(name), attribute.default, ())
    values = (value for value, _, _ in parts if not isinstance(value, Term))
    return list(dict.fromkeys(label for value in values for label in _labels(value, attribute, rule, package)))


def _flags_of(attribute: Attribute, *, written: bool) -> int:
    return (0 if written else _IMPLICIT) | (_TOOL if attribute.tool else 0)


def _as_written(attribute: Attribute, rule_class: RuleClass | None) -> str:
    """The name people write: Starlark's ``_x`` is ``$x`` or ``:x`` inside Bazel."""
    if attribute.name[0] in "$:" and (rule_class is None or rule_class.bzl is not None):
        return f"_{attribute.name[1:]}"
    return attribute.name


def _of_value(
    attribute: Attribute,
    value: Any,
    flags: int,
    rule_class: RuleClass | None,
    rule: Rule | None,
    package: Package | None,
) -> Iterator[EdgeSpec]:
    """The edges of one attribute: every branch of every select, and the conditions."""
    if attribute.nodep or attribute.type in OUTPUT_TYPES:
        return
    holds_labels = attribute.type in LABEL_TYPES or attribute.type is AttrType.UNKNOWN
    if not holds_labels and not isinstance(value, SelectorList):
        return
    name = _as_written(attribute, rule_class)
    for part, condition, possible in _parts(value, attribute.default, ()):
        if isinstance(part, Term):
            if part.condition.label is not None and not part.is_default:
                yield EdgeSpec(name, part.condition.label, condition, flags | _KEY)
        elif holds_labels:
            extra = flags | (_POSSIBLE if possible or attribute.type is AttrType.UNKNOWN else 0)
            for label in _labels(part, attribute, rule, package):
                yield EdgeSpec(name, label, condition, extra)


def _parts(value: Any, default: Any, condition: EdgeCondition) -> Iterator[tuple[Any, EdgeCondition, bool]]:
    """(plain value or Term, its condition, whether that condition is an unknown call), selects unfolded."""
    if isinstance(value, SelectorList):
        for part in value.parts:
            yield from _parts(part, default, condition)
    elif isinstance(value, Selector):
        conditions = tuple(branch_condition for branch_condition, _ in value.branches)
        for branch_condition, branch_value in value.branches:
            is_default = branch_condition.label == DEFAULT_CONDITION
            others = tuple(c for c in conditions if c is not branch_condition) if is_default else ()
            term = Term(branch_condition, others)
            yield term, condition, False
            # None means "the attribute's default", which itself may be anything but another None.
            yield from _parts(default if branch_value is None else branch_value, None, (*condition, term))
    elif value is not None:
        yield value, condition, any(term.condition.label is None for term in condition)


def _labels(value: Any, attribute: Attribute, rule: Rule | None, package: Package | None) -> Iterator[Label]:
    """All labels inside a plain value."""
    if isinstance(value, Label):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _labels(item, attribute, rule, package)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _labels(key, attribute, rule, package)
            yield from _labels(item, attribute, rule, package)
    elif isinstance(value, str) and attribute.type is AttrType.UNKNOWN and package is not None:
        label = _label_by_looks(value, package)
        if label is not None and (rule is None or label != rule.label):
            yield label


def _label_by_looks(text: str, package: Package) -> Label | None:
    """A string of an unknown rule is a label if it is written like one, or names a target of its package."""
    if not text.startswith(("//", "@", ":")) and text not in package.targets:
        return None
    try:
        return parse(text, package.repo, package.name)
    except LabelError:
        return None


def _of_computed_default(attribute: Attribute, rule: Rule, package: Package) -> Iterator[EdgeSpec]:
    """A default computed from other attributes and not stored with the rule's values."""
    value = attribute.computed(rule) if attribute.computed is not None else None
    if value is not None:
        yield from _of_value(attribute, value, _flags_of(attribute, written=False), rule.rule_class, rule, package)


def _of_aspects(attribute: Attribute) -> Iterator[EdgeSpec]:
    """A rule whose attribute applies an aspect depends on what the aspect's own attributes name."""
    waiting = list(attribute.aspects)
    for aspect in waiting:
        for own in aspect.attributes.values():
            if own.default is not None:
                yield from _of_value(own, own.default, _flags_of(own, written=False), None, None, None)
        waiting.extend(each for each in aspect.requires if each not in waiting)


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


def _visibility_edges(visibility: Iterable[Label | str] | None, package: Package) -> Iterator[EdgeSpec]:
    """The package groups a visibility names; public, private, ``__pkg__`` and ``__subpackages__`` are no targets."""
    for item in visibility or ():
        label = item if isinstance(item, Label) else _label_by_looks(item, package)
        if label is not None and label.name not in _NOT_GROUPS and label.package != "visibility":
            yield EdgeSpec("visibility", label, (), _VISIBILITY)
