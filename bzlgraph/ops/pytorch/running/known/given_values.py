"""What a call gives an operator, in the words of its schema, and what is known of it in the words of its functions.

a call, what is known around it -> facts: the constant that an argument is (``("dim", "0")``, what is left out has its
default), which two arguments are one tensor (``("self.is_same(src)", "true")``) or one made like the other, which are
tensors that have their sizes; facts -> those of a function's parameters.

>>> from dataclasses import replace
>>> from bzlgraph.ops.pytorch.cpp.insides import Body, Inside
>>> from bzlgraph.ops.pytorch.entries import read_entries
>>> entry = read_entries("- func: at(Tensor self, Tensor by, int? dim, bool up=False) -> Tensor")[0]
>>> call = Call("method", "at", ("Tensor", "Tensor", "Scalar"), 1, written=("x", "x", "n"))
>>> made = Inside(fixed=(("a", ""), ("b", ""), ("n", ""), ("", "")))
>>> function = Definition("at", "", "a.cpp", 1, ("Tensor a", "Tensor b", "optional<int64_t> n", "bool up"))
>>> given = given_to(entry, call, {"n": "0"}, function)
>>> given
(('dim', '0'), ('up', 'false'), ('by.is_same(self)', 'true'))
>>> inside_of(entry, replace(function, body=Body(lambda: made)), given)
(('n', '0'), ('n.has_value()', 'true'), ('a.is_same(b)', 'true'))
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

from bzlgraph.ops.pytorch.cpp.call import Call
from bzlgraph.ops.pytorch.cpp.defined import Definition
from bzlgraph.ops.pytorch.cpp.known import (
    CONTIGUOUS,
    EMPTY,
    NO_FORMAT,
    SUGGESTED,
    WRAPPED,
    handed_on,
    is_constant,
    lasting_questions,
    lasting_variables,
    wrapped,
)
from bzlgraph.ops.pytorch.cpp.questions import (
    FALSE,
    TRUE,
    TYPE_OF_TWO,
    Constants,
    has_its_size,
    has_numel,
    is_contiguous,
    is_new,
    is_number,
    laid_as,
    like_tensor,
    real_of,
    same_tensor,
    typed_tensor,
)
from bzlgraph.ops.pytorch.cpp.values.kinds import ITS_OPTIONS, OPTIONS
from bzlgraph.ops.pytorch.cpp.values.types import TENSOR
from bzlgraph.ops.pytorch.entries import NativeFunction
from bzlgraph.ops.pytorch.overloads import OPTIONS_TYPES, argument_texts, holds

_WRITTEN = re.compile(r"([A-Za-z]+)(?:\([^)]*!\))?(?:\([^)]*\))?(\[\d*\])?(\?)?(\[\])? (\w+)(?:=(.*))?")
_NOTHING = "nullopt"
_NUMBER, _TRUTH = r"-?\d+(?:\.\d*)?(?:[eE]-?\d+)?", "true|false"
_TYPE = r"k(?:Byte|Char|Short|Int|Long|Half|BFloat16|Float|Double|Bool|Complex\w+|U?Int\d+|Q\w+)|ScalarType::\w+"
_FITTING = {
    "bool": re.compile(_TRUTH),
    "int": re.compile(rf"{_NUMBER}|Reduction::\w+"),
    "SymInt": re.compile(_NUMBER),
    "float": re.compile(_NUMBER),
    "Scalar": re.compile(f"{_NUMBER}|{_TRUTH}"),
    "ScalarType": re.compile(_TYPE),
    "Layout": re.compile(r"k(?:Strided|Sparse\w*|Mkldnn|Jagged)|Layout::\w+"),
    "Device": re.compile(r"k(?:CPU|CUDA|Meta|MPS|XPU|XLA|HIP)"),
    "MemoryFormat": re.compile(r"MemoryFormat::\w+"),
    TENSOR: re.compile(r"(?!)"),
}
"""The constants that are a value of a type, without the namespaces before them; of other types nothing is known."""
_DEFAULTS = {"True": "true", "False": "false", "Mean": "Reduction::Mean", "long": "kLong", "None": _NOTHING}
_DEFAULTS["contiguous_format"] = "MemoryFormat::Contiguous"
"""Defaults that schemas write as C++ does not."""
_NAMESPACES = re.compile(r"^(?:::)?(?:(?:at|c10|std|torch|native)::)+")


_COMPARED = re.compile(r"(\w+) (==|!=) ((?:\w+::)+\w+)")


class Argument(NamedTuple):
    """An argument of a schema; ``default`` as C++ writes it, "" for none."""

    name: str
    kind: str
    optional: bool
    default: str

    def constant(self, text: str) -> str:
        """What is written, where it surely is a constant of this type, without namespaces; else ""."""
        if not is_constant(text):
            return ""
        plain = _NAMESPACES.sub("", text)
        if plain in (_NOTHING, EMPTY):
            return (EMPTY if self.kind == TENSOR else _NOTHING) if self.optional or self.kind == TENSOR else ""
        fitting = _FITTING.get(self.kind)
        return plain if fitting is not None and fitting.fullmatch(plain) is not None else ""


@cache
def arguments(schema: str) -> tuple[Argument, ...]:
    """The arguments of a schema, in its order."""
    found = (_WRITTEN.fullmatch(each) for each in argument_texts(schema) if each != "*")
    return tuple(
        Argument(each[5], each[1] + ("[]" if each[2] or each[4] else ""), bool(each[3]), _default(each[6] or ""))
        for each in found
        if each is not None
    )


def _default(text: str) -> str:
    return _DEFAULTS.get(text, text)


def given_to(
    operator: NativeFunction, call: Call, known: Mapping[str, str], caller: Definition, steady: Collection[str] = ()
) -> Constants:
    """The facts of a call that is given some variables of which something is ``known``; ``steady`` are those that stay
    what they are."""
    listed = _in_cpp(operator, call)
    texts = _texts(listed, call) if call.kind != "value" and len(call.arguments) <= len(listed) else None
    if texts is None:
        return ()
    constants = {each: each.constant(known.get(text, text)) for each, text in texts.items()}
    variables = {each: text for each, text in texts.items() if text.isidentifier() and not constants[each]}
    surely = surely_given(caller)
    held = (
        (f"{each.name}.has_value()", TRUE)
        for each, text in variables.items()
        if each.optional and (known.get(f"{text}.has_value()") == TRUE or (each.kind != TENSOR and text in surely))
    )
    scalars = {text: each.name for each, text in variables.items() if each.kind in _FITTING and each.kind != TENSOR}
    no = [(scalars[text], value) for text, value in _others(known) if text in scalars] if scalars else []
    suggested = [each.name for each, text in texts.items() if text == f"{SUGGESTED}()"]
    no += [(name, NO_FORMAT) for name in suggested]
    named = [(each.name, text) for each, text in texts.items() if each.kind == TENSOR and text and not constants[each]]
    numbers = [each.name for each, text in texts.items() if text == f"{WRAPPED}()"]
    names = {text: each.name for each, text in variables.items() if text in steady}
    facts = ((handed_on(fact, names), value) for fact, value in known.items() if names and not fact.isidentifier())
    told = (
        *((each.name, text) for each, text in constants.items() if text),
        *held,
        *((f"{name}.has_value()", TRUE) for name in suggested),
        *((f"{name} == {value}", FALSE) for name, value in no),
        *((fact, TRUE) for fact in (*map(is_number, numbers), *_of_tensors(named, texts, known))),
        *of_two([each for each in named if each[1] != CONTIGUOUS], known),
        *sorted((fact, value) for fact, value in facts if fact and is_constant(value)),
        *_few_elements(operator, names, known, caller),
    )
    return tuple(dict(told).items())


def _few_elements(
    operator: NativeFunction, names: Mapping[str, str], known: Mapping[str, str], caller: Definition
) -> Iterator[tuple[str, str]]:
    """Which arguments have no element, or one, as the caller asks: ``names`` by what they are given. Of those that an
    operator writes to, and where one is resized, nothing is known."""
    found = [asked for fact, value in known.items() if value == TRUE and (asked := _FEW.fullmatch(fact)) is not None]
    if found:
        resized = {
            text for call in caller.inside.calls if "resize" in call.name for text in (*call.written, *call.given)
        }
        written = {each.name for each in arguments(operator.schema)[-operator.written :] if operator.writes_out}
        told = ((names.get(asked[1], ""), asked[2]) for asked in found if asked[1] not in resized)
        yield from ((has_numel(name), number) for name, number in told if name and name not in written)


_FEW = re.compile(r"(\w+)\.(?:sym_)?numel\(\) == ([01])")


def _of_tensors(
    named: Sequence[tuple[str, str]], texts: Mapping[Argument, str], known: Mapping[str, str]
) -> Iterator[str]:
    """What is known of arguments that are given tensors: those that have their sizes, those whose elements stand in a
    row, and those of a type that another argument gives."""
    yield from (has_its_size(name) for name, text in named if known.get(has_its_size(text)) == TRUE)
    in_rows = (name for name, text in named if text == CONTIGUOUS or known.get(is_contiguous(text)) == TRUE)
    yield from map(is_contiguous, in_rows)
    for each, text in texts.items():
        yield from (f"{name}.scalar_type() == {each.name}" for name in _typed_by(text, named, known))


def _typed_by(text: str, named: Sequence[tuple[str, str]], known: Mapping[str, str]) -> Iterator[str]:
    """The arguments that are given a tensor of which a text says the type: ``x.scalar_type()``, or one of several
    tensors, or of a whole number and a tensor that holds no truth values."""
    tensor = text.removesuffix(".scalar_type()")
    common = TYPE_OF_TWO.fullmatch(text)
    if common is not None:
        one, other = common.groups()
        whole = known.get(other, other).isdecimal() and _holds_no_truths(one, known)
        tensor = one if whole or known.get(typed_tensor(one, other)) == TRUE else ""
    return (name for name, given in named if tensor not in (text, "") and given == tensor)


def _holds_no_truths(tensor: str, known: Mapping[str, str]) -> bool:
    """Whether the type of a tensor is known not to be ``bool``."""
    asked = re.compile(rf"{tensor}\.scalar_type\(\) (==|!=) (?:\w+::)*k?Bool")
    found = ((asked.fullmatch(fact), value) for fact, value in known.items() if fact.endswith("Bool"))
    return any(fact is not None and (fact[1] == "!=") == (value == TRUE) for fact, value in found)


def surely_given(function: Definition) -> set[str]:
    """The parameters of a function that are no optional values."""
    return {each.split()[-1] for each in function.parameters if each.split() and "optional" not in each}


def _others(known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The variables that are known not to be some constant, and that."""
    for fact, value in known.items():
        compared = _COMPARED.fullmatch(fact) if "= " in fact else None
        if compared is not None and (compared[2] == "!=") == (value == TRUE) and is_constant(compared[3]):
            yield compared[1], _NAMESPACES.sub("", compared[3])


def of_two(named: Sequence[tuple[str, str]], known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Which two of some parameters are given the same tensor, or one that is made like the other: (parameter, what it
    is given). One that is made there is none of the others."""
    for (name, text), (other, also) in combinations(named, 2):
        typed = TRUE if f"{text}.options()" == also or text == f"{also}.options()" else ""
        new = not typed and TRUE in (known.get(is_new(text)), known.get(is_new(also)))
        same = TRUE if text == also else FALSE if new else ""
        for fact, otherwise in ((same_tensor, same), (like_tensor, ""), (typed_tensor, typed)):
            told = known.get(fact(text, also), otherwise)
            if told:
                yield fact(name, other), told
        for one, another, first, second in ((text, also, name, other), (also, text, other, name)):
            yield from ((fact(first, second), TRUE) for fact in _OF_ANOTHER if known.get(fact(one, another)) == TRUE)


_OF_ANOTHER = laid_as, real_of
"""Facts of two tensors that are none of the second and the first."""


def _in_cpp(operator: NativeFunction, call: Call) -> list[Argument]:
    """The arguments of an operator as C++ has them: results first, but for those names that have them last; of a method
    what it is called on."""
    listed, written = [*arguments(operator.schema)], operator.written
    if call.kind == "method":
        own = next((at for at, each in enumerate(listed) if each.name == "self"), 0)
        return [listed[own], *listed[:own], *listed[own + 1 :]]
    last = call.name.endswith("_outf") or "_ops::" in call.name
    return listed if last or not written else [*listed[-written:], *listed[:-written]]


def first_tensor(operator: NativeFunction | None) -> str:
    """The first argument of an operator that is a tensor, "" for none."""
    listed = arguments(operator.schema) if operator is not None else ()
    return next((each.name for each in listed if each.kind == TENSOR), "")


def results_given(operator: NativeFunction, call: Call) -> list[str]:
    """The variables that a call gives an operator to write its results to."""
    names = {each.name for each in arguments(operator.schema)[-operator.written :]}
    texts = _texts(_in_cpp(operator, call), call) if operator.written else None
    return [text for each, text in (texts or {}).items() if each.name in names and text.isidentifier()]


def _is_format(text: str) -> bool:
    """Whether a memory format is written."""
    return text == f"{SUGGESTED}()" or _FITTING["MemoryFormat"].fullmatch(_NAMESPACES.sub("", text)) is not None


def _texts(listed: list[Argument], call: Call) -> dict[Argument, str] | None:
    """What each argument is given as written, "" where that is not known; None for a call that is not understood."""
    given = [*call.written, *[""] * (len(call.arguments) - len(call.written))]
    kinds = [each.kind for each in listed]
    at = next((each for each in range(len(kinds)) if kinds[each : each + 4] == OPTIONS_TYPES), -1)
    if -1 < at < len(given) and at + len(OPTIONS_TYPES) > len(given):  # one argument stands for four
        options = call.arguments[at] in (OPTIONS, ITS_OPTIONS)
        before = given[at:-1] or [_NOTHING]  # options that hold nothing but a memory format
        if listed[-1].kind == "MemoryFormat" and len(before) == 1 and _is_format(given[-1]):
            four = before if before == [_NOTHING] else [before[0] if listed[at].constant(before[0]) else ""]
            rest = [_NOTHING if four[0] else ""] * 3
            return dict(zip(listed, [*given[:at], *four, *rest, given[-1]], strict=False))
        if not options and not listed[at].constant(given[at]):
            return None
        rest = [_NOTHING] * 3 if not options else [""] * 3
        own = given[at].removesuffix(".options()") if given[at].endswith(".options()") else ""
        given = [*given[:at], f"{own}.scalar_type()" if own else "" if options else given[at], *rest, *given[at + 1 :]]
    elif -1 < at < len(given) and call.arguments[at] in (OPTIONS, ITS_OPTIONS):
        given = [*given[:at], *[""] * 4, *given[at + 1 :]]
    defaults = [each.default for each in listed[len(given) :]]
    return dict(zip(listed, [*given, *defaults], strict=False))


def inside_of(
    entry: NativeFunction, function: Definition, given: Constants, words: Collection[str] | None = None
) -> Constants:
    """Facts about what an operator is given in the words of one of its functions, those about its ``words``."""
    if not given:
        return ()
    meant = {schema: (name, text) for schema, name, text in _named(entry, function) if words is None or name in words}
    found: dict[str, str] = {}
    for fact, value in given:
        about = fact_names(fact)
        if not {*about} <= meant.keys():
            continue
        asked = _OF_TWO.search(fact)
        if asked is not None:
            found[_OF_TWO_AS[asked[0]](*(meant[each][0] for each in about))] = value
        elif about[0] == fact:
            found.update(said_of(*meant[fact], value, function))
        else:
            found[_WORD.sub(lambda word: meant[word[0]][0] if word[0] in meant else word[0], fact)] = value
    return tuple(found.items())


_OF_TWO_AS = {".is_like(": like_tensor, ".is_same(": same_tensor, ".is_typed(": typed_tensor}
_OF_TWO = re.compile("|".join(map(re.escape, _OF_TWO_AS)))
_WORD = re.compile(r"(?<![\w.:])[A-Za-z_]\w*(?![\w:(])")


def decides(fact: str, mattering: Collection[str]) -> bool:
    """Whether a fact about arguments may decide anything for an operator to which some arguments and questions matter.

    >>> [decides(each, ("a", "a.dim()")) for each in ("a", "a.is_same(a)", "a.dim() <= 1", "a.is_cpu()", "b")]
    [True, True, True, False, False]
    """
    if fact in mattering:
        return True
    questions = {each for each in lasting_questions(fact) if not each.endswith(_BY_NAME)}
    return questions <= {*mattering} and {*fact_names(fact)} <= {*mattering}


_BY_NAME = (".has_value()", ".has_its_size()", ".has_numel()", ".is_new()", ".is_wrapped_number()")


def fact_names(fact: str) -> list[str]:
    """The variables that a fact is about.

    >>> fact_names("dim"), fact_names("dim.has_value()"), fact_names("a.is_same(b)")
    (['dim'], ['dim'], ['a', 'b'])
    """
    lasting = () if _OF_TWO.search(fact) is not None else lasting_variables(fact)
    return sorted(lasting) if lasting else re.findall(r"(?<![\w.])\w+", fact.partition(" == ")[0])


def said_of(name: str, parameter: str, constant: str, function: Definition) -> list[tuple[str, str]]:
    """What is known of a parameter that is given a constant: one that is optional has a value, unless it is none; a
    dimension may be counted from the end."""
    nothing = constant.endswith((_NOTHING, EMPTY))
    if name in function.inside.wrapped and not nothing:
        constant = wrapped(constant)
    optional = "optional" in parameter.lower() and not nothing
    return [*([(name, constant)] if constant else []), *([(f"{name}.has_value()", TRUE)] if optional else [])]


def mattering(
    entry: NativeFunction, function: Definition, words: Collection[str], questions: Collection[str]
) -> Iterator[str]:
    """The arguments of an operator that decide anything in one of its functions, and what is asked of them."""
    named = {name: schema for schema, name, _ in _named(entry, function)}
    yield from (schema for name, schema in named.items() if name in words)
    yield from filter(None, (handed_on(each, named) for each in questions))


def _named(entry: NativeFunction, function: Definition) -> Iterator[tuple[str, str, str]]:
    """(argument of the schema, name in the function, parameter as written) of those that stay what is given: in order
    where the function has all parameters (a shape function those but the results), else those of the same name."""
    listed, names = arguments(entry.schema), [name for name, _ in function.inside.fixed]
    pairs = list(zip(names, function.parameters, strict=False))
    if len(pairs) in (len(listed), len(listed) - entry.written):
        fitting = zip(listed, pairs, strict=False)
        yield from ((each.name, name, text) for each, (name, text) in fitting if name and holds(each.kind, text))
        return
    by_name = {each.name: each for each in listed}
    for name, text in pairs:
        if name in by_name and holds(by_name[name].kind, text):
            yield name, name, text
