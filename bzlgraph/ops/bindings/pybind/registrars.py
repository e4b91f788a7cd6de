"""Operators that an object of a class registers: ``torch::RegisterOperators().op("library::f", &f).op(...)``, which
stands in no function (``op_registration.h`` of PyTorch).

``SourceFile`` -> a ``Unit`` for each library that a file registers operators of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bzlgraph.cpp import Kind, Token, joined_string
from bzlgraph.cpp.outline import Outline
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.ops.bindings.pybind.functions import Function, read_function
from bzlgraph.ops.bindings.pybind.module_macros import TORCH_OPS
from bzlgraph.ops.bindings.pybind.units import Bound, Unit

REGISTRAR = "RegisterOperators"


def registered_units(file: SourceFile) -> Iterator[Unit]:
    """What a file registers so, by library."""
    outline = file.outline
    libraries: dict[str, list[Bound]] = {}
    for at, token in enumerate(outline.tokens):
        if token.text == REGISTRAR:
            for given in _calls(outline, at + 1):
                name = _schema(given)
                library, _, operator = name.partition("(")[0].strip().rpartition("::")
                if operator:
                    line = file.line(given[0][0].start)
                    bound = Bound(
                        0, operator, "operator", line, _function(file, given), file.condition(given[0][0].start)
                    )
                    libraries.setdefault(library, []).append(bound)
    for library, bound_names in libraries.items():
        yield Unit("", file.path, tuple(bound_names), (), module=f"{TORCH_OPS}{library}", how=REGISTRAR)


def _calls(outline: Outline[Token], opening: int) -> Iterator[Sequence[Sequence[Token]]]:
    """What the constructor and each ``.op`` behind it are given, where that is something."""
    tokens, ends = outline.tokens, outline.brackets
    at = opening
    while at < len(tokens) and tokens[at].text in ("(", "{"):
        given = ends.arguments(at)
        if given and given[0]:
            yield given
        behind = ends.end(at) + 1
        chained = [each.text for each in tokens[behind : behind + 3]]
        at = behind + 2 if chained == [".", "op", "("] else len(tokens)


def _schema(given: Sequence[Sequence[Token]]) -> str:
    """``library::f(Tensor a) -> Tensor``: the first text that is given, itself or to ``.schema(...)``."""
    strings = [token for token in given[0] if token.kind == Kind.STRING]
    return joined_string(given[0]) or (joined_string(strings[:1]) if strings else "") or ""


def _function(file: SourceFile, given: Sequence[Sequence[Token]]) -> Function:
    function = read_function(given[1], "") if len(given) > 1 and given[1] else Function()
    return function._replace(line=file.line(function.line)) if function.line >= 0 else function
