"""What is known of the results of a structured operator of PyTorch: whether they are tensors that it is given, and of
their types, sizes and memory formats (rules 7 and 9 of ``composites.py``).

the entry that is called, the one that does its work -> facts (``questions.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bzlgraph.ops.pytorch.cpp.call import Call
from bzlgraph.ops.pytorch.cpp.defined import Definition
from bzlgraph.ops.pytorch.cpp.known import EMPTY, SUGGESTED
from bzlgraph.ops.pytorch.cpp.questions import (
    FALSE,
    NOT_CAST,
    ONE_TYPE,
    SAME_SIZE,
    TRUE,
    Constants,
    has_its_size,
    is_number,
    same_tensor,
)
from bzlgraph.ops.pytorch.cpp.truth import is_special
from bzlgraph.ops.pytorch.cpp.values.types import TENSOR
from bzlgraph.ops.pytorch.cpp.written import FORMATTED
from bzlgraph.ops.pytorch.entries import COMPOSITE_KEYS, NativeFunction
from bzlgraph.ops.pytorch.overloads import plain_tensors, schema_types, takes
from bzlgraph.ops.pytorch.running.known.given_values import arguments


def settled_types(entry: NativeFunction, working: NativeFunction, *, new: bool, alike: bool) -> Constants:
    """What is known of the types of what an operator goes over: a ``new`` result has the one that is computed with; so
    has a tensor that is changed in place and meets no other, and no number, or only those of its type (``alike``). An
    ``out`` may have any, but is resized before it is computed (``set_output_raw_strided`` of ``torchgen``)."""
    if not working.inherits:
        return ()
    if not new:
        return (SAME_SIZE,)
    alone = takes_one_tensor(working) and "Scalar" not in working.schema
    if "!" not in entry.schema:
        return (NOT_CAST,)
    return (NOT_CAST, ONE_TYPE) if alone or alike else (SAME_SIZE,)


def results_apart(entry: NativeFunction, working: NativeFunction, results: Sequence[str]) -> Constants:
    """Whether the result of a structured operator is the tensor that it works on: in place it is, a new one is none
    that it is given."""
    names = plain_tensors(working.schema) - {*results}
    if "!" in entry.schema:
        return tuple((same_tensor("self", each), TRUE) for each in results[:1] if len(results) == 1 and "self" in names)
    return tuple((same_tensor(name, each), FALSE) for name in sorted(names) for each in results)


class OrdinaryResults:
    """The operators that give no tensor of a special kind: those with functions for CPUs and CUDA alone, and what takes
    a sparse tensor apart."""

    def __init__(self, entries: Mapping[str, NativeFunction]) -> None:
        self._entries = entries
        self._named: dict[str, list[NativeFunction]] = {}
        for entry in entries.values():
            self._named.setdefault(entry.name, []).append(entry)

    def gives_them(self, made_by: tuple[str, int]) -> bool:
        """Whether a method of that name with so many arguments does."""
        name, given = made_by
        fitting = [each for each in self._named.get(name, ()) if takes(each.schema, given + 1, ())]
        return name in _PARTS or (bool(fitting) and all(map(self._is_ordinary, fitting)))

    def _is_ordinary(self, entry: NativeFunction) -> bool:
        listed = [each for each in (entry, self._entries.get(entry.delegate)) if each is not None]
        keys = {key for each in listed for key, _ in each.kernels if not (each.delegate and key in COMPOSITE_KEYS)}
        return bool(keys) and not any(key in COMPOSITE_KEYS or is_special(key) for key in keys)


_PARTS = frozenset("indices values _indices _values crow_indices col_indices ccol_indices row_indices".split())
"""What a sparse tensor is made of."""


def in_place(working: NativeFunction) -> tuple[str, str]:
    """What says that a structured operator which is given its one result is given the tensor that it works on."""
    names = [each.name for each in arguments(working.schema)[-working.written :]]
    alone = working.structured and len(names) == 1 and "self" in plain_tensors(working.schema) - {*names}
    return (same_tensor("self", names[0]), TRUE) if alone else ("", "")


def about_results(working: NativeFunction) -> set[str]:
    """The facts about what an operator is given that tell something of its results."""
    results = [each.name for each in arguments(working.schema)[-working.written :]] if working.written else []
    tensors = plain_tensors(working.schema) - {*results} if working.inherits else frozenset()
    same = {same_tensor(each, result) for each in tensors for result in results}
    return {name for name, _ in [in_place(working)] if name} | same | {*map(is_number, tensors)}


def are_sized(working: NativeFunction, given: Constants) -> bool:
    """Whether an operator is given results that have their sizes; so has one of the tensors that it goes over."""
    names = [each.name for each in arguments(working.schema)[-working.written :]]
    tensors = plain_tensors(working.schema) if working.inherits else ()
    asked = ((has_its_size(each), *(same_tensor(each, other) for other in tensors)) for each in names)
    return working.written > 0 and all(any((fact, TRUE) in given for fact in facts) for facts in asked)


def meets_numbers(working: NativeFunction, given: Constants) -> bool:
    """Whether the result is a tensor that is given and all others stand for numbers: none of these changes its type."""
    results = {each.name for each in arguments(working.schema)[-working.written :]}
    tensors = plain_tensors(working.schema) - results
    facts = {fact for fact, value in given if value == TRUE}
    own = {each for each in tensors if not facts.isdisjoint(same_tensor(each, result) for result in results)}
    counting = any(each.kind == "Scalar" and not each.default for each in arguments(working.schema))
    return bool(own) and not counting and all(each in own or is_number(each) in facts for each in tensors)


def takes_one_tensor(working: NativeFunction) -> bool:
    """Whether an operator gets no tensor but the one that it works on, and those that it writes to."""
    return sum(each.startswith(TENSOR) for each in schema_types(working.schema)) == 1 + working.written


def shape_told(call: Call) -> tuple[str, ...] | None:
    """Of which result a call tells the shape, its sizes, strides and options; None for any other call."""
    name, written = call.name.rpartition("::")[2], call.written
    if name.endswith("_contiguous"):
        written = (*written[:2], EMPTY, *written[2:])
    return written[:4] if name.startswith("set_output") and len(written) > 3 else None


def is_given_shapes(function: Definition) -> bool:
    """Whether a function is given the object that is told the shapes of results, or that of a template for it."""
    return any(not {"MetaBase", "Meta"}.isdisjoint(each.split()) for each in function.parameters)


def is_plain(options: str) -> bool:
    """Whether options surely hold no memory format."""
    return not options.startswith(FORMATTED) and not options.isidentifier()


def format_of(options: str, shape: Definition) -> str:
    """The tensor whose memory format options have, "" for those of none; all else, where that is not known."""
    if is_plain(options):
        return ""
    text = options.removeprefix(f"{FORMATTED}(").removesuffix(")")
    suggesting, _, asked = dict(shape.inside.locals).get(text, text).partition(".")
    return suggesting if asked == f"{SUGGESTED}()" else options
