"""Errors stand where Bazel puts them, columns included, with the call stack innermost first."""

from __future__ import annotations

import pytest

from bzlgraph.base.errors import EvalProblem, SyntaxProblem
from bzlgraph.starlark.evaluation.callstack import Positions
from tests.starlark.bare import run

# (text, line and column of the error): columns recorded from Bazel's own interpreter (4.2.3)
PLACES = [
    ("def f(x):\n  return (x +\n       'a' +\n     1)\nf('b')", (3, 12)),
    ("def f(x):\n  return x . foo\nf('b')", (2, 12)),
    ("def f(x):\n  return not x.foo\nf('b')", (2, 15)),
    ("def f(x):\n  return x[1\n     :2\n     :0]\nf('b')", (2, 11)),
    ("def f(x):\n  x()()\nf('b')", (2, 4)),
    ("def f(x):\n  return 1 if x[5] else 2\nf('b')", (2, 16)),
    ("def f(x):\n  y = -x\nf('b')", (2, 7)),
    ("print((-None))", (1, 8)),
    ("print(None not in 2)", (1, 16)),
    ("def f():\n  x = [1]\n  x[3] += 1\nf()", (3, 8)),
    ("def f():\n  x = (1,)\n  x[0] = 1\nf()", (3, 8)),
    ("def f(x):\n  return {1: x,\n      1 : x}\nf(1)", (3, 9)),
    ("def f(a = 1 + ''): pass", (1, 13)),
    ("'a'.strip(1)", (1, 10)),
    ("'a'.strp()", (1, 4)),
    ("print(*1)", (1, 7)),
    ("def f():\n  for x, y in [1]: pass\nf()", (2, 3)),
    ("print([x for x, y in [1]])", (1, 10)),
]


@pytest.mark.parametrize(("text", "place"), PLACES)
def test_place(text: str, place: tuple[int, int]) -> None:
    with pytest.raises(EvalProblem) as raised:
        run(text)
    location = raised.value.diagnostic.location
    assert location is not None
    assert (location.line, location.column) == place


def test_stack() -> None:
    text = "def f(x):\n  return [g(y) for y in x]\ndef g(y):\n  return 1 // y\n[f([0])]\n"
    with pytest.raises(EvalProblem) as raised:
        run(text)
    frames = [(frame.function, frame.location.line, frame.location.column) for frame in raised.value.diagnostic.stack]
    assert frames == [("g", 4, 12), ("f", 2, 12), ("<toplevel>", 5, 3)]


def test_static_errors_come_all_at_once_in_file_order() -> None:
    with pytest.raises(SyntaxProblem) as raised:
        run("a\nx = 1\ndef f():\n  return [b for _ in c]\nx = 2\n")
    lines = [diagnostic.location.line for diagnostic in raised.value.diagnostics if diagnostic.location]
    assert lines == [1, 4, 4, 5]


def test_places_of_instructions_are_found_in_any_order() -> None:
    code = compile("a(\n  b(c),\n  d)\ne(f)\n", "x.bzl", "exec")
    places = list(code.co_positions())
    wanted = [(line or code.co_firstlineno, (column or 0) + 1) for _, line, _, column in places]
    orders = (range(len(wanted)), range(0, len(wanted), 2), range(1, len(wanted), 2), reversed(range(len(wanted))))
    for order in map(list, orders):
        positions = Positions(code)
        found = {index: positions.find(2 * index) for index in [*order, *range(len(wanted))]}
        assert [(found[index].line, found[index].column) for index in range(len(wanted))] == wanted
