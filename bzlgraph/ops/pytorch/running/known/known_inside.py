"""What is known inside of a C++ function of PyTorch that a call leads to: the constants that the call gives, what the
conditions around it say of what it hands on, and the members of objects that are made (rules 7 and 8 of
``composites.py``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from bzlgraph.ops.pytorch.cpp.call import ADDING_INPUT, PARAMETER, Call
from bzlgraph.ops.pytorch.cpp.defined import Definition
from bzlgraph.ops.pytorch.cpp.definitions import Definitions
from bzlgraph.ops.pytorch.cpp.known import (
    EMPTY,
    REAL,
    facts_of,
    handed_on,
    is_constant,
    lasting_questions,
)
from bzlgraph.ops.pytorch.cpp.questions import (
    FALSE,
    THIS,
    TRUE,
    TYPE_OF_TWO,
    Constants,
    has_its_size,
    has_numel,
    is_contiguous,
    is_new,
    laid_as,
    questions_behind,
    sized_result,
    typed_tensor,
)
from bzlgraph.ops.pytorch.cpp.truth import opposite
from bzlgraph.ops.pytorch.cpp.values.types import TENSOR
from bzlgraph.ops.pytorch.entries import NativeFunction
from bzlgraph.ops.pytorch.kernels import meta_function
from bzlgraph.ops.pytorch.overloads import plain_tensors
from bzlgraph.ops.pytorch.running.call_meanings import CallMeanings
from bzlgraph.ops.pytorch.running.known.asked_functions import AskedFunctions
from bzlgraph.ops.pytorch.running.known.given_values import (
    inside_of,
    mattering,
    results_given,
    said_of,
    surely_given,
)
from bzlgraph.ops.pytorch.running.known.iterators import is_defined, results_of
from bzlgraph.ops.pytorch.running.known.local_values import handed_names, own_names, shape_of
from bzlgraph.ops.pytorch.running.known.number_types import NumberTypes
from bzlgraph.ops.pytorch.running.known.parameters import (
    is_class,
    laid_out_as,
    of_handed,
    of_variables,
    types_of_template,
)
from bzlgraph.ops.pytorch.running.known.results import format_of, in_place, is_given_shapes, is_plain, shape_told

_IN_PLACE = tuple((f"maybe_get_output().{asked}", TRUE) for asked in ("defined()", "is_same(self)"))
"""What shape functions ask of the result."""
_WORD = re.compile(r"[A-Za-z_]\w*")
MAX_HANDED = 6
"""Functions that hand a result on, one to the other."""


_Kept = dict[tuple[int, int], frozenset[str]]
_Telling = Callable[[Call, NativeFunction | None], Iterable[str]]
"""What tells variables of a call, and of the operator that it calls."""


class KnownInside:
    """For the functions of a tree."""

    def __init__(self, meanings: CallMeanings, definitions: Definitions) -> None:
        self._meanings = meanings
        self._definitions = definitions
        self._words: dict[int, tuple[frozenset[str], str]] = {}
        self._asked: dict[int, frozenset[str]] = {}
        self.asking = AskedFunctions(definitions)
        self.types = NumberTypes(definitions)
        self._elsewhere: dict[int, frozenset[str]] = {}
        self._kept_results: _Kept = {}
        self._kept_sized: _Kept = {}
        self._kept_called: _Kept = {}
        """All by the id of a definition, which is kept alive by what its calls mean."""

    def at_start(
        self, entry: NativeFunction, function: Definition, given: Constants, *, sized: bool, fresh: bool = False
    ) -> Constants:
        """What is known of what the dispatcher gives a function of an operator: what the operator is ``given``, and
        which of its parameters are tensors; ``sized``: its results have their sizes, ``fresh``: they are new."""
        plain = plain_tensors(entry.schema)
        some = "Tensor?" in entry.schema
        named = (each.replace("&", " & ").split() for each in function.parameters)
        tensors = [each[-1] for each in named if {*each[:-1]} <= {"const", TENSOR, "at", "::", "&"} and "&" in each]
        words, asked = self._words_of(function)
        facts = [is_defined(name) for name in tensors if name in plain or not some]
        sizes = map(has_its_size, tensors[-entry.written :]) if sized else ()
        kept = (*(fact for fact in facts if fact in asked), *sizes)
        told = *((fact, TRUE) for fact in kept), *inside_of(entry, function, given, words)
        if sized and in_place(entry) in given and has_its_size("self") in self.asked(function):
            told = (*told, (has_its_size("self"), TRUE))
        laid = self._laid_out(entry, tensors[-entry.written :]) if fresh else ()
        asked_here = self.asked(function)
        matter = (each for each in laid if each[0] in asked or each[0] in asked_here or ".is_laid_as(" in each[0])
        told = *told, *matter
        return *told, *_of_returned(function, told), *self._checked(entry, function)

    def _laid_out(self, entry: NativeFunction, results: Sequence[str]) -> Iterator[tuple[str, str]]:
        """What is known of new results by what the shape function tells of them: those without strides and without a
        memory format are contiguous, a list of sizes says how many dimensions there are."""
        for shape in self._definitions.named(meta_function(entry)):
            helping = (each for _, _, found in self._meanings.of(shape) for each, _ in found if is_given_shapes(each))
            calls = (call for each in (shape, *helping) for call in each.inside.calls)
            told = [each for each in map(shape_told, calls) if each is not None]
            for at, result in enumerate(results):
                own = [each for each in told if each[0] == str(at)]
                dense = bool(own) and all(strides == EMPTY for _, _, strides, _ in own)
                if dense and len(like := {format_of(each[3], shape) for each in own} - {""}) == 1:
                    yield laid_as(result, like.pop()), TRUE
                if own and all(strides == EMPTY and is_plain(options) for _, _, strides, options in own):
                    yield is_new(result), TRUE
                    sizes = {each[1].strip("{}") for each in own}
                    yield from ((f"{result}.dim()", each) for each in sizes if len(sizes) == 1 and each.isdecimal())

    def gives_real_numbers(self, entry: NativeFunction) -> bool:
        """Whether the shape function tells all results to be of a type of real numbers."""
        told: list[bool] = []
        for shape in self._definitions.named(meta_function(entry)) if entry.structured else ():
            made = dict(shape.inside.locals)
            options = [each[3] for each in map(shape_told, shape.inside.calls) if each is not None]
            told += [REAL in made.get(each, each) for each in options]
        return bool(told) and all(told)

    def _checked(self, entry: NativeFunction, function: Definition) -> Iterator[tuple[str, str]]:
        """What the shape function of a structured operator has made sure of whenever it tells the shape of a result."""
        for shape in self._definitions.named(meta_function(entry)) if entry.structured else ():
            names = dict(zip((name for name, _ in shape.inside.fixed), _names_of(function), strict=False))
            facts = ((handed_on(fact, names), value) for fact, value in self._made_sure(shape).items())
            yield from (
                (fact, value) for fact, value in facts if fact and lasting_questions(fact) <= self.asked(function)
            )

    def _made_sure(self, shape: Definition) -> dict[str, str]:
        """What is known wherever a shape function tells the shape of a result, itself or by functions that do."""
        facts = _made_sure(shape)
        for call, _, functions in self._meanings.of(shape):
            for each in (made for made, _ in functions if is_given_shapes(made)):
                names = {name: text for text, name in zip(call.written, _names_of(each), strict=False) if text}
                facts.update((handed_on(fact, names), value) for fact, value in _made_sure(each).items())
        return facts

    def takes_one_type(self, entry: NativeFunction) -> bool:
        """Whether the shape function makes sure that all tensors are of one type, or goes over one alone."""
        shapes = self._definitions.named(meta_function(entry)) if entry.structured else ()
        return bool(shapes) and all(map(_is_of_one_type, shapes))

    def in_shapes(self, entry: NativeFunction, function: Definition, given: Constants) -> Constants:
        """The same of a shape function: what the operator is given."""
        told = inside_of(entry, function, given, self._words_of(function)[0])
        return (*told, *_IN_PLACE) if in_place(entry) in given and function.inside.checked else told

    def mattering(self, entry: NativeFunction, function: Definition) -> Iterator[str]:
        """The arguments of an operator that decide anything in one of its functions."""
        return mattering(entry, function, self._words_of(function)[0], self.asked(function))

    def given(
        self, call: Call, caller: Definition, known: Mapping[str, str], function: Definition, *, behind_stub: bool
    ) -> Constants:
        """Rule 7: the constants that a call gives a function, and what is known of the variables that it hands on, of
        those that matter to it. A stub is given a device, too; its functions have no defaults."""
        if call.kind not in ("function", "method"):
            return ()
        words, asked = self._words_of(function)
        pairs = list(zip(function.inside.template, call.template, strict=False))
        given = call.written[1:] if behind_stub or call.kind == "method" else call.written
        for index, (name, default) in enumerate(function.inside.fixed):
            missing = "" if behind_stub or len(given) > len(function.inside.fixed) else default
            pairs.append((name, given[index] if index < len(given) else missing))
        parameters = dict(zip((name for name, _ in function.inside.fixed), function.parameters, strict=False))
        handed = [(name, text, parameters.get(name, "")) for name, text in pairs if name in words]
        meant = ((name, known.get(text, text), parameter) for name, text, parameter in handed)
        constants = (
            fact
            for name, text, parameter in meant
            if is_constant(text) or (name in function.inside.template and is_class(text, caller))
            for fact in said_of(name, parameter, text, function)
        )
        called = self._called(function)
        named = ((name, known.get(text, text)) for name, text in pairs if name in called)
        functions = ((name, text) for name, text in named if text and text not in own_names(caller))
        steady = handed_names(caller)
        own = [(THIS, call.written[0])] if call.kind == "method" and call.written else []
        renamed = {text: name for name, text in (*own, *reversed(pairs)) if name and text in steady}
        told = dict((*of_handed(handed, renamed, known), *types_of_template(call, function)))
        told.update((fact, TRUE) for fact in self.types.of_parameters(handed, renamed, (caller, call.line), known))
        told.update((fact, TRUE) for fact in laid_out_as([*pairs, *own], known))
        names = [*_names_of(function), *(name for name, _ in own)]
        lasting = self.asked(function).union(_of_any(names), map(has_its_size, names) if called else ())
        return (
            *constants,
            *functions,
            *of_variables(handed, known, surely_given(caller)),
            *sorted((text, holds) for text, holds in told.items() if text and _is_asked(text, asked, lasting)),
        )

    def _words_of(self, function: Definition) -> tuple[frozenset[str], str]:
        """The names in the conditions of a function, and those that it gives others; its conditions."""
        if id(function) not in self._words:
            calls = [call for call, *_ in self._meanings.of(function)]
            asked = "; ".join(dict.fromkeys(text for call in calls for text in call.conditions))
            made = (text for _, text in (*function.inside.locals, *function.inside.options, *function.inside.members))
            expressions = (text for call in calls for text in call.written if "(" in text)
            words = frozenset(_WORD.findall("; ".join((asked, *made, *expressions))))
            named = ((call.name.rpartition("::")[0], *call.given, *call.template, *call.written) for call in calls)
            results = map(is_defined, sorted(self._results(function)))
            sizes = map(has_its_size, sorted(self._handed(function, self._kept_sized, _sized_by)))
            answered = filter(None, (self.asking.answered(text, function) for text in {*asked.split("; ")}))
            asked = "; ".join((asked, *answered))
            given = (text for call in calls for text in call.written if TYPE_OF_TWO.fullmatch(text))
            behind = questions_behind("; ".join((asked, *(text for _, text in function.inside.locals), *given)))
            self._words[id(function)] = words.union(*named), "; ".join((asked, *results, *sizes, *behind))
        return self._words[id(function)]

    def asked(self, function: Definition) -> frozenset[str]:
        """What a function asks that lasts, also of what it gives others, and what those ask that it calls."""
        if id(function) not in self._asked:
            calls = self._meanings.of(function)
            given = (text for call, *_ in calls for text in call.written if "(" in text)
            self._asked[id(function)] = lasting_questions("; ".join((self._words_of(function)[1], *given)))
            found = {*self._asked[id(function)], *_types_asked(function)}
            for call, _, functions in calls:
                found.update(map(is_new, call.written if call.kind == PARAMETER else ()))
                for each, device in functions if call.kind == "function" else ():
                    texts = call.written[1:] if device else call.written
                    fixed = zip(texts, each.inside.fixed, strict=False)
                    names = {name: shape_of(text) or text for text, (name, _) in fixed if text}
                    found.update(handed_on(asked, names) for asked in self.asked(each)) if names else None
            for name, others in function.inside.shaped:
                named = [each for each in found if each.startswith(f"{name}.")]
                found.update(f"{other}{each[len(name) :]}" for other in others for each in named)
            self._asked[id(function)] = frozenset(found) - {""}
        return self._asked[id(function)]

    def _results(self, function: Definition) -> frozenset[str]:
        """The variables of a function that are results of what goes over tensors."""
        return self._handed(function, self._kept_results, lambda call, _: (results_of(call),))

    def _called(self, function: Definition) -> frozenset[str]:
        """The parameters of a function that are functions, which it calls."""
        return self._handed(function, self._kept_called, lambda call, _: [call.name] if call.kind == PARAMETER else [])

    def called_elsewhere(self, function: Definition) -> frozenset[str]:
        """The functions that a function hands to others, all of which call what they are given there."""
        if id(function) not in self._elsewhere:
            calling: dict[str, bool] = {}
            for call, operator, functions in self._meanings.of(function):
                for at, text in enumerate(call.written if functions and operator is None else ()):
                    calls = [[name for name, _ in each.inside.fixed][at : at + 1] for each, _ in functions]
                    inside = [self._called(each) for each, _ in functions]
                    called = all(names and names[0] in those for names, those in zip(calls, inside, strict=True))
                    calling[text] = called and calling.get(text, True)
            self._elsewhere[id(function)] = frozenset(text for text, called in calling.items() if called and text)
        return self._elsewhere[id(function)]

    def _handed(self, function: Definition, kept: _Kept, told: _Telling, depth: int = 0) -> frozenset[str]:
        """The variables of a function that are told of by its calls, also in functions that it calls."""
        at = id(function), depth
        if at not in kept:
            found = {""}
            for call, operator, functions in self._meanings.of(function):
                found.update(told(call, operator))
                for each, device in functions if depth < MAX_HANDED and call.kind == "function" else ():
                    given = call.given[1:] if device else call.given
                    inside = self._handed(each, kept, told, depth + 1) if any(given) else ()
                    found.update(
                        text for text, (name, _) in zip(given, each.inside.fixed, strict=False) if name in inside
                    )
            kept[at] = frozenset(found) - {""}
        return kept[at]


def _made_sure(shape: Definition) -> dict[str, str]:
    """What is known wherever a shape function tells the shape of a result."""
    calls = [call for call in shape.inside.calls if _TELLING.fullmatch(call.name) is not None]
    checked = set.intersection(*({*call.checked} for call in calls)) if calls else set()
    return facts_of(sorted(checked))


def _is_of_one_type(shape: Definition) -> bool:
    """Whether all tensors that a shape function is given are of the type of the first, where it tells shapes; of one
    alone, whether it goes over that and nothing that is made of it."""
    first, *others = [each.split()[-1] for each in shape.parameters if TENSOR in each] or [""]
    single = all(TENSOR in each.split() for each in shape.parameters if TENSOR in each)
    if single and not others:
        adding = (each for each in shape.inside.calls if ADDING_INPUT.fullmatch(each.name.rpartition("::")[2]))
        return {each.given[0] if each.given else "" for each in adding} == {first}
    facts = _made_sure(shape) if single else {}
    return bool(facts) and all(facts.get(typed_tensor(first, each)) == TRUE for each in others)


_TELLING = re.compile(r"(?:\w+::)*(?:set_output\w*|build\w*)")
"""Functions that tell the shape of a result."""


def _names_of(function: Definition) -> list[str]:
    return [name for name, _ in function.inside.fixed]


def _types_asked(function: Definition) -> Iterator[str]:
    """The types of tensors, which matter to a function that gives a tensor of a type which it is given."""
    words = [each.partition("=")[0].replace("<", " ").replace(">", " ").split() for each in function.parameters]
    if function.inside.returned and any("ScalarType" in each for each in words):
        yield from (f"{each[-1]}.scalar_type()" for each in words if TENSOR in each)


def _of_returned(function: Definition, known: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """What an operator returns is of the type that it is given: where a tensor is of another one, that of both is
    not the same."""
    for fact, value in known:
        compared = _OF_TYPE.fullmatch(fact)
        if compared is not None and (compared[2] == "!=") == (value == TRUE):
            yield from ((f"{each}.scalar_type() == {compared[1]}", FALSE) for each in function.inside.returned)
        elif compared is not None:
            tensor = compared[1].partition(".")[0]
            yield from ((typed_tensor(each, tensor), TRUE) for each in function.inside.returned)


_OF_TYPE = re.compile(r"(\w+\.scalar_type\(\)) (==|!=) \w+")


def _sized_by(call: Call, operator: NativeFunction | None) -> list[str]:
    """The results of which the conditions around a call ask whether they are to be resized, and those that it has an
    operator write to, which asks so."""
    written = results_given(operator, call) if operator is not None and operator.writes_out else ()
    return [*map(sized_result, call.conditions), *written]


def _of_any(names: Iterable[str]) -> Iterator[str]:
    """What may decide something of tensors in any function, as operators ask it that are called there."""
    for name in names:
        yield from (has_numel(name), is_contiguous(name))


def _is_asked(fact: str, asked: str, lasting: frozenset[str]) -> bool:
    """Whether a fact may decide something of what is asked."""
    about = lasting_questions(fact)
    return fact in asked or opposite(fact) in asked or (bool(about) and about <= lasting)
