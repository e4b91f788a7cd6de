"""What is known of the parameters and local variables of a C++ function of PyTorch.

a function, what is known of its parameters -> what is known inside of it; its variables.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import product

from bzlgraph.ops.pytorch.cpp.defined import Definition
from bzlgraph.ops.pytorch.cpp.known import NO_FORMAT, SUGGESTED, constant_of, is_constant, simplified, value_held
from bzlgraph.ops.pytorch.cpp.questions import (
    FALSE,
    STRIDES,
    THIS,
    TRUE,
    VIEWED,
    Constants,
    has_numel,
    is_contiguous,
    is_new,
)
from bzlgraph.ops.pytorch.cpp.variables.made_results import KEEPING


def steady_names(function: Definition) -> frozenset[str]:
    """The parameters and local variables of a function that stay what they are."""
    inside = function.inside
    kept = *inside.fixed, *inside.locals, *inside.made, *inside.chosen
    typed = (each.name for each in inside.types)
    return frozenset(name for name, _ in kept).union(typed) - {*inside.wrapped}


def handed_names(function: Definition) -> frozenset[str]:
    """The same with what an operator is given of which facts hold though it is set in several places."""
    inside = function.inside
    more = *inside.returned, *(name for name, *_ in inside.checked), *(name for name, _ in inside.shaped)
    return steady_names(function).union([THIS], more)


def own_names(function: Definition) -> frozenset[str]:
    """The parameters of a function, and local variables of it."""
    return steady_names(function) | {each.partition("=")[0].split()[-1] for each in function.parameters if each.split()}


def with_locals(definition: Definition, known: Constants) -> dict[str, str]:
    """What is known inside of a function: its parameters, the local variables that are made of these, and the tensors
    that it makes."""
    names = dict(known)
    for name, written in definition.inside.locals:
        text = written
        for asked, made_with in definition.inside.options:
            told = made_with in names or f"{made_with}.has_value()" in names
            text = text.replace(asked, made_with) if told else text
        value = constant_of(text, names)
        value = simplified(text, names) if value == text else value
        held = value_held(text)
        if is_constant(value):
            names[name] = value
        elif written.endswith(f"{SUGGESTED}()"):
            names.update([(f"{name} == {NO_FORMAT}", FALSE), (f"{name}.has_value()", TRUE)])
        elif (viewed := VIEWED.fullmatch(written)) is not None:
            flat = names.get(f"{viewed[1]}.dim()") in ("0", "1") or names.get(f"{viewed[1]}.dim() <= 1") == TRUE
            names.update([(f"{name}.has_value()", TRUE)] if flat else [])
        elif (strides := STRIDES.fullmatch(written)) is not None and names.get(is_new(strides[1])) == TRUE:
            names.update(_of_strides(name, strides[1], definition, names))
        elif held and names.get(f"{held}.has_value()") == TRUE:
            alike = [(fact, holds) for fact, holds in names.items() if fact.startswith((f"{held} ", f"{held}."))]
            names.update((fact.replace(held, name, 1), holds) for fact, holds in alike)
    for _, facts in definition.inside.made:
        names.update(facts)
    names.update((is_contiguous(name), TRUE) for name in definition.inside.contiguous)
    names.update(of_shapes(definition.inside.shaped, names))
    for name, made, asked in definition.inside.checked:
        if simplified(asked, names).strip("()") == f"{name} == {made.strip('()')}":
            names[f"{made} == {name}"] = TRUE
    for one, other in same_names(names):
        names = _asked_of(one, other, names) | _asked_of(other, one, names) | names
    return names


def of_shapes(shaped: Iterable[tuple[str, Collection[str]]], known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """How many dimensions and elements those have that are shaped as some variables of which that is known."""
    for name, others in shaped:
        for asked in (has_numel, _dimensions):
            numbers = {known.get(asked(each), "") for each in others}
            number = numbers.pop()
            yield from [(asked(name), number), (f"{asked(name)} == {number}", TRUE)] if number and not numbers else ()


def shape_of(text: str) -> str:
    """The variable that has as many dimensions and elements as what is written.

    >>> shape_of("a"), shape_of("a.contiguous()"), shape_of("a.view()"), shape_of("1")
    ('a', 'a', '', '')
    """
    name, _, called = text.removesuffix("()").partition(".")
    return name if name.isidentifier() and (called in KEEPING if called else name == text) else ""


def _dimensions(name: str) -> str:
    return f"{name}.dim()"


def _of_strides(name: str, tensor: str, definition: Definition, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What is known of a variable that is the strides of a tensor whose elements are contiguous: how much one index
    skips, where the number of dimensions is known."""
    dimensions = known.get(f"{tensor}.dim()", "0")
    last = int(dimensions) - 1 if dimensions.isdecimal() else -1
    if last >= 0:
        yield f"{name}[{last}] == 1", TRUE
    sizes = [each for each, written in definition.inside.locals if written == f"{tensor}.sizes()"]
    for at, each in product(range(last), sizes):
        for least in ("int64_t{1}, ", "1, "):
            kind = "<int64_t>" if least == "1, " else ""
            yield f"{name}[{at}] >= std::max{kind}({least}{each}[{at + 1}])", TRUE


def _asked_of(one: str, other: str, known: Mapping[str, str]) -> dict[str, str]:
    """What is known of a variable, of another one that is the same tensor."""
    return {f"{other}{fact[len(one) :]}": holds for fact, holds in known.items() if fact.startswith(f"{one}.")}


def same_names(known: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The pairs of variables that are known to be one tensor.

    >>> same_names({"a.is_same(b)": "true", "a.is_same(c)": "false", "a.is_cpu()": "true"})
    (('a', 'b'),)
    """
    found = ((_SAME.fullmatch(fact), holds) for fact, holds in known.items() if ".is_same(" in fact)
    return tuple((each[1], each[2]) for each, holds in found if each is not None and holds == TRUE)


_SAME = re.compile(r"(\w+)\.is_same\((\w+)\)")
