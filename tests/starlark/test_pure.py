"""Pure functions: which calls are remembered, and that nothing but the time tells."""

from __future__ import annotations

from typing import Any

import pytest

from bzlgraph.base.errors import EvalProblem
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.evaluation.thread import Thread
from bzlgraph.starlark.module import Module
from bzlgraph.starlark.value import Value
from tests.starlark.bare import module_of


class Fixed(Value):
    """A value that never changes."""

    def is_fixed(self) -> bool:
        return True


FIXED = Fixed()
runs: list[object] = []


@builtin("note", pure=True)
def note(value: object = None) -> object:
    """Called pure, so that a test can count how often a function really ran."""
    runs.append(value)
    return value


@builtin("effect")
def effect() -> str:
    """Not pure."""
    runs.append(None)
    return "x"


def loaded(text: str) -> Module:
    """A module that is loaded, of a text that may use the builtins above."""
    runs.clear()
    made = module_of(text, extra={"note": note, "effect": effect, "FIXED": FIXED, "CHANGES": Value()})
    made.run(Thread(print=lambda _text, _where: None))
    made.freeze()
    runs.clear()
    return made


def times(text: str, *arguments: object) -> int:
    """How often ``f`` of a text runs if it is called twice in an evaluation."""
    function: Any = loaded(text).globals["f"]
    thread = Thread(print=lambda _text, _where: None)
    first = thread.run(function, *arguments)
    assert thread.run(function, *arguments) == first
    return len(runs)


PURE = {
    "text": "def f(): return note('a')",
    "what it is given": "def f(x, y = True): return note(x) if y else None",
    "a list": "def f(): return [note('a')]",
    "a value that never changes": "def f(): return note(FIXED)",
    "a global list": "L = ['a', ('b', {'c': [1]})]\ndef f(): return note(L)",
    "what it changes itself": "def f():\n  l = []\n  l.append('a')\n  l += ['b']\n  return note(len(l))",
    "another pure function": "def g(x): return note(x)\ndef f(): return g('a')",
    "a function that is passed on": "def g(x): return note(x)\ndef f(): return [h('a') for h in [g]]",
    "a comprehension's own name": "def f(): return [note(effect) for effect in ['a']]",
    "a lambda": "def f(): return (lambda x: note(x))('a')",
}
IMPURE = {
    "a builtin with an effect": "def f():\n  effect()\n  return note('a')",
    "print": "def f():\n  print('a')\n  return note('a')",
    "through another function": "def g(): return effect()\ndef f(): return note(g())",
    "through an alias": "g = effect\ndef f(): return note(g())",
    "through a list": "L = [effect]\ndef f(): return note(L[0]())",
    "through a lambda": "g = lambda: effect()\ndef f(): return note(g())",
    "through a closure": "def make(h): return lambda: h()\ng = make(effect)\ndef f(): return note(g())",
    "a value that may change": "def f(): return note(CHANGES) and 'a'",
    "a list of what may change": "def f(): return [note('a'), []]",
    "a dict": "def f(): return {'a': note('b')}",
    "*args": "def f(*args): return note('a')",
}


@pytest.mark.parametrize("text", PURE.values(), ids=PURE)
def test_a_pure_function_runs_once(text: str) -> None:
    assert times(text, *(["a"] if "f(x" in text else [])) == 1


@pytest.mark.parametrize("text", IMPURE.values(), ids=IMPURE)
def test_what_may_have_an_effect_runs_each_time(text: str) -> None:
    assert times(text) > 1


def test_arguments_that_are_equal_for_python_only_are_told_apart() -> None:
    function: Any = loaded("def f(x): return str(note(x))").globals["f"]
    thread = Thread()
    given = [1, True, 1.0, "1", 1, True, None, None]
    assert [thread.run(function, each) for each in given] == ["1", "True", "1.0", "1", "1", "True", "None", "None"]
    assert thread.run(function, ["a"]) == thread.run(function, ["a"]) == '["a"]'


def test_everybody_gets_a_list_of_their_own() -> None:
    made = loaded("def f(): return ['a']\ndef g():\n  x = f()\n  x.append('b')\n  return x + f() + f()\n")
    assert Thread().run(made.globals["g"]) == ["a", "b", "a", "a"]


def test_nothing_is_remembered_while_the_file_is_loaded() -> None:
    made = module_of("L = []\ndef f(): return len(L)\na = f()\nL.append(1)\nb = f()\n")
    made.run(Thread())
    assert (made.globals["a"], made.globals["b"]) == (0, 1)


def test_another_evaluation_runs_it_again() -> None:
    function: Any = loaded("def f(): return note('a')").globals["f"]
    assert Thread().run(function) == Thread().run(function) == "a"
    assert len(runs) == 2


def test_a_remembered_call_costs_its_steps() -> None:
    function: Any = loaded("def f(x):\n  for i in range(100): x += 'a'\n  return x\n").globals["f"]
    costs = []
    thread = Thread()
    for _ in range(3):
        before = thread.steps_left
        thread.run(function, "a")
        costs.append(before - thread.steps_left)
    assert costs[0] == costs[1] == costs[2] > 100
    thread.steps_left = 2 * costs[0]
    with pytest.raises(EvalProblem, match="too many steps"):
        thread.run(lambda: [function("a") for _ in range(3)])


def test_recursion_is_still_refused() -> None:
    made = loaded("def f(x):\n  return g() if x else 'a'\ndef g():\n  return f(False)\n")
    thread = Thread()
    assert thread.run(made.globals["g"]) == "a"
    with pytest.raises(EvalProblem, match="recursively"):
        thread.run(made.globals["f"], True)


def test_an_error_is_told_each_time() -> None:
    function: Any = loaded("def f(x): return 'a' + fail(x)").globals["f"]
    thread = Thread()
    for _ in range(2):
        with pytest.raises(EvalProblem, match="no way"):
            thread.run(function, "no way")


def test_what_is_remembered_is_bounded() -> None:
    function: Any = loaded("def f(x): return x + 'b'").globals["f"]
    thread = Thread()
    thread.run(function, "a" * 40_000_000)
    assert not thread.remembered
    for each in range(20):
        thread.run(function, "a" * (1_000_000 + each))
    assert 0 < len(thread.remembered) < 20
