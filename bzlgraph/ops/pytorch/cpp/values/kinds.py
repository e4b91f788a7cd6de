"""What is known of the type of an argument in a C++ function of PyTorch: by it one of several overloads is chosen.

tokens of an argument -> "Tensor", "Scalar" (any number), "bool", "list", "sizes" (a list of numbers), "text", "other"
(what registers hold), ``LAYOUT``, ``NAMES``, ``MEMORY_FORMAT``, ``NUMBER_TYPE``, ``OPTIONS``, ``OF_TEMPLATE``,
``NO_TENSOR``, ``CAST`` and the type that an empty optional value is cast to, "" where nothing is known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bzlgraph.cpp.outline import Outline
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.values.places import BEFORE_VALUE, GET, INFIX
from bzlgraph.ops.pytorch.cpp.values.tensors import PREFIX, Values
from bzlgraph.ops.pytorch.cpp.values.types import MEMORY_FORMAT, NAMES, NO_TENSOR, NUMBERS, TENSOR, VECTOR

_ARITHMETIC = frozenset("+ - * / % ( )".split())
_OPERAND_ENDS = _ARITHMETIC | {",", ";"}
_TAKING = frozenset({".", "->", "(", "["})
_SIZES = frozenset({"IntArrayRef", "OptionalIntArrayRef", "SymIntArrayRef", "DimVector", "SymDimVector"})
"""Types of lists of numbers."""
_TEXTS = frozenset({"string", "string_view", "char"})
_MATH = re.compile(r"NAN|INFINITY|M_[A-Z0-9_]+")
"""Numbers of ``math.h``."""


OPTIONS = "options"
"""A device, or options that may hold one (``TensorOptions``)."""
ITS_OPTIONS = "options of a tensor"
"""The same, of a device that a tensor is on: ``a.options().dtype(kLong)``."""
_HOLDING_DEVICE = frozenset({"TensorOptions", "Device", "DeviceType"})
_GIVING_DEVICE = frozenset({"device", "options", *_HOLDING_DEVICE})
"""What gives a device, or options."""
_JOINING = frozenset({".", "->", "::"})
_EMPTY = frozenset({"std", "c10", "nullopt"})
_DEVICE = re.compile(r"k(?:CPU|CUDA|Meta|XLA|MPS|HIP|XPU)")
LAYOUT = "layout"
"""The layout of a tensor: ``kSparse``, ``a.layout()``."""
NUMBER_TYPE = "ScalarType"
"""A variable that is a type of numbers."""
CAST = "an empty "
"""How the kind of ``static_cast<std::optional<Generator>>(std::nullopt)`` begins, before its type."""
OF_TEMPLATE = "of a template"
"""An argument of the type that a template is made with."""


class ArgumentKinds:
    """What is known of the arguments of one function's calls."""

    def __init__(self, outline: Outline[Token], values: Values) -> None:
        self._tokens = outline.tokens
        self._ends = outline.brackets.ends
        self._values = values

    def of(self, part: Sequence[Token], last: int) -> str:
        """What is known of the type of an argument that ends at a token."""
        if not part:
            return ""
        if (either := self._of_branches(part, last)) is not None:
            return either
        if part[0].text == "static_cast" and part[-2].text == "nullopt":
            return CAST + [each.text for each in part if each.kind == Kind.NAME and each.text not in _EMPTY][-1]
        said = any(token.kind in (Kind.NAME, Kind.NUMBER) for token in part)
        if _is_layout([each.text for each in part]):
            return LAYOUT
        if part[0].text == "Scalar" or (said and all(self._is_number(token, last) for token in part)):
            return "Scalar"
        known = self._values.type_of(part[0].text, last) if len(part) == 1 else ""
        if known in _SIZES or _makes_sizes(part):
            return "sizes"
        if known in (NAMES, MEMORY_FORMAT) or _is_memory_format(part):
            return known or MEMORY_FORMAT
        if self._is_options(part, last):
            return ITS_OPTIONS if self._is_of_tensor(part, last) else OPTIONS
        if self._values.is_list(part, last):
            return "list"
        if len(part) == 1:
            return self._of_one(part[0], last)
        first = last - len(part) + 1
        between = [at for at in self._values.places.outside(first, last + 1) if self._is_infix(at, first)]
        if not between:
            if self._values.ends_tensor(last):
                return TENSOR
            made, calls = self._values.root(last)
            called = not calls and part[0].kind == Kind.NAME and self._values.places.called_last(last)
            return "other" if _is_vector(made) else self._of_type(made) if called else ""  # `Vec(1)`
        if any(map(self._values.joins_tensors, between)):
            return TENSOR
        starts = [first, *(at + 1 for at in between)]
        told = any(map(self._begins_number, starts)) and not any(map(self._is_unknown, starts))
        return "Scalar" if told else ""

    def _of_branches(self, part: Sequence[Token], last: int) -> str | None:
        """What is known of ``c ? a : b``: what both are; None for what is none."""
        first = last - len(part) + 1
        outside = [*self._values.places.outside(first, last + 1)]
        asked = next((at for at in outside if self._tokens[at].text == "?"), None)
        if asked is None:
            return None
        other = next((at for at in outside if at > asked and self._tokens[at].text == ":"), last)
        kinds = {self.of(self._tokens[asked + 1 : other], other - 1), self.of(self._tokens[other + 1 : last + 1], last)}
        return kinds.pop() if len(kinds) == 1 else ""

    def _of_one(self, token: Token, last: int) -> str:
        """The same of one token."""
        known = self._values.type_of(token.text, last)
        if token.kind == Kind.STRING or known in _TEXTS:
            return "text"
        if known not in NUMBERS and self._values.is_of_template(known):
            return OF_TEMPLATE
        return "bool" if token.text in ("true", "false") else self._of_type(known)

    def _of_type(self, known: str) -> str:
        """The same of a value of a type."""
        if _is_vector(known):
            return "other"
        if known in NUMBERS:
            return "Scalar"
        if known in _SIZES:
            return "sizes"
        if known in _HOLDING_DEVICE:
            return OPTIONS
        return known if known in (TENSOR, NO_TENSOR, NUMBER_TYPE, NAMES, MEMORY_FORMAT, "bool") else ""

    def _is_options(self, part: Sequence[Token], last: int) -> bool:
        """Whether ``kCPU``, ``TensorOptions(...)``, ``options`` or ``a.options().device(...)`` stands there."""
        texts = [each.text for each in part]
        if len(part) == 1 and self._values.type_of(texts[0], last) in _HOLDING_DEVICE:
            return True
        if all(each.kind == Kind.NAME or each.text == "::" for each in part):
            return _DEVICE.fullmatch(texts[-1]) is not None
        chain = [*self._values.places.outside(last - len(part) + 1, last + 1)]
        if texts[-1] != ")" or any(
            self._tokens[at].kind != Kind.NAME and self._tokens[at].text not in _JOINING for at in chain
        ):
            return False
        called = [self._tokens[at].text for at in chain if self._tokens[at + 1].text == "("]
        made = not {"TensorOptions", "options"}.isdisjoint(called[:-1]) and texts[-2] != "("
        return made or called[-2:] == ["device", "type"] or not _GIVING_DEVICE.isdisjoint(called[-1:])

    def _is_of_tensor(self, part: Sequence[Token], last: int) -> bool:
        """Whether options hold no device but that of a tensor: ``a.device()``, ``it.base().options().dtype(kLong)``."""
        texts = [each.text for each in part]
        asked = next((at for at, each in enumerate(texts) if each in ("device", "options")), 0)
        own = texts[0].endswith("options") or self._values.type_of(texts[0], last) in _HOLDING_DEVICE
        of_this = texts[0] in ("device", "options") and texts[1:3] == ["(", ")"]
        if of_this:  # `options().dtype(type)` in a method of tensors
            return not {"device", *_HOLDING_DEVICE} & {*texts[1:]}
        called = texts[asked - 1] in (".", "->") and texts[asked + 1 : asked + 3] == ["(", ")"]
        return called and not own and not {"device", *_HOLDING_DEVICE} & {*texts[asked + 1 :]}

    def behind(self, at: int) -> str:
        """What is known of the type of the value on the right of an operator: of `-(a - b)` that of `a - b`."""
        first = at + 1
        while self._tokens[first].text in PREFIX:
            first += 1
        end = self._ends[first] if self._tokens[first].text == "(" else first
        inside = self._tokens[first + 1 : end] if end > first else self._tokens[first : first + 1]
        alone = self._tokens[end + 1].text not in _TAKING
        kind = self.of(inside, end - 1 if end > first else first)
        return kind if alone or kind != NO_TENSOR else ""  # of `n.matmul(m)` nothing is known

    def _is_infix(self, at: int, first: int) -> bool:
        before = self._tokens[at - 1].text
        chosen = before == GET or self._values.places.takes_one(at + 1)  # `std::get<0>(several)`
        return at > first and self._tokens[at].text in INFIX and before not in BEFORE_VALUE and not chosen

    def _begins_number(self, at: int) -> bool:
        """Whether a number, a variable that is one, or ``static_cast<double>(...)`` begins at a token."""
        texts = [each.text for each in self._tokens[at : at + 3]]
        cast = texts[:2] == ["static_cast", "<"] and texts[2] in NUMBERS
        return cast or (texts[1] in _OPERAND_ENDS and self._is_number(self._tokens[at], at))

    def _is_unknown(self, at: int) -> bool:
        """Whether a variable of which no type is known is all that stands there."""
        token, after = self._tokens[at], self._tokens[at + 1].text
        named = token.kind == Kind.NAME and not token.text.isupper() and after in _OPERAND_ENDS
        return named and self._values.type_of(token.text, at) in ("", "?", NO_TENSOR)

    def _is_number(self, token: Token, at: int) -> bool:
        """Whether a token is a number, a variable that is one, or stands between these."""
        known = token.kind == Kind.NUMBER or token.text in _ARITHMETIC or _MATH.fullmatch(token.text) is not None
        return known or (token.kind == Kind.NAME and self._values.type_of(token.text, at) in NUMBERS)


def _makes_sizes(part: Sequence[Token]) -> bool:
    """Whether ``IntArrayRef{0, 1}`` or ``at::IntArrayRef({})`` stands there."""
    texts = [each.text for each in part]
    at = next((at for at, each in enumerate(texts) if each in ("{", "(")), 0)
    return bool(at) and texts[at - 1] in _SIZES and {*texts[: at - 1]} <= _SPACES and texts[-1] in ("}", ")")


def _is_memory_format(part: Sequence[Token]) -> bool:
    """Whether ``at::MemoryFormat::Contiguous`` stands there, or ``x.suggest_memory_format()``."""
    texts = [each.text for each in part]
    written = texts[-3:-1] == [MEMORY_FORMAT, "::"] and {*texts[:-3]} <= _SPACES
    return written or texts[-3:] == ["suggest_memory_format", "(", ")"]


_SPACES = frozenset({"at", "c10", "::"})


def _is_layout(texts: Sequence[str]) -> bool:
    """Whether a constant that is a layout is written, or what a variable says of its own."""
    said = len(texts) == 5 and texts[1] in (".", "->") and [*texts[2:]] == ["layout", "(", ")"]
    return said or (_LAYOUT.fullmatch(texts[-1]) is not None and {*texts[:-1]} <= {"at", "c10", "::"})


_LAYOUT = re.compile(r"k(?:Strided|Sparse(?:Csr|Csc|Bsr|Bsc)?|Mkldnn|Jagged)")


def _is_vector(kind: str) -> bool:
    """Whether a type is one of values of registers, by its name."""
    return kind == VECTOR or kind.endswith("Vec")
