"""How types are written in C++ of PyTorch, and the words that stand for them here.

tokens of a type -> its last word, what it holds told with it: ``vector of Tensor``.
"""

from __future__ import annotations

from collections.abc import Sequence

from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.values.places import Places

CASTS = frozenset({"static_cast", "const_cast", "reinterpret_cast", "dynamic_cast"})
TENSOR = "Tensor"
NO_TENSOR = "no tensor"
"""The type of a variable that a function gives of which all that is known is that it gives no tensor."""
ALIASES = {"TensorBase": TENSOR, "SparseTensor": TENSOR, "SparseCsrTensor": TENSOR, "ITensorListRef": "TensorList"}
"""Other names of these types."""
NUMBERS = frozenset("Scalar SymInt SymFloat int64_t int32_t int size_t float double scalar_t accscalar_t".split())
TYPES = frozenset({TENSOR, *ALIASES, *NUMBERS, "bool", "TensorList"})
LISTS = ("TensorList", *(f"{each} of {TENSOR}" for each in ("vector", "SmallVector", "array", "List")))
"""What an index takes a tensor out of."""
TUPLE = f"tuple of {TENSOR}"
"""The type of a tuple of tensors alone."""
_TUPLES = frozenset({"tuple", "pair"})
SIZES = "IntArrayRef"
OF_NUMBERS = frozenset({"array", "vector", "SmallVector", "ArrayRef", SIZES})
"""Types of lists of what is no tensor: those that hold some are told apart."""
_INTEGERS = frozenset({"int64_t", "SymInt", "int"})
NAMES, MEMORY_FORMAT = "DimnameList", "MemoryFormat"
"""Types of what only names of dimensions and layouts of memory are given to."""
_CONTAINERS = frozenset({"vector", "SmallVector", "array", "tuple", "pair", "List", "reference_wrapper"})
VECTOR = "Vectorized"
"""The type of values of registers, which have methods and operators like those of tensors."""
_BEFORE_NAMES = frozenset("auto void explicit inline static virtual constexpr template public private".split())
"""What stands before the name of a function and says no type that a value has."""


_SPACES = frozenset({"at", "c10", "torch", "::", "const", "&"})


def holds_tensors_alone(arguments: Sequence[str]) -> bool:
    """Whether the arguments of ``tuple<...>``, as words, are tensors alone.

    >>> [holds_tensors_alone(each.split()) for each in ("at :: Tensor , const Tensor &", "Tensor , int64_t", "")]
    [True, False, False]
    """
    return [each for each in arguments if each not in _SPACES] == ["Tensor", *[",", "Tensor"] * arguments.count(",")]


class Types:
    """The types with arguments that stand in a function."""

    def __init__(self, outline: Outline[Token], places: Places) -> None:
        self._tokens = outline.tokens
        self._named = outline.name_index
        self._places = places

    def template(self, at: int) -> str:
        """The type whose arguments end there: of an optional or borrowed tensor that tensor."""
        opening = self._places.angle(at)
        if opening == at:
            return "?"
        owner, held = self._tokens[opening - 1].text, self._tokens[at - 1].text
        if owner in CASTS:
            return self.first_type(opening)
        if owner in ("optional", "MaybeOwned") and held in (TENSOR, NAMES, SIZES):
            return held
        if owner in OF_NUMBERS and self.first_type(opening) in _INTEGERS:
            return SIZES
        inside = [each.text for each in self._tokens[opening + 1 : at]]
        if owner in _TUPLES and TENSOR in inside:
            return TUPLE if holds_tensors_alone(inside) else f"{TUPLE} and others"
        if owner == "ArrayRef" and TENSOR in inside:
            return LISTS[0]
        holds = owner in _CONTAINERS and TENSOR in inside
        return f"{owner} of {TENSOR}" if holds else owner

    def first_type(self, opening: int) -> str:
        """What ``static_cast<const at::Tensor&>`` makes of a value, what ``std::array<c10::SymInt, 2>`` holds."""
        word = self._tokens[self._places.type_end(opening + 1)].text
        return ALIASES.get(word, word)

    def of_function(self, scope: Scope) -> str:
        """What a function returns, "" where that is not seen.

        >>> from bzlgraph.cpp.outline import read_outline
        >>> from bzlgraph.cpp.tokens import tokenize
        >>> names = "const at::Tensor&", "std::tuple<Tensor, Tensor>", "at::MemoryFormat", "auto", "std::result_t<T>"
        >>> outline = read_outline(tokenize(" ".join(f"static inline {each} f(int n) {{ }}" for each in names)))
        >>> [Types(outline, Places(outline)).of_function(each) for each in outline.scopes]
        ['Tensor', 'tuple of Tensor', 'MemoryFormat', '', '']
        """
        tokens, last = self._tokens, self._named(scope) - 1
        while last > scope.start and tokens[last].text in ("&", "const"):
            last -= 1
        if last < scope.start or tokens[self._places.start(last) - 1].text == "typename":
            return ""
        word = tokens[last].text
        if word in (">", ">>"):
            kind = self.template(last)
            return "" if kind.endswith(("_t", "?")) else kind
        written = tokens[last].kind == Kind.NAME and not word.isupper()
        return ALIASES.get(word, word) if written and word not in _BEFORE_NAMES else ""
