"""Variables of a C++ function of PyTorch that are made for results, with their elements: what gets these does not
resize them, as that warns (``resize_output`` of ``Resize.cpp``).

tokens of a function -> (variable, what is known of it): whether it has its size already, the tensor that it is like in
size and type, its dimensions and elements.

>>> from bzlgraph.cpp.outline import read_outline
>>> from bzlgraph.cpp.tokens import tokenize
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
>>> text = "void f() { auto a = at::empty_like(x, LEGACY_CONTIGUOUS_MEMORY_FORMAT); "
>>> text += "auto b = at::empty({0}, x.options(), MemoryFormat::Contiguous); auto c = at::empty_like(x, format); }"
>>> outline = read_outline(tokenize(text))
>>> for name, facts in (made for each in outline.scopes for made in made_tensors(outline, each)):
...     print(name, *(fact.removeprefix(f"{name}.") for fact, _ in facts))
a has_its_size() is_contiguous() is_like(x)
b is_new()
c has_its_size()
>>> outline = read_outline(tokenize("void f() { Tensor b = at::empty({0}, x.options().dtype(kBool)); }"))
>>> [list(made_tensors(outline, each)) for each in outline.scopes]
[[('b', (('b.is_new()', 'true'), ('b.scalar_type()', 'kBool')))]]
>>> text = "void f() { auto a = x.t().contiguous(), e = a + b.contiguous(); Tensor b = x.contiguous(); a.t_(); }"
>>> outline = read_outline(tokenize(text))
>>> [list(made_tensors(outline, each)) for each in outline.scopes]
[[('b', (('b.is_contiguous()', 'true'),))]]
>>> text = "void f(T x) { T y = g(); Tensor a = x.narrow(0, 1), b = x.t() + a; auto c = x.select(n); y = a; "
>>> outline = read_outline(tokenize(text + "auto d = y.t(); }"))
>>> [(name, [fact for fact, _ in facts]) for each in outline.scopes for name, facts in made_tensors(outline, each)]
[('a', ['a.is_typed(x)']), ('c', ['c.is_typed(x)', 'a.is_typed(c)'])]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.known import is_constant
from bzlgraph.ops.pytorch.cpp.questions import (
    TRUE,
    Constants,
    has_its_size,
    has_numel,
    is_contiguous,
    is_new,
    like_tensor,
    typed_tensor,
)
from bzlgraph.ops.pytorch.cpp.values.types import TENSOR
from bzlgraph.ops.pytorch.cpp.variables.set_again import outside
from bzlgraph.ops.pytorch.cpp.written import DENSE, MADE_OF_SIZES

_LIKE = frozenset({"empty_like", "zeros_like"})

_CONTIGUOUS = frozenset("empty zeros empty_symint zeros_symint".split())
_TURNING = frozenset("as_strided_ transpose_ t_ squeeze_ unsqueeze_ set_ swapaxes_ swapdims_ swap_".split())
_FORMATS = ("MEMORY_FORMAT", "MemoryFormat", "suggest_memory_format")
"""What an argument says that changes no type."""


def made_tensors(outline: Outline[Token], scope: Scope) -> Iterator[tuple[str, Constants]]:
    """The variables that nothing is assigned to later, and that are not resized there."""
    tokens = outline.tokens
    body = range(scope.opening + 1, scope.closing - 6)
    changed = Counter(tokens[at].text for at in body if tokens[at + 1].text == "=")
    changed.update(tokens[at - 2].text for at in body if tokens[at].text.startswith("resize_"))
    turned = {tokens[at - 2].text for at in body if tokens[at].text in _TURNING}
    bases: dict[str, str] = {}
    for at in body:
        name = tokens[at].text
        if tokens[at - 1].text in (TENSOR, "auto") and tokens[at].kind == Kind.NAME and changed[name] == 1:
            made = [set(_of_maker(outline, each, name, turned)) for each in _makers(tokens, at + 1)]
            dense = [(is_contiguous(name), TRUE)] if name not in turned and _is_contiguous(tokens, at + 1) else []
            facts = tuple(sorted(set.intersection(*made), key=_in_order)) if made else tuple(dense)
            base = _base_of(outline, at + 1)
            if base and not changed[base]:
                alike = [base, *(other for other, its in bases.items() if its == base)]
                facts = *facts, *((typed_tensor(name, other), TRUE) for other in alike)
                bases[name] = base
            if facts:
                yield name, facts


def _base_of(outline: Outline[Token], at: int) -> str:
    """The variable of which a view is made there and nothing else: ``= a.narrow(0, 1, 2);``, "" for none."""
    tokens = outline.tokens
    if tokens[at].text != "=" or tokens[at + 2].text != "." or tokens[at + 4].text != "(":
        return ""
    whole = tokens[outline.brackets.ends[at + 4] + 1].text in (";", ",")
    return tokens[at + 1].text if whole and tokens[at + 3].text.removesuffix("_symint") in _VIEWS else ""


_VIEWS = frozenset("narrow slice select view expand expand_as transpose t permute unsqueeze squeeze flatten".split())
"""What gives a view of a tensor, of its type."""


def kept_contiguous(outline: Outline[Token], scope: Scope) -> Iterator[str]:
    """The variables that are made contiguous, and set again only to what stays so: themselves, otherwise shaped.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "void f(A x) { auto a = x.contiguous(), c = x; auto b = x.contiguous(); if (n) { a = a.reshape({n}); } "
    >>> outline = read_outline(tokenize(text + "b = b.t(); c = c.reshape(n); }"))
    >>> list(kept_contiguous(outline, outline.scopes[0]))
    ['a']
    """
    tokens, ends = outline.tokens, outline.brackets.ends
    words = [each.text for each in tokens[: scope.closing]]
    found: dict[str, list[bool]] = {}
    for at in range(scope.opening + 1, scope.closing - 6):
        if words[at + 1] != "=" or tokens[at].kind != Kind.NAME or words[at - 1] in (".", "->"):
            continue
        whole = words[at + 3] == "." and words[at + 5] == "(" and words[ends[at + 5] + 1 : ends[at + 5] + 2] in _ENDS
        made = words[at - 1] in (TENSOR, "auto") and words[at + 4] == "contiguous"
        again = words[at + 2] == words[at] and words[at + 4] in _RESHAPING
        stays = whole and (again if words[at] in found else made)
        found.setdefault(words[at], []).append(stays)
    turned = {words[at - 2] for at in range(scope.opening, scope.closing) if words[at] in _TURNING}
    yield from (name for name, each in found.items() if len(each) > 1 and all(each) and name not in turned)


_ENDS = [";"], [","]
_RESHAPING = frozenset({"reshape", "view", "flatten", "unsqueeze", "contiguous"})
"""What gives of a contiguous tensor one that is contiguous, too."""


def shaped_as(outline: Outline[Token], scope: Scope) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The variables that have as many dimensions and elements as some tensors wherever they are set: made with the
    size of one, or of it by what leaves these as they are.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "void f(Tensor a) { Tensor r; r = at::empty(a.sizes(), o); auto s = n ? at::empty_like(a, o) : "
    >>> text += "at::zeros(a.sym_sizes()); T t = at::empty(a.sizes()); t = a; T u = at::empty_like(a); u.resize_(); "
    >>> text += "Tensor v; if (n) { v = b; } else { v = c.clone(k).t(); } auto w = a.view(1); a = s; }"
    >>> outline = read_outline(tokenize(text))
    >>> list(shaped_as(outline, outline.scopes[0]))
    [('r', ('a',)), ('s', ('a',)), ('t', ('a',)), ('v', ('b', 'c'))]
    """
    words = [each.text for each in outline.tokens[: scope.closing]]
    given = {*words[scope.start : scope.opening]}
    found: dict[str, set[str]] = {}
    for at in range(scope.opening + 1, scope.closing - 3):
        if words[at + 1] == "=" and words[at].isidentifier() and words[at - 1] not in (".", "->"):
            found.setdefault(words[at], set()).update(_shapes_of(outline, words, at + 2))
        elif words[at + 1] == "." and words[at + 2].startswith("resize_"):
            found.setdefault(words[at], set()).add("")
    yield from ((name, tuple(sorted(each))) for name, each in found.items() if "" not in each and name not in given)


def _shapes_of(outline: Outline[Token], words: Sequence[str], at: int) -> Iterator[str]:
    """The tensors with whose size each value there is made, of which one may be chosen; "" for any other value."""
    end = words.index(";", at) if ";" in words[at:] else at
    chosen = [each for each in range(at, end) if words[each] in ("?", ":")]
    two = words[at:end].count("?") == 1 and len(chosen) == 2
    for start, last in [(chosen[0] + 1, chosen[1]), (chosen[1] + 1, end)] if two else [(at, end)]:
        found = _SIZED.match("".join(words[start : start + 8]))
        yield found[1] if found is not None else _kept(outline, words, start, last)


def _kept(outline: Outline[Token], words: Sequence[str], at: int, last: int) -> str:
    """The variable that stands there, alone or changed by what leaves dimensions and elements as they are."""
    name, at = words[at], at + 1
    while words[at] == "." and words[at + 1] in KEEPING and words[at + 2] == "(":
        at = outline.brackets.ends[at + 2] + 1
    return name if at == last and name.isidentifier() and not is_constant(name) else ""


KEEPING = frozenset("clone contiguous conj detach resolve_conj resolve_neg t to transpose transpose_ mT mH".split())
_SIZED = re.compile(r"at::(?:empty|zeros)(?:_like\((?=\w+[,)])|\w*\((?=\w+\.(?:sym_)?sizes\())(\w+)")


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


def _is_contiguous(tokens: Sequence[Token], at: int) -> bool:
    """Whether ``= x.f(..).contiguous();`` stands there."""
    end = next((each for each in range(at, len(tokens)) if tokens[each].text == ";"), at)
    words = [each.text for each in tokens[at + 1 : end]]
    called = words[-4:] == [".", "contiguous", "(", ")"]
    return called and all(each.isidentifier() or each in _OF_CALLS for each in outside(words))


_OF_CALLS = frozenset({".", "->", "::", ")"})


def _of_maker(outline: Outline[Token], at: int, name: str, turned: Collection[str]) -> Iterator[tuple[str, str]]:
    """What is known of a tensor that a maker gives; ``turned`` are those whose strides change."""
    tokens, maker = outline.tokens, outline.tokens[at].text
    if tokens[at + 1].text != "(" or maker not in MADE_OF_SIZES | _LIKE:
        return
    arguments = outline.brackets.arguments(at + 1) or [[]]
    sized = maker in _LIKE or "0" not in [each.text for each in arguments[0]]
    if sized:
        yield has_its_size(name), TRUE
    if maker in _LIKE and name not in turned and any(_is_dense(each) for each in arguments[1:]):
        yield is_contiguous(name), TRUE
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
    if maker in MADE_OF_SIZES and options[1:] == [".", "options", "(", ")"]:
        yield typed_tensor(name, options[0]), TRUE
    typed = _TYPED.fullmatch("".join(options)) if maker in MADE_OF_SIZES else None
    if typed is not None and is_constant(typed[1]):
        yield f"{name}.scalar_type()", typed[1]


_TYPED = re.compile(r"\w+\.options\(\)\.dtype\(([\w:]+)\)")
"""Options of a tensor with another type."""


def _is_dense(argument: Sequence[Token]) -> bool:
    """Whether an argument says the memory format of what is contiguous."""
    return "".join(each.text for each in argument).rpartition("::")[2] in (DENSE, "Contiguous")


def _in_order(fact: tuple[str, str]) -> tuple[int, str]:
    """As they are told: sizes first."""
    return "has_its_size" not in fact[0], fact[0]


def _of_new(name: str, arguments: Sequence[Sequence[Token]], *, sized: bool) -> Iterator[tuple[str, str]]:
    """Of a tensor that is made of sizes, unless it is made in some memory format."""
    formats = [each for each in arguments if any(word in token.text for token in each for word in _FORMATS)]
    if all(map(_is_dense, formats)):
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
