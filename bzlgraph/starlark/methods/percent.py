"""``"..." % operands``: a format string -> its pieces -> the text, in Bazel's words when it fails.

>>> format_percent("%s=%d%%", ("x", 7))
'x=7%'
"""

from __future__ import annotations

import re
from functools import lru_cache

from bzlgraph.starlark.evaluation.budget import FREE, LONG, charge, charge_string
from bzlgraph.starlark.evaluation.thread import language
from bzlgraph.starlark.numbers import parse_float
from bzlgraph.starlark.printing import float_repr, int_repr, quote, to_repr, to_str
from bzlgraph.starlark.value import EvalError, Value

_VERB = re.compile(r"%(.?)", re.DOTALL)


Pieces = tuple[tuple[str, str], ...]


def _pieces(pattern: str, known: str) -> Pieces:
    """The pattern as (literal text, verb) pairs; the last verb is empty. Errors are raised by ``format_percent``."""
    charge(len(pattern))
    found: list[tuple[str, str]] = []
    literal, at = "", 0
    for match in _VERB.finditer(pattern):
        literal += pattern[at : match.start()]
        at = match.end()
        verb = match[1]
        if verb == "%":
            literal += "%"
            continue
        found.append((literal, verb if verb and verb in known else f"?{match.start() + 1}"))
        literal = ""
    found.append((literal + pattern[at:], ""))
    return tuple(found)


_known_pieces = lru_cache(maxsize=4096)(_pieces)


def format_percent(pattern: str, operand: object) -> str:
    """``pattern % operand``; only a tuple is several operands."""
    values = operand if type(operand) is tuple else (operand,)
    out: list[str] = []
    used = 0
    here = language()
    known = f"{here.percent}c" if here.spec else here.percent
    pieces = _pieces(pattern, known) if len(pattern) > LONG else _known_pieces(pattern, known)
    charge(4 * len(pieces))
    for literal, verb in pieces:
        if literal:
            out.append(literal)
        if not verb:
            break
        if verb[0] == "?":
            raise _unknown_verb(pattern, int(verb[1:]))
        if used >= len(values):
            raise EvalError(f"not enough arguments for format pattern {quote(pattern)}: {to_repr(tuple(values))}")
        value = values[used]
        used += 1
        if verb == "s":
            out.append(value if type(value) is str else to_str(value))
        elif verb == "r":
            out.append(to_repr(value))
        else:
            out.append(_number(verb, value))
    if used < len(values):
        raise EvalError("not all arguments converted during string formatting")
    text = "".join(out)
    if len(text) > FREE:
        charge_string(len(text))
    return text


def _unknown_verb(pattern: str, index: int) -> EvalError:
    if index >= len(pattern):
        return EvalError(f"incomplete format pattern ends with %: {quote(pattern)}")
    return EvalError(f'unsupported format character "{pattern[index]}" at index {index} in {quote(pattern)}')


def _number(verb: str, value: object) -> str:
    """One operand of a verb other than ``%s`` and ``%r``."""
    if type(value) is int or type(value) is float:
        if verb in "doxX":
            return _integer(verb, value)
        if verb in "eEfFgG":
            return _float(verb, parse_float(value))
    if verb == "c":
        return _character(value)
    stand_in = value.stand_in(str) if isinstance(value, Value) else NotImplemented
    if stand_in is not NotImplemented:
        return stand_in
    raise EvalError(f"invalid argument {to_repr(value)} for format pattern %{verb}")


def _integer(verb: str, value: int | float) -> str:
    if isinstance(value, float):
        try:
            value = int(value)
        except (ValueError, OverflowError):
            raise EvalError(f"cannot convert float {float_repr(float(value))} to integer") from None
    return int_repr(value) if verb == "d" else format(_unsigned(value), verb)


def _unsigned(value: int) -> int:
    """The bits of a negative number of 32 or 64 bits, as Java writes them in other bases than ten."""
    size = next((bits for bits in (32, 64) if value >= -1 << bits - 1), 0) if value < 0 else 0
    return value + (1 << size) if size else value


def _float(verb: str, value: float) -> str:
    if verb in "gG" or value != value or value in (float("inf"), float("-inf")):
        text = float_repr(value)
        return text.upper() if verb == "G" else text
    return _rounded(verb, value) if value else format(value, f".6{verb}")


def _rounded(verb: str, value: float) -> str:
    """Six digits after the point as Java makes them: of the shortest decimal that is the number, half up; C's come of
    the number itself, half to even."""
    from decimal import ROUND_HALF_UP, Decimal, localcontext  # rare in builds

    with localcontext() as context:
        context.rounding = ROUND_HALF_UP
        text = format(Decimal(repr(value)), f".6{verb}")
    mantissa, mark, exponent = text.partition(verb)
    return f"{mantissa}{mark}{int(exponent):+03}" if mark else mantissa


def _character(value: object) -> str:
    if type(value) is str and len(value) == 1:
        return value
    if type(value) is int and 0 <= value < 0x110000 and not 0xD800 <= value < 0xE000:
        return chr(value)
    raise EvalError(f"invalid argument {to_repr(value)} for format pattern %c")
