"""``--output=build``: each rule as a BUILD file would write it, macros and globs expanded, selects kept.

Only what somebody wrote is printed, labels in full; since Bazel 3 comments tell the calls that made the rule and the
place that defines its class. A generated file stands for its rule. Mirrors BuildOutputFormatter of Bazel's source.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bzlgraph.base.label import Label
from bzlgraph.base.span import Frame
from bzlgraph.bazel.conditional import is_conditional, map_plain, parts
from bzlgraph.bazel.model import AttrType, OutputFile, Package, Rule, Selector, Target
from bzlgraph.export.bazel_view.attributes import ShownAttribute, type_default
from bzlgraph.export.bazel_view.place import defined_at, made_at
from bzlgraph.export.query_formats.options import QueryOutput
from bzlgraph.export.value_text import Notation, branch_key, expression
from bzlgraph.facts.facts import Facts
from bzlgraph.graph.model import DEFAULT_CONDITION

_OLD_TRISTATE = "<unknown object com.google.devtools.build.lib.packages.TriState>"
"""Bazels without words for the values of a tristate print this for each."""


def build(output: QueryOutput) -> Iterator[str]:
    """The rules, with a blank line after each."""
    end = output.options.line_terminator
    printed: set[Label] = set()
    for _, target, package in output.ordered_targets():
        rule = _rule_of(target, package)
        if rule is not None and rule.label not in printed:
            printed.add(rule.label)
            for line in _lines(output, rule, package):
                yield line + end


def _rule_of(target: Target, package: Package) -> Rule | None:
    if isinstance(target, OutputFile):
        made_by = package.targets.get(target.rule.name)
        return made_by if isinstance(made_by, Rule) else None
    return target if isinstance(target, Rule) else None


def _lines(output: QueryOutput, rule: Rule, package: Package) -> Iterator[str]:
    yield f"# {output.places(rule.location)}"
    yield f"{rule.rule_class.name}("
    yield f'  name = "{rule.label.name}",'
    for attribute in output.attributes(rule, package, unset=False):
        if attribute.name != "name":
            yield f"  {_starlark_name(attribute.name)} = {value_text(attribute, output.facts)},"
    yield ")"
    if output.facts.build_has_stacks:
        yield from _stack(output, f"# Rule {rule.label.name} instantiated at", made_at(rule, output.facts))
        yield from _stack(output, f"# Rule {rule.rule_class.name} defined at", defined_at(rule, output.facts))
    yield ""


def _stack(output: QueryOutput, title: str, frames: tuple[Frame, ...]) -> Iterator[str]:
    places = [(output.places(frame.location), frame.function) for frame in reversed(frames)]
    width = max((len(place) for place, _ in places), default=0)
    if width:
        yield f"{title} (most recent call last):"
    for place, function in places:
        yield f"#   {place:{width}} in {function}"


@dataclass(frozen=True)
class _Word:
    """A value that is printed as a word."""

    text: str

    def __str__(self) -> str:
        return self.text


def value_text(attribute: ShownAttribute, facts: Facts) -> str:
    """The value of an attribute as an expression."""
    kind, notation = attribute.type, Notation(condition=branch_key, null=facts.build_null, no_match_errors=False)
    if not is_conditional(attribute.value):
        return expression(_typed(attribute.value, kind), notation)

    def typed(plain: object) -> object:
        return _typed(type_default(kind) if plain is None else plain, kind)

    def of_branch(plain: object) -> object:
        value = typed(plain)
        if kind is not AttrType.TRISTATE or not isinstance(value, int):
            return value
        return _Word(facts.build_tristates[value] if facts.build_tristates else _OLD_TRISTATE)

    written = map(_simplified, parts(attribute.value))
    shown = (map_plain(part, of_branch if isinstance(part, Selector) else typed) for part in written)
    return " + ".join(expression(part, notation) for part in shown)


def _simplified(part: object) -> object:
    """A select with no branch but the default one is its value; of a key that is written twice, the later counts."""
    if isinstance(part, Selector) and [key.label for key, _ in part.branches] == [DEFAULT_CONDITION]:
        return part.branches[0][1]
    return part._replace(branches=tuple(dict(part.branches).items())) if isinstance(part, Selector) else part


def _typed(value: Any, kind: AttrType) -> object:
    """A plain value as its type is printed."""
    if value is None:
        return None
    if kind is AttrType.BOOLEAN:
        return bool(value)
    if kind is AttrType.TRISTATE or kind is AttrType.INTEGER:
        return int(value)
    if kind is AttrType.LICENSE:
        return [item.lower() for item in value if not isinstance(item, Label)]
    return value


def _starlark_name(name: str) -> str:
    """Those that only Bazel knows, native rules' too, are shown as Starlark's: ``_x``."""
    return f"_{name[1:]}" if name[0] in "$:" else name
