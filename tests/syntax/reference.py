"""A slow, separate reading of the language: tokens for stock Lark, trees compared by shape, Python's own trees."""

from __future__ import annotations

import ast as python
import re
from typing import Any

from lark import Token

from bzlgraph.syntax import BZL, ast
from bzlgraph.syntax.lalr.lexer import Kinds
from bzlgraph.syntax.lalr.literals import literal
from bzlgraph.syntax.lalr.tables import FLOAT, NAME, tables
from bzlgraph.syntax.parser import Parser

OFFSETS = frozenset({"op_start", "op_starts", "paren", "bracket", "name_start", "original_start"})

WORDS = re.compile(
    r"""(?P<skip>[ \t\r]+|\#[^\n]*|\\\r?\n)|(?P<line>\n)
    |(?P<string>[rb]{0,2}(?:\"\"\"(?:[^"\\]|\\.|"(?!""))*\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*'''
       |"(?:[^"\\\n]|\\\r\n|\\.)*"|'(?:[^'\\\n]|\\\r\n|\\.)*'))
    |(?P<number>0[xX][0-9a-fA-F]+|0[oO][0-7]+|\d+\.\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|\d+(?:[eE][-+]?\d+)?)
    |(?P<name>[^\W\d]\w*)
    |(?P<sign>//=|<<=|>>=|\*\*|[-+*/%&|^<>=!]=|//|<<|>>|[-+*/%&|^<>=~()\[\]{},;:.])""",
    re.VERBOSE | re.DOTALL,
)


class Payload(Token):
    """A token with the value our node makers expect."""

    payload: Any


def lark_type(name: str, payload: Any = 0) -> Payload:
    token = Payload(name, "")
    token.payload = payload
    return token


def lark_tokens(text: str) -> list[Payload]:
    """The tokens of a correct text, by the book: brackets counted, a stack of indentations."""
    made = tables()
    parser = Parser(text, BZL, made)
    tokens: list[Payload] = []
    depth, indents, at, fresh = 0, [0], 0, True
    text += "" if text.endswith("\n") else "\n"
    while at < len(text):
        match = WORDS.match(text, at)
        assert match, text[at : at + 20]
        start, at = at, match.end()
        group, word = match.lastgroup, match[0]
        if group == "skip":
            continue
        if group == "line":
            if not depth and not fresh:
                tokens.append(lark_type("NEWLINE", start))
                fresh = True
            continue
        if fresh and not depth:
            column = start - text.rfind("\n", 0, start) - 1
            if column > indents[-1]:
                indents.append(column)
                tokens.append(lark_type("INDENT", start))
            while column < indents[-1]:
                indents.pop()
                tokens.append(lark_type("DEDENT", start))
            fresh = False
        depth += (word in "([{") - (word in ")]}")
        kind = Kinds(made.words, BZL)[word]
        payload: Any = start
        if kind == NAME:
            payload = ast.Ident(start, at, word)
        elif NAME < kind <= FLOAT:
            payload = literal(kind, word, start, BZL, parser.problems)
        tokens.append(lark_type(made.symbols[kind], payload))
    tokens += [lark_type("DEDENT", at) for _ in indents[1:]]
    return tokens


def shape(value: Any, offsets: bool = False) -> Any:
    """A tree as plain tuples, to compare: with positions, or without."""
    if isinstance(value, ast.Node):
        skipped = frozenset() if offsets else OFFSETS | {"parenthesized"}
        where = (value.start, value.end) if offsets else ()
        fields = tuple(shape(getattr(value, name), offsets) for name in value.fields if name not in skipped)
        return (type(value).__name__, *where, *fields)
    if isinstance(value, list):
        return [shape(item, offsets) for item in value]
    return (type(value).__name__, value)


_BINARY = {
    "+": python.Add, "-": python.Sub, "*": python.Mult, "/": python.Div, "//": python.FloorDiv, "%": python.Mod,
    "|": python.BitOr, "&": python.BitAnd, "^": python.BitXor, "<<": python.LShift, ">>": python.RShift,
}  # fmt: skip
_COMPARE = {
    "==": python.Eq, "!=": python.NotEq, "<": python.Lt, "<=": python.LtE, ">": python.Gt, ">=": python.GtE,
    "in": python.In, "not in": python.NotIn,
}  # fmt: skip
_UNARY = {"-": python.USub, "+": python.UAdd, "~": python.Invert, "not": python.Not}


def to_python(node: Any) -> python.expr:
    """The expression as Python's own tree: what CPython's parser must agree with."""
    return _TO_PYTHON[type(node)](node)


def _name(node: ast.Ident) -> python.expr:
    if node.name in ("None", "True", "False"):
        return python.Constant({"None": None, "True": True, "False": False}[node.name])
    return python.Name(node.name, python.Load())


def _binary(node: ast.Binary) -> python.expr:
    left = to_python(node.operands[0])
    for op, operand in zip(node.ops, node.operands[1:], strict=True):
        left = python.BinOp(left, _BINARY[op](), to_python(operand))
    return left


def _logical(node: ast.Logical) -> python.expr:
    op: python.boolop = python.And() if node.op == "and" else python.Or()
    return python.BoolOp(op, [to_python(each) for each in node.operands])


def _call(node: ast.Call) -> python.expr:
    positional: list[python.expr] = []
    keywords: list[python.keyword] = []
    for arg in node.args:
        value = to_python(arg.value)
        if arg.kind == "*":
            positional.append(python.Starred(value, python.Load()))
        elif arg.kind == "**" or arg.name is not None:
            keywords.append(python.keyword(arg.name, value))
        else:
            positional.append(value)
    return python.Call(to_python(node.func), positional, keywords)


def _slice(node: ast.Slice) -> python.expr:
    parts = [None if part is None else to_python(part) for part in (node.low, node.high, node.step)]
    return python.Subscript(to_python(node.value), python.Slice(*parts), python.Load())


def _params(params: list[ast.Param]) -> python.arguments:
    made = python.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    starred = False
    for param in params:
        name = param.name and python.arg(param.name.name)
        default = param.default and to_python(param.default)
        if param.kind == "**":
            made.kwarg = name
        elif param.kind == "*":
            starred, made.vararg = True, name
        elif starred:
            assert name
            made.kwonlyargs.append(name)
            made.kw_defaults.append(default)
        else:
            assert name
            made.args.append(name)
            made.defaults += [default] if default else []
    return made


def _comprehension(node: ast.Comprehension) -> python.expr:
    generators: list[python.comprehension] = []
    for clause in node.clauses:
        if isinstance(clause, ast.ForClause):
            generators.append(python.comprehension(to_python(clause.target), to_python(clause.iterable), [], 0))
        else:
            generators[-1].ifs.append(to_python(clause.test))
    if node.key is not None:
        return python.DictComp(to_python(node.key), to_python(node.body), generators)
    return python.ListComp(to_python(node.body), generators)


_TO_PYTHON: dict[type, Any] = {
    ast.Ident: _name,
    ast.Literal: lambda node: python.Constant(node.value),
    ast.ListExpr: lambda node: python.List([to_python(each) for each in node.items], python.Load()),
    ast.TupleExpr: lambda node: python.Tuple([to_python(each) for each in node.items], python.Load()),
    ast.DictExpr: lambda node: python.Dict(
        [to_python(each) for each in node.keys], [to_python(each) for each in node.values]
    ),
    ast.Unary: lambda node: python.UnaryOp(_UNARY[node.op](), to_python(node.operand)),
    ast.Binary: _binary,
    ast.Logical: _logical,
    ast.Compare: lambda node: python.Compare(to_python(node.left), [_COMPARE[node.op]()], [to_python(node.right)]),
    ast.Conditional: lambda node: python.IfExp(to_python(node.test), to_python(node.then), to_python(node.otherwise)),
    ast.Lambda: lambda node: python.Lambda(_params(node.params), to_python(node.body)),
    ast.Dot: lambda node: python.Attribute(to_python(node.value), node.name, python.Load()),
    ast.Call: _call,
    ast.Index: lambda node: python.Subscript(to_python(node.value), to_python(node.key), python.Load()),
    ast.Slice: _slice,
    ast.Comprehension: _comprehension,
}
