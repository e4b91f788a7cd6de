"""What conditions say, as texts: which are opposites, which ask for special tensors, which of several ways needs least.

>>> all_of(["a || b", opposite("n == 1")])
'(a || b) && n != 1'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

KINDS = ("sparse", "quantize", "nested", "mkldnn")
"""Words in the names of operators that are for special kinds of tensors themselves."""
MAX_WAYS = 12
"""Ways to a place that are compared."""
SPECIAL_LAST = 1000
"""Weight of a way that only special tensors go."""
_SPECIAL = re.compile(
    r"\bis_?(?:sparse|quantized|mkldnn|nested|meta|vulkan|xla|lazy|functorch|batchedtensor|qscheme)\w*"
    r"|\bk(?:Sparse|Mkldnn|Jagged|Quantized|PerTensorAffine|PerChannelAffine|Meta)\w*|NestedTensor"
    r"|\bUSE_VULKAN\w*|TensorSubclassLike|^(?:Sparse|Quantized|Mkldnn|Nested)\w*$",
    re.IGNORECASE,
)
"""Questions about a kind of tensor that few programs have, as native code asks them, and dispatch keys for it."""
_ORDINARY = re.compile(r"\bk?Strided\b")
_JOINED = re.compile(r"(&&|\|\||[()])")


@cache
def is_special(condition: str) -> bool:
    """Whether a condition asks for a special kind of tensor: sparse, quantized, nested, without data.

    Of several joined by ``&&`` it is enough that one does; of ``||`` all must.

    >>> texts = "self.is_sparse()", "!(self.is_sparse())", "n > 1 && a.layout() == kSparse", "!a.is_nested() || n"
    >>> [is_special(each) for each in (*texts, "layout != kStrided", "!(x == kSparse || x == kMkldnn)")]
    [True, False, True, False, True, False]
    >>> [is_special(each) for each in ("!(n && x == kStrided)", "!(x == kStrided && !y.is_nested())")]
    [False, True]
    """
    inside = condition.strip()
    if inside.startswith("!(") and inside.endswith(")") and len(opposite(inside)) < len(inside):
        both, either = (parts_of(opposite(inside), joint) for joint in ("&&", "||"))
        parts, decide = (both, all) if len(either) == 1 else (either, any)
        if len(parts) == 1:
            return _ORDINARY.search(inside) is not None and "==" in inside
        return decide(is_special(opposite(each.strip())) for each in parts)
    for joint, decide in (("||", all), ("&&", any)):
        parts = parts_of(inside, joint)
        if len(parts) > 1:
            return decide(map(is_special, parts))
    if inside.startswith("(") and inside.endswith(")"):
        return is_special(inside[1:-1])
    differs = "!=" in inside or inside.startswith("!")
    return bool((_ORDINARY if differs else _SPECIAL).search(inside))


def kinds_of(condition: str) -> frozenset[str]:
    """Of ``KINDS`` those that a condition asks for.

    >>> [sorted(kinds_of(each)) for each in ("a.is_sparse_csr() || a.is_nested()", "a.qscheme() == kPerTensorAffine")]
    [['nested', 'sparse'], ['quantize']]
    """
    return frozenset(kind for kind, words in _WORDS_OF_KINDS.items() if words.search(condition))


_OTHER_WORDS = {"nested": "jagged", "quantize": "qscheme|affine|quantizer"}
_WORDS_OF_KINDS = {each: re.compile(f"{each}|{_OTHER_WORDS.get(each, each)}", re.IGNORECASE) for each in KINDS}


def is_key(condition: str) -> bool:
    """Whether a condition is a backend's dispatch key for special tensors, or one of several."""
    return all(_KEY.fullmatch(each) is not None for each in condition.split(" || "))


_KEY = re.compile(r"(?:Sparse|Quantized|Mkldnn|Nested)\w*")


@cache
def parts_of(text: str, joint: str) -> tuple[str, ...]:
    """What stands between the joints that no bracket holds."""
    if joint not in text:
        return (text,)
    parts, depth = [""], 0
    for each in _JOINED.split(text):
        depth += (each == "(") - (each == ")")
        if each == joint and not depth:
            parts.append("")
        else:
            parts[-1] += each
    return tuple(parts)


@cache
def opposite(condition: str) -> str:
    """The condition under which one does not hold.

    >>> [opposite(each) for each in ("n > 1", "!ok(n)", "!(a || b)", "!a && b", "!(a) == (b)", "a.b(c) != 1", "ok(n)")]
    ['!(n > 1)', 'ok(n)', 'a || b', '!(!a && b)', '!(!(a) == (b))', 'a.b(c) == 1', '!ok(n)']
    """
    equal = _EQUAL.fullmatch(condition)
    if equal is not None and _JOINING.search(condition.replace(equal.group(2), "", 1)) is None:
        return f"{equal.group(1)} {'!=' if equal.group(2) == '==' else '=='} {equal.group(3)}"
    inside = plain = condition.removeprefix("!")
    while (shorter := _BRACKETED.sub("", plain)) != plain:
        plain = shorter
    if _OPERAND.fullmatch(plain) is None:
        return f"!({condition})"
    if inside == condition:
        return f"!{condition}"
    return inside if plain else inside[1:-1]


def all_of(conditions: Sequence[str]) -> str:
    """Several conditions as one.

    >>> all_of(["a || b", "c", "f(d || e)"]), all_of(["a || b"])
    ('(a || b) && c && f(d || e)', 'a || b')
    """
    if len(conditions) < 2:
        return "".join(conditions)
    return " && ".join(f"({each})" if len(parts_of(each, "||")) > 1 else each for each in conditions)


def brief(condition: str) -> str:
    """A condition for people: of many joined by ``&&`` the two that are nearest to the call, and how many others there
    are. Those that any tensor fulfils which is not special are others first.

    >>> brief("n > 1 && (a || b)"), brief("n > 1 && a && !self.is_sparse() && b && !self.is_quantized()")
    ('n > 1 && (a || b)', 'a && b, and 3 more conditions')
    """
    parts = [each.strip() for each in parts_of(condition, "&&")]
    if len(parts_of(condition, "||")) > 1 or len(parts) <= SHOWN:
        return _cut(condition)
    telling = [each for each in parts if not is_special(opposite(each))] or parts
    shown = telling[-SHOWN:]
    more = len(parts) - len(shown)
    return f"{_cut(' && '.join(shown))}, and {more} more condition{'s' if more > 1 else ''}"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 4]} ..."


SHOWN, MAX_SHOWN = 2, 160
"""Conditions that are shown, and characters of them."""


def weight(conditions: Sequence[str]) -> int:
    """How far a way is from one that every call goes."""
    return len(conditions) + (SPECIAL_LAST if any(map(is_special, conditions)) else 0)


def add_way(ways: list[tuple[str, ...]], new: tuple[str, ...]) -> None:
    """Add the conditions of a way to the same place to those of others, in place, the fewest first: the two branches of
    an ``if`` are one way, and one that needs more than another is none.

    >>> ways = []
    >>> for each in (("a", "b"), ("a", "c", "d"), ("a", "c", "!(d)"), ("a", "b", "e"), ("a", "!(c)")):
    ...     add_way(ways, each)
    >>> ways
    [('a',)]
    """
    if any(each <= {*new} for each in map(set, ways[:1])):
        return
    joined = next((each for each in ways if _both(each, new) is not None), None)
    while joined is not None:
        new = _both(joined, new) or ()
        ways.remove(joined)
        joined = next((each for each in ways if _both(each, new) is not None), None)
    needed = set(new)
    if len(ways) < MAX_WAYS and not any(needed.issuperset(each) for each in ways):
        ways[:] = sorted([*(each for each in ways if not needed.issubset(each)), new], key=weight)


def others(ways: Sequence[tuple[str, ...]]) -> bool:
    """Whether one of several ways is told and leaves out others: those of special tensors count for these only.

    >>> others([()]), others([("a",), ("b",)]), others([("a",), ("b", "self.is_sparse()")])
    (False, True, False)
    """
    return any(weight(each) < SPECIAL_LAST or weight(ways[0]) >= SPECIAL_LAST for each in ways[1:])


def _both(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...] | None:
    """What two branches of an ``if`` need both; None when two ways are no such branches."""
    if len(one) != len(other):
        return None
    lone, others = [each for each in one if each not in other], [each for each in other if each not in one]
    if len(lone) == len(others) == 1 and (opposite(lone[0]) == others[0] or opposite(others[0]) == lone[0]):
        return tuple(each for each in one if each != lone[0])
    return None


_BRACKETED = re.compile(r"\([^()]*\)|\[[^][]*\]")
_OPERAND = re.compile(r"[\w.:]*(?:->[\w.:]+)*")
_EQUAL = re.compile(r"(.+) (==|!=) (.+)")
_JOINING = re.compile(r"&&|\|\||[=!<>]=|[<>?!]| [&|^] ")
"""Operators that ``==`` is not read before."""
