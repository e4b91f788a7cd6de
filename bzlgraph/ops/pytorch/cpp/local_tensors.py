"""Local variables of a C++ function of PyTorch that are tensors: where those are used first that are declared without a
value (there they are no tensors yet), and which are made for results, with their elements: what gets these does not
resize them, as that warns (``resize_output`` of ``Resize.cpp``).

tokens of a function -> {token: variable}; (variable, the tensor that it is like in size and type, "" for none).

>>> from bzlgraph.cpp.outline import read_outline
>>> from bzlgraph.cpp.tokens import tokenize
>>> text = "void f() { Tensor a, b; at::Tensor c; g(a, a); for (;;) { g(b); } Tensor d = g(); g(d); c = g(c); }"
>>> outline = read_outline(tokenize(text))
>>> [(name, outline.tokens[at - 2].text) for at, name in first_uses(outline, outline.scopes[0]).items()]
[('a', 'g'), ('c', ')')]
>>> text = "void f() { auto a = at::empty_like(x); Tensor b = at::empty(n, o), c = at::empty(n); }"
>>> text += "void g() { Tensor a = at::zeros_like(x, o), e; auto b = at::empty({0}, o); }"
>>> outline = read_outline(tokenize(text))
>>> [list(made_tensors(outline, each)) for each in outline.scopes]
[[('a', 'x'), ('b', '')], [('a', '')]]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.values import TENSOR

_LIKE = frozenset({"empty_like", "zeros_like"})
_OF_SIZES = frozenset("empty zeros empty_symint zeros_symint empty_strided empty_strided_symint".split())
_FORMATS = ("MEMORY_FORMAT", "MemoryFormat", "suggest_memory_format")
"""What an argument says that changes no type."""


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


def made_tensors(outline: Outline[Token], scope: Scope) -> Iterator[tuple[str, str]]:
    """The variables that nothing is assigned to later, and that are not resized there."""
    tokens = outline.tokens
    body = range(scope.opening + 1, scope.closing - 6)
    changed = Counter(tokens[at].text for at in body if tokens[at + 1].text == "=")
    changed.update(tokens[at - 2].text for at in body if tokens[at].text.startswith("resize_"))
    for at in body:
        declared = tokens[at - 1].text in (TENSOR, "auto") and tokens[at].kind == Kind.NAME
        if not declared or [each.text for each in tokens[at + 1 : at + 6 : 2]] != ["=", "::", "("]:
            continue
        name, maker = tokens[at].text, tokens[at + 4].text
        if tokens[at + 2].text != "at" or changed[name] != 1:
            continue
        arguments = outline.brackets.arguments(at + 5) or [[]]
        if maker in _LIKE:
            yield name, _tensor(*arguments)
        elif maker in _OF_SIZES and "0" not in [each.text for each in arguments[0]]:
            yield name, ""


def _tensor(first: Sequence[Token], *others: Sequence[Token]) -> str:
    """The tensor that another is made like, "" where a type is given, too."""
    plain = all(any(word in token.text for token in each for word in _FORMATS) for each in others)
    return first[0].text if plain and len(first) == 1 else ""
