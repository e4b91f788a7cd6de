"""Comments: found in the text, and attached to the nodes they speak of.

File -> ``{node: Attached}``. A comment belongs to the nearest *element*: a statement, an argument, a parameter, an item
of a list, tuple or dict, a loaded name, a clause of a comprehension.

* before: on lines of its own above the element;
* suffix: behind the element on the line where it ends;
* after: on lines of its own below the last element, before the bracket closes or the block ends.

>>> from bzlgraph.syntax import parse
>>> file = parse("# why\\nx = 1  # how\\n", "a.bzl")
>>> attached = attach(file)[file.body[0]]
>>> attached.before[0].text, attached.suffix[0].text
('# why', '# how')
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from bzlgraph.syntax import ast
from bzlgraph.syntax.ast import Comment, File, Node
from bzlgraph.syntax.lalr.lexer import TOKEN


@dataclass(slots=True)
class Attached:
    """The comments of one element."""

    before: list[Comment] = field(default_factory=list)
    suffix: list[Comment] = field(default_factory=list)
    after: list[Comment] = field(default_factory=list)


def find(text: str) -> list[Comment]:
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


def attach(file: File) -> dict[Node, Attached]:
    """The elements of a file that have comments; comments of an empty container belong to the container."""
    attached: dict[Node, Attached] = {}
    found = find(file.text)
    todo: list[tuple[Node, list[Comment]]] = [(file, found)] if found else []
    while todo:
        node, comments = todo.pop()
        elements = _elements(node)
        starts = [element.start for element in elements]
        inside: dict[int, list[Comment]] = {}
        for comment in comments:
            index = bisect_right(starts, comment.start) - 1
            if index >= 0 and comment.start < elements[index].end:
                inside.setdefault(index, []).append(comment)
            else:
                owner, place = _owner(file, node, elements, index, comment)
                getattr(attached.setdefault(owner, Attached()), place).append(comment)
        todo.extend((elements[index], held) for index, held in inside.items())
    return attached


def _owner(file: File, node: Node, elements: list[Node], index: int, comment: Comment) -> tuple[Node, str]:
    """The element a comment between elements belongs to, and the place it has there."""
    if index >= 0:
        last = elements[index]
        if comment.suffix and "\n" not in file.text[last.end : comment.start]:
            return _innermost(file, last, comment, suffix=True), "suffix"
        inner = _innermost(file, last, comment, suffix=False)
        if inner is not last or index + 1 == len(elements):
            return inner, "after"
    if index + 1 < len(elements):
        return elements[index + 1], "before"
    return node, "suffix" if comment.suffix else "after"


def _innermost(file: File, node: Node, comment: Comment, suffix: bool) -> Node:
    """The statement a comment behind a block belongs to: the last of the deepest block the comment is indented as."""
    while isinstance(node, _COMPOUND):
        if not suffix and _column(file, comment) <= _column(file, node):
            break
        node = _last_body(node)[-1]
    return node


def _last_body(node: ast.Def | ast.If | ast.For | ast.While) -> list[ast.Stmt]:
    if isinstance(node, ast.If):
        return node.otherwise or node.bodies[-1]
    return node.body


def _column(file: File, node: Node) -> int:
    return file.position(node.start).column


_COMPOUND = (ast.Def, ast.If, ast.For, ast.While)
_ELEMENT = (ast.Stmt, ast.Arg, ast.Param, ast.LoadBinding, ast.ForClause, ast.IfClause)
_CONTAINER = (ast.ListExpr, ast.TupleExpr, ast.DictExpr)


def _elements(node: Node) -> list[Node]:
    """The nearest elements below a node, in the order of the text."""
    found: list[Node] = []
    todo = ast.children(node)
    if isinstance(node, _CONTAINER):
        found, todo = todo, []
    while todo:
        child = todo.pop()
        if isinstance(child, _ELEMENT):
            found.append(child)
        elif isinstance(child, _CONTAINER):
            found += ast.children(child)
        else:
            todo += ast.children(child)
    return sorted(found, key=_start)


def _start(node: Node) -> int:
    return node.start
