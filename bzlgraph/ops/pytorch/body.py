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

_SYMBOLS = "+ - * / % += -= *= /= &= |= == != < <= > >= & | ^"
_METHODS = "add sub mul div remainder add_ sub_ mul_ div_ bitwise_and_ bitwise_or_ eq ne lt le gt ge bitwise_and"
OPERATORS = dict(zip(_SYMBOLS.split(), [*_METHODS.split(), "bitwise_or", "bitwise_xor"], strict=True))
"""Operators with a tensor on their left or right, and the methods that they call."""

_IN_TYPES = frozenset({"*", "&", "<", ">"})
_PREFIX = {"-": "neg", "~": "bitwise_not", "!": "logical_not"}
_WORDS = frozenset(
    "if for while switch return sizeof catch static_cast reinterpret_cast const_cast dynamic_cast decltype alignof"
    " typeid throw new delete else case goto const auto typename class struct using namespace".split()
)
_BEFORE_VALUE = frozenset({"(", ",", "=", "{", ";", "return", "&&", "||", "?", ":"})
_DECLARING = frozenset({"=", ";", "(", "{", ",", ")", ":"})
_HOLDING = ("Iterator", "Tensor", "Context", "Saved")
"""Words in the names of types whose members give tensors."""
TENSOR = "Tensor"
_TYPES = frozenset({TENSOR, "TensorBase", "Scalar", "int64_t", "bool"})
MAX_GROUP = 40
"""Tokens of ``(a + b)`` that are looked through for tensors."""
MAX_CONDITION = 120
"""Characters of a condition that are shown."""


class Call(NamedTuple):
    """``kind``: ``function``, also a member of a class that is known (``TensorIterator::build``); ``method`` of a
    value that may be a tensor; ``value``, a qualified name that is handed on. ``arguments`` are ``Tensor``,
    ``Scalar`` (a number) or "" for what is not known; a method's first is what it is called on."""

    kind: str
    name: str
    arguments: tuple[str, ...]
    line: int
    """In what ``calls_of`` gives the offset in the file's text."""
    conditions: tuple[str, ...] = ()


class _Range(NamedTuple):
    """The tokens from ``start`` to before ``end`` run when ``text`` holds."""

    start: int
    end: int
    text: str


def calls_of(outline: Outline[Token], scope: Scope, giving: Collection[str] = ()) -> Iterator[Call]:
    """The calls of one function in the order of the text. ``giving`` are the operators that return a tensor."""
    body = _Body(outline, giving)
    body.declare(scope)
    ranges = _conditions(outline, scope.opening + 1, scope.closing)
    around: list[_Range] = []
    waiting = 0
    for index in range(scope.opening + 1, scope.closing):
        while waiting < len(ranges) and ranges[waiting].start <= index:
            around.append(ranges[waiting])
            waiting += 1
        while around and any(each.end <= index for each in around):
            around = [each for each in around if each.end > index]
        found = body.call(index)
        if found is not None:
            conditions = tuple(each.text for each in around)
            yield Call(*found, outline.tokens[index].start, conditions)


_Found = tuple[str, str, tuple[str, ...]]


class _Body:
    """A function's tokens, and the types of its variables."""

    def __init__(self, outline: Outline[Token], giving: Collection[str]) -> None:
        self._outline = outline
        self._tokens = outline.tokens
        self._giving = giving
        self._known: dict[str, str] = {}

    def declare(self, scope: Scope) -> None:
        """Take in parameters, and variables that are declared with a type; ``auto`` is what its value is."""
        tokens, known = self._tokens, {*_TYPES, *_WORDS}
        named = self._outline.name_index(scope)
        opening = next((at for at in range(named, scope.opening) if tokens[at].text == "("), scope.opening)
        for at in range(opening, scope.closing - 1):
            token = tokens[at]
            if token.kind == Kind.NAME and token.text not in known and tokens[at + 1].text in _DECLARING:
                declared = self._declared(at)
                if declared:
                    known.add(token.text)
                    self._known[token.text] = declared

    def _declared(self, at: int) -> str:
        """The last word of the type that a name is declared with there, "" when none is declared, or none is seen."""
        before = at - 1
        while before > 0 and self._tokens[before].text in ("&", "*", "&&", "const"):
            before -= 1
        word = self._tokens[before]
        if word.text == "auto":
            return self._auto(at) if self._tokens[at + 1].text == "=" else ""
        if word.text == ">":
            return self._template(before) if self._tokens[at + 1].text != "(" else ""
        if word.kind != Kind.NAME or word.text in _WORDS or self._tokens[before - 1].text in (".", "->"):
            return ""
        if (
            before < at - 1
            and self._tokens[before - 1].text in ("(", ",", "=", "return", "&&")
            and word.text in self._known
        ):
            return ""  # `a * b`
        return TENSOR if word.text == "TensorBase" else word.text

    def _auto(self, at: int) -> str:
        ends = range(at + 2, min(at + 400, len(self._tokens)))
        end = next((index for index in ends if self._tokens[index].text == ";"), at)
        if self._ends_tensor(end - 1):
            return TENSOR
        root, calls = self._root(end - 1)
        return "?" if root == TENSOR and calls else root  # what a tensor tells of itself

    def _template(self, at: int) -> str:
        """The type whose arguments end there: of an optional or borrowed tensor that tensor."""
        depth = 0
        for index in range(at, max(at - 30, 0), -1):
            depth += {">": 1, ">>": 2, "<": -1}.get(self._tokens[index].text, 0)
            if depth <= 0:
                owner, held = self._tokens[index - 1].text, self._tokens[at - 1].text
                return TENSOR if owner in ("optional", "MaybeOwned") and held == TENSOR else owner
        return "?"

    # --------------------------------------------------------------------------------------------------- tensors
    def _ends_tensor(self, at: int) -> bool:
        """Whether the value that ends at a token is a tensor: a variable, or what an operator gives."""
        token = self._tokens[at]
        if token.kind == Kind.NAME:
            return self._known.get(token.text) == TENSOR and self._tokens[at - 1].text not in (".", "->", "::")
        if token.text != ")":
            return False
        opening = self._openings.get(at, 0)
        name = self._tokens[opening - 1]
        if name.kind != Kind.NAME and name.text not in (">", "]"):  # `(a + b)`
            inside = range(opening + 1, min(at, opening + MAX_GROUP))
            return self._ends_tensor(at - 1) or any(self._operator(each) is not None for each in inside)
        if name.kind != Kind.NAME or name.text not in self._giving:
            return False
        before = self._tokens[opening - 2].text if opening > 1 else ""
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
        """Whether the value that begins at a token is a variable that is a tensor, and nothing of it is taken."""
        tokens = self._tokens
        if at + 1 >= len(tokens) or self._known.get(tokens[at].text) != TENSOR:
            return False
        return tokens[at + 1].text not in (".", "->", "::", "(", "[")

    def _kind(self, part: Sequence[Token], last: int) -> str:
        """What is known of the type of an argument that ends at a token."""
        if not part:
            return ""
        if all(token.kind == Kind.NUMBER or token.text == "-" for token in part) or part[0].text == "Scalar":
            return "Scalar"
        plain = not any(token.text in OPERATORS for token in part)
        return "Tensor" if plain and self._ends_tensor(last) else ""

    # ----------------------------------------------------------------------------------------------------- calls
    def call(self, at: int) -> _Found | None:
        """What is called by the token there: (kind, name, arguments)."""
        token = self._tokens[at]
        if token.kind == Kind.NAME:
            return self._named(at) if token.text not in _WORDS else None
        if token.text == "[" and self._ends_tensor(at - 1):
            return "method", "select", ("Tensor", "")
        return self._operator(at) if token.kind == Kind.PUNCT else None

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
        if before is not None and before.text == "::" and tokens[first - 2].text == ">":
            return None  # a member of a type with arguments
        if after != "(":
            handed_on = "::" in name and after in (",", ")") and opening == at + 1
            return ("value", name, ()) if handed_on else None
        given = self._given(opening)
        if before is not None and before.text in (".", "->"):
            root = self._root(first - 2)
            if self._is_other(*root):
                return ("function", f"{root[0]}::{name}", given) if root[0][:1].isupper() else None
            return "method", name, (TENSOR, *given)
        if before is not None and before.kind == Kind.NAME and before.text not in ("return", "else", "case"):
            return None  # `Type name(...)` declares a variable
        return "function", name, given

    def _given(self, opening: int) -> tuple[str, ...]:
        """The kinds of the arguments of a call."""
        kinds, at = [], opening
        for part in self._outline.brackets.arguments(opening):
            at += len(part) + 1
            kinds.append(self._kind(part, at - 1))
        return tuple(kinds)

    def _operator(self, at: int) -> _Found | None:
        """An operator between values of which one is a tensor."""
        tokens, text = self._tokens, self._tokens[at].text
        before = tokens[at - 1]
        right = self._begins_tensor(at + 1)
        if before.text in _BEFORE_VALUE:
            return ("method", _PREFIX[text], ("Tensor",)) if text in _PREFIX and right else None
        left = self._ends_tensor(at - 1)
        if text not in OPERATORS or not (left or right):
            return None
        if not left and text in _IN_TYPES and before.kind == Kind.NAME and before.text not in self._known:
            return None  # `Type* x`, `A<Type> x` declare one
        return "method", OPERATORS[text], ("Tensor" if left else "", "Tensor" if right else "")


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


# ------------------------------------------------------------------------------------------------------- conditions
def _conditions(outline: Outline[Token], first: int, last: int) -> list[_Range]:
    """The ranges of ``if``, ``else`` and ``case`` between two tokens, in the order in which they begin."""
    tokens, ends = outline.tokens, outline.brackets.ends
    found: list[_Range] = []
    for at in range(first, last):
        text = tokens[at].text
        if text == "if":
            found += _branches(tokens, ends, at, last)
        elif text == "switch" and tokens[at + 1].text == "(":
            opening = ends[at + 1] + 1
            if opening < last and tokens[opening].text == "{":
                found += _cases(tokens, ends, _text(tokens[at + 2 : ends[at + 1]]), opening)
    return sorted(found)


def _branches(tokens: Sequence[Token], ends: Sequence[int], at: int, last: int) -> Iterator[_Range]:
    opening = at + 2 if tokens[at + 1].text == "constexpr" else at + 1
    if opening >= last or tokens[opening].text != "(":
        return
    condition = _text(tokens[opening + 1 : ends[opening]])
    start = ends[opening] + 1
    end = _statement_end(tokens, ends, start, last)
    yield _Range(start, end, condition)
    if end < last and tokens[end].text == "else":
        yield _Range(end + 1, _statement_end(tokens, ends, end + 1, last), f"!({condition})")


def _statement_end(tokens: Sequence[Token], ends: Sequence[int], start: int, last: int) -> int:
    """The token behind the statement that begins there; an ``if`` with all its ``else``."""
    at = start
    while at < last:
        text = tokens[at].text
        if text == "{":
            at = ends[at]
        elif text in ("(", "["):
            at = ends[at] + 1
            continue
        if text in ("{", ";"):
            if at + 1 < last and tokens[at + 1].text == "else" and tokens[start].text == "if":
                at += 2
                continue
            return at + 1
        at += 1
    return last


def _cases(tokens: Sequence[Token], ends: Sequence[int], what: str, opening: int) -> Iterator[_Range]:
    """What stands behind each ``case`` of a ``switch``, up to the next after other statements."""
    values: list[str] = []
    start = at = opening + 1
    closed = ends[opening]
    labelled = False
    while at < closed:
        text = tokens[at].text
        if text in ("case", "default"):
            if not labelled:
                if values:
                    yield _Range(start, at, _shortened(" || ".join(values)))
                values = []
            colon = next((each for each in range(at, closed) if tokens[each].text == ":"), closed)
            values.append(f"{what} == {_text(tokens[at + 1 : colon])}" if text == "case" else "default")
            start = at = colon + 1
            labelled = True
            continue
        labelled = False
        at = ends[at] + 1 if text in ("{", "(", "[") else at + 1
    if values:
        yield _Range(start, closed, _shortened(" || ".join(values)))


def _text(tokens: Sequence[Token]) -> str:
    """Tokens as one readable line."""
    words: list[str] = []
    for index, token in enumerate(tokens):
        before = tokens[index - 1].text if index else ""
        joined = not index or token.text in (")", "]", ",", ";", ".", "->", "::", "(", "[") or before in _TIGHT
        words.append(token.text if joined and not (token.text == "(" and before in _SPACED) else f" {token.text}")
    return _shortened("".join(words))


_TIGHT = frozenset({"(", "[", ".", "->", "::", "!", "~"})
_SPACED = frozenset({"&&", "||", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", ","})


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_CONDITION else f"{text[: MAX_CONDITION - 4]} ..."
