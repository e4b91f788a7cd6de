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
