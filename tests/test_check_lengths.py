"""tools/check_lengths.py: what counts as code, and what is refused."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from tools.check_lengths import LEAST, Module, problems

CODE = '''"""Doc
string."""

from typing import Any

# why
x: Any = {
    "a": 1,  # a comment
}
"""What x is."""
'''


def module(path: str, text: str = "x = 1\n" * LEAST) -> Module:
    return Module(Path(path), text)


def refused(*modules: Module) -> list[str]:
    return [problem for problem in problems(modules) if "no exception any more" not in problem]


def test_figures() -> None:
    found = module("bzlgraph/a.py", CODE)
    assert (found.lines, found.code, found.comments, len(found.docstrings)) == (10, 4, 2, 3)
    assert found.uses_of_any == 1


LONG = "def f():\n" + "    x = 1\n" * 40


@pytest.mark.parametrize(
    ("modules", "expected"),
    [
        ([module("bzlgraph/a.py", "x = 1\n" * 601)], "601 lines, over the limit of 600"),
        ([module("tests/a.py", f"class C:\n    x = 1\n\n\n{LONG}")], "a.py:5:1: error: f has 41 lines"),
        ([module("tools/a.py", "x = 1\n" * (LEAST - 1))], "24 lines of code, under 25"),
        ([module(f"bzlgraph/a/m{number}.py") for number in range(16)], "bzlgraph/a:1:1: error: 16 modules"),
    ],
)
def test_what_breaks_a_rule(modules: Iterable[Module], expected: str) -> None:
    (problem,) = refused(*modules)
    assert expected in problem


def test_what_does_not() -> None:
    folder = [module(f"bzlgraph/a/m{number}.py") for number in range(15)]
    tests = [module(f"tests/a/m{number}.py", "x = 1\n") for number in range(20)]
    assert refused(*folder, module("bzlgraph/a/__init__.py", ""), *tests) == []


def test_an_exception_that_is_not_needed_is_refused() -> None:
    grown = module("bzlgraph/syntax/grammar.py")
    assert any("bzlgraph/syntax/grammar.py needs no exception any more" in each for each in problems([grown]))
