"""What ``+`` and ``join()`` did in old Bazels."""

import pytest

from bzlgraph.bazel.files.environment import old_operators
from bzlgraph.starlark.values import Dict
from tests.bazel.expressions import evaluate


def test_the_right_dictionary_wins():
    left, right = Dict({"a": 1, "b": 1}), Dict({"b": 2})
    assert old_operators("+", left, right) == {"a": 1, "b": 2}
    assert left == {"a": 1, "b": 1}


def test_nothing_else_is_added():
    assert old_operators("-", Dict(), Dict()) is NotImplemented
    assert old_operators("+", Dict(), 1) is NotImplemented


@pytest.mark.parametrize("version", ["0.19.1", "0.26.1"])
def test_join_writes_what_is_no_string(version):
    assert evaluate('"_".join(["a", True, 1, None, [2], ("t",)])', version) == '= "a_true_1_None_[2]_(\\"t\\",)"'
    assert evaluate('"".join(["a", False])', version) == '= "afalse"'


def test_join_wants_strings_since_0_27():
    assert evaluate('"_".join(["a", True])', "0.27.0") == "error: expected string for sequence element 1, got 'bool'"


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        ("json.indent('[1, [], {\"a\": null}]')", r'= "[\n\t1,\n\t[],\n\t{\n\t\t\"a\": null\n\t}\n]"'),
        ("json.encode_indent([1], prefix = 'p', indent = 'i')", r'= "[\npi1\np]"'),
        ("json.indent('[1]] x')", r'= "[\n\t1\n]"'),
        ("json.indent('true')", '= "true"'),
        ("json.encode_indent(1)", "error: input is not valid JSON"),
        ("json.encode_indent(1.5)", "error: input is not valid JSON"),
        ("json.indent('x [1]')", 'error: unexpected character "x"'),
        ("json.indent('[1,')", "error: unexpected end of file"),
        ("json.encode_indent([1], indent = 1)", "error: in call to encode_indent(), parameter 'indent' got value of"),
    ],
)
def test_json_is_indented_as_it_is_written(call: str, answer: str) -> None:
    """Bazels 4.2.3 and 7.7.1 were asked: what follows the first value is not looked at, and no number is alone."""
    assert evaluate(call, "7.7.1").startswith(answer)
