"""What the values in a C++ function of PyTorch are, as far as its text says: which are tensors, which surely are none.

tokens of a function -> answers about the value that begins or ends at a token. Variables have the types that they are
declared with; ``auto`` is what its value is. Of functions only the names are known: of operators, of functions of
the file, and of what headers declare (``TensorNames``).
"""

from __future__ import annotations

from collections.abc import Sequence

from bzlgraph.cpp.outline import Outline
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.values.function_names import FileNames, TensorNames
from bzlgraph.ops.pytorch.cpp.values.places import BEFORE_VALUE, GET, INFIX, WORDS, Places
from bzlgraph.ops.pytorch.cpp.values.types import CASTS, LISTS, NUMBERS, OF_NUMBERS, TENSOR, TUPLE, Types

_CHAINS = {"*": "*/%", "/": "*/%", "%": "*/%"}
"""What an operator may have on its left, from left to right; all others have these and sums."""
_ASKING_TYPES = frozenset({"decltype", "sizeof", "alignof", "typeid"})
"""What asks about the type of a value, and is none itself."""
IN_TYPES = frozenset({"*", "&", "<", ">"})
"""Operators that stand between a type and what it declares, too."""
PREFIX = frozenset("-~!")
"""Operators with nothing on their left."""
CLASS_METHODS = frozenset({"toType", "toBackend", "cpu", "cuda", "grad", "mutable_grad", "tensor_data"})
"""Methods of ``at::Tensor`` that give a tensor and are no operators."""
ONE_OF = frozenset({"at", "back", "front"})
"""What gives one of several."""
_OPTIONAL = frozenset({"value", "value_or"})
"""What gives the tensor that an optional one holds."""
_HOLDING = ("Iterator", "Tensor", "Context", "Saved")
"""Words in the names of types whose members give tensors."""
_ENDS_PRODUCT = frozenset("+ - < > <= >= == != && || ? : , ; ) ] }".split())
MAX_GROUP = 40
"""Tokens of ``(a + b)`` that are looked through for tensors."""


class Values:
    """A function's tokens, and the types of its variables."""

    def __init__(self, outline: Outline[Token], giving: TensorNames, own: FileNames, opening: int = 0) -> None:
        """``opening`` is where the body begins; before it, parameters are declared."""
        self.places = Places(outline)
        """Where its values stand."""
        self.types = Types(outline, self.places)
        """The types with arguments in it."""
        self._outline = outline
        self._tokens = outline.tokens
        self._giving = giving
        self._own = own
        self._opening = opening
        self._known: dict[str, list[tuple[int, int, str]]] = {}
        """Each name with its declarations: where it is declared, the end of the block that knows it, its type."""

    def know(self, name: str, at: int, until: int, kind: str) -> None:
        """Take in a variable that is declared at a token as a type, and known up to another one."""
        self._known.setdefault(name, []).append((at, until, kind))

    def is_known(self, name: str) -> bool:
        """Whether a variable of that name is declared anywhere so far."""
        return name in self._known

    def type_of(self, name: str, at: int) -> str:
        """What a variable is declared as that is used at a token, "" when that is not seen."""
        listed = self._known.get(name, ())
        return next((kind for start, end, kind in reversed(listed) if start <= at <= end), "")

    def is_number(self, at: int) -> bool:
        """Whether what ends at a token is a variable that is a number, or one of several: ``bounds[i]``."""
        if self._tokens[at].text == "]":
            named = self._openings.get(at, 0) - 1
            return self.type_of(self._tokens[named].text, named) in OF_NUMBERS
        return self.type_of(self._tokens[at].text, at) in NUMBERS

    def is_variable(self, name: str, at: int) -> bool:
        """Whether a name that is used at a token is that of a variable, whatever its type."""
        return any(start < at <= end for start, end, _ in self._known.get(name, ()))

    def is_parameter(self, name: str, at: int) -> bool:
        """Whether a name that is used at a token is that of a parameter of the function itself."""
        return any(start < self._opening and start < at <= end for start, end, _ in self._known.get(name, ()))

    def is_of_template(self, kind: str) -> bool:
        """Whether a type is one that a template of the file is made with."""
        return kind in self._own.parameters

    def template_at(self, at: int) -> str:
        """The parameter of a template that is the type of the variable which begins at a token, "" for any other."""
        while self._tokens[at].text in PREFIX:
            at += 1
        kind = self.type_of(self._tokens[at].text, at) if self._tokens[at].kind == Kind.NAME else ""
        return kind if kind in self._own.parameters - NUMBERS else ""

    # --------------------------------------------------------------------------------------------------- tensors
    def ends_tensor(self, at: int) -> bool:
        """Whether the value that ends at a token is a tensor: a variable, or what an operator gives."""
        token = self._tokens[at]
        if token.kind == Kind.NAME:
            return self.type_of(token.text, at) == TENSOR and self._tokens[at - 1].text not in (".", "->", "::")
        opening = self._openings.get(at, 0)
        name = self._tokens[opening - 1]
        if token.text == "]":
            return self.ends_tensor(opening - 1) or self.type_of(name.text, at).endswith(LISTS)
        if token.text != ")":
            return False
        if name.text in _ASKING_TYPES:
            return False
        if not _is_name(name) and name.text not in (">", "]"):  # `(a + b)`
            inside = range(opening + 1, min(at, opening + MAX_GROUP))
            return self.ends_tensor(at - 1) or any(map(self.joins_tensors, inside))
        if self.places.takes_one(opening):
            return self._is_of_tensors(at)
        if name.text == ">" and self._given_by(self.places.angle(opening - 1) - 1) == TENSOR:
            return True
        if name.text == ">" and self.types.template(opening - 1) == TENSOR:
            return self._tokens[self.places.angle(opening - 1) - 1].text in CASTS
        before = self._tokens[opening - 2].text if opening > 1 else ""
        if name.kind != Kind.NAME or self._gives_list(opening):
            return False
        if before in (".", "->"):
            if name.text in (*ONE_OF, GET) and self.root(at) == (TENSOR, 0):
                return True
            gives = name.text in self._giving.methods or name.text in CLASS_METHODS or name.text in _OPTIONAL
            root, calls = self.root(opening - 3)
            told = root == TENSOR and calls and not self.ends_tensor(opening - 3)  # `x.sizes().slice(1)`
            held = root == TENSOR or name.text not in _OPTIONAL
            return gives and held and not told and not self.is_other(root, calls)
        if before == "::":
            known = name.text in self._giving.functions or name.text in self._giving.helpers
            return known and self._tokens[opening - 3].text in ("at", "native", "c10")
        named = name.text in self._own.tensors or name.text in self._giving.helpers
        return named and not self.is_variable(name.text, opening - 1)  # a lambda of that name

    def _given_by(self, at: int) -> str:
        """What the function of the file gives that is named at a token, "" where that is not known."""
        name = self._tokens[at].text
        if self._tokens[at - 1].text in (".", "->", "::") or self.is_variable(name, at):
            return ""
        return TENSOR if name in self._own.tensors else self._own.results.get(name, "")

    def _gives_list(self, opening: int) -> bool:
        """Whether a call gives a list of tensors, as it is given one."""
        if self._tokens[opening - 1].text not in self._giving.lists:
            return False
        parts = self._outline.brackets.arguments(opening)[:1]
        return any(self.is_list(each, opening + len(each)) for each in parts)

    def _is_of_tensors(self, at: int) -> bool:
        """Whether what ``std::get<0>(several)`` takes one of, up to a token, surely is several tensors."""
        several = self._tokens[at - 1]
        if several.kind == Kind.NAME:
            return self.type_of(several.text, at).endswith((*LISTS, TUPLE))
        return self.places.called_last(at - 1) in self._giving.lists or self.gives_tuple(at - 1, self._giving.several)

    def gives_tuple(self, at: int, names: frozenset[str]) -> bool:
        """Whether a call that ends at a token, of one of the names or of a function of the file, gives a tuple."""
        opening = self._openings.get(at, 0) if self._tokens[at].text == ")" else 0
        name, before = self._tokens[opening - 1], self._tokens[opening - 2].text
        if opening < 2 or not _is_name(name) or self.is_variable(name.text, opening - 1):
            return False
        if before in (".", "->"):
            return name.text in names and not self.is_no_tensor(opening - 3)
        if before == "::":
            return name.text in names and self._tokens[opening - 3].text in ("at", "native", "c10")
        return name.text in self._own.tuples

    def is_list(self, part: Sequence[Token], last: int) -> bool:
        """Whether an argument that ends at a token is ``{...}``, or a variable that is a list."""
        if len(part) == 1 and self.type_of(part[0].text, last).endswith(("List", "ArrayRef")):
            return True
        return bool(part) and part[0].text == "{"

    def root(self, at: int) -> tuple[str, int]:
        """(type, number of calls) of the chain ``a.b(c).d(e)`` whose value ends at a token: the type of what it
        begins with, "" when that is not known."""
        tokens, calls = self._tokens, 0
        while at > 0:
            if tokens[at].text in (")", "]"):
                at = self._openings.get(at, 0) - 1
                calls += 1
                if self.places.takes_one(at + 1):
                    return (TENSOR if self._is_of_tensors(self._outline.brackets.ends[at + 1]) else ""), calls - 1
                if tokens[at].text == ">":
                    given = self._given_by(self.places.angle(at) - 1)
                    if given:
                        return self._one_of(given, calls - 1, self._outline.brackets.ends[at + 1])
                    cast = tokens[self.places.angle(at) - 1].text in CASTS
                    return self.types.template(at), calls - cast
                if not _is_name(tokens[at]) and tokens[at].text not in (")", "]"):  # `(a + b)`
                    end = self._outline.brackets.ends[at + 1]
                    return (TENSOR, 0) if self.ends_tensor(end) else self.root(end - 1)
            if tokens[at].kind != Kind.NAME:
                return "", calls
            if tokens[at - 1].text not in (".", "->"):
                break
            at -= 2
        named = tokens[at].text
        if at > 1 and tokens[at - 1].text == "::":
            if named in NUMBERS and calls:
                return named, calls  # `c10::SymFloat(n).sqrt()`
            return (tokens[at - 2].text if tokens[at - 2].text[:1].isupper() else ""), calls
        known = self.type_of(named, at)
        given = self._given_by(at) if calls else ""
        if given and given != TENSOR:
            return self._one_of(given, calls - 1, self._outline.brackets.ends[at + 1])
        if named not in self._known and calls and (named[:1].isupper() or named in self._own.types):
            known = named
        return self._one_of("" if calls and known in self._own.parameters else known, calls, at)

    def _one_of(self, kind: str, calls: int, last: int) -> tuple[str, int]:
        """The root of a chain whose first value ends at a token and is of a type: of a list of tensors the tensor that
        the chain takes out of it first."""
        if kind not in LISTS or not calls:
            return kind, calls
        words = [each.text for each in self._tokens[last + 1 : last + 4]]
        opening = last + 1 if words[0] == "[" else last + 3
        if words[0] != "[" and (words[0] not in (".", "->") or words[1] not in ONE_OF or words[2] != "("):
            return kind, calls
        behind = self._outline.brackets.ends[opening] + 1
        held = [each.text for each in self._tokens[behind : behind + 3]] == [".", GET, "("]  # of a reference to one
        return TENSOR, max(calls - 1 - held, 0)

    def joins_tensors(self, at: int) -> bool:
        """Whether a token is an operator that gives a tensor."""
        text, before = self._tokens[at].text, self._tokens[at - 1].text
        if before in BEFORE_VALUE:
            return text in PREFIX and self.begins_tensor(at + 1)
        if text not in INFIX or before == GET or self.places.takes_one(at + 1):
            return False
        left = self.left_tensor(at)
        known = before in self._known if self._tokens[at - 1].kind == Kind.NAME else self.places.is_constant(at - 1)
        typed = (self._tokens[at - 1].kind == Kind.NAME or before in (">", ">>")) and not known
        declares = not left and text in IN_TYPES and typed
        return left or (not declares and self.begins_tensor(at + 1))

    def is_no_tensor(self, at: int) -> bool:
        """Whether the value that ends at a token is surely no tensor."""
        called = self.places.called_last(at)
        return self.is_other(*self.root(at)) or (called in self._giving.others and called != GET)

    @staticmethod
    def is_other(root: str, calls: int) -> bool:
        """Whether a value is surely no tensor."""
        return root not in ("", TENSOR) and not (calls and any(word in root for word in _HOLDING))

    @property
    def _openings(self) -> dict[int, int]:
        return self._outline.brackets.openings

    def begins_tensor(self, at: int) -> bool:
        """Whether the value that begins at a token, with all that is taken of it, is a tensor."""
        tokens = self._tokens
        behind = tokens[at - 1].text == ">" and at < len(tokens) and tokens[at].text == "("
        if behind and self._given_by(self.places.angle(at - 1) - 1):
            return False  # `helper<int>(a)`, no `b > (a)`
        while at < len(tokens) and tokens[at].text in PREFIX:
            at += 1
        if (
            at >= len(tokens)
            or tokens[at].text in WORDS
            or not (tokens[at].kind == Kind.NAME or tokens[at].text == "(")
        ):
            return False
        end = at if tokens[at].kind == Kind.NAME else self._outline.brackets.ends[at]  # `(a + b).t()`
        while end + 1 < len(tokens):
            after = tokens[end + 1].text
            if after in (".", "->", "::") and end + 2 < len(tokens) and tokens[end + 2].kind == Kind.NAME:
                end += 2
            elif after in ("(", "["):
                end = self._outline.brackets.ends[end + 1]
            elif after == "<" and tokens[end].text == GET:  # `std::get<0>(several)`
                end += 3
            else:
                break
        return self.ends_tensor(end)

    def left_tensor(self, at: int) -> bool:
        """Whether what an operator has on its left is a tensor: in ``a * n / m`` it is when ``a`` is one."""
        chain, end = _CHAINS.get(self._tokens[at].text, "*/%+-"), at - 1
        while end > 0 and not self.ends_tensor(end):
            start = self.places.start(end)
            if start < 2 or self._tokens[start - 1].text not in chain or self._tokens[start - 2].text in BEFORE_VALUE:
                return False
            end = start - 2
        return end > 0 and not self.places.is_address(self.places.start(end) - 1)

    def right_tensor(self, at: int) -> bool:
        """Whether what an operator has on its right is a tensor: of a sum or difference all of the next product is."""
        if self._tokens[at].text not in ("+", "-") or self.begins_tensor(at + 1):
            return self.begins_tensor(at + 1)
        for each in self.places.outside(at + 1, min(at + MAX_GROUP, len(self._tokens))):
            if self._tokens[each].text in _ENDS_PRODUCT and each > at + 1:
                break
            if self._tokens[each].text in ("*", "/") and self.begins_tensor(each + 1):
                return True
        return False


def _is_name(token: Token) -> bool:
    return token.kind == Kind.NAME and token.text not in WORDS
