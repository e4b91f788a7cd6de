"""``attr.*``: descriptions of attributes, for rules, aspects, repository rules, tag classes and symbolic macros.

``attr.label(default = "//x", mandatory = True, ...)`` -> ``AttrValue``; ``AttrValue.attribute("_x")`` ->
``model.Attribute`` under Bazel's own name (``$x``, or ``:x`` for a default that needs the configuration). Defaults
are converted here: label strings resolve against the .bzl file that calls ``attr.label``. Arguments of every Bazel
since 0.17 are accepted.
Rules: https://bazel.build/rules/lib/toplevel/attr
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any, ClassVar, NamedTuple

from bzlgraph.base.label import parse
from bzlgraph.base.span import Location
from bzlgraph.bazel.context.contexts import Context
from bzlgraph.bazel.context.scope import facts, file_context, in_stand_in, resolve
from bzlgraph.bazel.model import LABEL_TYPES, OUTPUT_TYPES, Attribute, AttrType
from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.targets.computed import ComputedDefault
from bzlgraph.bazel.values.analysis_stubs import Inert
from bzlgraph.bazel.values.arguments import check_elements
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.bazel.values.provider import check_providers
from bzlgraph.bazel.values.select import SelectValue
from bzlgraph.bazel.values.versioned import versioned_builtin
from bzlgraph.facts import AttributeFact
from bzlgraph.facts.native import EXEC, EXECUTABLE, FIXED, MANDATORY, NODEP, SORTED, TOOL
from bzlgraph.starlark.builtin import Builtin, builtin
from bzlgraph.starlark.checks import INT32, wrong_type
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.lib.struct import Namespace
from bzlgraph.starlark.printing import to_repr, to_str
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import type_name

IDENTIFIER = re.compile(r"[^\W\d]\w*", re.ASCII)
Converter = Callable[[object, Context], object]
"""(value, context) -> what the model stores."""


class _Kind(NamedTuple):
    """One ``attr.*`` function: the type it gives, the default of that type."""

    type: AttrType
    empty: Callable[[], object]


KINDS: dict[str, _Kind] = {
    "bool": _Kind(AttrType.BOOLEAN, bool),
    "int": _Kind(AttrType.INTEGER, int),
    "int_list": _Kind(AttrType.INTEGER_LIST, list),
    "label": _Kind(AttrType.LABEL, lambda: None),
    "label_keyed_string_dict": _Kind(AttrType.LABEL_KEYED_STRING_DICT, dict),
    "label_list": _Kind(AttrType.LABEL_LIST, list),
    "label_list_dict": _Kind(AttrType.UNKNOWN, dict),
    "license": _Kind(AttrType.LICENSE, list),
    "output": _Kind(AttrType.OUTPUT, lambda: None),
    "output_list": _Kind(AttrType.OUTPUT_LIST, list),
    "string": _Kind(AttrType.STRING, str),
    "string_dict": _Kind(AttrType.STRING_DICT, dict),
    "string_keyed_label_dict": _Kind(AttrType.STRING_KEYED_LABEL_DICT, dict),
    "string_list": _Kind(AttrType.STRING_LIST, list),
    "string_list_dict": _Kind(AttrType.STRING_LIST_DICT, dict),
}
TOOL_CONFIGURATIONS = ("host", "exec")


@dataclass(slots=True, eq=False)
class AttrValue(Value):
    """What an ``attr.*`` call gives: everything about an attribute but its name."""

    type_name: ClassVar[str] = "Attribute"
    kind_name: str
    arguments: dict[str, object]
    default: object
    late_bound: bool
    location: Location | None = None

    def hashable(self) -> bool:
        return False

    def to_repr(self) -> str:
        return f"<attr.{self.kind_name}>"

    @property
    def type(self) -> AttrType:
        """The attribute's type."""
        return KINDS[self.kind_name].type

    @property
    def mandatory(self) -> bool:
        """Whether a value must be given."""
        return bool(self.arguments.get("mandatory", False))

    @property
    def configurable(self) -> bool:
        """Whether a select() may be given; outputs never are."""
        written = self.arguments.get("configurable", True)
        return written is not False and self.type not in OUTPUT_TYPES

    @property
    def computed(self) -> ComputedDefault | None:
        """The default, where it is a function of other attributes."""
        return self.default if isinstance(self.default, ComputedDefault) else None

    def attribute(self, name: str) -> Attribute:
        """The attribute under its name; ``_x`` is Bazel's ``$x`` or, late-bound, ``:x``."""
        private = name.startswith("_")
        given = self.arguments
        return Attribute(
            native_name(name, self.late_bound),
            self.type,
            default=KINDS[self.kind_name].empty() if self.computed is not None else self.default,
            mandatory=self.mandatory,
            configurable=self.configurable,
            implicit=private,
            tool=_is_tool(given.get("cfg")),
            host=given.get("cfg") == "host",
            exec_group=getattr(given.get("cfg"), "exec_group", ""),
            executable=bool(given.get("executable", False)),
            late_bound=self.late_bound,
            allowed=_allowed(given.get("values")),
            aspects=_aspects(given.get("aspects")),
            location=self.location,
            transition=changes_configuration(given.get("cfg")),
        )


def attribute_of(fact: AttributeFact) -> Attribute:
    """An attribute that the tables of facts have, where labels are text."""
    kind, default = AttrType(fact.type.lower()), fact.default
    if kind in LABEL_TYPES and isinstance(default, list):
        default = [parse(item, "", "") for item in default]
    elif kind in LABEL_TYPES and default:
        default = parse(str(default), "", "")
    return Attribute(
        fact.name,
        kind,
        default=default,
        mandatory=bool(fact.flags & MANDATORY),
        configurable=not fact.flags & FIXED,
        nodep=bool(fact.flags & NODEP),
        implicit=fact.name[0] in "$:",
        tool=bool(fact.flags & TOOL),
        host=fact.flags & (TOOL | EXEC) == TOOL,
        executable=bool(fact.flags & EXECUTABLE),
        late_bound=fact.name[0] == ":",
        sorted=bool(fact.flags & SORTED),
        allowed=fact.allowed,
    )


@dataclass(slots=True, eq=False)
class ConfigurationField(Value):
    """``configuration_field(fragment, name)``: a default that the configuration decides; it starts as ``default``."""

    type_name: ClassVar[str] = "LateBoundDefault"
    default: object


def native_name(name: str, late_bound: bool = False) -> str:
    """Bazel's internal name of an attribute: private ones begin with ``$`` or ``:``.

    >>> native_name("_swig"), native_name("_cc", late_bound=True), native_name("srcs")
    ('$swig', ':cc', 'srcs')
    """
    return f"{':' if late_bound else '$'}{name[1:]}" if name.startswith("_") else name


class AttrModule(Namespace):
    """The global ``attr``."""

    __slots__ = ()
    type_name: ClassVar[str] = "attr"

    def hashable(self) -> bool:
        return False


def _function(name: str) -> Builtin:
    def make(**kwargs: object) -> AttrValue:
        check_elements(kwargs.get("aspects"), "aspects", "Aspect")
        check_providers(kwargs.get("providers"), "providers")
        for parameter, words in _OF_STRINGS.items():
            check_elements(kwargs.get(parameter), words, "string")
        _check_deprecated(kwargs)
        _check_use(kwargs)
        default, late_bound = _default(name, kwargs.get("default"))
        return AttrValue(name, kwargs, default, late_bound, current_thread().innermost_location())

    by_name = versioned_builtin(f"attr.{name}")(make)
    if KINDS[name].empty not in (list, dict) or name == "license":
        return by_name

    def make_of_many(allow_empty: object = ..., **kwargs: object) -> object:
        """All but ``allow_empty`` are given by name."""
        return by_name(**kwargs) if allow_empty is ... else by_name(allow_empty=allow_empty, **kwargs)

    return builtin(name)(make_of_many)


_OF_STRINGS = {
    "allow_files": "allow_files argument",
    "allow_rules": "allowed rule classes for attribute definition",
    "flags": "flags",
}
"""Parameters that take lists of strings -> what Bazel calls them."""
_DEPRECATED = {"single_file": "allow_single_file", "non_empty": "allow_empty"}
"""Parameters that said something before Bazel 0.27 -> those that say it now."""


def _check_deprecated(given: Mapping[str, object]) -> None:
    """Refuse parameters that this Bazel knows and takes no more: EvalError."""
    for old, new in _DEPRECATED.items():
        if given.get(old) is True and not (facts().deprecated_attr_params or in_stand_in()):
            raise EvalError(f"parameter '{old}' is not accepted since Bazel 0.27", f"use '{new}'")


def _check_use(given: Mapping[str, object]) -> None:
    """Refuse arguments of a label that do not go together, and configurations that nobody knows: EvalError."""
    cfg, single = given.get("cfg"), given.get("allow_single_file")
    known = facts().attribute_cfg.split()
    if isinstance(cfg, int | str | list | tuple) and cfg not in known and not in_stand_in():
        names = ", ".join(f"'{name}'" for name in known)
        raise EvalError(f"cfg must be {names} or a transition made by exec() or transition()")
    if given.get("executable") is True and cfg is None and not facts().tolerant:  # once it was optional
        raise EvalError("cfg parameter is mandatory when executable=True is provided")
    if single is not None and given.get("allow_files") is not None:
        raise EvalError("Cannot specify both allow_files and allow_single_file")
    if isinstance(single, int | str) and not isinstance(single, bool):
        raise EvalError("allow_single_file should be a boolean or a string list")


def attr_module(absent: Container[str]) -> AttrModule:
    """``attr`` with its functions, without those that are absent."""
    return AttrModule({name: _function(name) for name in KINDS if name not in absent})


def _default(name: str, value: object) -> tuple[object, bool]:
    """The converted default of an attribute, and whether the configuration decides it."""
    kind = KINDS[name]
    if isinstance(value, SelectValue) and value.uncertain():
        value = value.known_entries() or list(value.iterate()) or None
    if value is None or isinstance(value, Uncertain | SelectValue):
        return kind.empty(), False
    if isinstance(value, ConfigurationField):
        return value.default, True
    if isinstance(value, FunctionType | Builtin):
        context = file_context()
        return ComputedDefault(value, lambda result: convert_default(kind.type, result, context)), False
    try:
        return convert_default(kind.type, value, file_context()), False
    except EvalError as error:
        if not error.message.startswith("got value"):
            raise
        raise EvalError(f"in call to {name}(), parameter 'default' {error.message}", error.hint) from None


def convert_default(kind: AttrType, value: object, context: Context) -> object:
    """A default as the model stores it. EvalError when the type does not fit."""
    if value is None or isinstance(value, Uncertain):
        return None
    convert = _CONVERTERS.get(kind)
    return convert(value, context) if convert is not None else value


def _label(value: object, context: Context) -> object:
    if isinstance(value, LabelValue):
        return value.label
    return resolve(_want(value, str, "string or Label"), context)


def _want(value: Any, wanted: type | tuple[type, ...], name: str) -> Any:
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is int):
        raise EvalError(f"got value of type '{type_name(value)}', want '{name}'")
    return value


def _plain(wanted: type, name: str) -> Converter:
    return lambda value, _context: _want(value, wanted, name)


_string = _plain(str, "string")


def _int(value: object, _context: Context) -> int:
    found: int = _want(value, int, "int")
    if not -INT32 <= found < INT32:
        raise EvalError(f"for parameter 'default' of attribute '', got {found}, want value in signed 32-bit range")
    return found


def _list_of(convert: Converter) -> Converter:
    def converted(value: object, context: Context) -> list[object]:
        items = _want(value, (list, tuple), "sequence")
        return [convert(item, context) for item in items if not isinstance(item, Uncertain)]

    return converted


def _dict_of(key: Converter, item: Converter) -> Converter:
    def converted(value: object, context: Context) -> dict[object, object]:
        pairs = _want(value, dict, "dict").items()
        known = [pair for pair in pairs if not any(isinstance(each, Uncertain) for each in pair)]
        made = {_part(key, "key", k, context): _part(item, "value", v, context) for k, v in known}
        if len(made) < len(known):
            again = [label for label in made if sum(key(k, context) == label for k, _ in known) > 1]
            raise EvalError(f"duplicate labels in parameter 'default': {', '.join(map(str, again))}")
        return made

    return converted


def _part(convert: Converter, word: str, value: object, context: Context) -> object:
    """A key or value of a dict; its type error says so."""
    if convert is _string and not isinstance(value, str):
        got = f"{to_repr(value)} ({type_name(value)})"
        raise EvalError(f"expected value of type 'string' for dict {word} element, but got {got}")
    return convert(value, context)


def _bool(value: object, _context: Context) -> bool:
    if value in (0, 1):
        return bool(value)
    return bool(_want(value, bool, "bool"))


_CONVERTERS: dict[AttrType, Converter] = {
    AttrType.BOOLEAN: _bool,
    AttrType.INTEGER: _int,
    AttrType.INTEGER_LIST: _list_of(_int),
    AttrType.LABEL: _label,
    AttrType.LABEL_LIST: _list_of(_label),
    AttrType.LABEL_KEYED_STRING_DICT: _dict_of(_label, _string),
    AttrType.LABEL_DICT_UNARY: _dict_of(_string, _label),
    AttrType.STRING_KEYED_LABEL_DICT: _dict_of(_string, _label),
    AttrType.UNKNOWN: _dict_of(_string, _list_of(_label)),
    AttrType.LICENSE: _list_of(_string),
    AttrType.STRING: _string,
    AttrType.STRING_LIST: _list_of(_string),
    AttrType.STRING_DICT: _dict_of(_string, _string),
    AttrType.STRING_LIST_DICT: _dict_of(_string, _list_of(_string)),
    AttrType.OUTPUT: _label,
    AttrType.OUTPUT_LIST: _list_of(_label),
}


def _is_tool(configuration: object) -> bool:
    """Whether ``cfg`` means "built for the machine that builds"."""
    if isinstance(configuration, str):
        return configuration in TOOL_CONFIGURATIONS
    return getattr(configuration, "tool", False) is True


def changes_configuration(configuration: object) -> bool:
    """Whether ``cfg`` is a transition that leads elsewhere, or one that is not known."""
    return getattr(configuration, "changes", False) is True or isinstance(configuration, Uncertain | Inert)


def _allowed(values: object) -> tuple[object, ...]:
    """The values that an attribute is limited to; no limit where one of them is unknown."""
    listed = values if isinstance(values, list | tuple) else ()
    return tuple(listed) if all(isinstance(each, str | int) for each in listed) else ()


def _aspects(values: object) -> tuple[Any, ...]:
    """The aspects that are known, as model data."""
    found = (getattr(value, "model", None) for value in values) if isinstance(values, list | tuple) else ()
    return tuple(aspect for aspect in found if aspect is not None)


def schema(attrs: object, what: str) -> Mapping[str, AttrValue]:
    """``attrs`` as written: names and descriptions. What is unknown in it is left out, and None, which removes an
    attribute of a macro."""
    if attrs is None or isinstance(attrs, Uncertain):
        return {}
    if isinstance(attrs, SelectValue) and attrs.uncertain():
        attrs = attrs.known_entries()
    if not isinstance(attrs, dict):
        raise wrong_type(attrs, what, "attrs", "dict or NoneType")
    for name, value in attrs.items():
        if not isinstance(name, str | Uncertain) or not isinstance(value, AttrValue | Uncertain):
            if value is None and what == "macro":
                continue
            raise EvalError(
                f"got dict<{type_name(name)}, {type_name(value)}> for 'attrs', want dict<string, Attribute>",
                f"look at attribute '{to_str(name)}': its value must come from attr.string(), attr.label() or similar",
            )
    described = {name: each for name, each in attrs.items() if isinstance(each, AttrValue) and isinstance(name, str)}
    if what != "repository_rule" and facts().attribute_names_restricted:
        for name in described:
            if not IDENTIFIER.fullmatch(name):
                raise EvalError(f"attribute name `{name}` is not a valid identifier.")
    return described
