"""Comparing answers: each kind of fact gives its own cause; what means the same is no difference."""

from __future__ import annotations

from dataclasses import replace

from tests.differential.compare import Difference, compare
from tests.differential.explained import read_explanations
from tests.differential.facts import Attribute, Select, TargetFacts

DEFAULT = "//conditions:default"
LIB = TargetFacts(
    label="//a:lib",
    kind="cc_library rule",
    location="a/BUILD:3:1",
    attributes={"srcs": Attribute("label_list", ["//a:x.cc", "//a:y.cc"], True)},
    inputs=frozenset({"//a:x.cc", "//a:y.cc"}),
)


def causes(ours: TargetFacts | None) -> list[str]:
    return [difference.cause for difference in compare({LIB.label: LIB}, {ours.label: ours} if ours else {})]


def with_srcs(value: object, type_name: str = "label_list", explicit: bool = True) -> TargetFacts:
    return replace(LIB, attributes={"srcs": Attribute(type_name, value, explicit)})


def test_the_same_is_no_difference() -> None:
    assert causes(LIB) == []


def test_targets() -> None:
    assert causes(None) == ["target missing"]
    assert causes(replace(LIB, label="//a:other")) == ["target missing", "target too many"]
    assert causes(replace(LIB, kind="cc_binary rule")) == ["kind"]


def test_places() -> None:
    assert causes(replace(LIB, location="a/BUILD:4:1")) == ["line"]
    assert causes(replace(LIB, location="a/BUILD:3:11")) == ["column"]
    assert causes(replace(LIB, location="b/BUILD:3:1")) == ["file of location"]


def test_inputs_and_outputs() -> None:
    assert causes(replace(LIB, inputs=frozenset({"//a:x.cc", "//b:b"}))) == ["input missing", "input too many"]
    assert causes(replace(LIB, outputs=("//a:o",))) == ["outputs"]


def test_attributes() -> None:
    assert causes(with_srcs(["//a:x.cc"])) == ["value of attribute"]
    assert causes(with_srcs(["//a:y.cc", "//a:x.cc"])) == ["order in value"]
    assert causes(with_srcs(["//a:x.cc", "//a:y.cc"], "string_list")) == ["type of attribute"]
    assert causes(with_srcs(["//a:x.cc", "//a:y.cc"], explicit=False)) == ["explicit or default"]
    assert causes(replace(LIB, attributes={})) == ["attribute missing"]


def test_selects_are_equal_when_they_mean_the_same() -> None:
    plain = ((DEFAULT, ["//a:x.cc"]),), ((DEFAULT, ["//a:y.cc"]),), ((DEFAULT, []),)
    assert causes(with_srcs(Select(plain))) == []
    assert causes(with_srcs(Select(((("//:c", ["//a:x.cc"]), (DEFAULT, ["//a:y.cc"])),)))) == ["value of attribute"]


def test_every_explanation_is_complete() -> None:
    explanations = read_explanations()
    assert len({explanation.id for explanation in explanations}) == len(explanations)
    for explanation in explanations:
        assert explanation.patterns, f"{explanation.id} fits every difference"
        assert len(explanation.reason) > 40, f"{explanation.id} gives no reason"


def test_an_explanation_needs_all_its_fields() -> None:
    (explanation,) = (e for e in read_explanations() if e.id == "rule-implementation-hash")
    difference = Difference("attribute missing", "x rule", "~$rule_implementation_hash", "//:x", "...", "")
    assert explanation.fits(difference, "any", "0.19.1")
    assert not explanation.fits(replace(difference, cause="value of attribute"), "any", "0.19.1")
