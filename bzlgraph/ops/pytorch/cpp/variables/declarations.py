"""Variables of a C++ function of PyTorch by how they are declared: tensors that are none yet, those that stay one
tensor, and other names of one.

tokens of a function -> {token: variable}, names.

>>> from bzlgraph.cpp.outline import read_outline
>>> from bzlgraph.cpp.tokens import tokenize
>>> text = "void f() { Tensor a, b; at::Tensor c; g(a, a); for (;;) { g(b); } Tensor d = g(); g(d); c = g(c); }"
>>> outline = read_outline(tokenize(text))
>>> [(name, outline.tokens[at - 2].text) for at, name in first_uses(outline, outline.scopes[0]).items()]
[('a', 'g'), ('c', ')')]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.known import COMMON_TYPE
from bzlgraph.ops.pytorch.cpp.values.types import TENSOR


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


def types_of_two(outline: Outline[Token], scope: Scope) -> Iterator[tuple[range, str, str]]:
    """The variables that are the type which a tensor and something else are computed with: where, the variable, and
    what gives the type.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "void f() { if (n) { auto t = at::native::result_type(a, b); g(t); } auto s = g(a); h(s); }"
    >>> outline = read_outline(tokenize(text))
    >>> for where, name, given in types_of_two(outline, outline.scopes[0]):
    ...     print("".join(outline.tokens[each].text for each in where), name, given)
    ;g(t); t result_type(a,b)
    """
    tokens, ends = outline.tokens, outline.brackets.ends
    for at in range(scope.opening + 1, scope.closing - 6):
        pair = [each.text for each in tokens[at + 1 : at + 7]] if tokens[at].text == COMMON_TYPE else []
        if not pair or pair[0] != "(" or pair[2] != "," or pair[4:] != [")", ";"]:
            continue
        first = at
        while tokens[first - 1].text == "::":
            first -= 2
        around = (each for each in range(first, scope.opening, -1) if tokens[each].text == "{" and ends[each] > at)
        if tokens[first - 1].text == "=":
            where = range(at + 6, ends[next(around, scope.opening)])
            yield where, tokens[first - 2].text, f"{COMMON_TYPE}({pair[1]},{pair[3]})"


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
