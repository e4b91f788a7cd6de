"""``--output=build``: each rule as a BUILD file would write it, macros and globs expanded, selects kept.

Only what somebody wrote is printed, labels in full; since Bazel 3 comments tell the calls that made the rule and the
place that defines its class. A generated file stands for its rule. Mirrors BuildOutputFormatter of Bazel's source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bzlgraph.base.label import Label
from bzlgraph.base.span import Frame
from bzlgraph.bazel.model import AttrType, OutputFile, Package, Rule, Selector, SelectorList, Target
from bzlgraph.export.bazel_view.attributes import AttributeReader, ShownAttribute
from bzlgraph.export.bazel_view.flatten import type_default
from bzlgraph.export.bazel_view.package import is_environment_group
from bzlgraph.export.bazel_view.stacks import defined_at, made_at
from bzlgraph.export.query_formats.options import Output
from bzlgraph.graph.model import DEFAULT_CONDITION

_ESCAPES = str.maketrans(
    {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    | {chr(code): f"\\x{code:02x}" for code in range(32) if chr(code) not in "\n\r\t"}
)


def build(output: Output) -> Iterator[str]:
    """The rules, with a blank line after each."""
    reader, end = output.reader(), output.options.line_terminator
    printed: set[Label] = set()
    for _, target, package in output.ordered_targets():
        rule = _rule_of(target, package)
        if rule is not None and rule.label not in printed:
            printed.add(rule.label)
            for line in _lines(output, reader, rule, package):
                yield line + end


def _rule_of(target: Target, package: Package) -> Rule | None:
    if isinstance(target, OutputFile):
        made_by = package.targets.get(target.rule.name)
        return made_by if isinstance(made_by, Rule) else None
    return target if isinstance(target, Rule) and not is_environment_group(target) else None


def _lines(output: Output, reader: AttributeReader, rule: Rule, package: Package) -> Iterator[str]:
    yield f"# {output.places(rule.location)}"
    yield f"{rule.rule_class.name}("
    yield f'  name = "{rule.label.name}",'
    for attribute in reader.read(rule, package):
        if attribute.explicit and attribute.name != "name":
            attribute = output.absolute(attribute, rule)
            yield f"  {_public_name(attribute.name)} = {value_text(attribute, output.facts.build_null)},"
    yield ")"
    if output.facts.build_has_stacks:
        yield from _stack(output, f"# Rule {rule.label.name} instantiated at", made_at(rule, output.facts))
        yield from _stack(output, f"# Rule {rule.rule_class.name} defined at", defined_at(rule, output.facts))
    yield ""


def _public_name(name: str) -> str:
    """As Starlark code writes it: ``$x`` and ``:x`` are ``_x``."""
    return f"_{name[1:]}" if name[0] in "$:" else name


def _stack(output: Output, title: str, frames: tuple[Frame, ...]) -> Iterator[str]:
    places = [(output.places(frame.location), frame.function) for frame in reversed(frames)]
    width = max((len(place) for place, _ in places), default=0)
    if width:
        yield f"{title} (most recent call last):"
    for place, function in places:
        yield f"#   {place:{width}} in {function}"


def value_text(attribute: ShownAttribute, null: str) -> str:
    """The value of an attribute as an expression."""
    value, kind = attribute.value, attribute.type
    if not isinstance(value, (Selector, SelectorList)):
        return _text(value, kind, null)
    parts = value.parts if isinstance(value, SelectorList) else (value,)
    return " + ".join(
        _select(part, kind, null) if isinstance(part, Selector) else _text(part, kind, null) for part in parts
    )


def _select(selector: Selector, kind: AttrType, null: str) -> str:
    if len(selector.branches) == 1 and selector.branches[0][0].label == DEFAULT_CONDITION:
        value = selector.branches[0][1]
        return _text(type_default(kind) if value is None else value, kind, null)
    branches = (
        f"{_quoted(str(key))}: {_text(type_default(kind) if value is None else value, kind, null)}"
        for key, value in selector.branches
    )
    return f"select({{{', '.join(branches)}}})"


def _text(value: Any, kind: AttrType, null: str) -> str:
    if value is None:
        return null
    if kind is AttrType.BOOLEAN:
        return str(bool(value))
    if kind is AttrType.TRISTATE or kind is AttrType.INTEGER:
        return str(int(value))
    if kind is AttrType.LICENSE:
        return _list([item.lower() for item in value if not isinstance(item, Label)], null)
    return _plain(value, null)


def _plain(value: Any, null: str) -> str:
    if isinstance(value, (str, Label)):
        return _quoted(str(value))
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_plain(key, null)}: {_plain(item, null)}' for key, item in value.items())}}}"
    if isinstance(value, Iterable):
        return _list(value, null)
    return null if value is None else str(value)


def _list(items: Iterable[Any], null: str) -> str:
    return f"[{', '.join(_plain(item, null) for item in items)}]"


def _quoted(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"'
