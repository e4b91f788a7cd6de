"""What is known of the parameters of a C++ function of PyTorch by what a call gives them.

(parameter, what is given, as it is declared) of each, what is known there -> facts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from bzlgraph.ops.pytorch.cpp.call import Call
from bzlgraph.ops.pytorch.cpp.defined import Definition
from bzlgraph.ops.pytorch.cpp.known import CONTIGUOUS, handed_on, is_constant
from bzlgraph.ops.pytorch.cpp.questions import FALSE, TRUE, has_its_size, is_contiguous
from bzlgraph.ops.pytorch.cpp.values.types import TENSOR
from bzlgraph.ops.pytorch.running.known.given_values import of_two
from bzlgraph.ops.pytorch.running.known.iterators import is_alike
from bzlgraph.ops.pytorch.running.known.local_values import of_shapes, shape_of


def of_variables(
    handed: Sequence[tuple[str, str, str]], known: Mapping[str, str], surely: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Of parameters that are given variables which have a value (``surely``, or as is known), and which two are given
    the same tensor, or one that is made with the options of the other."""
    named = [(name, text, parameter) for name, text, parameter in handed if text.isidentifier()]
    optional = [(name, text) for name, text, parameter in named if "optional" in parameter and text not in known]
    given = (name for name, text in optional if text in surely or known.get(f"{text}.has_value()") == TRUE)
    yield from ((f"{name}.has_value()", TRUE) for name in given)
    tensors = [(name, text) for name, text, parameter in handed if TENSOR in parameter]
    yield from of_two([each for each in tensors if each[1].removesuffix(".options()").isidentifier()], known)


def of_handed(
    handed: Sequence[tuple[str, str, str]], renamed: Mapping[str, str], known: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """What is known of what is handed on, in the words of the function that gets it under the names of ``renamed``; of
    parameters that are given what another one says of itself, or is shaped as."""
    facts = ((handed_on(text, renamed), holds) for text, holds in known.items() if is_constant(holds))
    yield from ((text, holds) for text, holds in facts if not text.isidentifier())
    yield from ((fact, TRUE) for fact in of_parameters(handed, renamed))
    yield from of_shapes(((name, [shape_of(text)]) for name, text, _ in handed if "." in text), known)


def of_parameters(handed: Sequence[tuple[str, str, str]], renamed: Mapping[str, str]) -> Iterator[str]:
    """What parameters are that are given what another one says of itself: ``f(a, a.dim())``."""
    for name, text, _ in handed:
        owner, _, asked = text.partition(".")
        if asked and owner in renamed:
            yield f"{renamed[owner]}.{asked} == {name}"


def laid_out_as(pairs: Sequence[tuple[str, str]], known: Mapping[str, str]) -> Iterator[str]:
    """What parameters are that are given a tensor and behind it its own size: ``resize_output(result, self.sizes())``
    where these two are one tensor, or like each other; and those that are given what ``contiguous()`` gives."""
    yield from (is_contiguous(name) for name, text in pairs if text == CONTIGUOUS)
    for (name, text), (_, size) in pairwise(pairs):
        other, _, asked = size.partition(".")
        if name and text and asked in ("sizes()", "sym_sizes()") and is_alike(text, other, known):
            yield has_its_size(name)


def types_of_template(call: Call, function: Definition) -> Iterator[tuple[str, str]]:
    """Whether the types of a template that a call makes are tensors: those that it writes, and those of parameters."""
    template = function.inside.template
    for name, written in zip(template, call.template, strict=False):
        if written:
            yield f"{name} == {TENSOR}", TRUE if written.rpartition("::")[2] == TENSOR else FALSE
    arguments = call.arguments[1:] if call.kind == "method" else call.arguments
    for parameter, kind in zip(function.parameters, arguments, strict=False):
        types = [each for each in parameter.split()[:-1] if each not in ("const", "&", "&&")]
        if len(types) == 1 and types[0] in template and kind in (TENSOR, "Scalar", "bool"):
            yield f"{types[0]} == {TENSOR}", TRUE if kind == TENSOR else FALSE


def is_class(text: str, caller: Definition) -> bool:
    """Whether what a template is made with may be a class: a name, and none of the caller's own template."""
    return text[:1].isupper() and text.isidentifier() and text not in caller.inside.template
