"""What the body of a C++ function of PyTorch calls, as it is written, and below which conditions.

tokens of a function -> ``Call`` values. No types are resolved: variables that are declared as tensors are known, all
else is how it is written. Operators between tensors are calls of the operators they stand for (``TensorOperators.h``).

>>> from bzlgraph.cpp.outline import read_outline
>>> from bzlgraph.cpp.tokens import tokenize
>>> text = "Tensor f(const Tensor& a, int n) { if (n > 1) { return at::mul(a, a); } else return a.t() + helper(a); }"
>>> outline = read_outline(tokenize(text))
>>> giving = TensorNames(functions=frozenset({"mul"}), methods=frozenset({"t", "mul"}))
>>> for call in calls_of(outline, outline.scopes[0], giving):
...     print(call.kind, call.name, call.arguments, call.conditions)
function at::mul ('Tensor', 'Tensor') ('n > 1',)
method t ('Tensor',) ('!(n > 1)',)
method add ('Tensor', '') ('!(n > 1)',)
function helper ('Tensor',) ('!(n > 1)',)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bzlgraph.cpp import split_arguments
from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.call import ADDING, ADDING_INPUT, EITHER, PARAMETER, Call, made_with
from bzlgraph.ops.pytorch.cpp.conditions import Compiled, Range, always, conditions_of
from bzlgraph.ops.pytorch.cpp.known import CONTIGUOUS
from bzlgraph.ops.pytorch.cpp.values.declared import Declarations
from bzlgraph.ops.pytorch.cpp.values.function_names import FileNames, TensorNames
from bzlgraph.ops.pytorch.cpp.values.kinds import ArgumentKinds
from bzlgraph.ops.pytorch.cpp.values.places import BEFORE_VALUE, WORDS, behind_template, whole_arguments
from bzlgraph.ops.pytorch.cpp.values.tensors import IN_TYPES, Values
from bzlgraph.ops.pytorch.cpp.values.types import NUMBERS, TENSOR
from bzlgraph.ops.pytorch.cpp.variables.declarations import first_uses, types_of_two
from bzlgraph.ops.pytorch.cpp.variables.special_kinds import GIVEN, special_uses
from bzlgraph.ops.pytorch.cpp.written import MAX_NAME, plain_text

_SYMBOLS = "+ - * / % += -= *= /= &= |= == != < <= > >= & | ^"
_METHODS = "add sub mul div remainder add_ sub_ mul_ div_ bitwise_and_ bitwise_or_ eq ne lt le gt ge bitwise_and"
OPERATORS = dict(zip(_SYMBOLS.split(), [*_METHODS.split(), "bitwise_or", "bitwise_xor"], strict=True))
"""Operators with a tensor on their left or right, and the methods that they call."""

_FROM_RIGHT = {"-": "sub_", "/": "div_", "%": "remainder_"}
"""Of a number and a tensor: a tensor is filled with the number, and this works on it."""
_MIRRORED = {"<": "gt", "<=": "ge", ">": "lt", ">=": "le"}
"""Of a number and a tensor: what the tensor is asked."""
_PREFIX = {"-": "neg", "~": "bitwise_not", "!": "logical_not"}
_CALLING = frozenset({"[", *OPERATORS, *_PREFIX})
"""What calls something, beside names."""

STUB_ENDINGS = ("_stub", "_kernel", "Stub", "Kernel", "_fn", "_scalar_weight", "_tensor_weight")
"""How the names of stubs end."""
ON_THREADS = ("__device__", "__global__", "_DEVICE")
"""How the words end that say of a function that a GPU's threads run it."""
NOTHING, NO_NAMES = TensorNames(), FileNames()


def calls_of(
    outline: Outline[Token],
    scope: Scope,
    giving: TensorNames,
    own: FileNames = NO_NAMES,
    compiled: Compiled = always,
    owner: str = "",
) -> Iterator[Call]:
    """The calls of one function in the order of the text. ``giving`` are functions that return a tensor, ``own`` are
    names of the file, ``owner`` is the class that it is a member of. What runs on a GPU's threads calls no operator."""
    if any(each.text.endswith(ON_THREADS) for each in outline.tokens[scope.start : scope.opening]):
        return
    body = _Body(outline, scope, giving, own, owner)
    ranges = conditions_of(outline, scope.opening + 1, scope.closing, compiled)
    first, special = first_uses(outline, scope), special_uses(outline, scope, giving.methods)
    around: list[Range] = []
    waiting, changes = 0, 0
    for index in range(scope.opening + 1, scope.closing):
        if index >= changes:
            while waiting < len(ranges) and ranges[waiting].start <= index:
                around.append(ranges[waiting])
                waiting += 1
            around = [each for each in around if each.end > index]
            starts = (each.start for each in ranges[waiting : waiting + 1])
            changes = min((*starts, *(each.end for each in around)), default=scope.closing)
        token = outline.tokens[index]
        if token.text in WORDS if token.kind == Kind.NAME else token.text not in _CALLING:
            continue
        for kind, name, given in body.calls(index):
            written = body.written(index) if kind in ("function", "method", PARAMETER) else ((), ())
            texts = body.method_texts(index, written[0]) if kind == "method" else written[0]
            if kind == "method" and ADDING.fullmatch(name) is None and ADDING_INPUT.fullmatch(name) is None:
                written = (), ()
            for arguments, said in made_with(given):
                conditions = (*(each.text for each in around if not each.checked), *said)
                checked = tuple(each.text for each in around if each.checked)
                undefined = body.undefined(index, written[0], first) if first and kind == "function" else ()
                about = body.made_by(index) if kind == "method" else ("", 0), body.touches(index, special, arguments)
                yield Call(kind, name, arguments, token.start, conditions, *written, checked, undefined, texts, *about)


_BEFORE_SIDE = frozenset("( , = return { ; [ ? : && ||".split())
_BEHIND_SIDE = frozenset(") ; , ] } ? : && ||".split())
"""What stands around an operator and its two sides where these are no parts of another expression."""
_Found = tuple[str, str, tuple[str, ...]]


class _Body:
    """A function's tokens, and what is known of its values."""

    def __init__(self, outline: Outline[Token], scope: Scope, giving: TensorNames, own: FileNames, owner: str) -> None:
        self._outline = outline
        self._tokens = outline.tokens
        self._values = Values(outline, giving, own, scope.opening)
        Declarations(outline, self._values, giving).declare(scope, owner)
        self._kinds = ArgumentKinds(outline, self._values)
        self._parameters = own.parameters
        self._types = [*types_of_two(outline, scope)]

    def calls(self, at: int) -> Iterator[_Found]:
        """What is called by the token there: (kind, name, arguments)."""
        token = self._tokens[at]
        if token.kind == Kind.NAME:
            named = self._named(at)
            yield from [named] if named is not None else ()
        elif token.text == "[" and self._values.ends_tensor(at - 1):
            yield "method", "select", ("Tensor", "Scalar", "Scalar")  # of the first dimension
        else:
            yield from self._operator(at)

    def _named(self, at: int) -> _Found | None:
        """The call (or the handing on) of the name that ends at a token."""
        tokens = self._tokens
        opening = behind_template(tokens, at + 1)
        first = at
        while first > 1 and tokens[first - 1].text == "::" and tokens[first - 2].kind == Kind.NAME:
            first -= 2
        name = "".join(token.text for token in tokens[first : at + 1])
        before = tokens[first - 1] if first else None
        after = tokens[opening].text if opening < len(tokens) else ""
        if after == "{" and opening > at + 1 and tokens[self._outline.brackets.ends[opening] + 1].text == "(":
            return "function", f"{name}::operator()", self._given(self._outline.brackets.ends[opening] + 1)
        if before is not None and before.text == "::" and (tokens[first - 2].text == ">" or "::" not in name):
            return None  # a member of a type with arguments, a function of no namespace
        if after != "(":
            handed_on = ("::" in name or name.endswith(STUB_ENDINGS)) and after in (",", ")") and opening == at + 1
            return ("value", name, ()) if handed_on else None
        given = self._given(opening)
        if before is not None and before.text in (".", "->"):
            root = self._values.root(first - 2)
            if root[0] == TENSOR and root[1] and not self._values.ends_tensor(first - 2):
                return None  # of what a tensor tells of itself: `x.sizes().slice(1)`
            if root[0] in self._parameters - NUMBERS and not root[1]:
                return "member", name, given
            if self._values.is_no_tensor(first - 2):
                return ("function", f"{root[0]}::{name}", given) if root[0][:1].isupper() else None
            return "method", name, (TENSOR, *given)
        if before is not None and before.kind == Kind.NAME and before.text not in ("return", "else", "case"):
            return None  # `Type name(...)` declares a variable
        if before is not None and before.text == ">" and self._values.places.begins_statement(first - 1):
            return None  # so does `Type<T> name(...)`
        if first == at and self._values.is_variable(name, at):
            if self._values.is_parameter(name, at):
                return PARAMETER, name, given
            return None  # a lambda, whose body is read where it stands, or another object
        return "function", name, given

    def written(self, at: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What the function whose name ends at a token is given, and its template; variables that are types of two
        values as these."""
        opening = behind_template(self._tokens, at + 1)
        if opening >= len(self._tokens) or self._tokens[opening].text != "(":
            return (), ()
        parts = whole_arguments(self._outline.brackets.arguments(opening))
        inside = split_arguments(self._tokens[at + 2 : opening - 1]) if opening > at + 1 else ()
        texts = list(map(plain_text, parts))
        for where, name, made in self._types:
            texts = [made if text == name and at in where else text for text in texts]
        return tuple(texts), tuple(map(plain_text, inside))

    def method_texts(self, at: int, given: Sequence[str]) -> tuple[str, ...]:
        """What the method whose name ends at a token is called on, and is given: of an operator two tensors that stand
        alone on its sides, ``a != a``, nothing for any other."""
        tokens = self._tokens
        if tokens[at].kind == Kind.NAME:
            return self.called_on(at), *given
        sides = tokens[at - 1], tokens[at + 1]
        alone = tokens[at - 2].text in _BEFORE_SIDE and tokens[at + 2].text in _BEHIND_SIDE
        both = alone and all(self._values.type_of(each.text, at) == TENSOR for each in sides)
        return tuple(each.text for each in sides) if both else ()

    def called_on(self, at: int) -> str:
        """The variable that the method whose name ends at a token is called on, "" for any other value; that of
        ``const_cast<Tensor&>(out)``, too, and ``CONTIGUOUS``."""
        tokens, last = self._tokens, at - 2
        if "".join(each.text for each in tokens[last - 3 : last + 1]) == f".{CONTIGUOUS}":
            return CONTIGUOUS
        first = self._outline.brackets.openings.get(last, last)
        cast = first == last - 2 and any(each.text == "const_cast" for each in tokens[first - MAX_NAME : first])
        named, before = tokens[last - cast], tokens[first - 1].text
        return named.text if named.kind == Kind.NAME and before not in (".", "->", "::") else ""

    def made_by(self, at: int) -> tuple[str, int]:
        """The method that gives what the one is called on whose name ends at a token, and its number of arguments."""
        tokens, last = self._tokens, at - 2
        if tokens[last].text != ")" or tokens[at - 1].text != ".":
            return "", 0
        opening = self._outline.brackets.openings.get(last, last)
        called = tokens[opening - 2].text in (".", "->") and tokens[opening - 1].kind == Kind.NAME
        return (tokens[opening - 1].text, len(self._outline.brackets.arguments(opening))) if called else ("", 0)

    def touches(self, at: int, special: Mapping[int, int] | None, given: Sequence[str]) -> int:
        """Which of some values stand in what the call whose name ends at a token is given, or called on."""
        if special is None or {TENSOR, ""}.isdisjoint(given):
            return GIVEN
        tokens, ends = self._tokens, self._outline.brackets.ends
        opening = behind_template(tokens, at + 1)
        closing = ends[opening] if opening < len(tokens) else at
        if tokens[at].kind != Kind.NAME:  # an operator
            closing = next((each for each in range(at, len(tokens)) if tokens[each].text == ";"), at)
        first = self._values.places.start(at)
        inside = (each for each in special if first <= each <= closing and each != at)
        return max((special[each] if each + 2 != at else abs(special[each]) for each in inside), default=0)

    def undefined(self, at: int, given: Sequence[str], first: Mapping[int, str]) -> tuple[str, ...]:
        """Which of the variables that a function is given are used first there."""
        opening = behind_template(self._tokens, at + 1)
        closing = self._outline.brackets.ends[opening]
        return tuple(name for use, name in first.items() if opening < use < closing and name in given)

    def _given(self, opening: int) -> tuple[str, ...]:
        """The kinds of the arguments of a call."""
        kinds, at = [], opening
        for part in whole_arguments(self._outline.brackets.arguments(opening)):
            at += len(part) + 1
            kinds.append(self._kinds.of(part, at - 1))
        return tuple(kinds)

    def _operator(self, at: int) -> Iterator[_Found]:
        """An operator between values of which one is a tensor (``TensorOperators.h``)."""
        tokens, text = self._tokens, self._tokens[at].text
        if text == "[" or not self._values.joins_tensors(at):
            return
        before = tokens[at - 1]
        if before.text in BEFORE_VALUE:
            yield "method", _PREFIX[text], (TENSOR,)
            return
        left, right = self._values.left_tensor(at), self._values.right_tensor(at)
        if not left and text in IN_TYPES and before.kind == Kind.NAME and not self._values.type_of(before.text, at):
            return  # `Type* x`, `A<Type> x` declare one
        number = before.kind == Kind.NUMBER or self._values.is_number(at - 1)
        if not left and (number or self._values.places.is_constant(at - 1)):
            yield from _from_right(text)
        else:
            made = self._values.template_at(at + 1)
            kind = TENSOR if right else self._kinds.behind(at)
            yield "method", OPERATORS[text], (TENSOR, f"{EITHER}{made}" if made else kind)


def _from_right(operator: str) -> Iterator[_Found]:
    """What a number and a tensor, in this order, call."""
    changed = _FROM_RIGHT.get(operator)
    if changed is None:
        yield "method", _MIRRORED.get(operator, OPERATORS[operator]), (TENSOR, "Scalar")
        return
    yield "function", "at::empty_like", (TENSOR, "")
    yield "method", "fill_", (TENSOR, "Scalar")
    yield "method", changed, (TENSOR, TENSOR)
