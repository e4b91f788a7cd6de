"""struct.to_json and to_proto of old trees."""

from __future__ import annotations

import pytest

from tests.bazel.expressions import evaluate


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


def test_what_has_no_text_form() -> None:
    answer = evaluate("struct(a = {}).to_proto()", "4.2.3")
    assert answer == "error: Invalid text format, expected a struct, a string, a bool, or an int but got a dict"
