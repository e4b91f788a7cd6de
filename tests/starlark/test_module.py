"""Modules: globals, freezing, exports, the cached form; threads: call stacks, budgets, loads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bzlgraph.base.errors import BzlgraphError, EvalProblem
from bzlgraph.base.span import Location
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.compile import compile_file
from bzlgraph.starlark.evaluation.budget import Budget
from bzlgraph.starlark.evaluation.program import Program, StaleProgram
from bzlgraph.starlark.evaluation.thread import Thread, current_thread
from bzlgraph.starlark.module import Module
from bzlgraph.starlark.universe import UNIVERSE
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.syntax import BZL, parse
from tests.starlark.bare import module_of, run


def test_globals_without_loaded_names_in_file_order() -> None:
    def load(module: str, _thread: Thread, _where: Location) -> Mapping[str, Any]:
        return {"a": module}

    made = module_of("load('//:m.bzl', 'a', b = 'a')\nz = a\nlen = 2\ndef f(): pass\n")
    made.run(Thread(load=load))
    assert list(made.globals) == ["z", "len", "f"]
    assert made.globals["z"] == "//:m.bzl"


def test_globals_before_an_error_remain() -> None:
    made = module_of("x = 1\ny = 1 // 0\nz = 2\n")
    with pytest.raises(EvalProblem):
        made.run(Thread())
    assert made.globals == {"x": 1}


def test_missing_name_in_a_loaded_file() -> None:
    made = module_of("load('//:m.bzl', 'abcdef')")
    with pytest.raises(EvalProblem, match=r"does not contain symbol 'abcdef'.*did you mean 'abcdeg'"):
        made.run(Thread(load=lambda *_: {"abcdeg": 1}))


def test_freeze_reaches_closures_defaults_and_elements() -> None:
    made = run("def make():\n  x = []\n  return lambda: x.append(1)\nf = make()\ndef g(y = {}): y['a'] = 1\nz = [[]]\n")
    made.freeze()
    for call in (made.globals["f"], made.globals["g"]):
        with pytest.raises(EvalProblem, match="frozen"):
            Thread().run(call)
    assert type(made.globals["z"][0]).__name__ == "FrozenList"


def test_freezing_deep_and_shared_values_takes_no_time() -> None:
    made = run(
        "def f(n, wrap):\n  x = []\n  for i in range(n):\n    x = wrap(x)\n  return x\n"
        "a = f(100000, lambda x: [x])\nb = f(100000, lambda x: struct(a = x))\n"
        "c = f(64, lambda x: struct(a = x, b = x))\nd = f(64, lambda x: (x, x))\n"
    )
    made.freeze()
    innermost = made.globals["c"]
    while not isinstance(innermost, list):
        innermost = innermost.fields["a"]
    assert type(innermost).__name__ == "FrozenList"


class Rule(Value):
    """A value that wants to know its name."""

    type_name = "rule"

    def __init__(self) -> None:
        self.names: list[tuple[str, str]] = []

    def export(self, path: str, name: str) -> None:
        self.names.append((path, name))


def test_values_are_told_their_names() -> None:
    rules: list[Rule] = []

    @builtin("rule")
    def rule() -> Rule:
        rules.append(Rule())
        return rules[-1]

    run("def f(): return rule()\na = rule()\nb = f()\nc = a\n", extra={"rule": rule})
    assert [made.names for made in rules] == [[("case.bzl", "a"), ("case.bzl", "c")], [("case.bzl", "b")]]


def test_program_survives_the_cache() -> None:
    text = "load('//:m.bzl', 'a')\ndef f():\n  return 1 // 0\nf()\n"
    program = compile_file(parse(text, "old.bzl", BZL), BZL, UNIVERSE)
    again = Program.from_bytes(program.to_bytes())
    assert again.loads[0].location.path == "old.bzl"
    with pytest.raises(EvalProblem) as raised:
        Module(again, UNIVERSE).run(Thread(load=lambda *_: {"a": 1}))
    assert str(raised.value.diagnostic.stack[0].location) == "old.bzl:3:12"
    with pytest.raises(StaleProgram):
        Program.from_bytes(b"something else")


def test_call_stack_seen_by_a_builtin() -> None:
    seen: list[Any] = []

    @builtin("look")
    def look() -> None:
        thread = current_thread()
        seen.append((thread.host, thread.innermost_path(), thread.call_stack().frames()))

    made = module_of("def macro(name):\n  look()\n[macro(n) for n in ['a']]\n", extra={"look": look})
    made.run(Thread(host="package"))
    host, path, frames = seen[0]
    assert (host, path) == ("package", "case.bzl")
    assert [(frame.function, frame.location.line) for frame in frames] == [("macro", 2), ("<toplevel>", 3)]


def test_nested_evaluations_have_their_own_stack_and_budget() -> None:
    @builtin("inner")
    def inner() -> int:
        made = module_of("x = len([i for i in range(100)])")
        thread = Thread(budget=Budget(steps=1000))
        made.run(thread)
        assert 0 < thread.steps_left < 1000
        return len(current_thread().call_stack().frames())

    outer = Thread(budget=Budget(steps=100))
    made = module_of("x = inner()", extra={"inner": inner})
    made.run(outer)
    assert made.globals["x"] == 1
    assert outer.steps_left > 80


def test_arguments_of_builtins_are_bound_by_python_and_refused_in_starlark() -> None:
    @builtin("take")
    def take(a: Any, /, *, b: Any = 1) -> Any:
        return (a, b)

    assert run("x = take(1, b = 2)", extra={"take": take}).globals["x"] == (1, 2)
    with pytest.raises(EvalProblem, match=r"take\(\) got unexpected keyword argument 'c'"):
        run("take(1, c = 2)", extra={"take": take})
    with pytest.raises(EvalProblem, match=r"take\(\) missing 1 required positional argument: a"):
        run("take()", extra={"take": take})


class Unknown(Value):
    """A host value that takes part in everything."""

    type_name = "unknown"

    def binary(self, op: str, other: Any, reflected: bool) -> Any:
        return f"{op}{'r' if reflected else ''}"

    def compare(self, op: str, other: Any) -> Any:
        return True

    def truth(self) -> bool:
        return False

    def iterate(self) -> list[Any]:
        return []

    def unpack(self, count: int) -> list[Any]:
        return [self] * count

    def length(self) -> int:
        return 0

    def get_attr(self, name: str) -> Any:
        return self

    def get_index(self, key: Any) -> Any:
        return self

    def contains(self, item: Any) -> bool:
        return False

    def to_repr(self) -> str:
        return "?"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self


EVERYWHERE = {
    "u + 1": "+",
    "[1] + u": "+r",
    "'a' % u": "%r",
    "u - u": "-",
    "u < 1": True,
    "1 < u": True,
    "not u": True,
    "[x for x in u]": [],
    "[a for a, b in [u]][0].c.d[1](2, x = 3)": None,
    "1 in u": False,
    "len(u)": 0,
    "list(u)": [],
    "sorted(u)": [],
    "dict(a = u)['a'].x": None,
    "'{}%s'.format(u) % u": "%r",
    "str([u])": "[?]",
    "(lambda *a, **k: len(a) + len(k))(*u, **u)": 0,
    "u.append(1)": None,
    "u.items()": None,
    "','.join(u)": "",
    "[u].index(u)": 0,
    "u == u": True,
    "{u: 1}[u]": 1,
    "u if u else 2": 2,
    "bool(u)": False,
    "u['a']": None,
}


@pytest.mark.parametrize("expression", EVERYWHERE)
def test_a_host_value_takes_part_in_every_operation(expression: str) -> None:
    unknown = Unknown()
    result = run(f"result = {expression}", extra={"u": unknown}).globals["result"]
    expected = EVERYWHERE[expression]
    assert result is unknown if expected is None else result == expected


def test_our_own_faults_say_so() -> None:
    @builtin("broken")
    def broken() -> None:
        raise KeyError("inside")

    with pytest.raises(EvalProblem, match="internal error: KeyError"):
        run("broken()", extra={"broken": broken})


def test_errors_of_builtins_keep_their_hint() -> None:
    @builtin("picky")
    def picky() -> None:
        raise EvalError("no", hint="yes")

    with pytest.raises(EvalProblem) as raised:
        run("picky()", extra={"picky": picky})
    assert raised.value.diagnostic.hint == "yes"


class _Refusing(Value):
    """A value that cannot be given a name: this happens when no evaluation is running any more."""

    def export(self, _path: str, _name: str) -> None:
        raise EvalError("this value cannot have a name", "bind it nowhere")


def test_an_error_is_a_problem_of_the_user_wherever_it_comes_from() -> None:
    """Inside an evaluation it gets its place; outside it is stated as it is, and is no bug of ours."""
    with pytest.raises(EvalProblem) as inside:
        run("fail('no')")
    assert type(inside.value) is EvalProblem
    assert inside.value.diagnostic.headline == "case.bzl:1:5: error: no"
    made = Module(compile_file(parse("x = v", "test.bzl", BZL), BZL, ["v"]), {"v": _Refusing()})
    with pytest.raises(BzlgraphError) as outside:
        made.run(Thread())
    assert outside.value.diagnostic.message == "this value cannot have a name"
    assert outside.value.diagnostic.hint == "bind it nowhere"


def test_a_field_named_like_a_method_of_dicts_is_called_as_it_is() -> None:
    code = """
one = struct(get = lambda key: [key], items = lambda: 1, append = lambda x, y: (x, y))
made = [one.get("a"), one.items(), one.append(1, 2), {"a": 1}.get("a"), {}.get("a", 2)]
"""
    assert run(code).globals["made"] == [["a"], 1, (1, 2), 1, 2]


def test_a_loop_that_ends_soon_pays_for_few_rounds() -> None:
    """``for _ in range(1000000)`` that breaks out is Starlark's ``while``: macros call one thousands of times."""
    rounds = "def f():\n    for _ in range({length}):\n        x = [1, 2, 3]\n        if x:\n            break\n"
    for length in (300, 5_000, 1_000_000):
        thread = Thread(budget=Budget(steps=2_000_000))
        module_of(rounds.format(length=length) + "[f() for _ in range(10000)]").run(thread)
