"""Which tensors are of the type of numbers that an expression in a C++ function of PyTorch gives.

an expression, what is known there -> tensors: of that type, or of the complex one that is made of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from bzlgraph.ops.pytorch.cpp.defined import Definition
from bzlgraph.ops.pytorch.cpp.definitions import Definitions, within
from bzlgraph.ops.pytorch.cpp.known import REAL, constant_of, facts_of, handed_on, is_constant, simplified
from bzlgraph.ops.pytorch.cpp.questions import FALSE, TRUE, about_two, real_of, typed_tensor
from bzlgraph.ops.pytorch.cpp.refusals import closing, given_arguments
from bzlgraph.ops.pytorch.cpp.truth import opposite
from bzlgraph.ops.pytorch.cpp.variables.number_types import NUMBER_TYPE, Declared

MAX_DEPTH = 4
"""Functions that hand types on, one to the other."""


class Typed(NamedTuple):
    """A variable that is a tensor of a type, or of the complex one that has ``real`` numbers of that type."""

    tensor: str
    real: bool = False


Types = frozenset[Typed]
_Place = tuple[Definition, int]
_NONE: Types = frozenset()


class NumberTypes:
    """Of the functions of a tree."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions

    def facts(self, function: Definition, known: Mapping[str, str], line: int = 0) -> Iterator[tuple[str, str]]:
        """What is known on a line of the variables of a function that are types, and of tensors that it makes with
        options; without one what is known wherever they are."""
        real: dict[str, list[str]] = {}
        for name in dict.fromkeys(each.name for each in function.inside.types):
            for typed in self.of(name, function, known, line):
                if typed.real:
                    yield real_of(name, typed.tensor), TRUE
                    yield from ((typed_tensor(name, other), TRUE) for other in real.get(typed.tensor, ()))
                    real.setdefault(typed.tensor, []).append(name)
                else:
                    yield typed_tensor(name, typed.tensor), TRUE
                    yield f"{typed.tensor}.scalar_type() == {name}", TRUE

    def of_parameters(
        self, handed: Iterable[tuple[str, str, str]], renamed: Mapping[str, str], at: _Place, known: Mapping[str, str]
    ) -> Iterator[str]:
        """What parameters are that are given a type which a tensor has that is given, too; ``renamed`` are names of
        parameters by what is given."""
        for name, text, parameter in handed:
            typed = self.of(text, at[0], known, at[1]) if text and NUMBER_TYPE in parameter else ()
            own = (renamed[each] for each, real in typed if each in renamed and not real)
            yield from (f"{each}.scalar_type() == {name}" for each in own)

    def of(
        self, text: str, function: Definition, known: Mapping[str, str], line: int = 0, depth: int = MAX_DEPTH
    ) -> Types:
        """The tensors of the type that an expression on a line gives.

        >>> made = Declared("t", "n ? a.scalar_type() : b.scalar_type()", 1, 2)
        >>> class Own: inside = type("Inside", (), {"types": (made,)})
        >>> types = NumberTypes(None)
        >>> known = {typed_tensor("a", "b"): "true", real_of("r", "a"): "true"}
        >>> [sorted(each.tensor for each in types.of("t", Own, known | more)) for more in ({}, {"n": "true"})]
        [['a', 'b'], ['a', 'b']]
        >>> known["a.is_complex()"] = "false"
        >>> types.of("t", Own, {}), types.of("r.scalar_type()", Own, known) >= {Typed("a")}
        (frozenset(), True)
        """
        while text.startswith("(") and text.endswith(")") and closing(text, 0) == len(text) - 1:
            text = text[1:-1]
        chosen = _choice(text)
        if chosen:
            return self._chosen(*chosen, (function, line), known, depth)
        found = _TYPE_OF.fullmatch(text)
        if found is not None:
            return _all_of(found[1] or found[2], known)
        if text.isidentifier():
            made = _visible(text, function, line) if depth else []
            found_here = [self.of(each.made, function, known, each.first, depth - 1) for each in made]
            return _named(text, known).union(frozenset.intersection(*found_here) if found_here else ())
        held = _HELD.fullmatch(text)
        if held is not None:
            value = known.get(held[1], "")
            return self.of(held[2], function, known, line, depth) if value.endswith(("nullopt", "{}")) else _NONE
        with_type = _WITH_TYPE.fullmatch(text)
        if with_type is not None:
            return self.of(with_type[1], function, known, line, depth)
        called = _CALLED.fullmatch(text)
        return self._called(called[1], text, (function, line), known, depth) if called is not None and depth else _NONE

    def _chosen(self, asked: str, one: str, other: str, at: _Place, known: Mapping[str, str], depth: int) -> Types:
        """Of one of two values."""
        decided = simplified(asked, known)
        ways = [(one, asked, FALSE), (other, opposite(asked), TRUE)]
        left = [(text, {**known, **facts_of([held])}) for text, held, no in ways if decided != no]
        return frozenset.intersection(*(self.of(text, at[0], here, at[1], depth) for text, here in left))

    def _called(self, name: str, text: str, at: _Place, known: Mapping[str, str], depth: int) -> Types:
        """Of what a function gives."""
        given = given_arguments(text)
        qualifier, _, last = name.rpartition("::")
        if last in (REAL, _TO_COMPLEX, _OF_META):
            inside = self.of(given[0], at[0], known, at[1], depth)
            if last == REAL:
                return frozenset(each for typed in inside for each in _real(typed.tensor, known))
            is_complex = (each for each in inside if known.get(f"{each.tensor}.is_complex()") == TRUE)
            return inside if last == _OF_META else frozenset(Typed(each.tensor) for each in is_complex)
        named = [each for each in self._definitions.named(last) if not qualifier or within(each, qualifier)]
        fitting = [each for each in named if len(each.parameters) == len(given) and each.inside.gives_types]
        fitting = [each for each in fitting if each.path == at[0].path] or fitting
        if len(fitting) != 1:
            return _NONE
        names = [each.partition("=")[0].split()[-1] for each in fitting[0].parameters]
        meant = {each: text.removesuffix(".options()") for each, text in zip(names, given, strict=True)}
        ways = list(self._ways(fitting[0], _inside(names, given, known), depth - 1))
        common = frozenset.intersection(*ways) if ways else _NONE
        told = [(meant[each.tensor], each.real) for each in common if meant.get(each.tensor, "").isidentifier()]
        return frozenset(each for name, real in told for each in (_real if real else _all_of)(name, known))

    def _ways(self, function: Definition, known: Mapping[str, str], depth: int) -> Iterator[Types]:
        """Of what a function gives on each way that it may go."""
        for text, held in function.inside.gives_types:
            if FALSE not in (simplified(each, known) for each in held):
                yield self.of(text, function, {**known, **facts_of(held)}, 0, depth)


def _visible(name: str, function: Definition, line: int) -> list[Declared]:
    """What a variable may be on a line, that of the innermost block there; anywhere, where none is told."""
    found = [each for each in function.inside.types if each.name == name]
    return [each for each in found if each.first <= line <= each.last][-1:] if line else found


def _inside(names: Iterable[str], given: Iterable[str], known: Mapping[str, str]) -> dict[str, str]:
    """What is known of the parameters of a function that is given some arguments."""
    pairs = list(zip(names, given, strict=True))
    renamed = {text.removesuffix(".options()"): name for name, text in reversed(pairs)}
    found = {handed_on(fact, renamed): value for fact, value in known.items() if not fact.isidentifier()}
    values = ((name, constant_of(text, known)) for name, text in pairs)
    return {**found, **{name: value for name, value in values if is_constant(value)}}


def _all_of(tensor: str, known: Mapping[str, str]) -> Types:
    """A tensor and those that are known to be of its type."""
    found = {Typed(tensor)}
    for fact, value in known.items():
        pair = about_two(fact) if value == TRUE and tensor in fact else ()
        if pair and fact == typed_tensor(*pair) and tensor in pair:
            found.update(Typed(each) for each in pair)
        elif pair and fact == real_of(*pair) and pair[0] == tensor:
            found.update(_real(pair[1], known))
    return frozenset(found)


def _real(tensor: str, known: Mapping[str, str]) -> Types:
    """What has the type of the real numbers that a tensor is made of: where these are no complex ones it has, too."""
    asked = f"isComplexType({tensor}.scalar_type())"
    plain = FALSE in map(known.get, (f"{tensor}.is_complex()", asked, f"at::{asked}", f"c10::{asked}"))
    return frozenset([Typed(tensor, real=True), *([Typed(tensor)] if plain else [])])


def _named(name: str, known: Mapping[str, str]) -> Types:
    """The tensors of a type that is a variable."""
    found = (_IS_TYPE.fullmatch(fact) for fact, value in known.items() if value == TRUE and fact.endswith(f" {name}"))
    return frozenset(Typed(each[1]) for each in found if each is not None)


def _choice(text: str) -> tuple[str, str, str] | None:
    """The parts of ``c ? a : b``, the first that no bracket holds.

    >>> _choice("c(n ? 1 : 2) ? a.b() : d ? e::f : g"), _choice("a::b(n ? 1 : 2)")
    (('c(n ? 1 : 2)', 'a.b()', 'd ? e::f : g'), None)
    """
    depth, asked = 0, -1
    for at, each in enumerate(text):
        depth += (each in "({[") - (each in ")}]")
        if each == "?" and not depth and asked < 0:
            asked = at
        elif each == ":" and not depth and asked >= 0 and ":" not in (text[at - 1], text[at + 1 : at + 2]):
            return text[:asked].strip(), text[asked + 1 : at].strip(), text[at + 1 :].strip()
    return None


_TO_COMPLEX, _OF_META = "toComplexType", "typeMetaToScalarType"
_TYPE_OF = re.compile(r"(\w+)\.(?:scalar_type|dtype|options)\(\)|(\w+)\.dtype\(\)\.toScalarType\(\)")
_WITH_TYPE = re.compile(r"\w+(?:\.options\(\))?\.dtype\((.+)\)")
"""Options with another type."""
_HELD = re.compile(r"(\w+)\.value_or\((.+)\)")
_CALLED = re.compile(r"((?:\w+::)*\w+)\(.*\)")
_IS_TYPE = re.compile(r"(\w+)\.scalar_type\(\) == \w+")
