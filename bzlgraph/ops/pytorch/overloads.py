"""Which of several C++ functions of one name an entry means: the one whose parameters are those of its schema; and
which of several entries a call means: the one that takes such arguments, which says what the call gives.

>>> from bzlgraph.ops.pytorch.cpp.defined import Definition
>>> two = [Definition("add", "at::native", "a.cpp", 1, ("const Tensor & self", "const Tensor & other")),
...        Definition("add", "at::native", "a.cpp", 9, ("const Tensor & self", "const Scalar & other"))]
>>> [each.line for each in closest("add.Scalar(Tensor self, Scalar other) -> Tensor", two)]
[9]
>>> two = [Definition("rep", "", "a.cpp", 1, ("const Tensor & self", "const Tensor & n", "optional<int64_t> dim")),
...        Definition("rep", "", "a.cpp", 9, ("const Tensor & self", "c10::SymInt n", "optional<int64_t> dim"))]
>>> [each.line for each in closest("rep.int(Tensor self, SymInt n, int? dim=None) -> Tensor", two)]
[9]
>>> two = [Definition("lag", "", "a.cpp", 1, ("const Scalar & x", "const Tensor & n")),
...        Definition("lag", "", "a.cpp", 9, ("const Tensor & x", "const Scalar & n"))]
>>> [each.line for each in closest("lag.n_scalar(Tensor x, Scalar n) -> Tensor", two)]
[9]
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from bzlgraph.ops.pytorch.cpp.defined import Definition
from bzlgraph.ops.pytorch.cpp.values.kinds import CAST, ITS_OPTIONS, LAYOUT, NUMBER_TYPE, OF_TEMPLATE, OPTIONS
from bzlgraph.ops.pytorch.cpp.values.types import MEMORY_FORMAT, NAMES, NO_TENSOR, NUMBERS, TENSOR
from bzlgraph.ops.pytorch.entries import NativeFunction

_WORDS = {
    "Tensor[]": "TensorList",
    "Scalar[]": "Scalar",
    "Dimname[]": "DimnameList",
    "int[]": "Array",
    "SymInt[]": "Array",
    "float[]": "Array",
    "int": "int64_t",
    "SymInt": "int64_t",
    "float": "double",
    "bool[]": "bool",
    "str": "string",
}
"""Types of schemas whose C++ types do not hold their own name, and a word that those hold."""

_ALSO = {"axis": "dim", "keepdims": "keepdim", "input": "self"}
"""Names of arguments that Python may use, too (``numpy_compatibility_arg_names`` of ``python_arg_parser.cpp``)."""
ONE, SEVERAL = "tensor", "tensors"
"""What a call gives."""
_ARGUMENT = re.compile(r"([A-Za-z]+)(?:\([^)]*\))?(\[\d*\])?(\?)?(\[\])?")


def closest(schema: str, found: Sequence[Definition]) -> list[Definition]:
    """The definitions that fit best, all of them when they fit alike."""
    if len(found) < 2:
        return list(found)
    wanted = schema_types(schema)
    scores = [(_score(wanted, each.parameters), _in_order(wanted, each.parameters)) for each in found]
    best = max(scores)
    return [each for each, score in zip(found, scores, strict=True) if score == best]


def schema_types(schema: str) -> list[str]:
    """The types of a schema's arguments, without annotations of aliasing and defaults."""
    types: list[str] = []
    for argument in argument_texts(schema):
        found = _ARGUMENT.match(argument)
        if found is not None:
            types.append(found.group(1) + ("[]" if found.group(2) or found.group(4) else ""))
    return types


def tensor_positions(schema: str) -> list[int]:
    """The positions of the arguments that are one tensor, whatever is given.

    >>> tensor_positions("f(Tensor(a!) self, Tensor? w, Tensor[] more, Tensor other, *, Tensor out) -> Tensor(a!)")
    [0, 3]
    """
    arguments = argument_texts(schema)
    first = arguments[: arguments.index("*")] if "*" in arguments else arguments
    return [at for at, each in enumerate(first) if re.match(r"Tensor(?:\([a-z]!?\))? ", each)]


def arguments_of(schema: str) -> str:
    """The arguments of a schema as written, without what says that they are changed: alike for the variants of one
    operator, in place or not.

    >>> arguments_of("pow_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)")
    'Tensor self, Scalar exponent'
    """
    return re.sub(r"\([a-z]!\)", "", _inside_of(schema))


def takes(schema: str, unnamed: int, names: Collection[str]) -> bool:
    """Whether a call in Python may mean the overload of a schema. One that takes nothing but a list of numbers takes
    any number of them (``allow_varargs_intlist`` of ``python_arg_parser.cpp``).

    >>> squeeze, one = "squeeze(Tensor self) -> Tensor", "squeeze.dim(Tensor self, int dim) -> Tensor"
    >>> [takes(each, *given) for each in (squeeze, one) for given in ((1, ()), (2, ()), (1, ("dim",)))]
    [True, False, False, False, True, True]
    >>> takes("randn.generator(SymInt[] size, *, Generator? generator) -> Tensor", 3, ())
    False
    >>> [takes(f"view(Tensor self, {each}) -> Tensor", 4, ()) for each in ("SymInt[] size", "int dim, SymInt[] size")]
    [True, False]
    """
    arguments = argument_texts(schema)
    middle = arguments.index("*") if "*" in arguments else len(arguments)
    first, rest = arguments[:middle], arguments[middle + 1 :]
    named = {_ALSO.get(each, each) for each in names}
    needed, needed_named = ({_name_of(each) for each in part if "=" not in each} for part in (first, rest))
    own = [each for each in first if _name_of(each) != "self"]
    many = len(own) == 1 and "[" in own[0] and not own[0].startswith("Tensor")
    fits = many or unnamed + len(named & {*map(_name_of, first)}) <= len(first)
    return fits and len(needed - named) <= unnamed and needed_named <= named <= {*map(_name_of, [*first, *rest])}


class GivenByCalls:
    """What calls of operators in Python give: one tensor, several, or neither. ``x.max()`` gives one tensor and
    ``x.max(dim, keepdim=True)`` two: the overloads that take such arguments decide.

    >>> from bzlgraph.ops.pytorch.entries import read_entries
    >>> schemas = ["max(Tensor self) -> Tensor", "max.dim(Tensor self, int dim) -> (Tensor values, Tensor indices)"]
    >>> given = GivenByCalls(each for schema in schemas for each in read_entries(f"- func: {schema}"))
    >>> [given.of("max", unnamed, names) for unnamed, names in ((1, ()), (2, ()), (1, {"dim"}), (None, ()))]
    ['tensor', 'tensors', 'tensors', 'tensor']
    """

    def __init__(self, entries: Iterable[NativeFunction] = ()) -> None:
        self._overloads: dict[str, list[NativeFunction]] = defaultdict(list)
        for each in entries:
            self._overloads[each.name].append(each)

    def of(self, name: str, unnamed: int | None, names: Collection[str]) -> str:
        """What a call with so many arguments without a name (None for nobody knows), and with others of these names,
        gives: ``ONE`` or ``SEVERAL``, "" for neither."""
        known = self._overloads.get(name, [])
        fitting = [each for each in known if unnamed is not None and takes(each.schema, unnamed, names)] or known
        if any(each.gives_one_tensor for each in fitting):
            return ONE
        return SEVERAL if any("Tensor" in each.schema.rpartition("->")[2] for each in fitting) else ""


def _name_of(argument: str) -> str:
    return argument.partition("=")[0].split()[-1]


LISTS = frozenset({"TensorList", "ITensorListRef", "IntArrayRef", "SymIntArrayRef"})
"""Types of parameters that are lists."""


def argument_names(schema: str) -> list[str]:
    """The names of all arguments.

    >>> argument_names("polygamma(int n, Tensor self, *, int? dim=None) -> Tensor")
    ['n', 'self', 'dim']
    """
    return [_name_of(each) for each in argument_texts(schema) if each != "*"]


def plain_tensors(schema: str) -> frozenset[str]:
    """The names of arguments that are a tensor, whatever is given.

    >>> sorted(plain_tensors("f(Tensor(a!) self, Tensor? w, Tensor[] more, *, Tensor out) -> Tensor(a!)"))
    ['out', 'self']
    """
    texts = argument_texts(schema)
    return frozenset(_name_of(each) for each in texts if re.match(r"Tensor(?:\([a-z]!?\))? ", each))


def self_position(schema: str) -> int:
    """Which argument a method is called on.

    >>> self_position("polygamma(int n, Tensor self) -> Tensor")
    1
    """
    names = argument_names(schema)
    return names.index("self") if "self" in names else 0


def argument_texts(schema: str) -> list[str]:
    """The arguments of a schema as written, ``*`` among them: what stands between the commas that no bracket holds."""
    parts, depth = [""], 0
    for part in re.split(r"([,()\[\]])", _inside_of(schema)):
        depth += (part in ("(", "[")) - (part in (")", "]"))
        if part == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += part
    return [each.strip() for each in parts if each.strip()]


def _inside_of(schema: str) -> str:
    return schema.partition("(")[2].rpartition("->")[0].rpartition(")")[0]


def holds(kind: str, parameter: str) -> bool:
    """Whether a parameter is declared as a type of a schema; numbers that may be symbols are written either way."""
    word = _WORDS.get(kind, kind)
    return (word in parameter or (word == "int64_t" and "SymInt" in parameter)) and _not_a_list(kind, parameter)


def _score(wanted: Sequence[str], parameters: Sequence[str]) -> float:
    """How well parameters fit, in any order: out arguments come first in some generations, and options may be one."""
    left = list(parameters)
    fitting = 0
    for kind in wanted:
        at = next((index for index, each in enumerate(left) if holds(kind, each)), None)
        if at is not None:
            fitting += 1
            del left[at]
    together = any("TensorOptions" in each for each in left)
    missing = len(wanted) - fitting - (3 if together else 0)
    return -abs(missing) - (len(left) - together)


def _in_order(wanted: Sequence[str], parameters: Sequence[str]) -> int:
    """How many arguments stand where the schema has them."""
    pairs = zip(wanted, parameters, strict=False)
    return sum(holds(kind, each) for kind, each in pairs)


def _not_a_list(kind: str, parameter: str) -> bool:
    """``Tensor`` is no ``TensorList``, and no ``TensorOptions``."""
    return kind.endswith("[]") or not any(word in parameter for word in ("List", "ArrayRef", "TensorOptions"))


OPTIONS_TYPES = ["ScalarType", "Layout", "Device", "bool"]
"""The types that options stand for in schemas."""


def closest_call(
    entries: Sequence[NativeFunction], given: Sequence[str], of_method: bool = False
) -> NativeFunction | None:
    """The overload that takes so many arguments, and such; None when none takes as many. The first that a method is
    given is what it is called on. Options are one argument, or four.

    >>> from bzlgraph.ops.pytorch.entries import read_entries
    >>> two = read_entries("- func: to.a(Tensor self, ScalarType t, bool copy=False) -> Tensor\\n- func: to.b(Tensor "
    ...     "self, *, ScalarType? t=None, Layout? l=None, Device? d=None, bool? p=None, bool copy=False) -> Tensor")
    >>> [closest_call(two, ("Tensor", each, "bool"), of_method=True).overload for each in ("", OPTIONS, MEMORY_FORMAT)]
    ['a', 'b', 'b']
    """
    options = next((each for each in given if each in (OPTIONS, ITS_OPTIONS)), "")
    if options:
        at = given.index(options)
        kinds = [(each, schema_types(each.schema)[at : at + len(OPTIONS_TYPES)]) for each in entries]
        alone = [each for each, types in kinds if types[:1] == ["Device"] and " Device " in each.schema]
        taking = [each for each, types in kinds if types == OPTIONS_TYPES]
        unpacked = closest_call(taking, (*given[:at], "", "", "", "", *given[at + 1 :]), of_method)
        return (
            closest_call(alone, (*given[:at], "", *given[at + 1 :]), of_method)
            or unpacked
            or closest_call(entries, (*given[:at], "", *given[at + 1 :]), of_method)
        )
    ranked = []
    for number, entry in enumerate(entries):
        types = schema_types(entry.schema)
        written = entry.written
        types = [*types[len(types) - written :], *types[: len(types) - written]]  # in C++ they come first
        if of_method and (own := self_position(entry.schema)):
            types = [types[own], *types[:own], *types[own + 1 :]]
        needed = len(types) - entry.schema.partition("->")[0].count("=")
        if needed <= len(given) <= len(types) and not any(map(_cannot_be, given, types)):
            differing = sum(_differs(have, want) for have, want in zip(given, types, strict=False))
            ranked.append((differing + types.count("Dimname"), len(types), number, entry))
    if not ranked and MEMORY_FORMAT in given:
        return closest_call(entries, [OPTIONS if each == MEMORY_FORMAT else each for each in given], of_method)
    return min(ranked, key=lambda each: each[:3])[3] if ranked else None


_ALONE = {LAYOUT: "Layout", NAMES: "Dimname[]", MEMORY_FORMAT: "MemoryFormat"}
"""What is given for one type of schemas alone; of a format of memory C++ makes options as well."""


def _cannot_be(have: str, want: str) -> bool:
    """Whether C++ would not take an argument for a tensor, or a type of numbers, nor a layout, names of dimensions or a
    format of memory for anything else."""
    if have in _ALONE:
        return want != _ALONE[have]
    if want == "ScalarType":
        return have in ("bool", "text")
    return want == TENSOR and have in ("Scalar", "bool", "text", "other")


def is_not_for(have: str, parameter: str) -> bool:
    """Whether C++ would rather not take an argument for a parameter: a number for a tensor or a list, a tensor for a
    number, a text or sizes, a list of numbers for either, or for tensors; a type of numbers, or an empty value, for
    what is of another type.

    >>> [is_not_for("ScalarType", each) for each in ("Device device", "std :: optional < ScalarType > type", "T type")]
    [True, False, False]
    >>> [is_not_for("Tensor", each) for each in ("const char * name", "at :: OptionalIntArrayRef dim", "const T & a")]
    [True, True, False]
    >>> [is_not_for("Tensor", f"const std :: optional < {each} > & low") for each in ("Scalar", "at :: Tensor")]
    [True, False]
    """
    if have.startswith(CAST):
        return have.removeprefix(CAST) not in parameter
    if have == NUMBER_TYPE:
        return not {TENSOR, "Device", "bool", "TensorOptions", *NUMBERS}.isdisjoint(parameter.split())
    words = _OPTIONAL.sub(r"\1", parameter).replace("&", " ").split()
    if have == "sizes":
        return (
            not {TENSOR, "TensorBase", "TensorList", "ITensorListRef", *NUMBERS}.isdisjoint(words) and "<" not in words
        )
    if have in ("Scalar", "bool", "text"):
        return not {TENSOR, "TensorBase", *LISTS}.isdisjoint(words) and "<" not in words
    return have == TENSOR and not _NO_TENSORS.isdisjoint(words) and "<" not in words


_OPTIONAL = re.compile(r"\boptional < ([^<>]*) >")
_NO_TENSORS = NUMBERS | {"char", "IntArrayRef", "OptionalIntArrayRef", NUMBER_TYPE}


def _differs(have: str, want: str) -> float:
    """How surely an argument of which so much is known is none of a type of a schema."""
    if have == "Scalar" and want in ("int[]", "SymInt[]"):
        return 0.5  # one number is a list of one
    if have == "Scalar":
        return want not in ("int", "SymInt", "float", "Scalar")
    if have == NUMBER_TYPE:
        return want != NUMBER_TYPE
    if have in ("", OF_TEMPLATE, TENSOR):
        return have == TENSOR and not want.startswith(TENSOR)
    if have in ("text", NO_TENSOR):
        return want != "str" if have == "text" else want == TENSOR
    if have in ("list", "sizes"):
        return not want.endswith("[]") or (have == "sizes" and want not in ("int[]", "SymInt[]"))
    return want.endswith("[]") or want in (TENSOR, "Dimname", "str")
