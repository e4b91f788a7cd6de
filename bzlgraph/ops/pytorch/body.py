"""What the body of a C++ function of PyTorch calls, as it is written, and below which conditions.

tokens of a function -> ``Call`` values. No types are resolved: variables that are declared as tensors are known, all
else is how it is written. Operators between tensors are calls of the operators they stand for (``TensorOperators.h``).

>>> from bzlgraph.cpp.outline import read_outline
>>> from bzlgraph.cpp.tokens import tokenize
>>> text = "Tensor f(const Tensor& a, int n) { if (n > 1) { return at::mul(a, a); } else return a.t() + helper(a); }"
>>> outline = read_outline(tokenize(text))
>>> for call in calls_of(outline, outline.scopes[0], {"t", "mul"}):
...     print(call.kind, call.name, call.arguments, call.conditions)
function at::mul ('Tensor', 'Tensor') ('n > 1',)
method t ('Tensor',) ('!(n > 1)',)
method add ('Tensor', '') ('!(n > 1)',)
function helper ('Tensor',) ('!(n > 1)',)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.conditions import Range, conditions_of

_SYMBOLS = "+ - * / % += -= *= /= &= |= == != < <= > >= & | ^"
_METHODS = "add sub mul div remainder add_ sub_ mul_ div_ bitwise_and_ bitwise_or_ eq ne lt le gt ge bitwise_and"
OPERATORS = dict(zip(_SYMBOLS.split(), [*_METHODS.split(), "bitwise_or", "bitwise_xor"], strict=True))
"""Operators with a tensor on their left or right, and the methods that they call."""

_FROM_RIGHT = {"-": "sub_", "/": "div_", "%": "remainder_"}
"""Of a number and a tensor: a tensor is filled with the number, and this works on it."""
_MIRRORED = {"<": "gt", "<=": "ge", ">": "lt", ">=": "le"}
"""Of a number and a tensor: what the tensor is asked."""
_CHAINS = {"*": "*/%", "/": "*/%", "%": "*/%"}
"""What an operator may have on its left, from left to right; all others have these and sums."""
_IN_TYPES = frozenset({"*", "&", "<", ">"})
_PREFIX = {"-": "neg", "~": "bitwise_not", "!": "logical_not"}
_WORDS = frozenset(
    "if for while switch return sizeof catch static_cast reinterpret_cast const_cast dynamic_cast decltype alignof"
    " typeid throw new delete else case goto const auto typename class struct using namespace".split()
)
_BEFORE_VALUE = frozenset({"(", ",", "=", "{", ";", "return", "&&", "||", "?", ":"})
_DECLARING = frozenset({"=", ";", "(", "{", ",", ")", ":"})
CLASS_METHODS = frozenset({"toType", "toBackend", "cpu", "cuda", "grad", "mutable_grad", "tensor_data"})
"""Methods of ``at::Tensor`` that give a tensor and are no operators."""
_HOLDING = ("Iterator", "Tensor", "Context", "Saved")
"""Words in the names of types whose members give tensors."""
TENSOR = "Tensor"
_ALIASES = {"TensorBase": TENSOR, "SparseTensor": TENSOR, "SparseCsrTensor": TENSOR, "ITensorListRef": "TensorList"}
"""Other names of these types."""
NUMBERS = frozenset("Scalar SymInt int64_t int32_t int size_t float double scalar_t accscalar_t".split())
_STARTS = frozenset({";", "{", "}", "const", "static"})
_TYPES = frozenset({TENSOR, *_ALIASES, *NUMBERS, "bool", "TensorList"})
MAX_GROUP = 40
"""Tokens of ``(a + b)`` that are looked through for tensors."""


class Call(NamedTuple):
    """``kind``: ``function``, also a member of a class that is known (``TensorIterator::build``); ``method`` of a
    value that may be a tensor; ``value``, a qualified name that is handed on. ``arguments`` are ``Tensor``, ``Scalar``
    (a number), ``bool``, ``list``, or "" for what is not known; a method's first is what it is called on."""

    kind: str
    name: str
    arguments: tuple[str, ...]
    line: int
    """In what ``calls_of`` gives the offset in the file's text."""
    conditions: tuple[str, ...] = ()


def tensor_functions(outline: Outline[Token]) -> frozenset[str]:
    """The functions of a file that return a tensor, by the names they are called by in it."""
    tokens = outline.tokens
    return frozenset(
        scope.name
        for scope in outline.scopes
        if scope.kind == "function" and tokens[max(outline.name_index(scope) - 1, 0)].text == TENSOR
    )


def calls_of(
    outline: Outline[Token], scope: Scope, giving: Collection[str] = (), own: Collection[str] = ()
) -> Iterator[Call]:
    """The calls of one function in the order of the text. ``giving`` are the operators that return a tensor, ``own``
    the functions of the file that do."""
    body = _Body(outline, giving, own)
    body.declare(scope)
    ranges = conditions_of(outline, scope.opening + 1, scope.closing)
    around: list[Range] = []
    waiting = 0
    for index in range(scope.opening + 1, scope.closing):
        while waiting < len(ranges) and ranges[waiting].start <= index:
            around.append(ranges[waiting])
            waiting += 1
        while around and any(each.end <= index for each in around):
            around = [each for each in around if each.end > index]
        for found in body.calls(index):
            conditions = tuple(each.text for each in around)
            yield Call(*found, outline.tokens[index].start, conditions)


_Found = tuple[str, str, tuple[str, ...]]


class _Body:
    """A function's tokens, and the types of its variables."""

    def __init__(self, outline: Outline[Token], giving: Collection[str], own: Collection[str]) -> None:
        self._outline = outline
        self._tokens = outline.tokens
        self._giving = giving if isinstance(giving, frozenset) else frozenset(giving)
        self._own = own
        self._known: dict[str, str] = {}

    def declare(self, scope: Scope) -> None:
        """Take in parameters, and variables that are declared with a type; ``auto`` is what its value is. A name that
        is declared twice (``self`` of a function of Python, and of a lambda in it) is a tensor if it is one once."""
        tokens, known = self._tokens, {*_TYPES, *_WORDS}
        named = self._outline.name_index(scope)
        opening = next((at for at in range(named, scope.opening) if tokens[at].text == "("), scope.opening)
        for at in range(opening, scope.closing - 1):
            token = tokens[at]
            if token.kind == Kind.NAME and token.text not in known and tokens[at + 1].text in _DECLARING:
                declared = self._declared(at)
                if declared and (declared == TENSOR or token.text not in self._known):
                    self._known[token.text] = declared
                if declared == TENSOR:
                    known.add(token.text)

    def _declared(self, at: int) -> str:
        """The last word of the type that a name is declared with there, "" when none is declared, or none is seen."""
        before = at - 1
        while before > 0 and self._tokens[before].text in ("&", "*", "&&", "const"):
            before -= 1
        word = self._tokens[before]
        if word.text == "auto":
            return self._auto(at) if self._tokens[at + 1].text == "=" else ""
        if word.text == ">":
            made = self._tokens[at + 1].text == "("  # `Type<T> name(...)`, or `a > name(...)`
            return self._template(before) if not made or self._begins_statement(before) else ""
        if word.kind != Kind.NAME or word.text in _WORDS or self._tokens[before - 1].text in (".", "->"):
            return ""
        if (
            before < at - 1
            and self._tokens[before - 1].text in ("(", ",", "=", "return", "&&")
            and word.text in self._known
        ):
            return ""  # `a * b`
        return _ALIASES.get(word.text, word.text)

    def _begins_statement(self, at: int) -> bool:
        """Whether the type whose arguments end there is the first of a statement."""
        start = self._start(at)
        return start > 0 and self._tokens[start - 1].text in _STARTS

    def _auto(self, at: int) -> str:
        ends = range(at + 2, min(at + 400, len(self._tokens)))
        end = next((index for index in ends if self._tokens[index].text == ";"), at)
        if self._ends_tensor(end - 1):
            return TENSOR
        root, calls = self._root(end - 1)
        return "?" if root == TENSOR and calls else root  # what a tensor tells of itself

    def _template(self, at: int) -> str:
        """The type whose arguments end there: of an optional or borrowed tensor that tensor."""
        opening = self._angle(at)
        if opening == at:
            return "?"
        owner, held = self._tokens[opening - 1].text, self._tokens[at - 1].text
        return TENSOR if owner in ("optional", "MaybeOwned") and held == TENSOR else owner

    # --------------------------------------------------------------------------------------------------- tensors
    def _ends_tensor(self, at: int) -> bool:
        """Whether the value that ends at a token is a tensor: a variable, or what an operator gives."""
        token = self._tokens[at]
        if token.kind == Kind.NAME:
            return self._known.get(token.text) == TENSOR and self._tokens[at - 1].text not in (".", "->", "::")
        opening = self._openings.get(at, 0)
        name = self._tokens[opening - 1]
        if token.text == "]":
            return self._ends_tensor(opening - 1) or self._known.get(name.text) == "TensorList"
        if token.text != ")":
            return False
        if name.kind != Kind.NAME and name.text not in (">", "]"):  # `(a + b)`
            inside = range(opening + 1, min(at, opening + MAX_GROUP))
            return self._ends_tensor(at - 1) or any(True for each in inside for _found in self._operator(each))
        before = self._tokens[opening - 2].text if opening > 1 else ""
        if name.text in self._own and before not in (".", "->", "::"):
            return True
        if name.kind != Kind.NAME or not (name.text in self._giving or name.text in CLASS_METHODS):
            return False
        if before == "::":
            return self._tokens[opening - 3].text in ("at", "native")
        return before in (".", "->") and not self._is_other(*self._root(opening - 3))

    def _root(self, at: int) -> tuple[str, int]:
        """(type, number of calls) of the chain ``a.b(c).d(e)`` whose value ends at a token: the type of what it
        begins with, "" when that is not known."""
        tokens, calls = self._tokens, 0
        while at > 0:
            if tokens[at].text in (")", "]"):
                at = self._openings.get(at, 0) - 1
                calls += 1
                if tokens[at].text == ">":
                    return self._template(at), calls
            if tokens[at].kind != Kind.NAME:
                return "", calls
            if tokens[at - 1].text not in (".", "->"):
                break
            at -= 2
        named = tokens[at].text
        owner = tokens[at - 2].text if at > 1 and tokens[at - 1].text == "::" else ""
        if owner:
            return (owner if owner[:1].isupper() else ""), calls
        return self._known.get(named, named if calls and named[:1].isupper() else ""), calls

    @staticmethod
    def _is_other(root: str, calls: int) -> bool:
        """Whether a value is surely no tensor."""
        return root not in ("", TENSOR) and not (calls and any(word in root for word in _HOLDING))

    @cached_property
    def _openings(self) -> dict[int, int]:
        return {end: at for at, end in enumerate(self._outline.brackets.ends) if end != at}

    def _begins_tensor(self, at: int) -> bool:
        """Whether the value that begins at a token, with all that is taken of it, is a tensor."""
        tokens = self._tokens
        if at >= len(tokens) or tokens[at].kind != Kind.NAME or tokens[at].text in _WORDS:
            return False
        end = at
        while end + 1 < len(tokens):
            after = tokens[end + 1].text
            if after in (".", "->", "::") and end + 2 < len(tokens) and tokens[end + 2].kind == Kind.NAME:
                end += 2
            elif after in ("(", "["):
                end = self._outline.brackets.ends[end + 1]
            else:
                break
        return self._ends_tensor(end)

    def _left_tensor(self, at: int) -> bool:
        """Whether what an operator has on its left is a tensor: in ``a * n / m`` it is when ``a`` is one."""
        chain = _CHAINS.get(self._tokens[at].text, "*/%+-")
        end = at - 1
        while end > 0 and not self._ends_tensor(end):
            start = self._start(end)
            if start < 2 or self._tokens[start - 1].text not in chain or self._tokens[start - 2].text in _BEFORE_VALUE:
                return False
            end = start - 2
        return end > 0

    def _start(self, at: int) -> int:
        """The first token of the value (or type) that ends at a token, as far as names and brackets go."""
        tokens = self._tokens
        while at > 0:
            if tokens[at].text in (")", "]"):
                at = self._openings.get(at, at)
                if tokens[at - 1].kind != Kind.NAME and tokens[at - 1].text not in (">", "]", ")"):
                    return at
                at -= 1
            elif tokens[at].text == ">":
                at = self._angle(at) - 1
            elif tokens[at - 1].text in (".", "->", "::"):
                at -= 2
            else:
                return at
        return at

    def _angle(self, at: int) -> int:
        """The ``<`` that a ``>`` closes."""
        depth = 0
        for index in range(at, max(at - 30, 0), -1):
            depth += {">": 1, ">>": 2, "<": -1}.get(self._tokens[index].text, 0)
            if depth <= 0:
                return index
        return at

    def _kind(self, part: Sequence[Token], last: int) -> str:
        """What is known of the type of an argument that ends at a token."""
        if not part:
            return ""
        if all(token.kind == Kind.NUMBER or token.text == "-" for token in part) or part[0].text == "Scalar":
            return "Scalar"
        if part[0].text == "{":
            return "list"
        if len(part) == 1:
            known = self._known.get(part[0].text, "")
            kind = "bool" if part[0].text in ("true", "false") or known == "bool" else ""
            kind = "list" if known.endswith(("List", "ArrayRef")) else kind
            return "Scalar" if known in NUMBERS else (kind or (TENSOR if known == TENSOR else ""))
        plain = not any(token.text in OPERATORS for token in part)
        return "Tensor" if plain and self._ends_tensor(last) else ""

    # ----------------------------------------------------------------------------------------------------- calls
    def calls(self, at: int) -> Iterator[_Found]:
        """What is called by the token there: (kind, name, arguments)."""
        token = self._tokens[at]
        if token.kind == Kind.NAME:
            named = self._named(at) if token.text not in _WORDS else None
            yield from [named] if named is not None else ()
        elif token.text == "[" and self._ends_tensor(at - 1):
            yield "method", "select", ("Tensor", "Scalar")
        elif token.kind == Kind.PUNCT:
            yield from self._operator(at)

    def _named(self, at: int) -> _Found | None:
        """The call (or the handing on) of the name that ends at a token."""
        tokens = self._tokens
        opening = _behind_template(tokens, at + 1)
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
            handed_on = "::" in name and after in (",", ")") and opening == at + 1
            return ("value", name, ()) if handed_on else None
        given = self._given(opening)
        if before is not None and before.text in (".", "->"):
            root = self._root(first - 2)
            if root[0] == TENSOR and root[1] and not self._ends_tensor(first - 2):
                return None  # of what a tensor tells of itself: `x.sizes().slice(1)`
            if self._is_other(*root):
                return ("function", f"{root[0]}::{name}", given) if root[0][:1].isupper() else None
            return "method", name, (TENSOR, *given)
        if before is not None and before.kind == Kind.NAME and before.text not in ("return", "else", "case"):
            return None  # `Type name(...)` declares a variable
        if before is not None and before.text == ">" and self._begins_statement(first - 1):
            return None  # so does `Type<T> name(...)`
        return "function", name, given

    def _given(self, opening: int) -> tuple[str, ...]:
        """The kinds of the arguments of a call."""
        kinds, at = [], opening
        for part in self._outline.brackets.arguments(opening):
            at += len(part) + 1
            kinds.append(self._kind(part, at - 1))
        return tuple(kinds)

    def _operator(self, at: int) -> Iterator[_Found]:
        """An operator between values of which one is a tensor (``TensorOperators.h``)."""
        tokens, text = self._tokens, self._tokens[at].text
        if text not in OPERATORS and text not in _PREFIX:
            return
        before = tokens[at - 1]
        if before.text in _BEFORE_VALUE:
            if text in _PREFIX and self._begins_tensor(at + 1):
                yield "method", _PREFIX[text], (TENSOR,)
            return
        left, right = self._left_tensor(at), self._begins_tensor(at + 1)
        if text not in OPERATORS or not (left or right):
            return
        if not left and text in _IN_TYPES and before.kind == Kind.NAME and before.text not in self._known:
            return  # `Type* x`, `A<Type> x` declare one
        if not left and (before.kind == Kind.NUMBER or self._known.get(before.text) in NUMBERS):
            yield from _from_right(text)
        else:
            yield "method", OPERATORS[text], (TENSOR, TENSOR if right else self._kind(tokens[at + 1 : at + 2], at + 1))


def _from_right(operator: str) -> Iterator[_Found]:
    """What a number and a tensor, in this order, call."""
    changed = _FROM_RIGHT.get(operator)
    if changed is None:
        yield "method", _MIRRORED.get(operator, OPERATORS[operator]), (TENSOR, "Scalar")
        return
    yield "function", "at::empty_like", (TENSOR, "")
    yield "method", "fill_", (TENSOR, "Scalar")
    yield "method", changed, (TENSOR, TENSOR)


def _behind_template(tokens: Sequence[Token], at: int) -> int:
    """The token behind ``<...>`` when that may be a list of template arguments, else ``at`` itself."""
    if at >= len(tokens) or tokens[at].text != "<":
        return at
    depth = 0
    for index in range(at, min(at + 40, len(tokens))):
        text = tokens[index].text
        depth += {"<": 1, "<<": 2, ">": -1, ">>": -2}.get(text, 0)
        if depth <= 0:
            return index + 1
        if text in (";", "{", "&&", "||", ")"):
            break
    return at
