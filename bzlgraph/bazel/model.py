"""What loading a package gives: targets, their attributes, and selects that stay selects.

package = targets by name; a target is a ``Rule``, ``SourceFile``, ``OutputFile``, ``PackageGroup`` or
``EnvironmentGroup``. Attribute values are plain data, converted when the rule was instantiated (labels resolved, types
checked): ``None``, ``bool``, ``int``, ``str``, ``Label``, ``list``, ``dict`` of these, or a ``SelectorList`` where the
value depends on the configuration. Nothing here can be called and nothing refers to the evaluator: whatever Starlark
functions decide (computed defaults, implicit outputs) is decided while the package is evaluated, by
``rules/computed.py``. So packages can be cached and sent between processes, and whoever reads one runs no code of it.

Bazel's terms: https://bazel.build/concepts/build-ref, https://bazel.build/reference/be/overview
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label
from bzlgraph.base.span import Frame, Location
from bzlgraph.bazel.condition import Condition as Condition
from bzlgraph.bazel.condition import Selector as Selector
from bzlgraph.bazel.condition import SelectorList as SelectorList

if TYPE_CHECKING:
    from bzlgraph.facts import Facts


class AttrType(Enum):
    """Types of attributes; the values are the discriminators of Bazel's ``build.proto`` in lower case."""

    __hash__ = object.__hash__  # each is there once; Enum's own hash, of the name, is written in Python

    BOOLEAN = "boolean"
    DISTRIBUTION_SET = "distribution_set"
    INTEGER = "integer"
    INTEGER_LIST = "integer_list"
    LABEL = "label"
    LABEL_DICT_UNARY = "label_dict_unary"
    LABEL_KEYED_STRING_DICT = "label_keyed_string_dict"
    LABEL_LIST = "label_list"
    LICENSE = "license"
    OUTPUT = "output"
    OUTPUT_LIST = "output_list"
    STRING = "string"
    STRING_DICT = "string_dict"
    STRING_KEYED_LABEL_DICT = "string_keyed_label_dict"
    STRING_LIST = "string_list"
    STRING_LIST_DICT = "string_list_dict"
    TRISTATE = "tristate"
    UNKNOWN = "unknown"  # attribute of a rule whose class is not on disk: labels are recognised by their looks


LABEL_TYPES = frozenset(
    {
        AttrType.LABEL,
        AttrType.LABEL_LIST,
        AttrType.LABEL_DICT_UNARY,
        AttrType.LABEL_KEYED_STRING_DICT,
        AttrType.STRING_KEYED_LABEL_DICT,
    }
)
OUTPUT_TYPES = frozenset({AttrType.OUTPUT, AttrType.OUTPUT_LIST})
LIST_TYPES = frozenset(
    {
        AttrType.LABEL_LIST,
        AttrType.STRING_LIST,
        AttrType.INTEGER_LIST,
        AttrType.OUTPUT_LIST,
        AttrType.LICENSE,
        AttrType.DISTRIBUTION_SET,
    }
)
DICT_TYPES = frozenset(
    {
        AttrType.LABEL_DICT_UNARY,
        AttrType.LABEL_KEYED_STRING_DICT,
        AttrType.STRING_DICT,
        AttrType.STRING_KEYED_LABEL_DICT,
        AttrType.STRING_LIST_DICT,
    }
)


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of a rule class.

    ``default`` is converted like a value; where it is computed from other attributes, each rule has the result among
    its values. ``late_bound`` defaults need the configuration (``:x``, ``config_field``): unknown in loading.
    ``implicit`` attributes (``$x``, ``:x``, ``_x``) cannot be set. ``tool`` is Bazel's host/exec configuration.
    ``sorted`` lists are kept in order of their values, whatever was written.
    """

    name: str
    type: AttrType
    default: Any = None
    mandatory: bool = False
    configurable: bool = True
    nodep: bool = False
    implicit: bool = False
    tool: bool = False
    executable: bool = False
    late_bound: bool = False
    allowed: tuple[Any, ...] = ()
    aspects: tuple[Aspect, ...] = ()
    sorted: bool = False
    location: Location | None = None
    """Where a .bzl file defines it; None for native attributes."""
    host: bool = False
    """A ``tool`` for the machine that builds (``cfg = "host"``), wherever actions run; the same from Bazel 6 on."""
    exec_group: str = ""
    """Whose platform a ``tool`` is built for: that of this group of the rule's actions (``config.exec("group")``)."""
    transition: bool = False
    """Whether a .bzl file gives it a ``cfg`` that changes the configuration: the rule's definition has it."""


UNKNOWN_PROVIDER = ""
"""Stands for a provider of which is not known which one it is."""
_ANY_PROVIDER = frozenset({"alias", "bind", "label_flag", "label_setting"})
"""The native rules that stand for another target, and may provide all that this does."""


@dataclass(slots=True)
class Aspect:
    """An aspect that an attribute applies to its dependencies: its own (implicit) attributes are dependencies as well.

    ``propagates`` are the attributes it follows (``*`` for all); ``requires`` the aspects it needs. It is applied to
    targets that advertise all providers of one of the sets in ``required_providers``, to all where there is none.
    """

    name: str
    attributes: Mapping[str, Attribute]
    propagates: tuple[str, ...] = ()
    requires: tuple[Aspect, ...] = ()
    bzl: Label | None = None
    exec_groups: tuple[ExecGroup, ...] = ()
    required_providers: tuple[tuple[str, ...], ...] = ()

    def is_applied_to(self, rule_class: RuleClass) -> bool | None:
        """Whether targets of a class advertise what it requires; None where that is not known."""
        wanted, provided = self.required_providers, set(rule_class.provides)
        if not wanted or rule_class.any_provider or any(provided - {UNKNOWN_PROVIDER} >= set(each) for each in wanted):
            return True
        if rule_class.unknown or UNKNOWN_PROVIDER in provided.union(*wanted):
            return None
        return False


class BuildSettingKind(NamedTuple):
    """What makes a rule a build setting: ``config.string(flag = True)``. ``multiple``: each use adds a value."""

    kind: str
    flag: bool = False
    multiple: bool = False


class ToolchainNeed(NamedTuple):
    """A toolchain type that a rule asks for; one that is not ``mandatory`` may go without a toolchain."""

    type: Label
    mandatory: bool = True


@dataclass(frozen=True, slots=True)
class ExecGroup:
    """What actions of a rule are run with: toolchains of these types, on a platform with these ``constraints``.

    ``name`` is "" for the actions that name no group. ``unknown``: it may ask for more than is known.
    """

    name: str
    toolchains: tuple[ToolchainNeed, ...] = ()
    constraints: tuple[Label, ...] = ()
    unknown: bool = False


@dataclass(slots=True, eq=False)
class RuleClass:
    """A kind of rule: native, made by ``rule()`` in a .bzl file (``bzl`` says which), or unknown.

    ``stack`` is the call of ``rule()``, innermost frame first. ``transition``: it has a ``cfg`` that changes the
    configuration of its targets, which stands in the .bzl file. Two classes are the same when they are one object, so
    that what is known of a class can be kept by it.
    """

    name: str
    attributes: Mapping[str, Attribute]
    bzl: Label | None = None
    test: bool = False
    executable: bool = False
    unknown: bool = False
    build_setting: BuildSettingKind | None = None
    output_to_genfiles: bool = False
    stack: tuple[Frame, ...] = ()
    exec_groups: tuple[ExecGroup, ...] = ()
    toolchain_transition: bool = False
    """``incompatible_use_toolchain_transition``: its toolchains are looked at in the configuration of the target."""
    transition: bool = False
    provides: tuple[str, ...] = ()
    """The providers that its targets are said to have."""

    def defined_at(self, attribute: str) -> Location | None:
        """Where an attribute is defined, by the name that edges have: ``_x`` stands for ``$x`` and ``:x``, too. None
        for native ones."""
        spellings = (attribute, f"${attribute[1:]}", f":{attribute[1:]}")
        found = next((self.attributes[each] for each in spellings if each in self.attributes), None)
        return found.location if found is not None else None

    @property
    def native(self) -> bool:
        """Built into Bazel."""
        return self.bzl is None and not self.unknown

    @property
    def any_provider(self) -> bool:
        """Whether its targets have the providers of another target, whatever these are."""
        return self.native and self.name in _ANY_PROVIDER


class Generator(NamedTuple):
    """The outermost macro call that made a rule: Bazel's generator_name, generator_function, generator_location."""

    name: str
    function: str
    location: Location

    def words(self, facts: Facts) -> tuple[str, str, str]:
        """The three, as this Bazel writes them: old ones give no column."""
        place = str(self.location) if facts.generator_location_has_column else self.location.short
        return self.name, self.function, place


GENERATOR = ("generator_name", "generator_function", "generator_location")
"""The attributes that say which macro call made a rule."""


@cache
def _inside(rules: tuple[str, ...]) -> dict[str, str]:
    """Native rule -> the macro inside Bazel that people call for it, of ``Facts.rules_inside_macros``."""
    return dict(each.split("=") for each in rules)


@dataclass(slots=True)
class Rule:
    """An instance of a rule class.

    ``values`` holds the attributes that were set (or computed) explicitly; ``get`` adds the class's defaults.
    ``stack`` is the call stack of the instantiation, innermost frame first, the last one is the BUILD file.
    ``macros`` are the symbolic macros it was made in, outermost first.
    """

    label: Label
    rule_class: RuleClass
    values: Mapping[str, Any]
    stack: tuple[Frame, ...]
    outputs: tuple[Label, ...] = ()
    generator: Generator | None = None
    visibility: tuple[Label | str, ...] | None = None
    macros: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """``cc_library rule``"""
        return f"{self.rule_class.name} rule"

    @property
    def location(self) -> Location:
        """Where the outermost call stands in the BUILD file (Bazel's location of the rule)."""
        return self.stack[-1].location

    def made_by(self, facts: Facts) -> Generator | None:
        """The macro call that made it: of a .bzl file, or of a macro inside this Bazel."""
        inside = _inside(facts.rules_inside_macros).get(self.rule_class.name) if self.rule_class.native else None
        if self.generator is None and inside is not None:
            return Generator(self.label.name, inside, self.location)
        return self.generator

    def generator_words(self, facts: Facts) -> tuple[str, ...]:
        """The values of ``GENERATOR``; what is written on the rule counts before the macro call that made it."""
        made = self.made_by(facts)
        words = made.words(facts) if made is not None else ("", "", "")
        return tuple([self.values.get(name, word) for name, word in zip(GENERATOR, words, strict=True)])

    def get(self, name: str) -> Any:
        """The value of an attribute, the class's default when it was not set (None for an unknown attribute)."""
        if name in self.values:
            return self.values[name]
        attribute = self.rule_class.attributes.get(name)
        return attribute.default if attribute is not None else None

    @property
    def runs(self) -> bool:
        """Whether ``bazel run`` takes it, as ``$is_executable`` says, which may follow other attributes
        (``genrule(executable = True)``)."""
        if "$is_executable" in self.rule_class.attributes:
            return bool(self.get("$is_executable"))
        return self.rule_class.executable


@dataclass(slots=True)
class SourceFile:
    """A file that a rule or exports_files names, or the BUILD file itself."""

    label: Label
    location: Location
    visibility: tuple[Label | str, ...] | None = None
    kind: str = "source file"


@dataclass(slots=True)
class OutputFile:
    """A file that ``rule`` declares as output (through ``attribute``; "" for implicit outputs)."""

    label: Label
    rule: Label
    location: Location
    attribute: str = ""
    kind: str = "generated file"


@dataclass(slots=True)
class PackageGroup:
    """``package_group``: package specifications as text, includes as labels."""

    label: Label
    packages: tuple[str, ...]
    includes: tuple[Label, ...]
    location: Location
    kind: str = "package group"


@dataclass(slots=True)
class EnvironmentGroup:
    """``environment_group``: names of rules that depend on nothing and are visible to nobody."""

    label: Label
    environments: tuple[Label, ...]
    defaults: tuple[Label, ...]
    location: Location
    kind: str = "environment group"


Target = Rule | SourceFile | OutputFile | PackageGroup | EnvironmentGroup


PRIVATE = Label("", "visibility", "private")


@dataclass(slots=True)
class Package:
    """One package. ``broken`` packages keep the targets made before the error.

    ``bzl_files`` are the .bzl files it loads, directly or not, in first-load order; ``prelude_files`` others that it
    depends on: the prelude of its repository, and what that loads.
    """

    repo: str
    name: str
    build_file: Label
    targets: MutableMapping[str, Target] = field(default_factory=dict)
    default_visibility: tuple[Label | str, ...] = (PRIVATE,)
    defaults: dict[str, Any] = field(default_factory=dict)
    bzl_files: tuple[Label, ...] = ()
    diagnostics: list[Diagnostic] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    broken: bool = False
    hiding: list[Gap] = field(default_factory=list)
    """Gaps that touch nothing that is declared here, only labels that are not."""
    prelude_files: tuple[Label, ...] = ()

    @property
    def files_read(self) -> tuple[Label, ...]:
        """The files that were evaluated for it."""
        return (self.build_file, *self.bzl_files, *self.prelude_files)

    def rules(self) -> Iterator[Rule]:
        """The rules in the order they were made."""
        return (target for target in self.targets.values() if type(target) is Rule)
