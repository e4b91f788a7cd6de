"""A rule of the model -> the attributes that Bazel prints, in Bazel's order.

What Bazel prints but the model keeps in another form is derived here, and only here: the effective visibility, the
attributes generator_* and $config_dependencies, and attributes that only other Bazel versions have (``foreign``: they
are shown when somebody wrote them). Mirrors ``Rule.getAttributes`` and ``isAttributeValueExplicitlySpecified``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import alternatives, condition_labels, is_conditional, parts, plain_values, sums
from bzlgraph.bazel.model import DICT_TYPES, GENERATOR, LIST_TYPES, Attribute, AttrType, Package, Rule, RuleClass
from bzlgraph.facts import Facts
from bzlgraph.graph.model import DEFAULT_CONDITION

CONFIG_DEPENDENCIES = "$config_dependencies"
_ALWAYS_EXPLICIT = ("$implicit_tests", "$deps_analyzed_by_graph_structure_aspect")
_NODEP_STRINGS = ("visibility", "transitive_configs")
_STRINGS = (AttrType.STRING, AttrType.STRING_LIST)
"""The types that hold labels without depending on them."""
_NOTHING_BY_DEFAULT = (AttrType.LICENSE, AttrType.DISTRIBUTION_SET)
_UNSET = object()


@dataclass(frozen=True, slots=True)
class ShownAttribute:
    """An attribute with its value. ``explicit``: somebody wrote it; ``nodep``: its labels are no dependencies, None
    where Bazel does not say."""

    name: str
    type: AttrType
    value: Any
    explicit: bool
    nodep: bool | None = False

    @property
    def possible(self) -> list[Any]:
        """Its ``possible_values``. Labels that Bazel does not say it of are of a type that is joined as text is."""
        return possible_values(self.value, AttrType.STRING_LIST if self.nodep is None else self.type)


class AttributeReader:
    """Reads rules as one Bazel version shows them; remembers what is known of a rule class."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._foreign: dict[str, frozenset[str]] = {}
        self._orders: dict[RuleClass, tuple[str, ...]] = {}

    def read(self, rule: Rule, package: Package) -> Iterator[ShownAttribute]:
        """All attributes of a rule, those that are not set included; what aspects bring is in ``brought``."""
        foreign = self._foreign_names(rule.rule_class)
        derived = self._derived(rule, package)
        declared = rule.rule_class.attributes
        if "name" not in declared:
            yield ShownAttribute("name", AttrType.STRING, rule.label.name, True)
        for name in self._order(rule.rule_class):
            attribute = declared[name]
            if name in derived:
                yield derived.pop(name)
            elif name in rule.values or name not in foreign:
                yield _shown(rule, attribute, self.facts)
        for name, value in rule.values.items():
            if name not in declared and name != "name" and name not in derived:  # a rule whose class is not on disk
                yield ShownAttribute(name, _type_by_looks(value), value, True)
        for name in (*GENERATOR, "visibility"):
            if name in derived and (rule.rule_class.unknown or derived[name].explicit):
                yield derived[name]

    def explicit(self, rule: Rule, package: Package) -> Iterator[ShownAttribute]:
        """Those that somebody wrote, the name and what tells of a macro aside: without looking at all others."""
        declared = rule.rule_class.attributes
        for name, value in rule.values.items():
            attribute = declared.get(name)
            if name in ("name", "visibility"):
                continue
            if attribute is None:  # a rule whose class is not on disk
                yield ShownAttribute(name, _type_by_looks(value), value, True)
            elif (shown := _shown(rule, attribute, self.facts)).explicit:
                yield shown
        visibility, written = self._visibility(rule, package)
        if written:
            yield ShownAttribute("visibility", AttrType.STRING_LIST, visibility, True, nodep=True)

    def _order(self, rule_class: RuleClass) -> Iterable[str]:
        """The declared attributes as Bazel lists them."""
        declared = rule_class.attributes
        if not rule_class.native:
            return declared
        found = self._orders.get(rule_class)
        if found is None:
            known = [name for name in self.facts.attribute_order(rule_class.name) if name in declared]
            found = self._orders[rule_class] = tuple(dict.fromkeys([*known, *declared]))
        return found

    def _foreign_names(self, rule_class: RuleClass) -> frozenset[str]:
        if not rule_class.native:
            return frozenset()
        found = self._foreign.get(rule_class.name)
        if found is None:
            fact = self.facts.rule(rule_class.name)
            names = (each.name for each in fact.attributes if each.foreign) if fact is not None else ()
            found = self._foreign[rule_class.name] = frozenset(names)
        return found

    def _derived(self, rule: Rule, package: Package) -> dict[str, ShownAttribute]:
        """The attributes that are not read from the values of a rule."""
        string, texts = AttrType.STRING, AttrType.STRING_LIST
        order = self._order(rule.rule_class)
        keys = _condition_labels(rule.values[name] for name in order if name in rule.values)
        named = rule.made_by(self.facts) is not None or GENERATOR[0] in rule.values
        words = rule.generator_words(self.facts)
        return {
            CONFIG_DEPENDENCIES: ShownAttribute(CONFIG_DEPENDENCIES, AttrType.LABEL_LIST, keys, False),
            **{name: ShownAttribute(name, string, word, named) for name, word in zip(GENERATOR, words, strict=True)},
            "visibility": ShownAttribute("visibility", texts, *self._visibility(rule, package), nodep=True),
        }

    def _visibility(self, rule: Rule, package: Package) -> tuple[list[Label | str], bool]:
        """The visibility, and whether it is written; loading has opened config_settings as this Bazel does."""
        return effective_visibility(rule.visibility, package), "visibility" in rule.values


def effective_visibility(written: tuple[Label | str, ...] | None, package: Package) -> list[Label | str]:
    """What is written on the target, else the package's default, else private."""
    if written is not None:
        return list(written)
    return list(package.default_visibility)


def _shown(rule: Rule, attribute: Attribute, facts: Facts) -> ShownAttribute:
    name = attribute.name
    value = rule.values.get(name, _UNSET)
    explicit = value is not _UNSET and (not attribute.implicit or name in _ALWAYS_EXPLICIT)
    if value is _UNSET:
        value = attribute.default
    if value is None and attribute.mandatory and attribute.type is AttrType.STRING:
        value = ""  # what its type has by default: nobody gave a mandatory attribute another
    if not explicit and value == []:
        value = None if attribute.type in _NOTHING_BY_DEFAULT else value
    nodep: bool | None = attribute.type in _STRINGS and (attribute.nodep or name in _NODEP_STRINGS)
    if facts.genquery_scope_own_type and name == "scope" and rule.rule_class.name == "genquery":
        nodep = None
    return ShownAttribute(name, attribute.type, value, explicit, nodep)


def _condition_labels(values: Iterable[Any]) -> list[Label]:
    """The conditions of all selects in order, each once, ``//conditions:default`` aside."""
    seen: dict[Label, None] = {}
    for value in values:
        seen.update(dict.fromkeys(condition_labels(value)))
    seen.pop(DEFAULT_CONDITION, None)
    return list(seen)


def _type_by_looks(value: object) -> AttrType:
    """The type of an attribute that no rule class declares: that of all its values, else text."""
    found = {_looks(plain) for plain in plain_values(value) if plain is not None}
    return found.pop() if len(found) == 1 else AttrType.STRING


def _looks(value: object) -> AttrType:
    if isinstance(value, int) and not -(2**31) <= value < 2**31:
        return AttrType.STRING  # Bazel's integers have 32 bits
    return next((shown for kind, shown in _BY_LOOKS.items() if isinstance(value, kind)), AttrType.STRING)


_BY_LOOKS: dict[type, AttrType] = {
    bool: AttrType.BOOLEAN,
    int: AttrType.INTEGER,
    Label: AttrType.LABEL,
    list: AttrType.STRING_LIST,
    tuple: AttrType.STRING_LIST,
    dict: AttrType.STRING_DICT,
}


PLAIN_LISTS = LIST_TYPES - {AttrType.LICENSE}
"""Licenses are printed as a message of their own."""
_SCALARS = {AttrType.BOOLEAN: False, AttrType.INTEGER: 0, AttrType.TRISTATE: -1, AttrType.STRING: ""}
MAX_COMBINATIONS = 64
"""Two are enough to say "it depends"."""


def type_default(kind: AttrType) -> Any:
    """What a branch that is None stands for where Bazel prints it: the default of the type, not of the attribute."""
    if kind in PLAIN_LISTS:
        return []
    return {} if kind in DICT_TYPES else _SCALARS.get(kind)


def possible_values(value: Any, kind: AttrType) -> list[Any]:
    """The values an attribute may have; one when it does not depend on the configuration.

    >>> from bzlgraph.base.label import parse
    >>> from bzlgraph.bazel.model import Condition, Selector, SelectorList
    >>> fast = Condition(parse("//:fast", "", ""))
    >>> value = SelectorList((["a"], Selector(((fast, ["b"]), (fast, ["a"])))))
    >>> possible_values(value, AttrType.STRING_LIST)
    [['a', 'b', 'a']]
    >>> chosen = Selector(((fast, {"k": "1"}), (Condition(DEFAULT_CONDITION), {"k": "2"})))
    >>> possible_values(SelectorList((chosen, {})), AttrType.STRING_DICT)
    [{'k': '2'}, {'k': '1'}]

    Rules: lists are joined, each label once; of dictionaries and single values each possible one is listed,
    concatenated in all combinations. Mirrors ``PossibleAttributeValues.forRuleAndAttribute``. Dictionaries can be added
    up since Bazel 6, which visits the branches of a sum from the last to the first.
    """
    if not is_conditional(value):
        return [value]
    if kind in PLAIN_LISTS:
        items = [item for plain in plain_values(value) if isinstance(plain, list | tuple) for item in plain]
        return [list(dict.fromkeys(items)) if kind is AttrType.LABEL_LIST else items]
    if kind in DICT_TYPES and len(parts(value)) > 1:
        return list(sums(value, MAX_COMBINATIONS))
    found = alternatives(value, type_default(kind), MAX_COMBINATIONS)
    return [each for each in found if each is not None]  # the default of a label is nothing at all
