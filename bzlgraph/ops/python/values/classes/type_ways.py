"""The texts that ``tensor_types`` tells types with: several ways, each with letters, or a parameter, and a shape.

Behind "$" for each way stands one of which types something has, a letter each ("$f" floats of 32 bits, "$il" whole
numbers of 32 or of 64 bits), or that it has the one of a parameter ("$:x", "$:x#" for numbers only); "bc" is nobody
knows which (``dtypes.ANY``). Behind that stands the shape, where it is known: "." a scalar, "," none, such as a list or
a shape ("$," of any type), "$i:x." whole numbers in the shape of a parameter; "$:x." has both, its type and its shape.

>>> outcome("$:x;$f", {"dtype x": frozenset(["$d"])}), outcome("$:x;$f", {}), outcome("$:x#.", {})
('$df', 'bc', '$12UWcdfghiluwz')
>>> outcome("$i:x.", {"dtype x": frozenset(["$d,"])}), may_be("dtype $i:x.=.", {"dtype x": frozenset(["$,"])})
('$i,', False)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bzlgraph.ops.python.summary import EITHER, NOT, TEXT
from bzlgraph.ops.python.values.classes.guards import needed_ways, opened

MARK, PARAMETER, SAME, SCALAR, LISTED, CALCULATED = "$", ":", "<", ".", ",", "#"
"""Before each way of a text; between two texts: that both are one type; behind a way: its shape; behind a
parameter: that only numbers are meant, with which one calculates."""
ANY = "bc"
MAX_WAYS = 12
_NUMBERS = "12UWcdfghiluwz"


def either(texts: Iterable[str]) -> str:
    """One of several.

    >>> either(["$i", "$f;$:x"]), either(["$i", "$:x", "bc"]), either(["{!a}$:x", "$:x", "{!a,a}$i"])
    ('$fi;$:x', 'bc', '$:x')
    >>> either(["$i,", "$,"]), either(["$i.", "$i,"]), either(["$i:x.", "$i,"])
    ('$,', '$i', '$i,;$i:x.')
    """
    ways = needed_ways(each for one in texts for each in one.split(EITHER))
    plain = [each for each in ways if is_plain(each)]
    others = [each for each in ways if not is_plain(each)]
    if not ways or any(MARK not in each for each in ways) or len(others) > MAX_WAYS:
        return ANY
    letters = [letters_of(each) for each in plain]
    merged = "".join(sorted({*"".join(letters)})) if all(letters) else ""
    shapes = {shape_of(each) for each in plain}
    both = f"{MARK}{merged}{shapes.pop() if len(shapes) == 1 else ''}"
    return ANY if both == MARK and plain else EITHER.join([*([both] if plain else []), *others])


def outcome(text: str, given: Mapping[str, frozenset[str]]) -> str:
    """The types that something may have with what is given, told by letters."""
    found: list[str] = []
    for way in opened(text, given):
        letters, of_parameter, rest = way.removeprefix(MARK).partition(PARAMETER)
        name = rest.rstrip(SCALAR + LISTED)
        known: Iterable[str] = given.get(f"dtype {name.removesuffix(CALCULATED)}", [ANY]) if of_parameter else [way]
        if name.endswith(CALCULATED):
            known = map(calculated, known)
        if letters and of_parameter:
            known = [f"{MARK}{letters}{shape_of(each)}" for each in known]
        kept = listed if way.endswith(LISTED) else str if way.endswith(SCALAR) else of_any_shape
        found += map(kept, known)
    return either(found) if all(map(is_plain, found)) else ANY


def may_be(need: str, given: Mapping[str, frozenset[str]]) -> bool:
    """Whether something may have the types that are needed of it."""
    text, _, wanted = need.lstrip(NOT).removeprefix("dtype ").partition(TEXT)
    one, same, other = text.partition(SAME)
    known = [outcome(each, given) for each in (one, other) if each]
    if wanted == SCALAR:
        return shape_of(known[0]) != (SCALAR if need.startswith(NOT) else LISTED)
    letters = [letters_of(each) if each != ANY else "" for each in known]
    if not same:
        possible = set(letters[0])
        return not possible or bool(possible - set(wanted) if need.startswith(NOT) else possible & set(wanted))
    if need.startswith(NOT):
        return not (symbol(one) == symbol(other) != "") and (
            not all(letters) or letters[0] != letters[1] or len(letters[0]) > 1
        )
    return not all(letters) or bool(set(letters[0]) & set(letters[1]))


def symbol(text: str) -> str:
    """The one parameter whose type something has, whichever that is, "" for none."""
    one = text.startswith(MARK + PARAMETER) and EITHER not in text
    return letters_of(text).removesuffix(CALCULATED) if one else ""


def letters_of(way: str) -> str:
    """The types of a plain way, "" for any; the parameter of one that has its type."""
    return _alone(way).removeprefix(MARK)


def shape_of(text: str) -> str:
    """The shape of something, "" where that is not known, or where a parameter decides."""
    if all(each.endswith(LISTED) for each in text.split(EITHER)):
        return LISTED
    return SCALAR * (text.endswith(SCALAR) and PARAMETER not in text and EITHER not in text)


def _alone(way: str) -> str:
    """A way without its shape."""
    guard, mark, rest = way.rpartition(MARK)
    letters = rest.partition(PARAMETER)[0]
    return f"{guard}{mark}{(letters or rest).rstrip(SCALAR + LISTED)}"


def of_any_shape(text: str) -> str:
    """The types alone."""
    ways = [_alone(each) for each in text.split(EITHER)]
    return ANY if MARK in ways else EITHER.join(ways)


def calculated(text: str) -> str:
    """What a calculation gives of what it has: numbers.

    >>> calculated("$:x.;$is"), calculated("bc"), calculated("$:x#")
    ('$:x#.;$i', '$12UWcdfghiluwz', '$:x#')
    """
    if text in (ANY, MARK + LISTED):
        return f"{MARK}{_NUMBERS}{shape_of(text)}"
    ways = []
    for way in text.split(EITHER):
        alone = _alone(way)
        numbers = "".join(each for each in alone[1:] if each in _NUMBERS) if is_plain(way) else ""
        named = PARAMETER in alone and not alone.endswith(CALCULATED)
        made = f"{MARK}{numbers}" if numbers else alone + CALCULATED * named
        ways.append(made + way[len(alone) :])
    return EITHER.join(ways)


def listed(text: str) -> str:
    """The types of something that is no scalar."""
    return MARK + LISTED if text == ANY else EITHER.join(_alone(each) + LISTED for each in text.split(EITHER))


def together(texts: Sequence[str]) -> str:
    """The shape of what is made of several: SCALAR where all are, LISTED where one is none."""
    shapes = [shape_of(each) for each in texts]
    return LISTED if LISTED in shapes else SCALAR * all(each == SCALAR for each in shapes)


def is_plain(way: str) -> bool:
    """Whether no parameter decides."""
    return way.startswith(MARK) and PARAMETER not in way
