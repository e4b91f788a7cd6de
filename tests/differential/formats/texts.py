"""What a query printed in one of Bazel's formats -> its elements: target, node or edge -> named parts of its content.

Every format becomes the same simple shape, so that one comparison does for all: an element has a kind (Bazel's words)
and parts, `name -> text`, in the order of the print. A part of a proto stays bytes until somebody has to read it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.differential.facts.compare import DIGESTS, UNORDERED

_KIND = r"[\w$-]+ rule|source file|generated file|package group|environment group"
_LABEL_KIND = re.compile(rf"({_KIND}) (.*)")
_LOCATION = re.compile(rf"(.*?): ({_KIND}) (.*)")
_XML_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_XML_TAG = re.compile(r"\s*<([\w-]+)")
_REFERENCE = re.compile(r"&#(1[2-5]\d);")
_REPEATED = ("rule-input", "rule-output", "visibility-label", "load", "subinclude", "feature")
_BUILD_PLACE = re.compile(r"# (.*?)((?::\d+)*)$")
_DOT_NODE = re.compile(r'\s*"(.*?)"(?: -> "(.*?)")?$')
_DOT_LABEL = re.compile(r'\s*\[label="(.*)"\];$')
_CONDITION = re.compile(r"(?:@[^/\\]*)?//(?:(?!@|//)[^\\])*")
_LISTED = re.compile(r'<label value="[^"]*"/>|"[^"]*"')


@dataclass(slots=True)
class Element:
    """One target (or node, or edge) of an answer: its kind, and its content by name."""

    kind: str
    parts: dict[str, str | bytes] = field(default_factory=dict)


Elements = dict[str, Element]


def label_kinds(text: str) -> Elements:
    """``cc_library rule //a:b``"""
    found = (_LABEL_KIND.fullmatch(line) for line in text.splitlines())
    return {match[2]: Element(match[1]) for match in found if match}


def locations(text: str) -> Elements:
    """``a/BUILD:3:1: cc_library rule //a:b``"""
    found = (_LOCATION.fullmatch(line) for line in text.splitlines())
    return {match[3]: Element(match[2], {"location": match[1]}) for match in found if match}


def ranks(text: str) -> Elements:
    """``3 //a:b``"""
    lines = (line.partition(" ") for line in text.splitlines())
    return {label: Element("", {"rank": rank}) for rank, _, label in lines}


def nodes(text: str) -> Elements:
    """The nodes of ``--output=graph``."""
    return {source: Element("") for source, end, _ in _drawn(text) if not end}


def edges(text: str) -> Elements:
    """The edges of ``--output=graph``, each with its conditions; sorted, as Bazel's order is that of a hash."""
    drawn = ((f"{source} -> {end}", _CONDITION.findall(words)) for source, end, words in _drawn(text) if end)
    return {edge: Element("", {"conditions": " ".join(sorted(set(conditions)))}) for edge, conditions in drawn}


def _drawn(text: str) -> Iterator[tuple[str, str, str]]:
    """(node, "", "") and (source, end, conditions) for each line of the drawing."""
    waiting: tuple[str, str] | None = None
    for line in text.splitlines():
        label = _DOT_LABEL.match(line)
        if label and waiting:
            yield (*waiting, label[1])
            waiting = None
            continue
        if waiting:
            yield (*waiting, "")
            waiting = None
        match = _DOT_NODE.match(line)
        if match and match[2] is None:
            yield _members(match[1]), "", ""
        elif match:
            waiting = (_members(match[1]), _members(match[2]))
    if waiting:
        yield (*waiting, "")


def _members(name: str) -> str:
    """A node of a factored graph stands for many targets; they are told by what they are, not by their order."""
    return "\\n".join(sorted(name.split("\\n")))


def build(text: str) -> Elements:
    """The rules of ``--output=build``: a rule's label is made of its BUILD file's folder and its name."""
    found: Elements = {}
    for block in re.split(r"\n\n(?=# )", text.strip("\n")):
        lines = block.split("\n")
        place = _BUILD_PLACE.match(lines[0])
        if place is None or len(lines) < 3:
            continue
        element = Element(f"{lines[1].removesuffix('(')} rule", {"location": place[1] + place[2]})
        comments = []
        for line in lines[2:]:
            name, equals, value = line.partition(" = ")
            if line.startswith("#"):
                comments.append(re.sub(r" +in ", " in ", line))  # as wide as the widest path, which is not the same
            elif equals:
                element.parts[name.strip()] = _in_order(name.strip(), value)
        if comments:
            element.parts["stacks"] = "\n".join(comments)
        name = str(element.parts.get("name", ""))[1:-2]
        found[f"//{place[1].rpartition('/')[0]}:{name}"] = element
    return found


def xml(text: str) -> Elements:
    """The elements of ``--output=xml``. Read by lines: Bazel writes XML 1.1, which Python's reader refuses. A
    character that one Java writes as a reference (``&#153;``) and another as it is, is the same character."""
    found: Elements = {}
    element = Element("")
    part: list[str] = []
    text = _REFERENCE.sub(lambda match: chr(int(match[1])), text)
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        if indent == 4 and not line.startswith("    </"):
            own = dict(_XML_ATTRIBUTE.findall(line))
            kind, label = _xml_kind(line, own), own.pop("name", "")
            element = found[label] = Element(kind, {name: value for name, value in own.items() if name != "class"})
        elif indent == 8 and not line.startswith("        </"):
            part = [line.strip()]
            if line.endswith("/>"):
                _add(element, part)
        elif indent >= 8:
            part.append(line.strip())
            if indent == 8:
                _add(element, part)
    return found


def _xml_kind(line: str, own: dict[str, str]) -> str:
    tag = _XML_TAG.match(line)
    assert tag is not None
    return f"{own['class']} rule" if tag[1] == "rule" else tag[1].replace("-", " ")


def _add(element: Element, lines: list[str]) -> None:
    """A child: by the name of its attribute; inputs, outputs and the like all together."""
    tag, own = _XML_TAG.match(lines[0]), dict(_XML_ATTRIBUTE.findall(lines[0]))
    assert tag is not None
    text = "".join(lines)
    if tag[1] in _REPEATED:
        before = element.parts.get(tag[1])
        element.parts[tag[1]] = f"{before} {own['name']}" if before else own["name"]
    else:
        element.parts[own.get("name", tag[1])] = _in_order(own.get("name", ""), text)


def _in_order(name: str, text: str) -> str:
    """The value of an attribute; a list without order is sorted, each item once."""
    if name not in UNORDERED:
        return text
    return " ".join(sorted(set(_LISTED.findall(text.partition(">")[2] or text))))


def proto(data: bytes, place: Callable[[str], str]) -> Elements:
    """The targets of ``--output=proto``: an attribute is a part, so is each other field."""
    from bzlgraph.export.query_formats.build_pb2 import QueryResult

    found: Elements = {}
    for target in QueryResult.FromString(data).target:
        (_, body) = next(item for item in target.ListFields() if item[0].name != "type")
        element = Element(target.DESCRIPTOR.fields_by_name["type"].enum_type.values_by_number[target.type].name.lower())
        for field_, value in body.ListFields():
            if field_.name == "attribute":
                element.parts.update(_proto_attributes(value, body.name, place))
            elif field_.name == "rule_class":
                element.kind = f"{value} rule"
            elif field_.name == "location":
                element.parts["location"] = place(value)
            elif field_.name != "name":
                repeated = not isinstance(value, (str, bytes, int))
                element.parts[field_.name] = " ".join(map(str, value)) if repeated else str(value)
        element.kind = element.kind.replace("_", " ") if not element.kind.endswith(" rule") else element.kind
        found[body.name] = element
    return found


def _proto_attributes(attributes: object, label: str, place: Callable[[str], str]) -> Iterator[tuple[str, bytes]]:
    for attribute in attributes:  # type: ignore[attr-defined]
        if attribute.name in DIGESTS:
            continue
        if attribute.name == "generator_location":
            attribute.string_value = place(attribute.string_value)
        if attribute.name in UNORDERED:
            attribute.string_list_value[:] = sorted(set(attribute.string_list_value))
        yield attribute.name, attribute.SerializeToString(deterministic=True)


def readable(part: str | bytes | None) -> str:
    """A part as text."""
    if isinstance(part, bytes):
        from google.protobuf import text_format

        from bzlgraph.export.query_formats.build_pb2 import Attribute

        return text_format.MessageToString(Attribute.FromString(part), as_one_line=True, as_utf8=True)
    return part or ""
