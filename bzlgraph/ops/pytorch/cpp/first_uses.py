"""Where variables of a C++ function of PyTorch are used first that are declared without a value: there they are no
tensors yet.

>>> from bzlgraph.cpp.outline import read_outline
>>> from bzlgraph.cpp.tokens import tokenize
>>> text = "void f() { Tensor a, b; at::Tensor c; g(a, a); for (;;) { g(b); } Tensor d = g(); g(d); c = g(c); }"
>>> outline = read_outline(tokenize(text))
>>> [(name, outline.tokens[at - 2].text) for at, name in first_uses(outline, outline.scopes[0]).items()]
[('a', 'g'), ('c', ')')]
"""

from __future__ import annotations

from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.values import TENSOR


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
