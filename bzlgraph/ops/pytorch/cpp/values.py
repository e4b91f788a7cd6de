"""What the values in a C++ function of PyTorch are, as far as its text says: which are tensors, which surely are none.

tokens of a function -> answers about the value that begins or ends at a token. Variables have the types that they are
declared with; ``auto`` is what its value is. Of functions only the names are known: of operators, of functions of
the file, and of what headers declare (``TensorNames``).
"""

from __future__ import annotations

from collections.abc import Sequence

from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.places import BEFORE_VALUE, GET, INFIX, WORDS, Places
from bzlgraph.ops.pytorch.function_names import FileNames, TensorNames, holds_tensors_alone

_CHAINS = {"*": "*/%", "/": "*/%", "%": "*/%"}
"""What an operator may have on its left, from left to right; all others have these and sums."""
_ASKING_TYPES = frozenset({"decltype", "sizeof", "alignof", "typeid"})
"""What asks about the type of a value, and is none itself."""
IN_TYPES = frozenset({"*", "&", "<", ">"})
"""Operators that stand between a type and what it declares, too."""
PREFIX = frozenset("-~!")
"""Operators with nothing on their left."""
_DECLARING = frozenset({"=", ";", "(", "{", ",", ")", ":"})
CLASS_METHODS = frozenset({"toType", "toBackend", "cpu", "cuda", "grad", "mutable_grad", "tensor_data"})
"""Methods of ``at::Tensor`` that give a tensor and are no operators."""
_CASTS = frozenset({"static_cast", "const_cast", "reinterpret_cast", "dynamic_cast"})
_OPTIONAL = frozenset({"value", "value_or"})
"""What gives the tensor that an optional one holds."""
_HOLDING = ("Iterator", "Tensor", "Context", "Saved")
"""Words in the names of types whose members give tensors."""
TENSOR = "Tensor"
NO_TENSOR = "no tensor"
"""The type of a variable that a function gives of which all that is known is that it gives no tensor."""
_ALIASES = {"TensorBase": TENSOR, "SparseTensor": TENSOR, "SparseCsrTensor": TENSOR, "ITensorListRef": "TensorList"}
"""Other names of these types."""
NUMBERS = frozenset("Scalar SymInt SymFloat int64_t int32_t int size_t float double scalar_t accscalar_t".split())
_TYPES = frozenset({TENSOR, *_ALIASES, *NUMBERS, "bool", "TensorList"})
_LISTS = ("TensorList", f"vector of {TENSOR}", f"SmallVector of {TENSOR}", f"array of {TENSOR}")
"""What an index takes a tensor out of."""
_TUPLE = f"tuple of {TENSOR}"
"""The type of a tuple of tensors alone."""
_TUPLES = frozenset({"tuple", "pair"})
_SIZES = "IntArrayRef"
_OF_NUMBERS = frozenset({"array", "vector", "SmallVector", "ArrayRef", _SIZES})
"""Types of lists of what is no tensor: those that hold some are told apart."""
_SIZES_OF = frozenset({"sizes", "strides", "sym_sizes", "sym_strides", "vec"})
"""What a tensor tells of itself that is a list of numbers, and what makes a vector of it."""
_ELEMENTS = frozenset({"back", "front", "size", "at"})
"""What gives a number of a list of numbers."""
_INTEGERS = frozenset({"int64_t", "SymInt", "int"})
NAMES, MEMORY_FORMAT = "DimnameList", "MemoryFormat"
"""Types of what only names of dimensions and layouts of memory are given to."""
_CONTAINERS = frozenset({"vector", "SmallVector", "array", "tuple", "pair", "List", "reference_wrapper"})
VECTOR = "Vectorized"
"""The type of values of registers, which have methods and operators like those of tensors."""
_NO_NAMES = _TYPES | WORDS
_ENDS_PRODUCT = frozenset("+ - < > <= >= == != && || ? : , ; ) ] }".split())
MAX_GROUP = 40
"""Tokens of ``(a + b)`` that are looked through for tensors."""


class Values:
    """A function's tokens, and the types of its variables."""

    def __init__(self, outline: Outline[Token], giving: TensorNames, own: FileNames) -> None:
        self.places = Places(outline)
        """Where its values stand."""
        self._outline = outline
        self._tokens = outline.tokens
        self._giving = giving
        self._own = own
        self._opening = 0
        self._known: dict[str, list[tuple[int, int, str]]] = {}
        """Each name with its declarations: where it is declared, the end of the block that knows it, its type."""

    def type_of(self, name: str, at: int) -> str:
        """What a variable is declared as that is used at a token, "" when that is not seen."""
        listed = self._known.get(name, ())
        return next((kind for start, end, kind in reversed(listed) if start <= at <= end), "")

    def is_number(self, at: int) -> bool:
        """Whether what ends at a token is a variable that is a number, or one of several: ``bounds[i]``."""
        if self._tokens[at].text == "]":
            named = self._openings.get(at, 0) - 1
            return self.type_of(self._tokens[named].text, named) in _OF_NUMBERS
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

    def declare(self, scope: Scope, owner: str = "") -> None:
        """Take in parameters, and variables that are declared with a type; ``auto`` is what its value is. ``this`` is
        of the class that a function is a member of."""
        self._opening = scope.opening
        if owner[:1].isupper():
            self._known["this"] = [(scope.start, scope.closing, _ALIASES.get(owner, owner))]
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
                around.append(ends[at] if token.text == "{" else self.places.known_until(ends[at], around[-1]))
            if token.text == "auto":
                self._unpack(at, around[-1])
            if token.kind == Kind.NAME and token.text not in _NO_NAMES and tokens[at + 1].text in _DECLARING:
                declared = self._declared(at) or (listing if at > inside and tokens[at - 1].text == "," else "")
                listing = declared if declared and at > inside else listing  # `Type a, b;`
                if declared or self.places.is_auto(at):  # a variable without a type is one: `(a * b)` is a product
                    self._known.setdefault(token.text, []).append((at, around[-1], declared))

    def _declared(self, at: int) -> str:
        """The last word of the type that a name is declared with there, "" when none is declared, or none is seen."""
        before = at - 1
        while before > 0 and self._tokens[before].text in ("&", "*", "&&", "const"):
            before -= 1
        word = self._tokens[before]
        if word.text == "auto":
            return self._auto(at) if self._tokens[at + 1].text == "=" else ""
        if word.text in (">", ">>"):
            if self.places.angle(before) == before:
                return ""  # `a > b, c`
            if before < at - 1 and self.places.is_constant(before):
                return ""
            made = self._tokens[at + 1].text == "("  # `Type<T> name(...)`, or `a > name(...)`
            return self._template(before) if not made or self.places.begins_statement(before) else ""
        if word.kind != Kind.NAME or word.text in WORDS or self._tokens[before - 1].text in (".", "->"):
            return ""
        if before < at - 1 and word.text in self._known:
            return ""  # `a * b`
        return _ALIASES.get(word.text, word.text)

    def _unpack(self, at: int, until: int) -> None:
        """``auto [a, b] = f(...)``: each is what the call gives, or gives two of."""
        opening = at + 2 if self._tokens[at + 1].text in ("&", "&&") else at + 1
        end = self._outline.brackets.ends[opening] if self._tokens[opening].text == "[" else opening
        if end > opening and self._tokens[end + 1].text == "=":
            given = TENSOR if (made := self._auto(end)) == _TUPLE else made
            for each in self._tokens[opening:end] if given else ():
                if each.kind == Kind.NAME:
                    self._known.setdefault(each.text, []).append((at, until, given))

    def _auto(self, at: int) -> str:
        ends = range(at + 2, min(at + 400, len(self._tokens)))
        end = next((index for index in ends if self._tokens[index].text == ";"), at)
        if self._gives_tuple(end - 1, self._giving.tuples):
            return _TUPLE
        if self.ends_tensor(end - 1) or any(map(self.joins_tensors, self.places.outside(at + 2, end))):
            return TENSOR
        chosen = next((each + 1 for each in self.places.outside(at + 2, end) if self._tokens[each].text == "?"), at + 2)
        if [each.text for each in self._tokens[chosen : chosen + 2]] == ["static_cast", "<"]:
            return self._first_type(chosen + 1)
        called = self.places.called_last(end - 1)
        root, calls = self.root(end - 1)
        if root in (TENSOR, *_LISTS) and calls and called in _SIZES_OF:  # `a.sizes()`, `list[0].sizes()`
            return _SIZES if called != "vec" or self.places.called_last(end - 5) in _SIZES_OF else "?"
        if calls and root in (_SIZES, f"Optional{_SIZES}"):  # one of several numbers, some of them, or all
            taken = called in _ELEMENTS or self._tokens[end - 1].text == "]"
            return "int64_t" if taken else _SIZES if called in (*_SIZES_OF, "value", "value_or") else "?"
        if called in self._giving.vectors and not (root == TENSOR and calls):
            return VECTOR
        if called in self._giving.others and self._tokens[at + 2].text != "[":  # a lambda
            return NO_TENSOR
        if called in self._giving.lists:
            return _LISTS[0]
        if calls and called == "suggest_memory_format":
            return MEMORY_FORMAT
        return "?" if root == TENSOR and calls else root  # what a tensor tells of itself

    def _template(self, at: int) -> str:
        """The type whose arguments end there: of an optional or borrowed tensor that tensor."""
        opening = self.places.angle(at)
        if opening == at:
            return "?"
        owner, held = self._tokens[opening - 1].text, self._tokens[at - 1].text
        if owner in _CASTS:
            return self._first_type(opening)
        if owner in ("optional", "MaybeOwned") and held in (TENSOR, NAMES, _SIZES):
            return held
        if owner in _OF_NUMBERS and self._first_type(opening) in _INTEGERS:
            return _SIZES
        inside = [each.text for each in self._tokens[opening + 1 : at]]
        if owner in _TUPLES and TENSOR in inside:
            return _TUPLE if holds_tensors_alone(inside) else f"{_TUPLE} and others"
        holds = owner in _CONTAINERS and TENSOR in inside
        return f"{owner} of {TENSOR}" if holds else owner

    def _first_type(self, opening: int) -> str:
        """What ``static_cast<const at::Tensor&>`` makes of a value, what ``std::array<c10::SymInt, 2>`` holds."""
        word = self._tokens[self.places.type_end(opening + 1)].text
        return _ALIASES.get(word, word)

    # --------------------------------------------------------------------------------------------------- tensors
    def ends_tensor(self, at: int) -> bool:
        """Whether the value that ends at a token is a tensor: a variable, or what an operator gives."""
        token = self._tokens[at]
        if token.kind == Kind.NAME:
            return self.type_of(token.text, at) == TENSOR and self._tokens[at - 1].text not in (".", "->", "::")
        opening = self._openings.get(at, 0)
        name = self._tokens[opening - 1]
        if token.text == "]":
            return self.ends_tensor(opening - 1) or self.type_of(name.text, at).endswith(_LISTS)
        if token.text != ")":
            return False
        if name.text in _ASKING_TYPES:
            return False
        if not _is_name(name) and name.text not in (">", "]"):  # `(a + b)`
            inside = range(opening + 1, min(at, opening + MAX_GROUP))
            return self.ends_tensor(at - 1) or any(map(self.joins_tensors, inside))
        if self.places.takes_one(opening):
            return self._is_of_tensors(at)
        if name.text == ">" and self._template(opening - 1) == TENSOR:
            return self._tokens[self.places.angle(opening - 1) - 1].text in _CASTS
        before = self._tokens[opening - 2].text if opening > 1 else ""
        if name.kind != Kind.NAME or self._gives_list(opening):
            return False
        if before in (".", "->"):
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
            return self.type_of(several.text, at).endswith((*_LISTS, _TUPLE))
        return self.places.called_last(at - 1) in self._giving.lists or self._gives_tuple(at - 1, self._giving.several)

    def _gives_tuple(self, at: int, names: frozenset[str]) -> bool:
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
                    cast = tokens[self.places.angle(at) - 1].text in _CASTS
                    return self._template(at), calls - cast
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
        if named not in self._known and calls and (named[:1].isupper() or named in self._own.types):
            known = named
        return ("" if calls and known in self._own.parameters else known), calls

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
