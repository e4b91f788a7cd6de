"""Binary and unary operators: two values -> their sum, product, ...; each pays for what it makes.

Every operator has the same shape: the common types by exact ``type``, then host values through ``Value.binary``, then
the error. bool is not a number in Starlark, and exact types keep it out without a test.

>>> add("a", "b"), floor_divide(-7, 2), modulo("%s!", "x")
('ab', -4, 'x!')
"""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import not_
from typing import Any

from bzlgraph.starlark.checks import INT32, int32
from bzlgraph.starlark.evaluation.budget import (
    FREE,
    MAX_INT_BITS,
    charge_digits,
    charge_int,
    charge_items,
    charge_string,
)
from bzlgraph.starlark.evaluation.thread import current_thread, language
from bzlgraph.starlark.methods.percent import format_percent
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import NAN, Dict, FrozenList, List, OddDict, become_odd, check_mutable, type_name

_NUMBERS = frozenset({int, float})
_CHEAP_BITS = 512
_CHEAP = 1 << _CHEAP_BITS
"""Integers up to this size cost nothing."""


def unsupported(op: str, left: object, right: object) -> EvalError:
    """The error of an operator that has no meaning for these types."""
    return EvalError(f"unsupported binary operation: {type_name(left)} {op} {type_name(right)}")


def other(op: str, left: object, right: object) -> object:
    """``left OP right`` where one of them is a host value, else the error."""
    if isinstance(left, Value):
        result = left.binary(op, right, False)
        if result is not NotImplemented:
            return result
    if isinstance(right, Value):
        result = right.binary(op, left, True)
        if result is not NotImplemented:
            return result
    result = current_thread().operators(op, left, right)
    if result is not NotImplemented:
        return result
    raise unsupported(op, left, right)


def checked_float(value: float) -> float:
    """The one NaN for every NaN."""
    return value if value == value else NAN


def as_float(value: int | float) -> float:
    """An int or float operand as a float."""
    try:
        return float(value)
    except OverflowError:
        raise EvalError("int too large to convert to float") from None


def _checked_int(value: int) -> int:
    if not -INT32 <= value < INT32:
        if not language().large_integers:
            raise EvalError("integer overflow")
        if not -_CHEAP < value < _CHEAP:
            charge_int(value.bit_length())
    return value


def add(left: Any, right: Any) -> object:
    """``left + right``"""
    kind = type(left)
    if kind is str and type(right) is str:
        text = left + right
        if len(text) > FREE:
            charge_string(len(text))
        return text
    if kind is int and type(right) is int:
        total = left + right
        return total if -INT32 <= total < INT32 else _checked_int(total)
    if isinstance(left, list) and isinstance(right, list):
        charge_items(len(left) + len(right))
        joined = List(left)
        joined.extend(right)
        return joined
    if kind in _NUMBERS and type(right) in _NUMBERS:
        return checked_float(as_float(left) + as_float(right))
    if kind is tuple and type(right) is tuple:
        charge_items(len(left) + len(right))
        return left + right
    return other("+", left, right)


def subtract(left: Any, right: Any) -> object:
    """``left - right``"""
    if type(left) is int and type(right) is int:
        return _checked_int(left - right)
    if type(left) in _NUMBERS and type(right) in _NUMBERS:
        return checked_float(as_float(left) - as_float(right))
    return other("-", left, right)


def multiply(left: Any, right: Any) -> object:
    """``left * right``"""
    kind, kind_right = type(left), type(right)
    if kind is int and kind_right is int:
        if -_CHEAP < left < _CHEAP and -_CHEAP < right < _CHEAP:
            product = left * right
            return product if -INT32 <= product < INT32 else _checked_int(product)
        charge_int(left.bit_length() + right.bit_length())
        charge_digits(left.bit_length(), right.bit_length())
        return left * right
    if kind in _NUMBERS and kind_right in _NUMBERS:
        return checked_float(as_float(left) * as_float(right))
    repeated: object = NotImplemented
    if kind_right is int:
        repeated = _repeat(left, right)
    elif kind is int:
        repeated = _repeat(right, left)
    return other("*", left, right) if repeated is NotImplemented else repeated


def _repeat(sequence: object, times: int) -> object:
    """``sequence * times`` for strings, lists, tuples and bytes."""
    if not isinstance(sequence, (list, tuple, str, bytes)):
        return NotImplemented
    times = max(int32(times, "repeat"), 0)
    if isinstance(sequence, list):
        charge_items(len(sequence) * times)
        return List(sequence * times)
    if isinstance(sequence, tuple):
        charge_items(len(sequence) * times)
        return sequence * times
    charge_string(len(sequence) * times)
    return sequence * times


def divide(left: Any, right: Any) -> object:
    """``left / right``, always a float"""
    if type(left) in _NUMBERS and type(right) in _NUMBERS:
        divisor = as_float(right)
        if not divisor:
            raise EvalError("floating-point division by zero")
        return checked_float(as_float(left) / divisor)
    return other("/", left, right)


def _pay_division(left: int, right: int) -> None:
    if not -_CHEAP < left < _CHEAP:
        bits = left.bit_length()
        charge_int(bits)
        charge_digits(max(bits - right.bit_length(), _CHEAP_BITS), right.bit_length())


def floor_divide(left: Any, right: Any) -> object:
    """``left // right``"""
    if type(left) is int and type(right) is int:
        if not right:
            raise EvalError("integer division by zero")
        _pay_division(left, right)
        whole: int = left // right
        # Before Bazel 4 the least integer divided by -1 is the greatest: it divides floating-point numbers.
        return whole if whole != INT32 or language().large_integers else INT32 - 1
    if type(left) in _NUMBERS and type(right) in _NUMBERS:
        divisor = as_float(right)
        if not divisor:
            raise EvalError("integer division by zero")
        quotient = as_float(left) / divisor
        keep = not quotient or not math.isfinite(quotient)  # floor() would lose the sign of a zero
        return checked_float(quotient if keep else float(math.floor(quotient)))
    return other("//", left, right)


def modulo(left: Any, right: Any) -> object:
    """``left % right``: the remainder, or a string's formatting"""
    if type(left) is str:
        if isinstance(right, Value):
            result = right.binary("%", left, True)
            if result is not NotImplemented:
                return result
        return format_percent(left, right)
    if type(left) is int and type(right) is int:
        if not right:
            raise EvalError("integer modulo by zero")
        _pay_division(left, right)
        return left % right
    if type(left) in _NUMBERS and type(right) in _NUMBERS:
        divisor = as_float(right)
        if not divisor:
            raise EvalError("floating-point modulo by zero")
        return _float_remainder(as_float(left), divisor)
    return other("%", left, right)


def _float_remainder(left: float, divisor: float) -> float:
    """C's remainder, moved to the divisor's sign; a zero keeps the sign of ``left``, as in Bazel."""
    if not math.isfinite(left):
        return NAN
    rest = math.fmod(left, divisor)
    return checked_float(rest + divisor if rest and (rest < 0) != (divisor < 0) else rest)


MAX_SHIFT = 512


def _shift_count(count: int) -> int:
    if int32(count, "shift count") < 0:
        raise EvalError(f"negative shift count: {count}")
    return count


def shift_left(left: object, right: object) -> object:
    """``left << right``"""
    if type(left) is int and type(right) is int:
        if _shift_count(right) >= MAX_SHIFT:
            raise EvalError(f"shift count too large: {right}")
        return _checked_int(left << right)
    return other("<<", left, right)


def shift_right(left: object, right: object) -> object:
    """``left >> right``"""
    if type(left) is int and type(right) is int:
        return _checked_int(left >> min(_shift_count(right), MAX_INT_BITS))
    return other(">>", left, right)


def bit_or(left: object, right: object) -> object:
    """``left | right``: bits, or the union of dicts"""
    if type(left) is int and type(right) is int and language().bit_operators:
        return _checked_int(left | right)
    if isinstance(left, dict) and isinstance(right, dict) and language().dict_union:
        return dict_union(left, right)
    return other("|", left, right)


def dict_union(left: dict[object, object], right: dict[object, object]) -> Dict:
    """A new dict with the items of both; where they have a key in common, that of ``right`` counts."""
    charge_items(4 * (len(left) + len(right)))
    union = Dict()
    _merge(union, left)
    _merge(union, right)
    return union


def _merge(target: Dict, source: dict[object, object]) -> None:
    """Copy stored keys as they are (odd ones included)."""
    if not isinstance(source, OddDict):
        dict.update(target, source)
        return
    become_odd(target)
    for key, value in dict.items(source):
        dict.__setitem__(target, key, value)


def bit_and(left: object, right: object) -> object:
    """``left & right``"""
    if type(left) is int and type(right) is int:
        return _checked_int(left & right)
    return other("&", left, right)


def bit_xor(left: object, right: object) -> object:
    """``left ^ right``"""
    if type(left) is int and type(right) is int:
        return _checked_int(left ^ right)
    return other("^", left, right)


def add_in_place(left: object, right: object) -> object:
    """``left += right``: a list grows in place (right side: a list too), everything else is ``left + right``."""
    if isinstance(left, list) and isinstance(right, list):
        if type(left) is not List:
            if type(left) is FrozenList and language().old_collections:
                return add(left, right)
            check_mutable(left)
        charge_items(len(right))
        left.extend(right)
        return left
    return add(left, right)


def or_in_place(left: object, right: object) -> object:
    """``left |= right``: a dict is updated in place."""
    if isinstance(left, Dict) and isinstance(right, dict) and language().dict_union:
        check_mutable(left)
        charge_items(len(right))
        _merge(left, right)
        return left
    return _union_of_hosts(left, right)


def _in_place(op: str, plain: Callable[[object, object], object]) -> Callable[[object, object], object]:
    """The in-place form of an operator that only host values (sets) may implement."""

    def apply(left: object, right: object) -> object:
        if isinstance(left, Value):
            result = left.binary(op, right, False)
            if result is not NotImplemented:
                return result
        return plain(left, right)

    return apply


_union_of_hosts = _in_place("|=", bit_or)


def negate(value: Any) -> object:
    """``-value``"""
    if type(value) in _NUMBERS:
        return checked_float(-value) if type(value) is float else _checked_int(-value)
    return _unary("-", value)


def plus(value: object) -> object:
    """``+value``"""
    return value if type(value) in _NUMBERS else _unary("+", value)


def invert(value: object) -> object:
    """``~value``"""
    return _checked_int(~value) if type(value) is int else _unary("~", value)


def _unary(op: str, value: object) -> object:
    if isinstance(value, Value):
        result = value.unary(op)
        if result is not NotImplemented:
            return result
    raise EvalError(f"unsupported unary operation: {op}{type_name(value)}")


BINARY: dict[str, Callable[[object, object], object]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "//": floor_divide,
    "%": modulo,
    "<<": shift_left,
    ">>": shift_right,
    "|": bit_or,
    "&": bit_and,
    "^": bit_xor,
}
IN_PLACE: dict[str, Callable[[object, object], object]] = {
    **BINARY,
    "+": add_in_place,
    "|": or_in_place,
    "&": _in_place("&=", bit_and),
    "^": _in_place("^=", bit_xor),
    "-": _in_place("-=", subtract),
}
UNARY: dict[str, Callable[[object], object]] = {"-": negate, "+": plus, "~": invert, "not": not_}


def chain(ops: tuple[str, ...], places: tuple[tuple[int, int], ...], *operands: object) -> object:
    """A long chain of operators of one precedence, left to right (generated files have thousands of ``+``).

    ``places[i]`` is the line and column of ``ops[i]``. Sums of lists grow one list instead of copying it every time.
    """
    total = operands[0]
    owned = False
    for op, place, operand in zip(ops, places, operands[1:], strict=True):
        try:
            if op == "+" and owned and isinstance(total, list) and isinstance(operand, list):
                charge_items(len(operand))
                total.extend(operand)
            else:
                owned = isinstance(total, list) and isinstance(operand, list)
                total = BINARY[op](total, operand)
        except EvalError as error:
            raise error.at(place) from None
    return total
