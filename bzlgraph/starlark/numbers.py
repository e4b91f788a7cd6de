"""``int(x, base)`` and ``float(x)``: text -> numbers, with Bazel's errors.

>>> parse_int("-0x1f", 16, True), parse_int("010", None, False), parse_float("1e2")
(-31, 10, 100.0)
"""

from __future__ import annotations

import math
import re

from bzlgraph.starlark.checks import INT32
from bzlgraph.starlark.evaluation.budget import charge_digits, charge_int
from bzlgraph.starlark.evaluation.thread import language
from bzlgraph.starlark.printing import float_repr, quote
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import NAN, type_name

_PREFIXES = {"0b": 2, "0o": 8, "0x": 16}
_DIGITS = re.compile(r"[0-9A-Za-z]+")
_FLOAT = re.compile(r"([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[dD]?")
_HEX_FLOAT = re.compile(r"([+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+)[dD]?")
"""Both with what Java, and so Bazel, reads behind a number."""


def parse_int(x: object, base: object, has_base: bool) -> int:
    """``int(x)`` or ``int(x, base)``"""
    if type(x) is str:
        if not has_base:
            return _int_from_text(x, 10)
        if type(base) is not int:
            raise EvalError(f"got {type_name(base)} for base, want int")
        return _int_from_text(x, base)
    stand_in = x.stand_in(int) if isinstance(x, Value) else NotImplemented
    if stand_in is not NotImplemented:
        return stand_in
    if has_base:
        raise EvalError("can't convert non-string with explicit base")
    if type(x) is bool or type(x) is int:
        return int(x)
    if type(x) is float:
        if not math.isfinite(x):
            raise EvalError(f"can't convert float {float_repr(x)} to int")
        return int(x)
    raise EvalError(f"got {type_name(x)}, want string, int, float, or bool")


def _int_from_text(text: str, base: int) -> int:
    if not text:
        raise EvalError("empty string")
    digits, base = _without_prefix(text, base)
    if not _DIGITS.fullmatch(digits):
        raise EvalError(f"invalid base-{base} literal: {quote(text)}")
    bits = len(digits) * base.bit_length()
    charge_int(bits)
    charge_digits(bits, bits if base & (base - 1) else 1)
    try:
        value = _digits_value(digits, base)
    except ValueError:
        raise EvalError(f"invalid base-{base} literal: {quote(text)}") from None
    value = -value if text[0] == "-" else value
    if not -INT32 <= value < INT32 and not language().large_integers:
        raise EvalError(f"invalid literal for int() with base {base}: {quote(text)}")
    return value


def _without_prefix(text: str, base: int) -> tuple[str, int]:
    """The digits of a literal without sign and ``0x``, and their base; base 0 asks the prefix."""
    if base != 0 and not 2 <= base <= 36:
        raise EvalError(f"invalid base {base} (want 2 <= base <= 36)")
    digits = text[1:] if text[0] in "+-" else text
    prefix = _PREFIXES.get(digits[:2].lower())
    if base == 0:
        if prefix is None and len(digits) > 1 and digits[0] == "0":
            raise EvalError(f"cannot infer base when string begins with a 0: {quote(text)}")
        base = prefix or 10
    if prefix == base:
        return digits[2:], base
    if prefix is not None and "0123456789abcdefghijklmnopqrstuvwxyz".index(digits[1].lower()) >= base:
        words = f"{digits[:2]} prefix wants base {prefix}"
        raise EvalError(f"invalid base-{base} literal: {quote(text)} ({words})")
    return digits, base


def _digits_value(digits: str, base: int) -> int:
    """Python refuses more than 4300 decimal digits at once."""
    if len(digits) <= 4000:
        return int(digits, base)
    half = len(digits) // 2
    power: int = base ** (len(digits) - half)
    return _digits_value(digits[:half], base) * power + _digits_value(digits[half:], base)


def parse_float(x: object) -> float:
    """``float(x)``"""
    if type(x) is int or type(x) is bool or type(x) is float:
        try:
            return float(x)
        except OverflowError:
            raise EvalError("int too large to convert to float") from None
    if type(x) is not str:
        stand_in = x.stand_in(float) if isinstance(x, Value) else NotImplemented
        if stand_in is not NotImplemented:
            return stand_in
        raise EvalError(f"got {type_name(x)}, want string, int, float, or bool")
    return _float_from_text(x)


def _float_from_text(x: str) -> float:
    text = x.strip(" \t\n\r\f\v")
    if not x:
        raise EvalError("empty string")
    if not text:
        raise EvalError(f"invalid float literal: {x}")
    word = x.lower()
    sign = -1.0 if word[0] == "-" else 1.0
    bare = word.lstrip("+-") if word[:1] in "+-" and word[1:2] not in "+-" else word
    if bare == "inf" or (bare == "infinity" and (bare != word or language().spec)):  # Bazel wants a sign there
        return sign * math.inf
    if bare == "nan":
        return NAN
    if match := _FLOAT.fullmatch(text):
        value = float(match[1])
    elif match := _HEX_FLOAT.fullmatch(text):
        value = _from_hex(match[1])
    else:
        raise EvalError(f"invalid float literal: {x}")
    if math.isinf(value):
        raise EvalError("floating-point number too large")
    return value


def _from_hex(text: str) -> float:
    try:
        return float.fromhex(text)
    except OverflowError:
        return math.inf
