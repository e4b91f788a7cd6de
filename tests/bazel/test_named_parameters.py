"""Named arguments of built-in functions and methods: accepted by Bazel 0.19.1 to 0.29.0, by none from 1.0.0 on."""

from __future__ import annotations

import pytest

from tests.bazel.memory_workspace import EXPRESSION, package, problems

NAMED = {
    'range(3, step = 2)': "",
    'range(1, step = 2, stop_or_none = 5)[1:][0]': "",
    '"a".split(**{"sep": ","})': "",
    'len(*[], x = [1])': "",
    'getattr(name = "b", x = struct(a = 1), default = 1)': "",
    'sorted(self = [2, 1])': "",
    'Label(label_string = "//a:b")': "",
    'select(x = {"//conditions:default": 1})': "",
    '"a".find("a", end = 1)': "",
    '"a".split(maxsplit = 1)': "split() missing 1 required positional argument: sep",
    'len([1], x = [1])': "len() got named argument for positional-only parameter 'x'",
    '[1].index(sub = 1)': "index() got unexpected keyword argument 'sub'",
    'len(self = [1])': "len() got unexpected keyword argument 'self'",
}  # fmt: skip


@pytest.mark.parametrize("call", NAMED)
def test_names_of_the_parameters_of_built_in_functions(call: str) -> None:
    text = EXPRESSION.replace("{}", f"2\nC = [{call}]")
    assert problems(package(text, version="0.22.0")) == [each for each in [NAMED[call]] if each]
    assert problems(package(text, version="1.0.0")) != []


def test_functions_of_a_file_may_have_names_of_built_in_ones() -> None:
    joins = "2\ndef join(sep = 1, elements = 2):\n    return [sep, elements]\nS = struct(join = join)\nC = {}"
    text = EXPRESSION.replace("{}", joins.replace("{}", "(S.join(elements = 3) + join(elements = 3)).index(3)"))
    assert problems(package(text, version="0.29.0")) == []
