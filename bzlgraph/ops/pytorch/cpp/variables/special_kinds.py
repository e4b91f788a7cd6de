"""Where a C++ function of PyTorch has tensors of special kinds: sparse, quantized, nested.

tokens of a function -> {token: whether a tensor of such a kind stands there, and how that comes about}.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.values.types import TENSOR

GIVEN, MADE = 1, 2
_KINDS = "sparse", "quantize", "nested", "mkldnn", "jagged", "_csr", "_csc", "_bsr", "_bsc"
_SPECIAL = re.compile("|".join(_KINDS), re.IGNORECASE)
"""What the names of functions and types have that are about tensors of special kinds."""
_PART = re.compile(r"(?:\b|[_a-z])[iI]ndices(?:$|_from_)|\b_?values$|scales?$|zero_points?$")
"""How what is named gives that a sparse tensor is made of, or a quantized one beside its elements."""
_PLAIN_TYPES = frozenset("float double bool int64_t int32_t int16_t int8_t uint8_t".split())
"""Types of elements that no quantized tensor has."""
_STATEMENT_ENDS = frozenset({";", "{", "}"})


def special_uses(outline: Outline[Token], scope: Scope, giving: Collection[str]) -> dict[int, int] | None:
    """Where values stand that may be tensors of a special kind: ``MADE`` so, as the name says of what makes one, or
    ``GIVEN`` so, as parameters are, and variables that are made with these; None for a function that names no kind, of
    which nothing is known. What a sparse tensor is made of is none, nor what is read as plain numbers, nor what no
    method of ``giving`` gives: negative where only such a thing is taken of one.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "void f(Tensor a, Tensor s) { T b = at::_sparse_coo(a), c = a.values(); h(b, c); T n = s.dim(); h(n); }"
    >>> outline = read_outline(tokenize(text))
    >>> used = special_uses(outline, outline.scopes[0], ["values"])
    >>> [(outline.tokens[at].text, how) for at, how in sorted(used.items())]
    [('_sparse_coo', 2), ('a', 1), ('a', -1), ('b', 2), ('s', -1)]
    """
    tokens = outline.tokens
    text = " ".join([each.text for each in tokens[scope.start : scope.closing]]).lower()
    if not any(word in text for word in _KINDS):
        return None
    named = (at for at in range(scope.start, scope.opening) if tokens[at + 1].text in (",", ")"))
    read = _read_as_numbers(tokens[scope.opening : scope.closing])
    names = {tokens[at].text: GIVEN for at in named if _is_tensor(tokens, at) and tokens[at].text not in read}
    found: dict[int, int] = {}
    blocks, before = [scope.closing], [(scope.closing, "", 0)]
    for at in range(scope.opening + 1, scope.closing):
        while at > before[-1][0]:  # what was made anew in a block may be what it was behind it
            _, name, how = before.pop()
            names[name] = max(how, names.get(name, 0))
        while at > blocks[-1]:
            blocks.pop()
        text, after = tokens[at].text, tokens[at + 1].text
        if text == "{":
            blocks.append(outline.brackets.ends[at])
        elif after == "=" and text in names:
            before.append((blocks[-1], text, names.pop(text)))
        elif tokens[at].kind == Kind.NAME and tokens[at - 1].text not in (".", "->"):
            how = MADE if _makes_special(text, after) else names.get(text, 0)
            if how:
                found[at] = -how if _is_part(tokens, at, giving) else how
                names.update((name, max(found[at], names.get(name, 0))) for name in _made_with(tokens, at))
    return found


def _read_as_numbers(body: Sequence[Token]) -> set[str]:
    """The variables whose elements are read as plain numbers, which those of a tensor of a special kind are not, and
    those that give them contiguous: ``b = a.contiguous(); b.data_ptr<float>()``."""
    words = [each.text for each in body]
    reading = (at for at, word in enumerate(words) if word.endswith("data_ptr") and words[at + 1] == "<")
    read = {words[at - 2] for at in reading if words[at + 2] in _PLAIN_TYPES}
    dense = (at for at, word in enumerate(words) if word == "contiguous" and read and words[at - 4] in read)
    return read | {words[at - 2] for at in dense if words[at - 3] == "="}


def _makes_special(name: str, after: str) -> bool:
    """Whether a call of that name gives a tensor of a special kind."""
    named = _SPECIAL.search(name) is not None and _PART.search(name) is None
    return after in ("(", "<") and named and not name.startswith("is_")


def _made_with(tokens: Sequence[Token], at: int) -> list[str]:
    """The variables that a statement makes of what stands in it, but for those that are made of a part of it:
    ``i = getIndices(a)``."""
    begun = next((each for each in range(at, 0, -1) if tokens[each].text in _STATEMENT_ENDS), at)
    parts = (_PART.search(tokens[each].text) and tokens[each + 1].text == "(" for each in range(begun, at))
    return [tokens[each].text for each in range(begun, at) if tokens[each + 1].text == "="] if not any(parts) else []


def _is_tensor(tokens: Sequence[Token], at: int) -> bool:
    """Whether a parameter is declared as a tensor, or several, and named for no part of a special one."""
    first = next((each for each in range(at, 0, -1) if tokens[each - 1].text in ("(", ",")), at)
    return any(TENSOR in each.text for each in tokens[first:at]) and _PART.search(tokens[at].text) is None


def _is_part(tokens: Sequence[Token], at: int, giving: Collection[str]) -> bool:
    """Whether of a variable only what is taken that is no special tensor: ``a.values()``, ``a.dim()``."""
    if tokens[at + 1].text not in (".", "->") or tokens[at + 3].text not in ("(", "<"):
        return False
    return tokens[at + 2].text not in giving or _PART.search(tokens[at + 2].text) is not None
