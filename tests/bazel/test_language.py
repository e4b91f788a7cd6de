"""What ``+`` did in old Bazels."""

from bzlgraph.bazel.files.environment import old_operators
from bzlgraph.starlark.values import Dict


def test_the_right_dictionary_wins():
    left, right = Dict({"a": 1, "b": 1}), Dict({"b": 2})
    assert old_operators("+", left, right) == {"a": 1, "b": 2}
    assert left == {"a": 1, "b": 1}


def test_nothing_else_is_added():
    assert old_operators("-", Dict(), Dict()) is NotImplemented
    assert old_operators("+", Dict(), 1) is NotImplemented
