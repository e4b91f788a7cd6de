"""Facts <-> the lines of expected/rules-V.txt, which people read in a diff and tests read back.

    cc_library rule //a:lib  a/BUILD:3:1
        deps: label_list = ["//b:b"] + select({"//:fast": ["//c:c"], "//conditions:default": []})
        ~visibility: string_list = ["//visibility:private"]
        > //a:lib.out                 an output of a rule
        < //a:gen                     the rule of a generated file
        - //visibility:public         visibility of a file; member of a package group

`~` marks what nobody wrote; such attributes are left out when they are empty, false or the same for every rule.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.differential.facts.records import DEFAULT_CONDITION, Answer, Attribute, Select, TargetFacts, Value, show

CONSTANTS: dict[str, Value] = {"distribs": ["INTERNAL"], "licenses": ["NONE"], "output_licenses": ["NONE"]}
"""What Bazel shows for every rule that says nothing."""

_KINDS = re.compile(r"(.* rule|source file|generated file|package group|environment group) (\S*//.*?)(?:  (.*))?")
_ATTRIBUTE = re.compile(r"(~?)(\S+): (\S+) = (.*)")


def write_rules(answer: Answer) -> Iterator[str]:
    """The lines of all targets, by label."""
    for label in sorted(answer):
        yield from _lines(answer[label])


def _lines(target: TargetFacts) -> Iterator[str]:
    yield f"{target.kind} {target.label}  {target.location}".rstrip()
    for name, attribute in target.attributes.items():
        if attribute.explicit or tells_something(name, attribute):
            mark = "" if attribute.explicit else "~"
            yield f"    {mark}{name}: {attribute.type} = {show(attribute.value)}"
    if target.kind.endswith(" rule"):
        for output in target.outputs:
            yield f"    > {output}"
    else:
        for rule in sorted(target.inputs):
            yield f"    < {rule}"
    for member in target.members:
        yield f"    - {member}"


def tells_something(name: str, attribute: Attribute) -> bool:
    """Whether a default is worth a line."""
    return attribute.value not in ("", [], {}, None, False, 0, -1) and CONSTANTS.get(name) != attribute.value


def read_rules(text: str) -> Answer:
    """The facts of lines written by `write_rules`; lines that begin with # are comments."""
    answer: Answer = {}
    block: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("    "):
            block.append(line[4:])
        elif not line.startswith("#"):
            if block:
                target = _target(block)
                answer[target.label] = target
            block = [line] if line else []
    return answer


def _target(block: list[str]) -> TargetFacts:
    head = _KINDS.fullmatch(block[0])
    if head is None:
        raise ValueError(f"not the first line of a target: {block[0]!r}")
    attributes: dict[str, Attribute] = {}
    marked: dict[str, list[str]] = {">": [], "<": [], "-": []}
    for line in block[1:]:
        if line[0] in marked and line[1] == " ":
            marked[line[0]].append(line[2:])
            continue
        found = _ATTRIBUTE.fullmatch(line)
        if found is None:
            raise ValueError(f"not an attribute: {line!r}")
        mark, name, type_name, value = found.groups()
        attributes[name] = Attribute(type_name, _value(ast.parse(value, mode="eval").body), not mark)
    return TargetFacts(
        label=head[2],
        kind=head[1],
        location=head[3] or "",
        attributes=attributes,
        inputs=frozenset(marked["<"]),
        outputs=tuple(marked[">"]),
        members=tuple(marked["-"]),
    )


def _value(node: ast.expr) -> Value:
    if isinstance(node, (ast.BinOp, ast.Call)):
        return Select(tuple(_parts(node)))
    value: Value = ast.literal_eval(node)
    return value


def _parts(node: ast.expr) -> Iterator[tuple[tuple[str, Value], ...]]:
    if isinstance(node, ast.BinOp):
        yield from _parts(node.left)
        yield from _parts(node.right)
    elif isinstance(node, ast.Call):
        branches: dict[str, Value] = ast.literal_eval(node.args[0])
        yield tuple(branches.items())
    else:
        yield ((DEFAULT_CONDITION, ast.literal_eval(node)),)
