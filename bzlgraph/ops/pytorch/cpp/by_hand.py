"""Kernels of autograd that a C++ file of PyTorch registers by hand, beside those that are generated.

text of a file -> each operator with its dispatch key, its function as written and where it is registered.

>>> text = 'TORCH_LIBRARY_IMPL(aten, Autograd, m) { m.impl("f.out", dispatch(Key::Autograd, TORCH_FN(Own::f_out)));'
>>> text += 'm.impl("aten::g", &g); m.impl("h", [](Tensor a) { return a; }); } TORCH_LIBRARY_IMPL(aten, CPU, m) { }'
>>> [(each.op, each.key, each.function) for each in registered_by_hand(text)]
[('f.out', 'Autograd', 'Own::f_out'), ('g', 'Autograd', 'g')]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bzlgraph.cpp.brackets import Brackets
from bzlgraph.cpp.tokens import Kind, Token, tokenize

AUTOGRAD_KEYS = re.compile(r"Autograd\w*|ADInplaceOrView")
"""The dispatch keys of what records a call for its gradient, or tracks views and changes in place."""
_LIBRARY = re.compile(rf"TORCH_LIBRARY_IMPL\s*\(\s*aten\s*,\s*({AUTOGRAD_KEYS.pattern})\s*,\s*(\w+)\s*\)\s*(?=\{{)")


class ByHand(NamedTuple):
    """A kernel that is registered so; ``offset`` is where."""

    op: str
    key: str
    function: str
    offset: int


def registered_by_hand(text: str) -> Iterator[ByHand]:
    """The kernels, in the order of the text; a function without a name is none."""
    for library in _LIBRARY.finditer(text):
        tokens = list(tokenize(text, library.end()))
        brackets = Brackets(tokens)
        for at in range(brackets.ends[0]):
            called = [each.text for each in tokens[at : at + 4]]
            if called == [library.group(2), ".", "impl", "("]:
                first, *others = brackets.arguments(at + 3)
                names = [each.text.strip('"') for each in first if each.kind == Kind.STRING]
                function = _last_name(others[-1]) if others else ""
                if names and function:
                    yield ByHand(names[0].removeprefix("aten::"), library.group(1), function, tokens[at].start)


def _last_name(part: Sequence[Token]) -> str:
    """The last qualified name of an argument, "" in that of a lambda."""
    if any(each.text == "{" for each in part):
        return ""
    words = re.findall(r"\w+(?:::\w+)*", "".join(each.text for each in part))
    return words[-1] if words else ""
