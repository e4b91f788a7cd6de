"""The value of a C++ expression, as far as a reader of the source can tell it.

tokens -> text: ``30 * 1024`` gives ``30720``, ``std::numeric_limits<int32>::max()`` gives ``2147483647``, a literal
its text (``""`` when it is empty), a constant what it is made with; anything else is shown as it is written.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from functools import cache, partial

from bzlgraph.cpp import Kind, Token, joined_string

Lookup = Callable[[str], list[Token] | None]

_BITS = {
    "int": 32, "int32": 32, "int32_t": 32, "int64": 64, "int64_t": 64, "int16": 16, "int16_t": 16, "int8_t": 8,
    "uint32": -32, "uint32_t": -32, "uint64": -64, "uint64_t": -64, "size_t": -64, "uint8_t": -8, "uint16_t": -16,
}  # fmt: skip
"""Integer types: how many bits, negative for those without a sign."""

_LIMIT = re.compile(r"(?:std::)?numeric_limits<(?:\w+::)*(\w+)>::(max|min|lowest)\(\)")
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)[uUlLzZ]*\Z")
_FLOAT = re.compile(r"(\d*\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\d+)[fFlL]?\Z")
_SYMBOLS = frozenset({"|", "^", "&", "<<", ">>", "+", "-", "*", "/", "%"})
_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.BitAnd: operator.and_, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
}  # fmt: skip
_CASTS = frozenset({"string", "int64_t", "int64", "int32", "int32_t", "uint64_t", "size_t", "int", "string_view"})
_MAX_DEPTH = 8
_MAX_TOKENS = 200


def value_text(tokens: list[Token], lookup: Lookup, depth: int = 0) -> str:
    """The value of an expression, in words of C++."""
    tokens = _unwrapped(tokens)
    written = spelled(tokens)
    text = joined_string(tokens)
    if text is not None:
        return text or '""'
    limit = _LIMIT.fullmatch(written)
    if limit is not None and limit.group(1) in _BITS:
        return str(_limit(_BITS[limit.group(1)], limit.group(2)))
    number = integer(tokens, lookup)
    if number is not None:
        return str(number)
    sign = "-" if tokens and tokens[0].text == "-" else ""
    if len(tokens) == 1 + len(sign) and tokens[-1].kind == Kind.NUMBER:
        found = _FLOAT.match(tokens[-1].text)
        return sign + found.group(1) if found else written
    if len(tokens) == 1 and tokens[0].kind == Kind.NAME and depth < _MAX_DEPTH:
        value = lookup(tokens[0].text)
        return value_text(value, lookup, depth + 1) if value else written
    return written


def integer(tokens: list[Token], lookup: Lookup) -> int | None:
    """The value of an integer expression; None for anything else. C++ and Python write and bind these alike."""

    @cache
    def constant(name: str, depth: int) -> int | None:
        value = lookup(name) if depth < _MAX_DEPTH else None
        return _integer(value, partial(constant, depth=depth + 1)) if value else None

    return _integer(tokens, partial(constant, depth=0))


def _integer(tokens: list[Token], constant: Callable[[str], int | None]) -> int | None:
    try:
        written = " ".join(_operand(token, constant) for token in tokens[:_MAX_TOKENS])
        value = _evaluated(ast.parse(written, mode="eval").body)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return value if len(tokens) <= _MAX_TOKENS and abs(value) < 1 << 80 else None


def _operand(token: Token, constant: Callable[[str], int | None]) -> str:
    """A token as Python writes it: a number of C++, the number that a constant is made with, an operator."""
    found = _NUMBER.match(token.text.replace("'", ""))
    if found is not None:
        digits = found.group(1)
        return str(int(digits, 8 if digits[0] == "0" and digits.isdigit() and len(digits) > 1 else 0))
    if token.kind == Kind.NAME:
        number = constant(token.text)
        if number is None:
            raise ValueError("not a number")
        return f"({number})"
    if token.text not in _SYMBOLS and token.text not in "~()":
        raise ValueError("no operator of integers")
    return token.text


def _evaluated(node: ast.expr) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.UnaryOp):
        value = _evaluated(node.operand)
        return -value if isinstance(node.op, ast.USub) else ~value if isinstance(node.op, ast.Invert) else value
    if not isinstance(node, ast.BinOp):
        raise ValueError("not an integer")
    left, right = _evaluated(node.left), _evaluated(node.right)
    if isinstance(node.op, ast.LShift | ast.RShift) and not (0 <= right <= 64 and abs(left) < 1 << 80):
        raise ValueError("a shift too far")
    if isinstance(node.op, ast.Div | ast.Mod):
        if right == 0:
            raise ValueError("division by zero")
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)  # C++ rounds towards zero
        return quotient if isinstance(node.op, ast.Div) else left - quotient * right
    return _OPERATORS[type(node.op)](left, right)


def _limit(bits: int, which: str) -> int:
    if bits < 0:
        return (1 << -bits) - 1 if which == "max" else 0
    return (1 << (bits - 1)) - 1 if which == "max" else -(1 << (bits - 1))


def _unwrapped(tokens: list[Token]) -> list[Token]:
    """An expression without the cast or the ``std::string(...)`` around it."""
    for _ in range(_MAX_DEPTH):
        names = [at for at, token in enumerate(tokens[:6]) if token.text == "("]
        if not names or names[0] == 0 or len(tokens) < 3 or tokens[-1].text != ")":
            return tokens
        opening = names[0]
        called = tokens[opening - 1].text
        cast = called == ">" and tokens[0].text == "static_cast"
        if not (cast or called in _CASTS or called.endswith("_Name")):
            return tokens
        tokens = tokens[opening + 1 : -1]
    return tokens


def spelled(tokens: list[Token]) -> str:
    """Tokens as they are written, with spaces only where a reader wants them."""
    pieces: list[str] = []
    for token in tokens:
        if pieces and (pieces[-1][-1:].isalnum() and token.text[:1].isalnum()):
            pieces.append(" ")
        elif token.text in _SYMBOLS or token.text in ("&&", "||", "==", ">=", "<=", "?"):
            pieces += [" ", token.text, " "]
            continue
        pieces.append(token.text + (" " if token.text == "," else ""))
    return re.sub(r"  +", " ", "".join(pieces)).strip()
