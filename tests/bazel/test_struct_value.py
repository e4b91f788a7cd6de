"""struct.to_json and to_proto of old trees."""

from __future__ import annotations

import pytest

from tests.bazel.expressions import evaluate
from tests.bazel.memory_workspace import package, problems, rule


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ('struct(b = 1, a = ["x", True]).to_json()', '"{\\"a\\":[\\"x\\",true],\\"b\\":1}"'),
        ('struct(a = struct(b = "x"), c = [1, 2]).to_proto()', r'"a {\n  b: \"x\"\n}\nc: 1\nc: 2\n"'),
        ("struct(a = True, b = None).to_proto()", r'"a: true\n"'),
        ("struct(to_json = 1).to_json", "1"),
        ("(struct(a = 1) + struct(b = 2)).to_json()", '"{\\"a\\":1,\\"b\\":2}"'),
        ("type(struct()) + str(struct(a = 1) == struct(a = 1))", '"structTrue"'),
    ],
)
def test_values(expression: str, value: str) -> None:
    assert evaluate(expression, "4.2.3") == f"= {value}"


@pytest.mark.parametrize("value", ["struct(b = 1)", 'provider(fields = ["b"])(b = 1)'])
def test_the_methods_are_listed_where_structs_have_them(value: str) -> None:
    """As Bazel 0.19.1, 4.2.3 and 7.7.1 do; gone from Bazel 8 with --incompatible_struct_has_no_methods."""
    for version in ("0.19.1", "4.2.3", "7.7.1"):
        assert evaluate(f"dir({value})", version) == '= ["b", "to_json", "to_proto"]'
        assert evaluate(f"hasattr({value}, 'to_json')", version) == "= True"
    assert evaluate(f"dir({value})", "8.7.0") == '= ["b"]'


TEXTS = [
    ('struct(f = "a\\"b\\\\c\\nd\\te", n = 1.5)', r'"f: \"a\\\"b\\\\c\\nd\te\"\nn: 1.5\n"'),
    ("struct(e = struct(), l = [], t = (1, 2), n = None)", r'"e {\n}\nt: 1\nt: 2\n"'),
    ("struct(d = {4: 3, 2: True})", r'"d {\n  key: 4\n  value: 3\n}\nd {\n  key: 2\n  value: true\n}\n"'),
    ('struct(d = {"a": struct(x = [1])})', r'"d {\n  key: \"a\"\n  value {\n    x: 1\n  }\n}\n"'),
]
REFUSED = [
    ("struct(a = struct(b = depset()))", "in struct field .a: in struct field .b: got depset"),
    ("struct(a = [[1]])", "in struct field .a: at list index 0: got list"),
    ("struct(a = [None])", "in struct field .a: at list index 0: got NoneType"),
    ('struct(a = {"k": None})', 'in struct field .a: in value for dict key "k": got NoneType'),
]


@pytest.mark.parametrize(("value", "text"), TEXTS)
@pytest.mark.parametrize("call", ["{}.to_proto()", "proto.encode_text({})"])
def test_the_text_of_a_message(call: str, value: str, text: str) -> None:
    """As Bazel 4.2.3 and 7.7.1 print them."""
    assert evaluate(call.format(value), "7.7.1") == f"= {text}"


@pytest.mark.parametrize(("value", "message"), REFUSED)
def test_what_has_no_text_form(value: str, message: str) -> None:
    answer = evaluate(f"proto.encode_text({value})", "7.7.1")
    assert answer == f"error: {message}, want string, int, float, bool, or struct"


def test_keys_and_arguments_of_other_types() -> None:
    answer = evaluate("proto.encode_text(struct(f = {(1,): 1}))", "7.7.1")
    assert answer == "error: in struct field .f: invalid dict key: got tuple, want int or string"
    answer = evaluate("proto.encode_text({})", "7.7.1")
    assert answer == "error: in call to encode_text(), parameter 'x' got value of type 'dict', want 'structure'"


def test_a_message_is_no_deeper_than_can_be_read() -> None:
    loop = "for _ in range(9999):\n        s = struct(a = s)\n"
    text = f"def f():\n    s = struct()\n    {loop}    return s.to_proto()\nx = f()"
    made = package(f'--- a.bzl\n{text}\n--- BUILD\nload("//:a.bzl", "x")\n')
    assert problems(made)[0].endswith("in struct field .a: the value is nested too deeply to be encoded as text")


def test_a_message_is_a_plain_string_in_an_attribute() -> None:
    call = "proto.encode_text(s)"
    made = package(
        f"--- a.bzl\ns = struct(a = 1)\nt = {call}\n--- BUILD\n"
        f'load("//:a.bzl", "s", "t")\ngenrule(name = "g", outs = ["o"], cmd = t + {call})\n'
    )
    assert problems(made) == []
    assert rule(made, "g").get("cmd") == "a: 1\na: 1\n"
