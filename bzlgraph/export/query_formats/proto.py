"""``--output=proto``, ``streamed_proto``, ``jsonproto``, ``streamed_jsonproto``: Bazel's build.proto.

``target_message`` turns a target into a ``blaze_query.Target``; the writers say how messages follow each other.
Attributes are sorted by name. Values with conditions are flattened, or kept as a selector list with
``--noproto:flatten_selects``. Mirrors ProtoOutputFormatter and AttributeFormatter of Bazel's source.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from bzlgraph.base.label import Label
from bzlgraph.base.span import Frame
from bzlgraph.bazel.conditional import is_conditional, parts
from bzlgraph.bazel.model import (
    LABEL_TYPES,
    OUTPUT_TYPES,
    AttrType,
    Condition,
    EnvironmentGroup,
    OutputFile,
    Package,
    PackageGroup,
    Rule,
    Selector,
    SourceFile,
    Target,
)
from bzlgraph.export.bazel_view.attributes import (
    PLAIN_LISTS,
    ShownAttribute,
    effective_visibility,
    type_default,
)
from bzlgraph.export.bazel_view.package import (
    contains_errors,
    default_features,
    group_packages,
    visibility_groups,
)
from bzlgraph.export.bazel_view.place import defined_at, made_at, repository_of
from bzlgraph.export.query_formats.options import QueryOutput
from bzlgraph.export.value_text import plain_text
from bzlgraph.graph.model import DEFAULT_CONDITION

_NODEP_SAYS = (LABEL_TYPES | OUTPUT_TYPES | PLAIN_LISTS | {AttrType.STRING}) - {AttrType.INTEGER_LIST}
"""Types whose attributes say whether their labels are dependencies."""
_DICT_FIELDS = {
    AttrType.STRING_DICT: "string_dict_value",
    AttrType.STRING_LIST_DICT: "string_list_dict_value",
    AttrType.LABEL_DICT_UNARY: "label_dict_unary_value",
    AttrType.STRING_KEYED_LABEL_DICT: "label_dict_unary_value",
    AttrType.LABEL_KEYED_STRING_DICT: "label_keyed_string_dict_value",
}
_NAMES = {AttrType.STRING_KEYED_LABEL_DICT: "LABEL_DICT_UNARY"}
_TRISTATE = {0: "no", 1: "yes", -1: "auto"}
_AUTO = 2
_MAYBE_NOT_ASCII = re.compile(rb"[\xc2-\xf4][\x80-\xbf]")
_HTML_SAFE = {ord(char): f"\\u{ord(char):04x}" for char in "<>&='"}
"""Characters that Java's JSON printer escapes inside of strings."""


class Message(Protocol):
    """A message of build.proto: its fields exist at run time only, so nothing can be said of their types."""

    def __getattr__(self, name: str) -> Any: ...

    def __setattr__(self, name: str, value: object) -> None: ...


def _schema() -> Message:
    """The generated module, imported when it is used."""
    from bzlgraph.export.query_formats import build_pb2

    schema: Message = build_pb2
    return schema


def proto(output: QueryOutput) -> Iterator[bytes]:
    """A ``QueryResult``, target by target: a message is its fields one after the other."""
    build_pb2 = _schema()
    for message in _messages(output):
        yield build_pb2.QueryResult(target=[message]).SerializeToString()


def streamed_proto(output: QueryOutput) -> Iterator[bytes]:
    """Each ``Target`` after its length as a varint."""
    for message in _messages(output):
        data = message.SerializeToString()
        yield _varint(len(data)) + data


def jsonproto(output: QueryOutput) -> Iterator[str]:
    """A JSON array of ``Target`` messages."""
    yield "["
    for number, message in enumerate(_messages(output)):
        yield ("," if number else "") + _json(message, indent=2)
    yield "]"


def streamed_jsonproto(output: QueryOutput) -> Iterator[str]:
    """Each ``Target`` as JSON on a line of its own."""
    for message in _messages(output):
        yield _json(message, indent=None) + "\n"


def _json(message: Message, indent: int | None) -> str:
    from google.protobuf.json_format import MessageToDict

    separators = None if indent else (",", ":")
    text = json.dumps(MessageToDict(message), indent=indent, separators=separators, ensure_ascii=False)
    return text.translate(_HTML_SAFE)


def _varint(number: int) -> bytes:
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*data, number))


def _messages(output: QueryOutput) -> Iterator[Message]:
    twice = output.encodes_twice("proto")
    for node, target, package in output.ordered_targets():
        message = target_message(output, node, target, package)
        if twice and _MAYBE_NOT_ASCII.search(message.SerializeToString()):
            _encode_twice(message)
        yield message


def _encode_twice(message: Message) -> None:
    """Make each byte of a text a character, as Bazel did before 8."""
    for field, value in message.ListFields():
        if isinstance(value, str):
            setattr(message, field.name, _twice(value))
        elif field.type == field.TYPE_STRING:
            value[:] = map(_twice, value)
        elif field.type == field.TYPE_MESSAGE:
            for each in [value] if hasattr(value, "ListFields") else value:
                _encode_twice(each)


def _twice(text: str) -> str:
    return text.encode().decode("latin-1")


def _storable(text: str) -> str:
    """Protocol buffers hold UTF-8 only: what is none is U+FFFD, the replacement character."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _plain(value: object) -> str:
    return _storable(plain_text(value))


def _label(output: QueryOutput, label: Label) -> str:
    return _storable(output.label_text(label))


def _labels(output: QueryOutput, labels: Iterable[Label | str]) -> Iterator[str]:
    return map(_storable, output.label_texts(labels))


def target_message(output: QueryOutput, node: int, target: Target, package: Package) -> Message:
    """The message of one target."""
    build_pb2 = _schema()
    message: Message = build_pb2.Target()
    if isinstance(target, EnvironmentGroup):
        message.type, part = build_pb2.Target.ENVIRONMENT_GROUP, message.environment_group
        part.environment.extend(_labels(output, target.environments))
        part.default.extend(_labels(output, target.defaults))
    elif isinstance(target, Rule):
        message.type, part = build_pb2.Target.RULE, message.rule
        _fill_rule(part, output, node, target, package)
    elif isinstance(target, OutputFile):
        message.type, part = build_pb2.Target.GENERATED_FILE, message.generated_file
        part.generating_rule = _label(output, target.rule)
    elif isinstance(target, PackageGroup):
        message.type, part = build_pb2.Target.PACKAGE_GROUP, message.package_group
        part.contained_package.extend(map(_storable, group_packages(target, output.facts)))
        part.included_package_group.extend(_labels(output, target.includes))
    else:
        message.type, part = build_pb2.Target.SOURCE_FILE, message.source_file
        _fill_source_file(part, output, target, package)
    part.name = _label(output, target.label)
    if output.options.proto_locations and "location" in part.DESCRIPTOR.fields_by_name:
        part.location = _storable(output.place(target))
    return message


def _fill_source_file(part: Message, output: QueryOutput, target: SourceFile, package: Package) -> None:
    if target.label.name == "BUILD":
        part.subinclude.extend(_labels(output, package.bzl_files))
        part.feature.extend(map(_storable, default_features(package, output.facts)))
        part.package_contains_errors = contains_errors(package)
    declared = effective_visibility(target.visibility, package)
    part.package_group.extend(_labels(output, visibility_groups(declared)))
    part.visibility_label.extend(_labels(output, declared))


def _fill_rule(part: Message, output: QueryOutput, node: int, rule: Rule, package: Package) -> None:
    options = output.options
    part.rule_class = rule.rule_class.name
    wanted = None if options.proto_output_rule_attrs == ("all",) else set(options.proto_output_rule_attrs)
    shown = output.attributes(rule, package, unset=options.proto_default_values)
    for attribute in sorted(shown, key=lambda each: each.name):
        if wanted is None or attribute.name in wanted:
            _fill_attribute(part.attribute.add(), attribute, options.proto_flatten_selects, output)
    distinct = {(each.name, str(each.default)): (aspect, each) for aspect, each in output.brought(rule)}
    sources = [""] * len(part.attribute)
    for aspect, each in sorted(distinct.values(), key=lambda brought: brought[1].name):
        shown_by_aspect = ShownAttribute(each.name, each.type, each.default, False, each.nodep)
        _fill_attribute(part.attribute.add(), output.labelled(shown_by_aspect), True, output)
        sources.append(aspect)
    if options.proto_include_attribute_source_aspects:
        for message, source in zip(part.attribute, sources, strict=True):
            message.source_aspect_name = source
    if options.proto_rule_inputs_and_outputs:
        own, of_aspects = output.inputs(node, rule)
        part.rule_input.extend(_labels(output, (*dict.fromkeys(of_aspects), *own)))
        part.rule_output.extend(_labels(output, rule.outputs))
    part.default_setting.extend(map(_storable, default_features(package, output.facts)))
    if options.proto_instantiation_stack:
        part.instantiation_stack.extend(_stack(output, rule, made_at(rule, output.facts)))
    if options.proto_definition_stack:
        part.definition_stack.extend(_stack(output, rule, defined_at(rule, output.facts)))


def _stack(output: QueryOutput, rule: Rule, frames: tuple[Frame, ...]) -> Iterator[str]:
    """``BUILD:3:1: <toplevel>``, outermost first, always relative in the repository of the rule, absolute elsewhere."""
    home = repository_of(rule.location)
    for location, function in ((frame.location, frame.function) for frame in reversed(frames)):
        place = output.places(location, relative=repository_of(location) == home)
        yield _storable(f"{place}: {function}")


def _fill_attribute(message: Message, attribute: ShownAttribute, flatten: bool, output: QueryOutput) -> None:
    build_pb2 = _schema()
    kind = attribute.type
    name = _NAMES.get(kind, kind.name)
    code = build_pb2.Attribute.Discriminator.Value(name)
    message.name = attribute.name
    message.explicitly_specified = attribute.explicit
    if kind in _NODEP_SAYS and attribute.nodep is not None:
        message.nodep = attribute.nodep
    if is_conditional(attribute.value) and attribute.explicit and not flatten:
        message.type = build_pb2.Attribute.SELECTOR_LIST
        message.selector_list.type = code
        _fill_selectors(message.selector_list, attribute, output)
        return
    message.type = code
    values = [value for value in attribute.possible if value is not None]
    # Branches without a value do not count where somebody wrote them; a computed default may be nothing there.
    computed = is_conditional(attribute.value) and not attribute.explicit
    if kind in PLAIN_LISTS or (len(values) == 1 and not computed):
        value = values[0] if values else None
        _fill_value(message, kind, None if attribute.nodep and value == "" else value)
        if value is not None and kind in (AttrType.BOOLEAN, AttrType.TRISTATE):
            message.int_value = int(value)
            message.string_value = str(bool(value)).lower() if kind is AttrType.BOOLEAN else _TRISTATE[int(value)]
    elif kind in _DICT_FIELDS:
        _fill_value(message, kind, {key: item for value in values for key, item in value.items()})
    elif kind is AttrType.LICENSE and not values:
        _fill_value(message, kind, ["NONE"])


def _fill_selectors(message: Message, attribute: ShownAttribute, output: QueryOutput) -> None:
    value, kind = attribute.value, attribute.type
    for part in parts(value):
        element = message.elements.add()
        element.no_match_error = ""
        branches: list[tuple[Condition, object]] = [(Condition(output.named(DEFAULT_CONDITION)), part)]
        if isinstance(part, Selector):
            branches = list(part.branches)
            element.no_match_error = _storable(part.no_match_error)
        for key, item in branches:
            entry = element.entries.add(label=_storable(str(key)), is_default_value=item is None)
            _fill_value(entry, kind, type_default(kind) if item is None else item)
        element.has_default_value = any(key.label == DEFAULT_CONDITION for key, _ in branches)


def _fill_value(message: Message, kind: AttrType, value: Any) -> None:
    """Set the field of the type, in an attribute or in a branch; nothing for no value."""
    if kind in _DICT_FIELDS:
        _fill_dict(getattr(message, _DICT_FIELDS[kind]), kind, value or {})
    elif kind is AttrType.DISTRIBUTION_SET:
        message.string_list_value.extend(value or ["INTERNAL"])
    elif kind is AttrType.LICENSE:
        licenses = ["NONE"] if value is None else value
        message.license.license_type.extend(_plain(each) for each in licenses if not isinstance(each, Label))
        message.license.exception.extend(_plain(each) for each in licenses if isinstance(each, Label))
    elif kind is AttrType.INTEGER_LIST:
        message.int_list_value.extend(value or ())
    elif kind in PLAIN_LISTS:
        message.string_list_value.extend(map(_plain, value or ()))
    elif value is not None:
        field, scalar = _SCALARS.get(kind, ("string_value", _plain))
        setattr(message, field, scalar(value))


def _fill_dict(field: Message, kind: AttrType, value: Mapping[object, Any]) -> None:
    for key, item in value.items():
        entry = field.add(key=_plain(key))
        if kind is AttrType.STRING_LIST_DICT:
            entry.value.extend(map(_plain, item))
        else:
            entry.value = _plain(item)


_SCALARS: dict[AttrType, tuple[str, Callable[[Any], object]]] = {
    AttrType.INTEGER: ("int_value", int),
    AttrType.BOOLEAN: ("boolean_value", bool),
    AttrType.TRISTATE: ("tristate_value", lambda value: _AUTO if int(value) < 0 else int(value)),
}
