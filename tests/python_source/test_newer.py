"""Python that is newer than what runs this is read in one way by all of them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from bzlgraph.python_source.newer import older
from bzlgraph.python_source.syntax import definitions, parse_any
from tests.python_source.pythons import outputs

NEW = """\
import dataclasses
type Pair[T] = tuple[T, T]
type  Plain = int
type = type(3)  # a name like any other
class Box[T: (int, str) = int](Base): pass
class Bare[*Ts]:
    def first[**P](self, call: Callable[P, int], *rest: int) -> int:
        return call(f"{self.a["key"]} {call("x")!r:>{self.width}}")
def spread[
    T,  # with a comment ] in it
    U: dict[str, "list[int]"],
](x: T) -> U:
    text = f"{f"{f"{x}"}"}" "and" f'{x}'
    lines = f"{
        x
    } more"
    return f"{"\\n".join(text)}"
def last(y=1): return [def_ for def_ in y]
"""


def test_what_is_new_is_left_out_and_lines_stay() -> None:
    assert older(NEW).count("\n") == NEW.count("\n")
    tree = parse_any(NEW.encode())
    found = [(name, statement.lineno) for name, statement in definitions(tree.body)]
    assert found == [("Pair", 2), ("Plain", 3), ("type", 4), ("Box", 5), ("Bare", 6), ("spread", 9), ("last", 18)]
    calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert {"type", "call"} <= calls, "what an f-string calls is seen"


@pytest.mark.parametrize(
    "text",
    [
        "def f(x): return x[0]",
        "class C(B): pass",
        "type = type[0]; kind = f'{a!r:{w}}' + rf'\\d{{3}}' + f\"{d['a']}\"",
        'x = """def f[T](): "it\'s" # no comment""" # def g[T]()\n',
        "d['def'][0] = 'class'[1:]",
        'u = f"\\N{DIGIT ONE}{x}"',
        'braces = rf"\\{{\\}}|{x}" + f"\\{x}"',
        "broken = 'no end\nx = 1",
    ],
)
def test_what_every_version_reads_stays_as_it_is(text: str) -> None:
    assert older(text) == text


def test_this_very_project_stays_as_it_is() -> None:
    for path in (Path(__file__).parents[2] / "bzlgraph").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert older(text) == text, path


@pytest.mark.parametrize("piece", ["def f[", "type A[", 'f"{', "f'{f\"{", "x = '\n", "type A = x\n", "[" * 9, "{" * 9])
def test_any_text_takes_linear_time(piece: str) -> None:
    import time

    def taken(times: int) -> float:
        begun = time.process_time()
        older(piece * times)
        return time.process_time() - begun

    taken(10)
    assert taken(20_000) < 40 * max(taken(2_000), 0.01)


DUMP = """
import ast, sys
from bzlgraph.python_source.syntax import parse_any

def shown(node):
    if isinstance(node, list):
        return [shown(each) for each in node]
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, ast.JoinedStr):  # where its fields stand, 3.11 does not tell
        return "an f-string"
    fields = {name: shown(value) for name, value in ast.iter_fields(node) if name != "type_params"}
    return type(node).__name__, getattr(node, "lineno", None), fields

print(shown(parse_any(sys.stdin.buffer.read())))
"""


def test_all_pythons_read_the_same() -> None:
    """But for what stands in the fields of f-strings."""
    trees = outputs(DUMP, NEW.encode())
    assert len(set(trees.values())) == 1, list(trees)
