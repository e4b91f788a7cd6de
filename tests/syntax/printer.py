"""Tree -> canonical text: parsing the text gives the same tree again, and printing that gives the same text.

Layout: four spaces, double quotes, one element per line once a bracket would pass the line width; parentheses only
where precedence wants them. Comments are not printed.

>>> from bzlgraph.syntax import parse
>>> print(to_text(parse("x=(a+b)*c;f( y = ['s'] )", "BUILD").body), end="")
x = (a + b) * c
f(y = ["s"])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bzlgraph.syntax import ast
from bzlgraph.syntax.ast import Arg, Expr, Node, Param, Stmt
from bzlgraph.syntax.depth import room

WIDTH = 100
INDENT = "    "

# How tightly an expression holds together; an operand that holds less tightly than its place needs parentheses.
_TUPLE, _TEST, _OR, _AND, _NOT, _COMPARE, _BIT_OR = range(7)
_XOR, _BIT_AND, _SHIFT, _SUM, _PRODUCT, _UNARY, _PRIMARY = range(7, 14)

_LEVELS = {
    "or": _OR, "and": _AND, "|": _BIT_OR, "^": _XOR, "&": _BIT_AND, "<<": _SHIFT, ">>": _SHIFT, "+": _SUM, "-": _SUM,
    "*": _PRODUCT, "/": _PRODUCT, "//": _PRODUCT, "%": _PRODUCT,
}  # fmt: skip


def to_text(statements: Iterable[Stmt], indent: str = "") -> str:
    """The statements, each on a line of its own; an empty line around those that take several."""
    with room():
        return _joined([_statement(statement, indent) for statement in statements])


def expression(node: Expr, indent: str = "") -> str:
    """One expression; ``indent`` is that of the line it stands on."""
    with room():
        return _place(node, _TUPLE, indent)


def quoted(text: str) -> str:
    """A string literal that both the old and the new escape rules read as ``text``."""
    return '"' + "".join(_ESCAPES.get(char, char) for char in text) + '"'


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\000"}


# ------------------------------------------------------------------------------------------------------- statements
def _statement(node: Stmt, indent: str) -> str:
    if isinstance(node, ast.Def):
        name = f"def {node.name.name}"
        return f"{indent}{name}{_bracketed('(', _params(node.params, indent + INDENT), ')', indent)}:\n" + _block(
            node.body, indent
        )
    if isinstance(node, ast.If):
        return _if(node, indent)
    if isinstance(node, ast.For):
        head = f"for {_targets(node.target, indent)} in {_place(node.iterable, _TUPLE, indent)}"
        return f"{indent}{head}:\n{_block(node.body, indent)}"
    if isinstance(node, ast.While):
        return f"{indent}while {_place(node.test, _TEST, indent)}:\n{_block(node.body, indent)}"
    return f"{indent}{_simple(node, indent)}\n"


def _simple(node: Stmt, indent: str) -> str:
    if isinstance(node, ast.ExprStmt):
        return _place(node.value, _TUPLE, indent)
    if isinstance(node, ast.Assign):
        return f"{_place(node.target, _TUPLE, indent)} {node.op or ''}= {_place(node.value, _TUPLE, indent)}"
    if isinstance(node, ast.Return):
        return "return" if node.value is None else f"return {_place(node.value, _TUPLE, indent)}"
    if isinstance(node, ast.Load):
        names = [_binding(each) for each in node.bindings]
        return "load" + _bracketed("(", [_place(node.module, _TEST, indent), *names], ")", indent)
    assert isinstance(node, ast.Branch)
    return node.keyword


def _binding(node: ast.LoadBinding) -> str:
    name = quoted(node.original)
    return name if node.local == node.original else f"{node.local} = {name}"


def _if(node: ast.If, indent: str) -> str:
    lines = []
    for word, test, body in zip(["if", *["elif"] * len(node.tests)], node.tests, node.bodies, strict=False):
        lines.append(f"{indent}{word} {_place(test, _TEST, indent)}:\n{_block(body, indent)}")
    if node.otherwise:
        lines.append(f"{indent}else:\n{_block(node.otherwise, indent)}")
    return "".join(lines)


def _block(body: list[Stmt], indent: str) -> str:
    return "".join(_statement(statement, indent + INDENT) for statement in body)


def _joined(texts: list[str]) -> str:
    parts: list[str] = []
    for text in texts:
        if parts and (text.count("\n") > 1 or parts[-1].count("\n") > 1):
            parts.append("\n")
        parts.append(text)
    return "".join(parts)


# ------------------------------------------------------------------------------------------------------ expressions
def _place(node: Expr, level: int, indent: str) -> str:
    """An expression where one of at least ``level`` is needed."""
    text = _expression(node, indent)
    return f"({text})" if _level(node) < level else text


def _level(node: Expr) -> int:
    if isinstance(node, ast.TupleExpr):
        return _PRIMARY if node.parenthesized or not node.items else _TUPLE
    if isinstance(node, ast.Conditional | ast.Lambda):
        return _TEST
    if isinstance(node, ast.Logical):
        return _LEVELS[node.op]
    if isinstance(node, ast.Compare):
        return _COMPARE
    if isinstance(node, ast.Binary):
        return _LEVELS[node.ops[0]]
    if isinstance(node, ast.Unary):
        return _NOT if node.op == "not" else _UNARY
    return _PRIMARY


def _expression(node: Expr, indent: str) -> str:
    text: str = _PRINTERS[type(node)](node, indent)
    return text


def _ident(node: ast.Ident, _indent: str) -> str:
    return node.name


def _literal(node: ast.Literal, _indent: str) -> str:
    value = node.value
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bytes):
        return 'b"' + "".join(f"\\x{byte:02x}" for byte in value) + '"'
    return repr(value)


def _list(node: ast.ListExpr, indent: str) -> str:
    return _bracketed("[", _items(node.items, indent), "]", indent)


def _tuple(node: ast.TupleExpr, indent: str) -> str:
    items = _items(node.items, indent)
    if len(items) == 1:
        items = [f"{items[0]},"]
    if not node.parenthesized:
        return ", ".join(items)
    if len(items) == 1:
        return f"({items[0]})"
    return _bracketed("(", items, ")", indent)


def _dict(node: ast.DictExpr, indent: str) -> str:
    inner = indent + INDENT
    pairs = zip(node.keys, node.values, strict=True)
    items = [f"{_place(key, _TEST, inner)}: {_place(value, _TEST, inner)}" for key, value in pairs]
    return _bracketed("{", items, "}", indent)


def _unary(node: ast.Unary, indent: str) -> str:
    if node.op == "not":
        return f"not {_place(node.operand, _NOT, indent)}"
    return f"{node.op}{_place(node.operand, _UNARY, indent)}"


def _binary(node: ast.Binary, indent: str) -> str:
    level = _LEVELS[node.ops[0]]
    parts = [_place(node.operands[0], level + _same_level(node.operands[0], level), indent)]
    for op, operand in zip(node.ops, node.operands[1:], strict=True):
        parts.append(f" {op} {_place(operand, level + 1, indent)}")
    return "".join(parts)


def _same_level(node: Expr, level: int) -> int:
    """1 when a first operand is a chain of the same level: it was in parentheses, or it would be one chain."""
    return int(isinstance(node, ast.Binary | ast.Logical) and _level(node) == level)


def _logical(node: ast.Logical, indent: str) -> str:
    level = _LEVELS[node.op]
    first = _place(node.operands[0], level + _same_level(node.operands[0], level), indent)
    return f" {node.op} ".join([first, *(_place(each, level + 1, indent) for each in node.operands[1:])])


def _compare(node: ast.Compare, indent: str) -> str:
    return f"{_place(node.left, _BIT_OR, indent)} {node.op} {_place(node.right, _BIT_OR, indent)}"


def _conditional(node: ast.Conditional, indent: str) -> str:
    then, test = _place(node.then, _OR, indent), _place(node.test, _OR, indent)
    return f"{then} if {test} else {_place(node.otherwise, _TEST, indent)}"


def _lambda(node: ast.Lambda, indent: str) -> str:
    params = ", ".join(_params(node.params, indent))
    return f"lambda{' ' if params else ''}{params}: {_place(node.body, _TEST, indent)}"


def _dot(node: ast.Dot, indent: str) -> str:
    value = _place(node.value, _PRIMARY, indent)
    number = isinstance(node.value, ast.Literal) and isinstance(node.value.value, int | float)
    return f"({value}).{node.name}" if number else f"{value}.{node.name}"


def _call(node: ast.Call, indent: str) -> str:
    args = [_arg(arg, indent + INDENT) for arg in node.args]
    return _place(node.func, _PRIMARY, indent) + _bracketed("(", args, ")", indent)


def _index(node: ast.Index, indent: str) -> str:
    return f"{_place(node.value, _PRIMARY, indent)}[{_place(node.key, _TUPLE, indent)}]"


def _slice(node: ast.Slice, indent: str) -> str:
    low = _place(node.low, _TUPLE, indent) if node.low else ""
    high, step = (_place(part, _TEST, indent) if part else "" for part in (node.high, node.step))
    return f"{_place(node.value, _PRIMARY, indent)}[{low}:{high}{f':{step}' if step else ''}]"


def _comprehension(node: ast.Comprehension, indent: str) -> str:
    body = _place(node.body, _TEST, indent)
    if node.key is not None:
        body = f"{_place(node.key, _TEST, indent)}: {body}"
    clauses = "".join(f" {_clause(clause, indent)}" for clause in node.clauses)
    return f"[{body}{clauses}]" if node.key is None else f"{{{body}{clauses}}}"


def _clause(node: ast.ForClause | ast.IfClause, indent: str) -> str:
    if isinstance(node, ast.ForClause):
        return f"for {_targets(node.target, indent)} in {_place(node.iterable, _OR, indent)}"
    # A lambda here must not contain a conditional: in parentheses it always may.
    return f"if {_place(node.test, _OR, indent)}"


def _targets(node: Expr, indent: str) -> str:
    if isinstance(node, ast.TupleExpr) and not node.parenthesized:
        items = [_place(item, _PRIMARY, indent) for item in node.items]
        return ", ".join(items) + ("," if len(items) == 1 else "")
    return _place(node, _PRIMARY, indent)


def _arg(node: Arg, indent: str) -> str:
    value = _place(node.value, _TEST, indent)
    return f"{node.name} = {value}" if node.name is not None else f"{node.kind}{value}"


def _params(params: list[Param], indent: str) -> list[str]:
    shown = []
    for param in params:
        name = f"{param.kind}{param.name.name if param.name else ''}"
        shown.append(name if param.default is None else f"{name} = {_place(param.default, _TEST, indent)}")
    return shown


def _items(items: list[Expr], indent: str) -> list[str]:
    return [_place(item, _TEST, indent + INDENT) for item in items]


def _bracketed(opening: str, items: list[str], closing: str, indent: str) -> str:
    """Items on one line when they fit, else each on its own with a comma behind."""
    line = ", ".join(items)
    if len(line) + len(indent) < WIDTH and "\n" not in line:
        return f"{opening}{line}{closing}"
    # No comma behind `*args` or `**kwargs`: some versions of Bazel refuse it.
    comma = "" if items[-1].startswith("*") else ","
    inner = ",\n".join(f"{indent}{INDENT}{item}" for item in items)
    return f"{opening}\n{inner}{comma}\n{indent}{closing}"


_PRINTERS: dict[type[Node], Callable[[Any, str], str]] = {
    ast.Ident: _ident,
    ast.Literal: _literal,
    ast.ListExpr: _list,
    ast.TupleExpr: _tuple,
    ast.DictExpr: _dict,
    ast.Unary: _unary,
    ast.Binary: _binary,
    ast.Logical: _logical,
    ast.Compare: _compare,
    ast.Conditional: _conditional,
    ast.Lambda: _lambda,
    ast.Dot: _dot,
    ast.Call: _call,
    ast.Index: _index,
    ast.Slice: _slice,
    ast.Comprehension: _comprehension,
}
