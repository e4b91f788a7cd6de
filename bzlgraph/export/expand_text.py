"""A target and its package -> plain BUILD text with the macro stack that made it, as comments above.

What ``bazel query --output=build`` shows, plus where each level of the macros stands.
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.bazel.model import LABEL_TYPES, OutputFile, Package, PackageGroup, Rule, SourceFile, Target
from bzlgraph.export.value_text import INDENT, Notation, expression, local_notation, quoted
from bzlgraph.graph.view import GraphView

_SHOWN_FIRST = ("name",)
_NOT_SHOWN = ("generator_name", "generator_function", "generator_location")


def expand(target: Target, package: Package) -> str:
    """The text, without a newline at the end. A generated file shows its rule."""
    match target:
        case Rule():
            return "\n".join([*_origin(target), *_rule(target)])
        case OutputFile():
            rule = package.targets.get(target.rule.name)
            how = f"through {target.attribute}" if target.attribute else "as implicit output"
            lines = [f"# {target.label}: a generated file, written {how} by {target.rule}"]
            return "\n".join([*lines, expand(rule, package)] if rule is not None else lines)
        case PackageGroup():
            return "\n".join([f"# {target.location}", *_package_group(target)])
        case SourceFile():
            return f"# {target.label}: a source file, named at {target.location}"


def expand_text(graph: GraphView, number: int) -> str:
    """The text of a node of the graph; a label without a target says what is known of it."""
    target, label = graph.target(number), graph.labels[number]
    if target is None:
        return f"# {label}: {graph.kind_words(number)}"
    return expand(target, graph.packages[label.repo, label.package])


def _origin(rule: Rule) -> Iterator[str]:
    """Where the rule comes from, outermost call first."""
    yield f"# {rule.label}"
    if len(rule.stack) < 2:
        yield f"# written at {rule.location}"
    else:
        yield f"# made by {rule.generator.function if rule.generator else rule.stack[-2].function}:"
        inner_functions = [frame.function for frame in rule.stack[-2::-1]]
        for frame, calls in zip(rule.stack[::-1], [*inner_functions, rule.rule_class.name], strict=True):
            yield f"#   {frame.location}: calls {calls}"
    if rule.macros:
        yield f"# inside the symbolic macros {' > '.join(rule.macros)}"
    if rule.rule_class.unknown:
        yield f"# {rule.rule_class.name} is not on disk: its attributes are as written, their types unknown"
    elif rule.rule_class.bzl is not None:
        yield f"# {rule.rule_class.name} is defined in {rule.rule_class.bzl}"


def _rule(rule: Rule) -> Iterator[str]:
    notation = local_notation(rule.label)
    yield f"{rule.rule_class.name}("
    yield f"{INDENT}name = {quoted(rule.label.name)},"
    for name, value in rule.values.items():
        attribute = rule.rule_class.attributes.get(name)
        hidden = name in _SHOWN_FIRST or name in _NOT_SHOWN or (attribute is not None and attribute.implicit)
        if not hidden and name != "visibility" and value is not None:
            yield f"{INDENT}{name} = {expression(value, notation, INDENT)},"
    if rule.visibility is not None:
        yield f"{INDENT}visibility = {expression(list(rule.visibility), notation, INDENT)},"
    yield from _private_defaults(rule, notation)
    yield ")"


def _private_defaults(rule: Rule, notation: Notation) -> Iterator[str]:
    """What a rule defined in a .bzl file adds by itself: private attributes that name something, as comments."""
    for attribute in rule.rule_class.attributes.values():
        if attribute.implicit and attribute.default and attribute.type in LABEL_TYPES and not rule.rule_class.native:
            name = f"_{attribute.name.lstrip('_$:')}"
            text = expression(attribute.default, notation).replace("\n", f"\n{INDENT}# ")
            yield f"{INDENT}# {name} = {text}  (a private attribute's default)"


def _package_group(group: PackageGroup) -> Iterator[str]:
    notation = local_notation(group.label)
    yield "package_group("
    yield f"{INDENT}name = {quoted(group.label.name)},"
    if group.includes:
        yield f"{INDENT}includes = {expression(list(group.includes), notation, INDENT)},"
    yield f"{INDENT}packages = {expression(list(group.packages), notation, INDENT)},"
    yield ")"
