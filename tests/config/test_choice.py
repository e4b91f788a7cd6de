"""Which branch is taken, given what is known of the conditions."""

from __future__ import annotations

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Condition
from bzlgraph.config.choice import Choice, choose
from bzlgraph.config.verdict import Truth, Verdict
from bzlgraph.facts import for_version
from bzlgraph.graph.model import DEFAULT_CONDITION

YES, NO, UNKNOWN = Truth.YES, Truth.NO, Truth.UNKNOWN


def taken(
    *conditions: tuple[Truth, str], default: bool = True, values: list[object] | None = None, version: str = "7.7.1"
) -> Choice:
    """A select() whose conditions have these truths and ask for these letters."""
    keys = [Condition(Label("", "c", f"k{place}")) for place in range(len(conditions))]
    known = {
        key.label: Verdict(truth, (), key.label, frozenset((letter, "1") for letter in letters))
        for key, (truth, letters) in zip(keys, conditions, strict=True)
    }
    keys += [Condition(DEFAULT_CONDITION)] if default else []
    return choose(keys, lambda label: known[label], for_version(version), values=values)


@pytest.mark.parametrize(
    ("conditions", "truths"),
    [
        ([(NO, "a")], (NO, YES)),
        ([(YES, "a")], (YES, NO)),
        ([(UNKNOWN, "a")], (UNKNOWN, UNKNOWN)),
        ([(YES, "a"), (YES, "ab")], (NO, YES, NO)),
        ([(YES, "ab"), (YES, "a"), (YES, "b")], (YES, NO, NO, NO)),
        ([(YES, "a"), (UNKNOWN, "ab")], (UNKNOWN, UNKNOWN, NO)),
        ([(YES, "ab"), (UNKNOWN, "a")], (YES, NO, NO)),
        ([(YES, "a"), (UNKNOWN, "b")], (YES, UNKNOWN, NO)),
        ([], (YES,)),
    ],
)
def test_the_most_special_that_holds(conditions: list[tuple[Truth, str]], truths: tuple[Truth, ...]) -> None:
    found = taken(*conditions)
    assert found.truths == truths
    assert not found.error


def test_two_that_hold_clash_unless_their_values_are_equal() -> None:
    pair = (YES, "a"), (YES, "b")
    assert "ambiguous" in taken(*pair).error
    assert "ambiguous" in taken(*pair, values=["x", "y", "z"]).error
    assert not taken(*pair, values=["x", "x", "z"]).error
    assert "ambiguous" in taken(*pair, values=["x", "x", "z"], version="4.2.3").error
    assert not taken(*pair, values=[[], None, ["z"]]).error
    assert "ambiguous" in taken(*pair, values=[["x"], None, ["z"]]).error


def test_old_bazels_take_the_last_of_several_keys_for_one_setting() -> None:
    keys = [Condition(Label("", "c", name)) for name in ("setting", "alias")]
    verdict = Verdict(YES, (), keys[0].label, frozenset({("a", "1")}))
    old, new = (choose(keys, lambda _: verdict, for_version(version)) for version in ("1.1.0", "1.2.0"))
    assert (old.truths, old.error) == ((NO, YES), "")
    assert "ambiguous" in new.error


def test_no_branch() -> None:
    assert "no condition holds" in taken((NO, "a"), default=False).error
    assert not taken((UNKNOWN, "a"), default=False).error, "it may hold"


def test_a_call_nobody_can_evaluate_is_unknown() -> None:
    found = choose([Condition(None, "if_cuda(...)")], lambda label: Verdict(NO), for_version())
    assert found.truths == (UNKNOWN,)
    assert found.verdicts[0].why == "if_cuda(...) cannot be evaluated"


def test_the_later_of_two_keys_that_are_one_label_counts() -> None:
    keys = [Condition(Label("", "c", name)) for name in ("a", "b", "a")]
    for truth, truths in ((YES, (NO, NO, YES, NO)), (NO, (NO, NO, NO, YES))):
        verdicts = {key.label: Verdict(truth if str(key) == "//c:a" else NO, (), key.label) for key in keys}
        found = choose([*keys, Condition(DEFAULT_CONDITION)], verdicts.__getitem__, for_version("7.7.1"))
        assert found.truths == truths
        assert not found.error
