"""The variables of a C++ function of PyTorch, and what each is declared as.

tokens of a function -> ``Values`` that know its variables; ``auto`` is what its value is.
"""

from __future__ import annotations

from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.values.function_names import TensorNames
from bzlgraph.ops.pytorch.cpp.values.places import WORDS
from bzlgraph.ops.pytorch.cpp.values.tensors import ONE_OF, Values
from bzlgraph.ops.pytorch.cpp.values.types import (
    ALIASES,
    LISTS,
    MEMORY_FORMAT,
    NO_TENSOR,
    SIZES,
    TENSOR,
    TUPLE,
    TYPES,
    VECTOR,
)

_SIZES_OF = frozenset({"sizes", "strides", "sym_sizes", "sym_strides", "vec"})
"""What a tensor tells of itself that is a list of numbers, and what makes a vector of it."""
_LISTED = frozenset({"slice", "toVector", "vec", "materialize"})
"""What gives a list of the tensors of one."""
_NO_NAMES = TYPES | WORDS
_DECLARING = frozenset({"=", ";", "(", "{", ",", ")", ":"})

_OF_EACH = frozenset({TENSOR, VECTOR, NO_TENSOR})
"""What is said of several values where it is so of each."""


class Declarations:
    """What one function declares."""

    def __init__(self, outline: Outline[Token], values: Values, giving: TensorNames) -> None:
        self._outline = outline
        self._tokens = outline.tokens
        self._values = values
        self._places = values.places
        self._types = values.types
        self._giving = giving

    def declare(self, scope: Scope, owner: str = "") -> None:
        """Take in parameters, and variables that are declared with a type; ``auto`` is what its value is. ``this`` is
        of the class that a function is a member of."""
        if owner[:1].isupper():
            self._values.know("this", scope.start, scope.closing, ALIASES.get(owner, owner))
        tokens, ends = self._tokens, self._outline.brackets.ends
        named = self._outline.name_index(scope)
        opening = next((at for at in range(named, scope.opening) if tokens[at].text == "("), scope.opening)
        around = [scope.closing]
        listing, inside = "", opening
        outside: list[tuple[int, int]] = []
        """The blocks around, and what ``inside`` is behind each: the body of a lambda is one in brackets."""
        for at in range(opening, scope.closing - 1):
            token = tokens[at]
            if at > inside and token.text in ("(", "["):
                inside = ends[at]
            elif token.text in (";", "{", "}"):
                listing = ""
            if token.text == "{":
                outside.append((ends[at], inside))
                inside = at
            while outside and at >= outside[-1][0]:
                inside = outside.pop()[1]
            while at > around[-1]:
                around.pop()
            if token.text in ("(", "{"):
                around.append(ends[at] if token.text == "{" else self._places.known_until(ends[at], around[-1]))
            if token.text == "auto":
                self._unpack(at, around[-1])
            if token.kind == Kind.NAME and token.text not in _NO_NAMES and tokens[at + 1].text in _DECLARING:
                declared = self._declared(at) or (listing if at > inside and tokens[at - 1].text == "," else "")
                listing = declared if declared and at > inside else listing  # `Type a, b;`
                if declared or self._places.is_auto(at):  # a variable without a type is one: `(a * b)` is a product
                    self._values.know(token.text, at, around[-1], declared)

    def _declared(self, at: int) -> str:
        """The last word of the type that a name is declared with there, "" when none is declared, or none is seen."""
        before = at - 1
        while before > 0 and self._tokens[before].text in ("&", "*", "&&", "const"):
            before -= 1
        word = self._tokens[before]
        if word.text == "auto":
            return self._auto(at) if self._tokens[at + 1].text == "=" else ""
        if word.text in (">", ">>"):
            if self._places.angle(before) == before:
                return ""  # `a > b, c`
            if before < at - 1 and self._places.is_constant(before):
                return ""
            made = self._tokens[at + 1].text == "("  # `Type<T> name(...)`, or `a > name(...)`
            return self._types.template(before) if not made or self._places.begins_statement(before) else ""
        if word.kind != Kind.NAME or word.text in WORDS or self._tokens[before - 1].text in (".", "->"):
            return ""
        if before < at - 1 and self._values.is_known(word.text):
            return ""  # `a * b`
        return ALIASES.get(word.text, word.text)

    def _unpack(self, at: int, until: int) -> None:
        """``auto [a, b] = f(...)``: each is what the call gives, or gives two of."""
        opening = at + 2 if self._tokens[at + 1].text in ("&", "&&") else at + 1
        end = self._outline.brackets.ends[opening] if self._tokens[opening].text == "[" else opening
        if end > opening and self._tokens[end + 1].text == "=":
            made = self._auto(end)
            given = TENSOR if made == TUPLE else made if made in _OF_EACH else ""
            for each in self._tokens[opening:end] if given else ():
                if each.kind == Kind.NAME:
                    self._values.know(each.text, at, until, given)

    def _auto(self, at: int) -> str:
        is_lambda = self._tokens[at + 2].text == "["
        if is_lambda and (given := self._of_called_lambda(at + 2)) is not None:
            return given
        kind = self._of_value(at)
        return kind if kind == TENSOR or not is_lambda else ""  # of a lambda that is called later nothing else is known

    def _of_value(self, at: int) -> str:
        """What the value is that a variable is made with, whose name ends at a token."""
        ends = range(at + 2, min(at + 400, len(self._tokens)))
        end = next((index for index in ends if self._tokens[index].text == ";"), at)
        if self._values.gives_tuple(end - 1, self._giving.tuples):
            return TUPLE
        if self._values.ends_tensor(end - 1) or any(map(self._values.joins_tensors, self._places.outside(at + 2, end))):
            return TENSOR
        chosen = next(
            (each + 1 for each in self._places.outside(at + 2, end) if self._tokens[each].text == "?"), at + 2
        )
        if [each.text for each in self._tokens[chosen : chosen + 2]] == ["static_cast", "<"]:
            return self._types.first_type(chosen + 1)
        called = self._places.called_last(end - 1)
        root, calls = self._values.root(end - 1)
        if root in LISTS and calls:
            return root if called in _LISTED else "int64_t" if called == "size" else ""
        if root == TENSOR and calls and called in _SIZES_OF:  # `a.sizes()`, `list[0].sizes()`
            return SIZES if called != "vec" or self._places.called_last(end - 5) in _SIZES_OF else "?"
        if calls and root in (SIZES, f"Optional{SIZES}"):  # one of several numbers, some of them, or all
            taken = called in (*ONE_OF, "size") or self._tokens[end - 1].text == "]"
            return "int64_t" if taken else SIZES if called in (*_SIZES_OF, "value", "value_or") else "?"
        if called in self._giving.vectors and not (root == TENSOR and calls):
            return VECTOR
        if called in self._giving.others:
            return NO_TENSOR
        if called in self._giving.lists:
            return LISTS[0]
        if calls and called == "suggest_memory_format":
            return MEMORY_FORMAT
        return "?" if root == TENSOR and calls else root  # what a tensor tells of itself

    def _of_called_lambda(self, at: int) -> str | None:
        """What a lambda that begins at a token gives where it is called behind its body; None for a lambda itself."""
        tokens, ends = self._tokens, self._outline.brackets.ends
        behind = ends[at] + 1
        parameters = ends[behind] + 1 if tokens[behind].text == "(" else behind
        opening = next((each for each in range(parameters, len(tokens)) if tokens[each].text in ("{", ";")), at)
        closing = ends[opening]
        if closing == opening or tokens[closing + 1].text != "(":
            return None
        if tokens[parameters].text == "->":
            word = tokens[self._places.type_end(parameters + 1)].text
            return ALIASES.get(word, word) if tokens[opening - 1].text != ">" else self._types.template(opening - 1)
        last = next((each for each in range(closing, opening, -1) if tokens[each].text == "return"), closing)
        returned = next((each for each in range(last, closing) if tokens[each].text == ";"), last)
        if returned != last + 2:
            given = self._values.ends_tensor(returned - 1)
            given = given or any(map(self._values.joins_tensors, self._places.outside(last + 1, returned)))
            return TENSOR if given else ""
        made = range(opening, last)
        name = tokens[last + 1].text
        kinds = {self._auto(each) for each in made if tokens[each].text == name and tokens[each + 1].text == "="}
        return kinds.pop() if len(kinds) == 1 else ""
