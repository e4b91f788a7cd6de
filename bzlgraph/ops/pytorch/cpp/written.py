"""What a call in a C++ function of PyTorch is given, as a text that stands for it where that is known.

tokens of an argument -> its text.

>>> from bzlgraph.cpp.tokens import tokenize
>>> texts = "n", "kLong", "-1", '"up"', "Scalar(2)", "a.dim()", "at::Tensor()", "{n, m}", "n + 1", "a.b().contiguous()"
>>> [plain_text(tokenize(each)) for each in texts]
['n', 'kLong', '-1', '"up"', '2', 'a.dim()', '{}', '{2}', '', 'contiguous()']
>>> plain_text(tokenize("a.options().memory_format(a.suggest_memory_format()).dtype(kLong)"))
'memory_format(a.suggest_memory_format())'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

from bzlgraph.cpp import split_arguments
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.known import CONTIGUOUS, EMPTY, REAL, SUGGESTED, WRAPPED, is_constant
from bzlgraph.ops.pytorch.cpp.values.types import TENSOR

MAX_NAME = 9
"""Tokens of a qualified name."""
FORMATTED = "memory_format"
"""What is called where options get a memory format, and how such options are told: with the format behind it."""
MADE_OF_SIZES = frozenset("empty zeros empty_symint zeros_symint empty_strided empty_strided_symint".split())
"""What makes a tensor of sizes."""
DENSE = "LEGACY_CONTIGUOUS_MEMORY_FORMAT"
"""The macro that stands for the memory format of what is contiguous."""


def plain_text(part: Sequence[Token]) -> str:
    """What is one name, qualified or not, one number or text, as written, that of ``Scalar(1)``, or what a variable
    says of itself (``a.dim()``); ``{}`` for no tensor, ``{2}`` for a list of two; ``FORMATTED``, ``REAL``; the options
    that a tensor has, where it is made with them; "" for any other. ``const_cast`` gives what it is given."""
    if part and part[0].text == "const_cast" and part[-3].text == "(":
        part = part[-2:-1]
    words = [each.text for each in part]
    if [each.kind for each in part] == [Kind.STRING] and is_constant(words[0]):
        return words[0]
    if words[:2] == ["static_cast", "<"] and "::" in words[words.index("(") :]:  # of several functions of that name one
        part = part[words.index("(") + 1 : -1]
    texts = words[-4:]
    if texts[-2:] == ["{", "}"] or texts[-3:] == [TENSOR, "(", ")"]:
        return EMPTY
    if words[:1] == ["{"] and words[-1] == "}":
        return f"{{{len(split_arguments(part[1:-1]))}}}"
    if FORMATTED in words or REAL in words:
        return _formatted(words) if FORMATTED in words else REAL
    if {WRAPPED} <= {*words[:MAX_NAME]} and words[-1] == ")" and _called(words).endswith(WRAPPED):
        return f"{WRAPPED}()"
    if texts[-3:] == [SUGGESTED, "(", ")"]:
        return f"{SUGGESTED}()"
    if texts == [".", "contiguous", "(", ")"]:
        return CONTIGUOUS
    if len(part) == 5 and part[1].text == "." and texts[-2:] == ["(", ")"] and part[0].kind == Kind.NAME:
        return "".join(each.text for each in part)
    own = _OF_OPTIONS.fullmatch("".join(words))
    if own is not None:
        return f"{own[1] or 'this'}.options()"
    made = words[-8:-6] == ["}", ","] and words[-5:-1] == [".", "options", "(", ")"]
    if made and _called(words).removeprefix("at::") in MADE_OF_SIZES:
        return "".join(words[-6:-1])
    if texts[::3] == ["Scalar", ")"] and part[-2].kind == Kind.NUMBER:
        return texts[2]
    signed = part[1:] if part and part[0].text == "-" else part
    if texts[-1:] == [DENSE]:
        return "MemoryFormat::Contiguous"
    plain = len(part) < MAX_NAME and all(each.kind in (Kind.NAME, Kind.NUMBER) or each.text == "::" for each in signed)
    alone = sum(each.text != "::" for each in signed) == 1 + sum(each.text == "::" for each in signed[1:])
    return "".join(each.text for each in part) if signed and plain and alone else ""


_OF_OPTIONS = re.compile(r"(?:(\w+)\.)?options\(\)\.device\([\w:]+\)")
"""Options of a tensor for another device: of its type."""


def _formatted(words: Sequence[str]) -> str:
    """Options with a memory format, as ``memory_format(a.suggest_memory_format())``; a variable of that name is told as
    it is."""
    at = words.index(FORMATTED)
    if words[at + 1 : at + 2] != ["("]:
        return FORMATTED
    depths = list(accumulate((each == "(") - (each == ")") for each in words[at + 1 :]))
    return "".join(words[at : at + 2 + depths.index(0)]) if 0 in depths else FORMATTED


def _called(words: Sequence[str]) -> str:
    """The function of which a call is all that is written, "" for what is none."""
    opening = words.index("(") if "(" in words else 0
    depths = list(accumulate((each == "(") - (each == ")") for each in words[opening:-1]))
    whole = min(depths, default=0) > 0 and all(each.isidentifier() or each == "::" for each in words[:opening])
    return "".join(words[:opening]) if whole else ""
