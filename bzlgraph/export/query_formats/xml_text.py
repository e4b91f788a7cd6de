"""``--output=xml``: Bazel's XML, written line by line.

Attributes of an element stand in the order of their names and an element without content is ``<x/>``, as Java's
serializer has it. Values with conditions are flattened: lists are joined, a single value that depends is left out and
marked ``configurable="yes"``. Mirrors XmlOutputFormatter of Bazel's source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import (
    DICT_TYPES,
    AttrType,
    EnvironmentGroup,
    OutputFile,
    Package,
    PackageGroup,
    Rule,
    SourceFile,
    Target,
)
from bzlgraph.export.bazel_view.attributes import PLAIN_LISTS, ShownAttribute, effective_visibility
from bzlgraph.export.bazel_view.package import (
    contains_errors,
    default_features,
    group_packages,
    visibility_groups,
)
from bzlgraph.export.query_formats.options import QueryOutput
from bzlgraph.export.value_text import plain_text

_HEAD = '<?xml version="1.1" encoding="UTF-8" standalone="no"?>\n'
_STEP = "    "
_WORDS = {
    AttrType.INTEGER: "int",
    AttrType.BOOLEAN: "boolean",
    AttrType.TRISTATE: "tristate",
    AttrType.LABEL: "label",
    AttrType.OUTPUT: "output",
}
_ITEMS = {
    AttrType.LABEL_LIST: "label",
    AttrType.OUTPUT_LIST: "output",
    AttrType.INTEGER_LIST: "int",
    AttrType.DISTRIBUTION_SET: "distribution",
}
_KEYS = {AttrType.LABEL_KEYED_STRING_DICT: "label"}
_VALUES = {AttrType.LABEL_DICT_UNARY: "label", AttrType.STRING_KEYED_LABEL_DICT: "label"}
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
    | {chr(code): f"&#{code};" for code in (*range(1, 9), 11, 12, *range(14, 32), *range(127, 160), 0x2028)}
    | dict.fromkeys(map(chr, (0, *range(0xD800, 0xE000), 0xFFFE, 0xFFFF)), "\ufffd")
)
"""What XML 1.1 cannot write (NUL, surrogates, two that are no characters) is U+FFFD, the replacement character."""


def xml(output: QueryOutput) -> Iterator[str]:
    """The document."""
    empty = True
    yield _HEAD
    for node, target, package in output.ordered_targets():
        if empty:
            yield '<query version="2">\n'
            empty = False
        for line in _target(output, node, target, package):
            yield f"{_STEP}{line}\n"
    yield '<query version="2"/>\n' if empty else "</query>\n"


def _target(output: QueryOutput, node: int, target: Target, package: Package) -> Iterable[str]:
    where = {"name": output.label_text(target.label), "location": _place(output, target)}
    if isinstance(target, EnvironmentGroup):
        environments = _list("environments", "label", output.label_texts(target.environments))
        defaults = _list("defaults", "label", output.label_texts(target.defaults))
        return _element("environment-group", where, chain(environments, defaults))
    if isinstance(target, Rule):
        where["class"] = target.rule_class.name
        return _element("rule", where, _rule(output, node, target, package))
    if isinstance(target, OutputFile):
        return _element("generated-file", {"generating-rule": output.label_text(target.rule), **where})
    if isinstance(target, PackageGroup):
        includes = _list("includes", "label", output.label_texts(target.includes))
        packages = _list("packages", "string", group_packages(target, output.facts))
        return _element("package-group", where, chain(includes, packages))
    if target.label.name == "BUILD":
        where["package_contains_errors"] = str(contains_errors(package)).lower()
    return _element("source-file", where, _source_file(output, target, package))


def _place(output: QueryOutput, target: Target) -> str:
    place = output.place(target)
    return place if output.options.xml_line_numbers else place.partition(":")[0]


def _rule(output: QueryOutput, node: int, rule: Rule, package: Package) -> Iterator[str]:
    for attribute in output.attributes(rule, package, unset=output.options.xml_default_values):
        yield from _attribute(attribute)
    own, of_aspects = output.inputs(node, rule)
    yield from _named("rule-input", output.label_texts((*own, *of_aspects)))
    yield from _named("rule-output", output.label_texts(rule.outputs))
    yield from _named("rule-default-setting", default_features(package, output.facts))


def _source_file(output: QueryOutput, target: SourceFile, package: Package) -> Iterator[str]:
    if target.label.name == "BUILD":
        yield from _named("load", output.label_texts(package.bzl_files))
        yield from _named("feature", default_features(package, output.facts))
    declared = effective_visibility(target.visibility, package)
    yield from _named("package-group", output.label_texts(visibility_groups(declared)))
    yield from _named("visibility-label", output.label_texts(declared))


def _attribute(attribute: ShownAttribute) -> Iterator[str]:
    """The element of an attribute."""
    name, kind = attribute.name, attribute.type
    values = attribute.possible
    if kind in PLAIN_LISTS:
        word = "label" if attribute.nodep else _ITEMS.get(kind, "string")
        return _list(name, word, values[0] or _NOTHING.get(kind, ()))
    if kind in DICT_TYPES:
        return _dict(name, kind, values)
    if kind is AttrType.LICENSE:
        return _license(name, values)
    shown = {"name": name}
    word = "label" if attribute.nodep and kind is AttrType.STRING else _WORDS.get(kind, "string")
    if len(values) > 1:
        shown["configurable"] = "yes"
    elif values and values[0] is not None and not (attribute.nodep and values[0] == ""):
        shown["value"] = _scalar(values[0], kind)
    return _element(word, shown)


_NOTHING = {AttrType.DISTRIBUTION_SET: ("INTERNAL",)}


def _scalar(value: Any, kind: AttrType) -> str:
    if kind is AttrType.BOOLEAN:
        return str(bool(value)).lower()
    if kind is AttrType.TRISTATE:
        return {0: "NO", 1: "YES"}.get(int(value), "AUTO")
    return str(int(value)) if kind is AttrType.INTEGER else plain_text(value)


def _named(tag: str, names: Iterable[str]) -> Iterator[str]:
    """An element for each name."""
    return chain.from_iterable(_element(tag, {"name": name}) for name in names)


def _valued(tag: str, *values: object) -> Iterator[str]:
    """An element for each value."""
    return chain.from_iterable(_element(tag, {"value": plain_text(value)}) for value in values)


def _list(name: str, word: str, items: Iterable[object]) -> Iterator[str]:
    return _element("list", {"name": name}, _valued(word, *items))


def _dict(name: str, kind: AttrType, values: list[Any]) -> Iterator[str]:
    """Pairs; of several possible values of a key the first is shown."""
    merged: dict[object, object] = {}
    for value in values:
        for key, item in (value or {}).items():
            merged.setdefault(key, item)
    return _element("dict", {"name": name}, (line for pair in merged.items() for line in _pair(kind, *pair)))


def _pair(kind: AttrType, key: object, item: Any) -> Iterator[str]:
    def parts() -> Iterator[str]:
        yield from _valued(_KEYS.get(kind, "string"), key)
        if kind is AttrType.STRING_LIST_DICT:
            yield from _element("list", {}, _valued("string", *item))
        else:
            yield from _valued(_VALUES.get(kind, "string"), item)

    return _element("pair", {}, parts())


def _license(name: str, values: list[Any]) -> Iterator[str]:
    if len(values) > 1:
        return _element("license", {"name": name, "configurable": "yes"})
    licenses = values[0] if values and values[0] is not None else ["NONE"]

    def parts() -> Iterator[str]:
        yield from _list("exceptions", "label", (each for each in licenses if isinstance(each, Label)))
        yield from _list("license-types", "string", (each for each in licenses if not isinstance(each, Label)))

    return _element("license", {"name": name}, parts())


def _element(tag: str, attributes: dict[str, str], content: Iterable[str] = ()) -> Iterator[str]:
    """The lines of an element, without indentation of its own."""
    shown = "".join(f' {name}="{attributes[name].translate(_ESCAPES)}"' for name in sorted(attributes))
    lines = iter(content)
    first = next(lines, None)
    if first is None:
        yield f"<{tag}{shown}/>"
        return
    yield f"<{tag}{shown}>"
    yield _STEP + first
    for line in lines:
        yield _STEP + line
    yield f"</{tag}>"
