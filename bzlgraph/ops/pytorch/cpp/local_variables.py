"""Local variables of a C++ function of PyTorch. Those that are tensors: where those are used first that are declared
without a value (there they are no tensors yet), and which are made for results, with their elements: what gets these
does not resize them, as that warns (``resize_output`` of ``Resize.cpp``). Those that are set again: what asks for one
before that asks for its first value.

tokens of a function -> {token: variable}; (variable, what is known of it): whether it has its size already, the tensor
that it is like in size and type, its dimensions and elements.

>>> from bzlgraph.cpp.outline import read_outline
>>> from bzlgraph.cpp.tokens import tokenize
>>> text = "void f() { Tensor a, b; at::Tensor c; g(a, a); for (;;) { g(b); } Tensor d = g(); g(d); c = g(c); }"
>>> outline = read_outline(tokenize(text))
>>> [(name, outline.tokens[at - 2].text) for at, name in first_uses(outline, outline.scopes[0]).items()]
[('a', 'g'), ('c', ')')]
>>> text = "void f() { auto a = at::empty_like(x); Tensor b = at::empty(n, o), c = at::empty(n); }"
>>> text += "void g() { Tensor a = at::zeros_like(x, o), e; auto b = at::empty({0}, o); auto c = at::empty({n}); }"
>>> outline = read_outline(tokenize(text))
>>> for each in outline.scopes:
...     for name, facts in made_tensors(outline, each):
...         print(name, *(fact.removeprefix(f"{name}.") for fact, _ in facts))
a has_its_size() is_like(x)
b has_its_size() is_new()
a has_its_size()
b is_new()
c has_its_size() dim() has_numel() == n is_new()
>>> outline = read_outline(tokenize("void f() { Tensor a = n ? at::empty({0}, o.dtype(k)) : at::empty({0}, o); }"))
>>> [list(made_tensors(outline, each)) for each in outline.scopes]
[[('a', (('a.is_new()', 'true'),))]]
>>> outline = read_outline(tokenize("void f() { Tensor b = at::empty({0}, x.options()); }"))
>>> [list(made_tensors(outline, each)) for each in outline.scopes]
[[('b', (('b.is_new()', 'true'), ('b.is_typed(x)', 'true')))]]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.questions import (
    TRUE,
    Constants,
    has_its_size,
    has_numel,
    is_new,
    like_tensor,
    typed_tensor,
)
from bzlgraph.ops.pytorch.cpp.values import TENSOR

_LIKE = frozenset({"empty_like", "zeros_like"})
_OF_SIZES = frozenset("empty zeros empty_symint zeros_symint empty_strided empty_strided_symint".split())
_CONTIGUOUS = frozenset("empty zeros empty_symint zeros_symint".split())
_TURNING = frozenset("as_strided_ transpose_ t_ squeeze_ unsqueeze_ set_ swapaxes_ swapdims_ swap_".split())
_FORMATS = ("MEMORY_FORMAT", "MemoryFormat", "suggest_memory_format")
"""What an argument says that changes no type."""
HELD = "value_or"
"""What gives the value of an optional variable: one that is made with it is that."""
MAX_VALUE = 12
"""Tokens of such a value."""
_MEMBER_OF = frozenset({".", "->", "::"})


def first_uses(outline: Outline[Token], scope: Scope) -> dict[int, str]:
    """The first uses, each in the very block that declares the variable: a loop may run twice."""
    tokens, ends = outline.tokens, outline.brackets.ends
    blocks, found = [scope.closing], {}
    waiting: dict[str, int] = {}
    for at in range(scope.opening + 1, scope.closing - 1):
        while at > blocks[-1]:
            blocks.pop()
        token = tokens[at]
        if token.text == "{":
            blocks.append(ends[at])
        elif token.kind == Kind.NAME and _is_declared(tokens, at):
            waiting[token.text] = blocks[-1]
        elif token.kind == Kind.NAME and waiting.pop(token.text, -1) == blocks[-1]:
            found[at] = token.text
    return found


def _is_declared(tokens: list[Token], at: int) -> bool:
    """Whether ``Tensor a, b;`` declares the name at a token."""
    end = at
    while tokens[end + 1].text == "," and tokens[end + 2].kind == Kind.NAME:
        end += 2
    first = at
    while tokens[first - 1].text == "," and tokens[first - 2].kind == Kind.NAME:
        first -= 2
    return tokens[end + 1].text == ";" and tokens[first - 1].text == TENSOR and tokens[first - 2].text != "<"


def made_tensors(outline: Outline[Token], scope: Scope) -> Iterator[tuple[str, Constants]]:
    """The variables that nothing is assigned to later, and that are not resized there."""
    tokens = outline.tokens
    body = range(scope.opening + 1, scope.closing - 6)
    changed = Counter(tokens[at].text for at in body if tokens[at + 1].text == "=")
    changed.update(tokens[at - 2].text for at in body if tokens[at].text.startswith("resize_"))
    turned = {tokens[at - 2].text for at in body if tokens[at].text in _TURNING}
    for at in body:
        name = tokens[at].text
        if tokens[at - 1].text in (TENSOR, "auto") and tokens[at].kind == Kind.NAME and changed[name] == 1:
            made = [set(_of_maker(outline, each, name, turned)) for each in _makers(tokens, at + 1)]
            facts = tuple(sorted(set.intersection(*made), key=_in_order)) if made else ()
            if facts:
                yield name, facts


def _makers(tokens: Sequence[Token], at: int) -> list[int]:
    """Where the makers stand of ``= at::f(...);`` and ``= n ? at::f(...) : at::g(...);``, nowhere for other values."""
    if tokens[at].text != "=":
        return []
    if tokens[at + 2].text != "?":
        return [at + 3] if [each.text for each in tokens[at + 1 : at + 3]] == ["at", "::"] else []
    end = next(each for each in range(at, len(tokens)) if tokens[each].text == ";")
    starts = [at + 2, *(each for each in range(at, end) if tokens[each].text == ":")]
    chosen = [each + 3 for each in starts if [word.text for word in tokens[each + 1 : each + 3]] == ["at", "::"]]
    return chosen if len(chosen) == 2 else []


def _of_maker(outline: Outline[Token], at: int, name: str, turned: Collection[str]) -> Iterator[tuple[str, str]]:
    """What is known of a tensor that a maker gives; ``turned`` are those whose strides change."""
    tokens, maker = outline.tokens, outline.tokens[at].text
    if tokens[at + 1].text != "(" or maker not in _OF_SIZES | _LIKE:
        return
    arguments = outline.brackets.arguments(at + 1) or [[]]
    sized = maker in _LIKE or "0" not in [each.text for each in arguments[0]]
    if sized:
        yield has_its_size(name), TRUE
    like = _tensor(*arguments) if maker in _LIKE else ""
    if like:
        yield like_tensor(name, like), TRUE
    if (
        maker in _CONTIGUOUS
        and tokens[outline.brackets.ends[at + 1] + 1].text in (";", ",", ":")
        and name not in turned
    ):
        yield from _of_new(name, arguments, sized=sized)
    options = [each.text for each in arguments[1]] if len(arguments) == 2 else []
    if maker in _OF_SIZES and options[1:] == [".", "options", "(", ")"]:
        yield typed_tensor(name, options[0]), TRUE


def _in_order(fact: tuple[str, str]) -> tuple[int, str]:
    """As they are told: sizes first."""
    return "has_its_size" not in fact[0], fact[0]


def other_names(outline: Outline[Token], scope: Scope) -> dict[str, str]:
    """The variables that are others without their ``const``, and these.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "void f(const Tensor& a) { auto b = const_cast<Tensor&>(a); Tensor c = h(a); }"
    >>> other_names(read_outline(tokenize(text)), read_outline(tokenize(text)).scopes[0])
    {'b': 'a'}
    """
    tokens, ends = outline.tokens, outline.brackets.ends
    found: dict[str, str] = {}
    for at in range(scope.opening, scope.closing - 8):
        if tokens[at + 2].text == "const_cast" and tokens[at + 1].text == "=" and tokens[at].kind == Kind.NAME:
            opening = next((each for each in range(at + 3, at + 9) if tokens[each].text == "("), at)
            if ends[opening] == opening + 2 and tokens[opening + 3].text == ";":
                found[tokens[at].text] = tokens[opening + 1].text
    changed = Counter(tokens[at].text for at in range(scope.opening, scope.closing) if tokens[at + 1].text == "=")
    return {name: other for name, other in found.items() if changed[name] == 1}


def constant_tensors(outline: Outline[Token], scope: Scope) -> Iterator[str]:
    """The variables that stay one tensor, as they are declared so, once: those of lambdas and loops, too.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "void f() { auto g = [](const Tensor& a) {}; const auto& b = x; const at::Tensor c = h(); Tensor d; }"
    >>> outline = read_outline(tokenize(text))
    >>> list(constant_tensors(outline, outline.scopes[0]))
    ['a', 'b', 'c']
    """
    tokens = outline.tokens
    found: Counter[str] = Counter()
    for at in range(scope.opening + 3, scope.closing):
        before = at - 1 - (tokens[at - 1].text == "&")
        if tokens[at].kind == Kind.NAME and tokens[before].text in (TENSOR, "auto"):
            first = before - 2 if tokens[before - 1].text == "::" else before
            found[tokens[at].text] += 1 if tokens[first - 1].text == "const" else 2
    return (name for name, times in found.items() if times == 1)


def _of_new(name: str, arguments: Sequence[Sequence[Token]], *, sized: bool) -> Iterator[tuple[str, str]]:
    """Of a tensor that is made of sizes, unless it is made in some memory format."""
    if not any(word in token.text for each in arguments for token in each for word in _FORMATS):
        yield is_new(name), TRUE
    texts = [each.text for each in arguments[0]]
    if sized and texts[:1] == ["{"] and not {"(", "."} & {*texts}:
        yield f"{name}.dim()", str(texts.count(",") + 1)
        if len(texts) == 3 and texts[1].isidentifier():
            yield f"{has_numel(name)} == {texts[1]}", TRUE


def _tensor(first: Sequence[Token], *others: Sequence[Token]) -> str:
    """The tensor that another is made like, "" where a type is given, too."""
    plain = all(any(word in token.text for token in each for word in _FORMATS) for each in others)
    return first[0].text if plain and len(first) == 1 else ""


def special_uses(outline: Outline[Token], scope: Scope, giving: Collection[str]) -> dict[int, int] | None:
    """Where values stand that may be tensors of a special kind: ``MADE`` so, as the name says of what makes one, or
    ``GIVEN`` so, as parameters are, and variables that are made with these; None for a function that names no kind, of
    which nothing is known. What a sparse tensor is made of is none, nor what no method of ``giving`` gives: negative
    where only such a thing is taken of one.

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
    names = {tokens[at].text: GIVEN for at in named if _is_tensor(tokens, at)}
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


GIVEN, MADE = 1, 2
_KINDS = "sparse", "quantize", "nested", "mkldnn", "jagged", "_csr", "_csc", "_bsr", "_bsc"
_SPECIAL = re.compile("|".join(_KINDS), re.IGNORECASE)
"""What the names of functions and types have that are about tensors of special kinds."""
_PART = re.compile(r"(?:\b|[_a-z])[iI]ndices$|\b_?values$")
"""How what is named gives that a sparse tensor is made of."""
_STATEMENT_ENDS = frozenset({";", "{", "}"})


def with_first_values(outline: Outline[Token], first: int, last: int) -> Outline[Token]:
    """The tokens between two with variables as their first values, where these are the values of optional ones. None
    is added, so that brackets stay.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "void f(int o) { auto n = o.value_or(1); if (n > 1) { x.n(); n = 0; } g(n); int m = o.value_or(1); m; }"
    >>> outline = read_outline(tokenize(text))
    >>> told = with_first_values(outline, outline.scopes[0].opening, outline.scopes[0].closing).tokens
    >>> "".join(each.text for each in told[outline.scopes[0].opening :])
    '{auton=o.value_or(1);if(o.value_or(1)>1){x.n();n=0;}g(n);intm=o.value_or(1);m;}'
    """
    tokens = outline.tokens
    if HELD not in (each.text for each in tokens[first:last]):
        return outline
    told = [*tokens]
    for at in range(first, last - MAX_VALUE):
        name, held = tokens[at], at + 4
        if name.kind != Kind.NAME or tokens[at + 1].text != "=" or tokens[held].text != HELD:
            continue
        end = outline.brackets.ends[held + 1] + 1
        again = next((each for each in range(end, last) if _is_set(tokens, each, name.text)), -1)
        if tokens[at - 1].kind != Kind.NAME or tokens[end].text != ";" or end > at + MAX_VALUE or again < 0:
            continue
        value = "".join(each.text for each in tokens[at + 2 : end])
        for each in range(end, again):
            if tokens[each].text == name.text and tokens[each - 1].text not in _MEMBER_OF:
                told[each] = Token(Kind.NAME, value, tokens[each].start)
    return Outline(told, outline.scopes, outline.brackets)


def narrowed(outline: Outline[Token], scope: Scope) -> Iterator[tuple[str, Sequence[Token]]]:
    """The conditions that are set again, but hold only where they did at first, and that as written.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "void f() { bool a = x.up(), b = n; bool c = n > 1; if (m) { c = c && g(n); } bool d = n; d = d || m; "
    >>> text += "bool e = m && n; e &= k; if (k) { e = false; } bool h = k; }"
    >>> outline = read_outline(tokenize(text))
    >>> [(name, "".join(each.text for each in tokens)) for name, tokens in narrowed(outline, outline.scopes[0])]
    [('c', 'n>1'), ('e', 'm&&n')]
    """
    words = [each.text for each in outline.tokens[: scope.closing]]
    if "bool" not in words[scope.opening :]:
        return
    for at in range(scope.opening, scope.closing - 3):
        name = words[at + 1]
        if words[at] != "bool" or words[at + 2] != "=":
            continue
        end = words.index(";", at) if ";" in words[at:] else at
        again = [each for each in range(end, scope.closing - 3) if words[each] == name and _changes(words, each)]
        if (
            again
            and words.count(name) > 1
            and "," not in words[at:end]
            and all(_narrows(words, each) for each in again)
        ):
            yield name, outline.tokens[at + 3 : end]


def _changes(words: Sequence[str], at: int) -> bool:
    return words[at + 1] in ("=", "&=", "|=", "^=") or words[at - 1] == "&"


def _narrows(words: Sequence[str], at: int) -> bool:
    """Whether a condition holds behind what sets it only where it held before."""
    end = words.index(";", at) if ";" in words[at:] else at
    told = words[at + 1 : end]
    less = told[:1] == ["&="] or told[:2] == ["=", "false"] or told[:3] == ["=", words[at], "&&"]
    return less and words[at - 1] != "&" and {"||", "?"}.isdisjoint(_outside(told))


def _outside(words: Sequence[str]) -> Iterator[str]:
    """The words that stand in no brackets."""
    depth = 0
    for each in words:
        depth += (each == "(") - (each == ")")
        if depth == 0:
            yield each


def _is_set(tokens: list[Token], at: int, name: str) -> bool:
    return tokens[at].text == name and tokens[at + 1].text == "=" and tokens[at - 1].text not in _MEMBER_OF


def checked_again(outline: Outline[Token], scope: Scope) -> Iterator[tuple[str, Sequence[Token], Sequence[Token]]]:
    """The variables that are set again in a block which checks them then, what they are made with, and what is checked:
    behind the block one of both holds.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "void f() { T t = a.t(); if (n) { t = g(); TORCH_CHECK(t == a.t() || m); } T s = a.t(); s = g(); }"
    >>> outline = read_outline(tokenize(text))
    >>> for name, *both in checked_again(outline, outline.scopes[0]):
    ...     print(name, *("".join(each.text for each in tokens) for tokens in both))
    t a.t() t==a.t()||m
    """
    tokens, ends = outline.tokens, outline.brackets.ends
    words = [each.text for each in tokens[: scope.closing]]
    for check in (at for at in places_of(words, "TORCH_CHECK", scope.opening) if words[at + 1] == "("):
        at = check + 2 + (words[check + 2] == "(")
        name = words[at]
        set_at = [each for each in range(scope.opening, scope.closing - 1) if words[each : each + 2] == [name, "="]]
        if words[at + 1] != "==" or len(set_at) != 2 or not set_at[0] < set_at[1] < check:
            continue
        around = (each for each in range(set_at[1], scope.opening, -1) if words[each] == "{" and ends[each] > check)
        block = next(around, 0)
        made = tokens[set_at[0] + 2 : words.index(";", set_at[0])]
        asked = outline.brackets.arguments(check + 1)[0]
        same = words[at + 2 : at + 2 + len(made)] == [each.text for each in made]
        if set_at[0] < block and same:
            yield name, made, asked


def places_of(words: Sequence[str], word: str, first: int) -> Iterator[int]:
    """Where a word stands behind another one."""
    return (at for at in range(first, len(words) - 1) if words[at] == word)
