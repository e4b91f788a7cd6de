"""The tree of a file for people (``tree``) and for programs (``to_json``): ``bzlgraph parse FILE``.

Schema of ``to_json``: a file is

    {"node": "File", "path": P, "span": S, "body": [NODE...], "comments": [{"text": T, "suffix": B, "span": S}...]}

and every NODE is ``{"node": KIND, "span": S, FIELD: VALUE...}`` with the fields of the class in ``ast.py`` (offsets
left out). S is ``[line, column, end line, end column]``, 1-based, the end exclusive. A VALUE is a NODE, a list of
values, a string, a number, true, false or null; an int too large for other languages stays a JSON number; bytes are
``{"bytes": "hex"}``.

>>> from bzlgraph.syntax import parse
>>> print(tree(parse("x = f(1)", "a.bzl")))
File a.bzl
  Assign 1:1-1:9
    target: Ident 1:1-1:2 x
    value: Call 1:5-1:9
      func: Ident 1:5-1:6 f
      args: Arg 1:7-1:8
        value: Literal 1:7-1:8 1
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from bzlgraph.syntax import ast
from bzlgraph.syntax.ast import Comment, File, Node
from bzlgraph.syntax.depth import room
from bzlgraph.syntax.lalr.lexer import TOKEN

_OFFSETS = frozenset({"op_start", "op_starts", "paren", "bracket", "name_start", "original_start"})


def tree(file: File) -> str:
    """One line per node: field, kind, span, simple values; children indented."""
    lines = [f"File {file.path}"]
    todo: list[tuple[Node, int, str]] = [(child, 1, "") for child in reversed(file.body)]
    while todo:
        node, depth, label = todo.pop()
        span = file.span(node)
        where = f"{span.start.line}:{span.start.column}-{span.end.line}:{span.end.column}"
        simple = "".join(f" {text}" for text in _simple(node))
        lines.append(f"{'  ' * depth}{label}{type(node).__name__} {where}{simple}")
        todo.extend((child, depth + 1, f"{name}: ") for name, child in reversed(list(_labelled(node))))
    return "\n".join(lines)


def to_json(file: File) -> dict[str, Any]:
    """The tree as plain data; the schema is in the module's docstring."""
    data = _json_nodes(file, file.body)
    comments = [
        {"text": comment.text, "suffix": comment.suffix, "span": _span(file, comment)}
        for comment in find_comments(file.text)
    ]
    return {"node": "File", "path": file.path, "span": _span(file, file), "body": data, "comments": comments}


def json_text(file: File, more: Mapping[str, object] = MappingProxyType({})) -> str:
    """``to_json`` as text, a statement of the top level on each line; ``more`` are keys beside those of the file."""
    data = {**to_json(file), **more}
    with room():
        body = ",\n".join(json.dumps(statement, ensure_ascii=False) for statement in data.pop("body"))
    head = json.dumps(data, ensure_ascii=False)
    return f'{head[:-1]}, "body": [\n{body}\n]}}'


def find_comments(text: str) -> list[Comment]:
    """Every comment of a text, in order."""
    found: list[Comment] = []
    for match in TOKEN.finditer(text):
        blank, at = match[1], match.start()
        hash_at = blank.find("#")
        while hash_at >= 0:
            end = blank.find("\n", hash_at)
            end = len(blank) if end < 0 else end
            start = at + hash_at
            line = text.rfind("\n", 0, start) + 1
            found.append(Comment(start, at + end, blank[hash_at:end].rstrip("\r"), bool(text[line:start].strip())))
            hash_at = blank.find("#", end)
    return found


def _fields(node: Node) -> Iterator[tuple[str, object]]:
    for name in node.fields:
        if name not in _OFFSETS:
            yield name, getattr(node, name)


def _simple(node: Node) -> Iterator[str]:
    """The values of a node that are not nodes. A name stands bare, text in quotes."""
    for name, value in _fields(node):
        if isinstance(node, ast.Literal):
            yield json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
        elif isinstance(value, str) and value:
            yield value
        elif isinstance(value, list) and value and isinstance(value[0], str):
            yield " ".join(value)
        elif value is True:
            yield name


def _labelled(node: Node) -> Iterator[tuple[str, Node]]:
    """The nodes below a node with the names of their fields."""
    for name, index, child in ast.numbered_children(node):
        numbered = name in ("tests", "keys", "values", "bodies")
        yield f"{name}[{index}]" if numbered else name, child


def _span(file: File, node: Node) -> list[int]:
    span = file.span(node)
    return [*span.start, *span.end]


def _json_nodes(file: File, nodes: Sequence[Node]) -> list[object]:
    """Nodes as data, without recursion: a tree may be deeper than Python's stack likes."""
    result: list[object] = []
    todo: list[tuple[object, Any, str | None]] = [(node, result, None) for node in reversed(nodes)]
    while todo:
        value, into, key = todo.pop()
        made: Any = value
        if isinstance(value, Node):
            made = {"node": type(value).__name__, "span": _span(file, value)}
            todo.extend((field, made, name) for name, field in reversed(list(_fields(value))))
        elif isinstance(value, list):
            made = []
            todo.extend((item, made, None) for item in reversed(value))
        elif isinstance(value, bytes):
            made = {"bytes": value.hex()}
        if key is None:
            into.append(made)
        else:
            into[key] = made
    return result
