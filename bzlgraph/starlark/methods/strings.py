"""Methods of strings: what Python's do, without its Unicode and keyword arguments, paying for long results.

Case and character classes are ASCII only, as in Bazel; white space is what Latin-1 knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from bzlgraph.starlark import iterate
from bzlgraph.starlark.builtin import method_table
from bzlgraph.starlark.checks import stand_in, want_int, want_int_or_none, want_member, want_string, wrong_type
from bzlgraph.starlark.evaluation.budget import (
    FREE,
    LONG,
    charge,
    charge_compare,
    charge_items,
    charge_search,
    charge_string,
)
from bzlgraph.starlark.evaluation.thread import language
from bzlgraph.starlark.methods.format import format_braces
from bzlgraph.starlark.printing import to_str
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import List, type_name

WHITESPACE = "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0"
_UPPER = {ord(c): c.upper() for c in "abcdefghijklmnopqrstuvwxyz"}
_LOWER = {ord(c): c.lower() for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def _pay(self: str) -> str:
    """Pay for a walk over a string, and for a copy of it."""
    if len(self) > FREE:
        charge_string(len(self))
    return self


def upper(self: str, /) -> str:
    """ASCII letters in capitals."""
    return _pay(self).upper() if self.isascii() or language().spec else _translated(self, _UPPER)


def lower(self: str, /) -> str:
    """ASCII letters in small letters."""
    return _pay(self).lower() if self.isascii() or language().spec else _translated(self, _LOWER)


def _translated(self: str, table: dict[int, str]) -> str:
    charge(2 * len(self))
    return self.translate(table)


def capitalize(self: str, /) -> str:
    """The first letter capital, the others small."""
    return upper(self[:1]) + lower(_pay(self)[1:])


def title(self: str, /) -> str:
    """The first letter of each word capital, the others small."""
    charge(len(self) >> 2)
    if _pay(self).isascii() or language().spec:
        return self.title()
    charge(20 * len(self))
    out, inside = [], False
    for char in self:
        out.append(lower(char) if inside else upper(char))
        inside = char.isalpha()
    return "".join(out)


def _of_class(pattern: str) -> Callable[[str], bool]:
    """Whether every character is of a class and there is one."""
    compiled = re.compile(pattern)

    def test(self: str, /) -> bool:
        return compiled.fullmatch(_pay(self)) is not None

    return test


def islower(self: str, /) -> bool:
    """Whether there are letters, all of them small."""
    return _pay(self) != upper(self) and self == lower(self)


def isupper(self: str, /) -> bool:
    """Whether there are letters, all of them capital."""
    return _pay(self) != lower(self) and self == upper(self)


def istitle(self: str, /) -> bool:
    """Whether each word begins with the only capital of the word, and there is one."""
    return self == title(self) and any("A" <= char <= "Z" for char in self)


def join(self: str, elements: Any, /) -> str:
    """The elements, which must be strings, with this one between them. EvalError for others, which old Bazels take."""
    if not isinstance(elements, (list, tuple)):
        elements = iterate.elements(elements)
        charge_items(len(elements))  # before a list is made of a range without end
        elements = list(elements)
    charge_items(len(elements))
    try:
        size = sum(map(len, elements)) + len(self) * len(elements)
        if size > FREE:
            charge_string(size)
        return self.join(elements)
    except TypeError:
        return _join_others(self, elements)


def _join_others(self: str, elements: list[object]) -> str:
    for position, element in enumerate(elements):
        if isinstance(element, Value):
            result = element.binary("join", self, True)
            if result is not NotImplemented:
                return join(self, [*elements[:position], result, *elements[position + 1 :]])
        if type(element) is not str and not language().join_takes_anything:
            raise EvalError(f"expected string for sequence element {position}, got '{type_name(element)}'")
    return join(self, [_as_java_writes(element) for element in elements])


def _as_java_writes(element: object) -> str:
    """What ``join()`` of an old Bazel makes of an element: as ``str()``, but truth values are Java's."""
    return str(element).lower() if isinstance(element, bool) else to_str(element)


_MISSING = object()


def replace(self: str, old: object, new: object, count: object = _MISSING, /) -> str:
    """A copy with the first ``count`` (or all) occurrences of ``old`` replaced."""
    old, new = want_string(old, "replace", "old"), want_string(new, "replace", "new")
    limit = _limit(count)
    if len(new) > len(old) and len(self) > 64:
        found = self.count(old) if limit < 0 else min(self.count(old), limit)
        charge_string(len(self) + found * (len(new) - len(old)))
    else:
        _pay(self)
    return self.replace(old, new, limit)


def _limit(count: object) -> int:
    """How often to replace, -1 for always."""
    taken = language().replace_count
    if count is _MISSING or (count is None and "None" in taken):
        return -1
    limit = want_int(count, "replace", "count")
    return 0 if limit < 0 and "none below 0" in taken else max(limit, -1)


def _split(cut: Callable[..., list[str]]) -> Callable[..., List]:
    name = cut.__name__

    def split(self: str, sep: object = _MISSING, maxsplit: object = None, /) -> List:
        limit = -1 if maxsplit is None else want_int(maxsplit, name, "maxsplit")
        _pay(self)
        if type(sep) is not str and language().spec and (sep is None or sep is _MISSING):
            charge_items(len(self) * 2)
            return List(cut(self, None, max(limit, -1)))
        if sep is _MISSING:
            raise EvalError(f"{name}() missing 1 required positional argument: sep")
        sep = want_string(sep, name, "sep")
        if not sep:
            raise EvalError("Empty separator")
        if len(self) > LONG:
            charge_search(len(self), len(sep), cut is str.rsplit)
            pieces = self.count(sep)
            charge_items(pieces)
            charge(pieces * 4)
        return List(cut(self, sep, max(limit, -1)))

    return split


def splitlines(self: str, keepends: object = False, /) -> List:
    """The lines, ended by \\n, \\r or \\r\\n, without their ends unless ``keepends``."""
    if type(keepends) is not bool:
        raise wrong_type(keepends, "splitlines", "keepends", "bool")
    charge(self.count("\n") * 4 + len(self))
    lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", self)
    return List(lines if keepends else [line.rstrip("\r\n") for line in lines])


def _partition(cut: Callable[..., tuple[str, str, str]]) -> Callable[..., tuple[str, str, str]]:
    def partition(self: str, sep: object = _MISSING, /) -> tuple[str, str, str]:
        if sep is _MISSING:
            if not language().partition_at_space:
                raise EvalError(f"{cut.__name__}() missing 1 required positional argument: sep")
            sep = " "
        sep = want_string(sep, cut.__name__, "sep")
        if not sep:
            raise EvalError("empty separator")
        if len(self) > LONG:
            charge_search(len(self), len(sep), cut is str.rpartition)
        return cut(_pay(self), sep)

    return partition


def _strip(cut: Callable[..., str]) -> Callable[..., str]:
    def strip(self: str, chars: object = None, /) -> str:
        if chars is not None and type(chars) is not str:
            raise wrong_type(chars, cut.__name__, "chars", "string or NoneType")
        if chars is not None and len(chars) > 16:
            charge_compare(len(self) * len(chars))
        return cut(_pay(self), WHITESPACE if chars is None else chars)

    return strip


def _range(self: str, start: object, end: object, name: str) -> tuple[int, int]:
    """``[start:end]`` as two indices in bounds."""
    low, high, _ = slice(want_int_or_none(start, name, "start"), want_int_or_none(end, name, "end")).indices(len(self))
    return low, max(low, high)


def _find(look: Callable[..., int]) -> Callable[..., int]:
    """``find``, ``index``, ``count`` and friends: a number for a part of the string and a range."""
    name = look.__name__
    backwards = look in (str.rfind, str.rindex)

    def find(self: str, sub: object, start: object = 0, end: object = None, /) -> int:
        sub = want_string(sub, name, "sub")
        if len(self) > LONG:
            charge_search(len(self), len(sub), backwards)
        try:
            return look(self, sub, *_range(self, start, end, name))
        except ValueError:
            raise EvalError("substring not found") from None

    return find


def _affix(test: Callable[..., bool]) -> Callable[..., bool]:
    name = test.__name__

    def affix(self: str, sub: object, start: object = 0, end: object = None, /) -> bool:
        if type(sub) is tuple:
            charge(2 * len(sub))
            for position, part in enumerate(sub):
                if type(part) is not str:
                    raise EvalError(f"at index {position} of sub, got element of type {type_name(part)}, want string")
                charge_compare(min(len(part), len(self)))
        elif type(sub) is not str:
            sub = stand_in(sub, str, name, "sub", "string or tuple")
        if start == 0 and end is None:
            return test(self, sub, 0, len(self))
        low, high = _range(self, start, end, name)
        return test(self, sub, low, high)

    return affix


def elems(self: str | bytes, /) -> List:
    """A list of the characters (the numbers, of bytes)."""
    charge_items(len(self))
    charge(len(self) * 4)
    return List(self)


def removeprefix(self: str, prefix: object, /) -> str:
    """The rest of a string that begins with ``prefix``, else the string."""
    want_member("string", "removeprefix")
    return _pay(self).removeprefix(want_string(prefix, "removeprefix", "prefix"))


def removesuffix(self: str, suffix: object, /) -> str:
    """The beginning of a string that ends with ``suffix``, else the string."""
    want_member("string", "removesuffix")
    return _pay(self).removesuffix(want_string(suffix, "removesuffix", "suffix"))


_FAMILIES: tuple[tuple[Callable[..., Callable[..., object]], tuple[Callable[..., object], ...]], ...] = (
    (_affix, (str.endswith, str.startswith)),
    (_find, (str.count, str.find, str.index, str.rfind, str.rindex)),
    (_partition, (str.partition, str.rpartition)),
    (_split, (str.rsplit, str.split)),
    (_strip, (str.lstrip, str.rstrip, str.strip)),
)
"""Methods that are one in all but the method of Python that they call."""
STRING_METHODS = method_table(
    *(capitalize, elems, islower, istitle, isupper, join, lower, removeprefix, removesuffix, replace),
    *(splitlines, title, upper),
    format=format_braces,
    isalnum=_of_class("[A-Za-z0-9]+"),
    isalpha=_of_class("[A-Za-z]+"),
    isdigit=_of_class("[0-9]+"),
    isspace=_of_class(f"[{WHITESPACE}]+"),
    **{method.__name__: make(method) for make, methods in _FAMILIES for method in methods},
)
BYTES_METHODS = method_table(elems)
"""The methods of bytes, which only the specification's dialect has."""
