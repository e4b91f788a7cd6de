"""Values with conditions, walked: parts, branches inside branches, what the whole may be."""

from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import (
    alternatives,
    branches,
    condition_labels,
    is_conditional,
    joined,
    labels_in,
    map_plain,
    parts,
    selectors,
)
from bzlgraph.bazel.model import Condition, Selector, SelectorList

FAST, CALL = Condition(Label("", "", "fast")), Condition(None, "if_cuda([...])")
INSIDE = SelectorList((["x"], Selector(((CALL, [Label("", "c", "c")]),))))
SELECT = Selector(((FAST, INSIDE), (Condition(Label("", "", "slow")), None)))
VALUE = SelectorList((["a"], SELECT))


def test_parts_and_selectors_are_those_of_the_outermost_level():
    assert parts(VALUE) == (["a"], SELECT)
    assert parts(SELECT) == (SELECT,)
    assert parts(["a"]) == (["a"],)
    assert list(selectors(VALUE)) == [SELECT]
    assert (is_conditional(SELECT), is_conditional(["a"])) == (True, False)


def test_branches_inside_of_branches_have_both_conditions():
    assert [(tuple(map(str, keys)), plain) for keys, plain in branches(VALUE)] == [
        ((), ["a"]),
        (("//:fast",), ["x"]),
        (("//:fast", "if_cuda([...])"), [Label("", "c", "c")]),
        (("//:slow",), None),
    ]
    assert list(condition_labels(VALUE)) == [Label("", "", "fast"), Label("", "", "slow")]


def test_map_plain_keeps_the_selects():
    assert map_plain(VALUE, lambda plain: plain and len(plain)) == SelectorList(
        (1, Selector(((FAST, SelectorList((1, Selector(((CALL, 1),))))), (SELECT.branches[1][0], None))))
    )


def test_alternatives_are_all_combinations_with_the_default_for_none():
    assert list(alternatives(VALUE, default=["d"])) == [["a", "x", Label("", "c", "c")], ["a", "d"]]
    assert list(alternatives("plain")) == ["plain"]
    many = SelectorList((SELECT,) * 20)
    assert len(list(alternatives(many, most=7))) == 7


def test_joined_adds_what_can_be_added():
    assert joined([None, ["a"], None, ["b"]]) == ["a", "b"]
    assert joined(["a", "b"]) == "ab"
    assert joined([{"a": 1, "b": 1}, {"b": 2}]) == {"a": 1, "b": 2}
    assert joined([1, None, 2]) == 3
    assert joined([]) is None


def test_labels_are_found_in_lists_dictionaries_and_branches():
    label = Label("", "p", "n")
    assert list(labels_in([{label: "x"}, SELECT, (label,)])) == [label, Label("", "c", "c"), label]
