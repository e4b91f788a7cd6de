"""A call of a function of which only its definition knows what it gives, as part of a text that tells a dtype.

Behind the function stands what it is given: "f<0→ii<width→bb∶x" is ``f(1, width=x)``. What a text means by some
characters, other ones stand for inside of such a call.

>>> texts = [("0", "ii"), ("width", "{&x}ff;bb:x|y")]
>>> told_call("f", texts)
'f<0→ii<width→⦃&x⦄ff⁏bb∶x‖y'
>>> call_told(told_call("f", texts)) == ("f", dict(texts)), call_told("f")
(True, ('f', {}))
>>> told_call("g", [("0", told_call("bb:*f", texts))])
'g<0→bb∶∗f'
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from bzlgraph.ops.python.summary import EITHER, OR, REST

GIVEN, SLOT = "<", "→"
"""Before each argument; behind its position or name."""
MAX_LENGTH = 200
"""Calls of which the text is longer are told without what they are given."""
_OUTSIDE = f"{OR}{EITHER}:{{}},*"
INSIDE = "‖⁏∶⦃⦄‚∗"
_HIDDEN, _SHOWN = str.maketrans(_OUTSIDE, INSIDE), str.maketrans(INSIDE, _OUTSIDE)


def told_call(called: str, given: Iterable[tuple[str, str]]) -> str:
    """A call by what it is given: (position or name, text) of each argument of which something is known. Of calls that
    are given to it only the function is told."""
    told = "".join(f"{GIVEN}{slot}{SLOT}{_flat(text).translate(_HIDDEN)}" for slot, text in given)
    return called + told if len(told) <= MAX_LENGTH else called


def arguments_of(call: ast.Call, told: Callable[[ast.expr], str]) -> Iterator[tuple[str, str]]:
    """(position or name, text) of what a call is given; REST for what nobody counts.

    >>> list(arguments_of(ast.parse("f(x, *more, key=y)", mode="eval").body, ast.unparse))
    [('0', 'x'), ('*', '*more'), ('key', 'y')]
    """
    for at, value in enumerate(call.args):
        yield REST if isinstance(value, ast.Starred) else str(at), told(value)
    for each in call.keywords:
        yield each.arg or REST, told(each.value)


@cache
def call_told(text: str) -> tuple[str, Mapping[str, str]]:
    """The function of such a call, and position or name -> the text of what it is given."""
    called, *given = text.split(GIVEN)
    parted = (each.partition(SLOT) for each in given)
    return called, {slot: inside.translate(_SHOWN) for slot, _, inside in parted}


def hidden(text: str) -> str:
    """A text as it stands among others that "|" divides; ``shown`` gives it again.

    >>> hidden("i;:x"), shown(hidden("i;:x"))
    ('i⁏∶x', 'i;:x')
    """
    return text.translate(_HIDDEN)


def shown(text: str) -> str:
    """A text that was hidden."""
    return text.translate(_SHOWN)


def _flat(text: str) -> str:
    """A text without what the calls in it are given."""
    ways = text.split(EITHER) if GIVEN in text else []
    names = [[name.partition(GIVEN)[0] for name in way.split(OR)] for way in ways]
    return EITHER.join(map(OR.join, names)) if ways else text
