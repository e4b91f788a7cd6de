"""An unknown value in every place that takes a value: no error, and a gap.

The places are enumerated, not chosen: every parameter of every function and method that a .bzl file can name, every
operator with a value of every type on either side, every attribute of every native rule.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.bazel.context.contexts import BzlContext
from bzlgraph.bazel.files.environment import bzl_environment
from bzlgraph.bazel.files.run_file import run_file
from bzlgraph.bazel.files.unknown import UnknownModule
from bzlgraph.bazel.rules.attr import KINDS
from bzlgraph.bazel.rules.native_rules import functions
from bzlgraph.bazel.values.depset import Depset
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.facts import Facts, for_version
from bzlgraph.facts.names import parameters
from bzlgraph.starlark import Module, Thread, compile_file
from bzlgraph.starlark.methods.dicts import DICT_METHODS
from bzlgraph.starlark.methods.lists import LIST_METHODS
from bzlgraph.starlark.methods.strings import STRING_METHODS
from bzlgraph.starlark.sets import SET_METHODS
from bzlgraph.syntax import BZL, parse
from tests.bazel.memory_workspace import package, problems

CASES = Path(__file__).parent.parent / "cases" / "bazel" / "unknown_uses.txt"
FACTS = for_version("", tolerant=True)
NOTHING = compile_file(parse("", "p/x.bzl", BZL), BZL, ())
LOAD = 'load("@absent//x:defs.bzl", "U")\n'
RECEIVERS = (
    ('"a b"', STRING_METHODS),
    ("[1, 2]", LIST_METHODS),
    ('{"a": 1}', DICT_METHODS),
    ("set([1])", SET_METHODS),
    ("depset([1])", Depset.methods),
    ('Label("//:a")', LabelValue.methods),
)
OPERATORS = ("+", "-", "*", "/", "//", "%", "|", "&", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "in", "not in")
OPERANDS = (
    "1 1.5 True None 'a' '%d-%s' [1] (1,) {'a':1} set([1]) range(3) depset([1]) struct(a=1) Label('//:a') len "
    "select({'//:a':[1]}) provider() (lambda:1) U"
).split()
MISUSES = ("partition", "rsplit", "split")
"""Methods whose first parameter Bazel wants although it has a default in Python."""


def _parameters(function: object, of_method: bool) -> list[inspect.Parameter]:
    found = inspect.signature(getattr(function, "func", function)).parameters
    return list(found.values())[1 if of_method else 0 :]


def _calls(name: str, parameters: list[inspect.Parameter]) -> Iterator[str]:
    """The calls that give an unknown value to each parameter, all that must be given included."""
    kinds = inspect.Parameter
    positional = [each for each in parameters if each.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)]
    needed = sum(each.default is kinds.empty for each in positional) or (name.endswith(MISUSES) and 1)
    must = [each.name for each in parameters if each.kind is kinds.KEYWORD_ONLY and each.default is kinds.empty]
    for count in range(needed, len(positional) + 1) if positional else ():
        yield f"{name}({', '.join(['U'] * count + [f'{each} = U' for each in must])})"
    given = ["U"] * (needed or name in ("max", "min"))
    for each in parameters:
        if each.kind is kinds.KEYWORD_ONLY:
            named = [f"{other} = U" for other in dict.fromkeys([*must, each.name])]
            yield f"{name}({', '.join([*given, *named])})"
        elif each.kind is kinds.VAR_POSITIONAL:
            yield from (f"{name}(U)", f"{name}(*U)", f"{name}(U, U)")
        elif each.kind is kinds.VAR_KEYWORD:
            yield f"{name}({', '.join([*given, '**U'])})"


def _functions() -> Iterator[str]:
    for name, value in bzl_environment(FACTS).items():
        if getattr(value, "name", None) == name and callable(value) and name not in ("fail", "struct"):
            yield from _calls(name, _parameters(value, False))
    for receiver, methods in RECEIVERS:
        for name, function in methods.items():
            yield from _calls(f"{receiver}.{name}", _parameters(function, True))


def _attributes() -> Iterator[str]:
    for name in KINDS:
        for argument in parameters(f"attr.{name}", "", tolerant=True):
            yield f"attr.{name}({argument} = U)"
            yield f"attr.{name}({argument} = U.x('//:a') + U)"
        if name.endswith("dict"):
            yield f"attr.{name}(default = {{'a': U}})"
            yield f"attr.{name}(default = {{U: 'a'}})"
        elif name.endswith("list"):
            yield f"attr.{name}(default = [U])"
            yield f"attr.{name}(default = [] + U)"


def _operations() -> Iterator[str]:
    for operator in OPERATORS:
        for operand in OPERANDS:
            yield f"U {operator} {operand}"
            yield f"{operand} {operator} U"


def _evaluate(expression: str, facts: Facts) -> str | None:
    """What goes wrong with the expression in a .bzl file; None when nothing does."""
    names = {**bzl_environment(facts), "U": UnknownModule("@absent//x:defs.bzl")["U"]}
    context = BzlContext("", "p", facts=facts, path="p/x.bzl")
    context.loaded["p/x.bzl"] = context
    try:
        module = Module(compile_file(parse(f"value = {expression}\n", "p/x.bzl", BZL), BZL, names), names)
        run_file(module, Thread(lambda _text, _where: None, host=context), context, lambda _at: NOTHING)
    except BzlgraphError as error:
        return f"{expression}: {error.diagnostic.message}"
    return None if "value" in module.globals else f"{expression}: no value"


@pytest.mark.parametrize("enumerated", [_functions, _attributes, _operations], ids=lambda each: each.__name__)
def test_no_place_refuses_it(enumerated: object) -> None:
    expressions = list(dict.fromkeys(enumerated()))  # type: ignore[operator]
    assert len(expressions) > 100
    assert [problem for each in expressions if (problem := _evaluate(each, FACTS))] == []


def test_no_expression_refuses_it() -> None:
    expressions = [line for line in CASES.read_text().splitlines() if line and not line.startswith("#")]
    assert [problem for each in expressions if (problem := _evaluate(each, FACTS))] == []


FORMS = ("U", "U('x', [':y', '//z'])", "U.x[0]", "[U]", "[':a'] + U", "{'a': U}", "{'a': 'b'} | U", "'a' + U")
"""What macros give to attributes; Bazel would refuse some types for some attributes, never what is unknown."""
OPAQUE = FORMS[:3]


@pytest.mark.parametrize("version", ["", "4.2.3", "7.7.1"])
def test_no_attribute_refuses_it(version: str) -> None:
    facts = for_version(version)
    lines = [LOAD]
    for rule in sorted(functions(facts).keys() - facts.absent_names("build")):
        fact = facts.rule(rule)
        assert fact is not None
        for at, attribute in enumerate(each.name for each in fact.attributes if each.name[0] not in "$:"):
            if attribute != "name" and not attribute.startswith("generator_"):
                lines.append(f"{rule}(name = 'x{at}_{rule}', {attribute} = {OPAQUE[at % len(OPAQUE)]})\n")
    made = package("--- BUILD\n" + "".join(lines), version=version)
    assert [each for each in problems(made) if "missing value for mandatory" not in each] == []
    assert len(list(made.rules())) > 1000
