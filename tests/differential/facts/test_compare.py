"""Comparing answers: each kind of fact gives its own cause; what means the same is no difference."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.differential.explained import GENERATED, Explanation, read_explanations
from tests.differential.facts.compare import LISTED, Difference, compare
from tests.differential.facts.records import Attribute, Select, TargetFacts
from tests.differential.trees import read_table

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


def test_a_place_in_a_list_that_names_the_file() -> None:
    """Only inside the call of a rule that names it: the next rule of the file begins the next call."""
    file = TargetFacts("//a:x.cc", "source file", "a/BUILD:4:12")
    other = TargetFacts("//a:other", "cc_library rule", "a/BUILD:7:1")
    theirs = {LIB.label: LIB, other.label: other, file.label: file}
    for place, cause in (("4:12", LISTED), ("6:1", LISTED), ("8:12", "line"), ("2:1", "line")):
        moved = {**theirs, file.label: replace(file, location=f"a/BUILD:{place}")}
        ours = {**theirs, file.label: replace(file, location="a/BUILD:3:1")}
        assert [each.cause for each in compare(moved, ours)] == [cause], place


def test_digests_and_the_order_of_hash_tables_are_not_compared() -> None:
    digest = {"$rule_implementation_hash": Attribute("string", "0ab", False)}
    assert causes(replace(LIB, attributes={**LIB.attributes, **digest})) == []
    suite = replace(LIB, attributes={"$implicit_tests": Attribute("label_list", ["//a:x", "//a:y"], False)})
    for tests, expected in ((["//a:y", "//a:x", "//a:x"], []), (["//a:y"], ["value of attribute"])):
        ours = replace(suite, attributes={"$implicit_tests": Attribute("label_list", tests, False)})
        assert [each.cause for each in compare({LIB.label: suite}, {LIB.label: ours})] == expected


# ------------------------------------------------------------------------------------------------ explained.toml
ENTRY = """
id = "why"
reason = "because"
workspace = ["tree", "workspaces/*"]
bazel = ["1.2.0", "4.2.3"]
cause = "line"
subject = "source file"
"""


def explanation(tmp_path: Path, text: str = ENTRY) -> Explanation:
    path = tmp_path / "explained.toml"
    path.write_text(f"[[difference]]\n{text}", encoding="utf-8")
    (entry,) = read_explanations(path)
    return entry


def test_every_explanation_has_a_name_and_a_reason() -> None:
    explanations = read_explanations()
    assert len({each.id for each in explanations}) == len(explanations)
    assert all(len(each.reason) > 25 for each in explanations)


def test_every_explanation_is_about_rows_of_the_table() -> None:
    rows = {(each.name, version) for each in read_table(None, fetch=False) for version in each.versions}
    rows |= {(GENERATED, version) for _, version in rows}
    for each in read_explanations():
        mine = [row for row in rows if each.concerns(*row)]
        assert {bazel for _, bazel in mine} == set(each.bazels), each.id
        for name in each.workspaces:
            assert any(row[0] == name or name == "workspaces/*" for row in mine), f"{each.id}: {name}"


def test_an_explanation_needs_all_its_fields(tmp_path: Path) -> None:
    entry = explanation(tmp_path)
    difference = Difference("line", "source file", "", "//:x", "BUILD:1", "BUILD:2")
    assert entry.fits(difference, "tree", "1.2.0")
    assert entry.fits(difference, "workspaces/globs", "4.2.3")
    assert not entry.fits(replace(difference, cause="column"), "tree", "1.2.0")
    assert not entry.fits(difference, "another", "1.2.0")
    assert not entry.fits(difference, "tree", "7.7.1")


def test_an_explanation_may_ask_for_a_gap_of_ours(tmp_path: Path) -> None:
    entry = explanation(tmp_path, f"{ENTRY}\ngap = true")
    difference = Difference("line", "source file", "", "//:x", "BUILD:1", "BUILD:2")
    assert not entry.fits(difference, "tree", "1.2.0")
    assert entry.fits(replace(difference, gap=True), "tree", "1.2.0")


def test_an_explanation_may_ask_for_an_error_of_ours(tmp_path: Path) -> None:
    entry = explanation(tmp_path, f"{ENTRY}\nsaid = '.*cannot load .*'")
    difference = Difference("line", "source file", "", "//:x", "BUILD:1", "BUILD:2")
    assert not entry.fits(difference, "tree", "1.2.0")
    assert not entry.fits(replace(difference, said="name 'x' is not defined"), "tree", "1.2.0")
    assert entry.fits(replace(difference, said="no\ncannot load '@x//:y.bzl': gone"), "tree", "1.2.0")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (ENTRY.replace('workspace = ["tree", "workspaces/*"]', ""), "`workspace` and `bazel` are lists"),
        (ENTRY.replace('["1.2.0", "4.2.3"]', '".*"'), "`workspace` and `bazel` are lists"),
        (ENTRY.replace('subject = "source file"', ""), "one of `subject`, `what`, `label`, `said` must be given"),
        (ENTRY.replace('"source file"', '".*"'), "`subject` fits everything"),
        (f'{ENTRY}\nlabels = "//:x"', "unknown key labels"),
    ],
)
def test_an_explanation_without_a_scope_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        explanation(tmp_path, text)


def test_what_is_not_needed(tmp_path: Path) -> None:
    """Each workspace and each Bazel must have needed it; one whose rows were not all compared is not judged."""
    entry = explanation(tmp_path)
    rows = [("tree", "1.2.0"), ("tree", "4.2.3"), ("workspaces/globs", "4.2.3"), ("other", "1.2.0")]
    everywhere = dict.fromkeys(rows, ("why",))
    assert list(entry.not_needed(rows, everywhere)) == []
    assert list(entry.not_needed(rows, dict.fromkeys(rows, ()))) == ["tree", "workspaces/*", "1.2.0", "4.2.3"]
    assert list(entry.not_needed(rows, {rows[0]: ["why"], rows[1]: (), rows[2]: ()})) == ["workspaces/*", "4.2.3"]
    assert list(entry.not_needed(rows, {rows[1]: ["why"]})) == []
    assert list(entry.not_needed(rows[2:], everywhere)) == ["tree", "1.2.0"]
