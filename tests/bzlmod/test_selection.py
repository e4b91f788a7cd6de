"""Which versions hold: https://bazel.build/external/module#version-selection. Messages are Bazel 7.7.1's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bzlgraph.bzlmod.module import MultipleVersionOverride, RepositoryOverride, SingleVersionOverride
from bzlgraph.bzlmod.resolution import Reason
from bzlgraph.facts.modules import module_facts
from tests.bzlmod.graphs import FACTS, chosen, key, problems, resolved

DIAMOND = {"": "a@1 b@1", "a@1": "c@1", "b@1": "c@2", "c@1": "d@1", "c@2": "e@1", "d@1": "", "e@1": ""}


def test_the_highest_version_holds_and_what_only_lower_ones_need_is_unused() -> None:
    modules = resolved(DIAMOND)
    assert chosen(modules) == "a@1 b@1 c@2 e@1"
    assert list(map(str, modules.unused)) == ["c@1", "d@1"]
    edge = modules.modules[key("a@1")].edges[0]
    assert (edge.target, edge.reason) == (key("c@2"), Reason.SELECTED)
    assert [str(asker) for asker, _ in modules.requesters(key("c@2"))] == ["a@1", "b@1"]
    assert [str(asker) for asker, _ in modules.asking(key("c@1"))] == ["a@1"]


def test_the_root_is_told_that_it_gets_another_version() -> None:
    modules = resolved({"": "a@1 c@1", "a@1": "c@2", "c@1": "", "c@2": ""})
    assert [each.message for each in modules.warnings] == [
        "For repository 'c', the root module requires module version c@1, but got c@2 in the resolved dependency graph."
    ]


def test_cycles_and_the_root_itself_are_no_trouble() -> None:
    modules = resolved({"": "a@1", "a@1": "b@1 root@9", "b@1": "a@1"})
    assert chosen(modules) == "a@1 b@1"
    assert modules.modules[key("a@1")].dependencies == {"b": key("b@1"), "root": key("")}


def test_two_levels_of_one_module_are_an_error() -> None:
    modules = resolved({"": "a@1 b@1", "a@1": "c@1", "b@1": "c@2", "c@1:1": "", "c@2:2": ""})
    (problem,) = modules.problems
    assert problem.message == (
        "b@1 depends on c@2 with compatibility level 2, but a@1 depends on c@1 with compatibility level 1 which is "
        "different"
    )
    assert chosen(modules) == "a@1 b@1 c@1 c@2", "the best that is left is shown"


def test_max_compatibility_level_moves_up() -> None:
    graph = {"": "a@1 b@1", "a@1": "c@1<2", "b@1": "c@2", "c@1:1": "", "c@2:2": ""}
    assert chosen(resolved(graph)) == "a@1 b@1 c@2"
    assert not resolved(graph).problems
    assert problems(resolved({**graph, "c@2:3": "", "b@1": "c@2"}))


def test_newer_bazels_do_not_ask_for_levels() -> None:
    graph = {"": "a@1 b@1", "a@1": "c@1", "b@1": "c@2", "c@1:1": "", "c@2:2": ""}
    modules = resolved(graph, facts=replace(FACTS, compatibility_levels=False))
    assert (chosen(modules), problems(modules)) == ("a@1 b@1 c@2", [])


@pytest.mark.parametrize(("version", "asks"), [("7.7.1", True), ("8.5.1", True), ("8.6.0", False), ("9.0.0", False)])
def test_which_bazels_ask_for_levels(version: str, asks: bool) -> None:
    """Lock files that 9.0.0 to 9.0.2 wrote choose the highest version that any module or Bazel itself asks for."""
    assert module_facts(version).compatibility_levels is asks


def test_the_level_of_a_file_that_is_missing_is_that_of_its_neighbour() -> None:
    graph = {"": "a@1 b@1", "a@1": "c@1", "b@1": "c@2", "c@2:2": ""}
    modules = resolved(graph)
    assert chosen(modules) == "a@1 b@1 c@2"
    assert problems(modules) == ["in module dependency chain <root> -> a@1 -> c@1: module not found"]


def test_hundreds_of_choices_end() -> None:
    many = [f"m{number}" for number in range(40)]
    graph = {
        "": " ".join(f"{name}@1<9 x{name}@1" for name in many),
        **{f"{name}@1:1": "" for name in many},
        **{f"{name}@2:2": "" for name in many},
        **{f"x{name}@1": f"{name}@2" for name in many},
    }
    assert problems(resolved(graph))


class TestOverrides:
    def test_a_single_version_is_pinned_lower_or_higher_and_over_levels(self) -> None:
        graph = {**DIAMOND, "c@3:3": "", "c@2:2": ""}
        for version in "1", "2", "3":
            modules = resolved(graph, SingleVersionOverride("c", version))
            assert f"c@{version}" in chosen(modules).split()
            assert not modules.problems
            reasons = {edge.reason for asker, edge in modules.requesters(key(f"c@{version}"))}
            assert Reason.SINGLE_VERSION in reasons

    def test_without_a_version_it_changes_nothing(self) -> None:
        assert chosen(resolved(DIAMOND, SingleVersionOverride("c", "", patches=("//:p",)))) == "a@1 b@1 c@2 e@1"

    def test_several_versions_stand_side_by_side(self) -> None:
        modules = resolved(DIAMOND, MultipleVersionOverride("c", ("1", "2")))
        assert chosen(modules) == "a@1 b@1 c@1 c@2 d@1 e@1"
        assert modules.modules[key("c@1")].canonical == "c~v1"
        assert modules.modules[key("a@1")].canonical == "a~"

    def test_a_request_goes_to_the_nearest_allowed_version_above(self) -> None:
        graph = {
            "": "a@1 b@1 d@1",
            "a@1": "c@1",
            "b@1": "c@1.5",
            "d@1": "c@2",
            **dict.fromkeys(("c@1", "c@1.5", "c@2"), ""),
        }
        modules = resolved(graph, MultipleVersionOverride("c", ("1.5", "2")))
        assert chosen(modules) == "a@1 b@1 d@1 c@1.5 c@2"
        assert next(iter(modules.modules[key("a@1")].edges)).reason is Reason.MULTIPLE_VERSION

    def test_no_version_above_is_an_error(self) -> None:
        graph = {**DIAMOND, "": "a@1 b@1 f@1", "f@1": "c@3", "c@3": ""}
        assert problems(resolved(graph, MultipleVersionOverride("c", ("1", "2")))) == [
            "f@1 depends on c@3 which is not allowed by the multiple_version_override on c, which allows only [1, 2]"
        ]

    def test_an_allowed_version_that_nobody_asks_for_is_an_error(self) -> None:
        assert problems(resolved(DIAMOND, MultipleVersionOverride("c", ("1", "2", "7"))))[0] == (
            "multiple_version_override for module c contains version 7, but it doesn't exist in the dependency graph"
        )

    def test_one_version_under_two_names_is_an_error(self) -> None:
        graph = {"": "c@1=one c@2=two", "c@1": "", "c@2": ""}
        assert "<root> depends on c@2 at least twice (with repo names two and one)" in problems(resolved(graph))[0]
        assert not resolved(graph, MultipleVersionOverride("c", ("1", "2"))).problems

    def test_files_from_elsewhere_have_no_version(self) -> None:
        graph = {**DIAMOND, "c@": "f@1", "f@1": ""}
        modules = resolved(graph, RepositoryOverride("c", "local_path_override", {"path": "c"}))
        assert chosen(modules) == "a@1 b@1 c@_ f@1"
        assert modules.modules[key("c@")].canonical == "c~"
        assert {edge.reason for _, edge in modules.requesters(key("c@"))} == {Reason.LOCAL_PATH}

    def test_the_root_cannot_be_overridden(self) -> None:
        assert problems(resolved(DIAMOND, SingleVersionOverride("root", "1"))) == [
            "invalid override for the root module found: root"
        ]


class TestWishes:
    def test_alone_it_asks_for_nothing(self) -> None:
        assert chosen(resolved({"": "?a@1", "a@1": "b@1", "b@1": ""})) == ""

    @pytest.mark.parametrize(("wish", "holds"), [("1.3", "1.3"), ("1.0", "1.1")])
    def test_it_raises_the_version_of_what_is_there(self, wish: str, holds: str) -> None:
        graph = {"": f"?c@{wish} a@1", "a@1": "c@1.1", "c@1.0": "", "c@1.1": "", "c@1.3": ""}
        modules = resolved(graph)
        assert chosen(modules) == f"a@1 c@{holds}"
        assert "c" not in modules.module_mapping(key(""))

    def test_what_it_brings_can_grant_another(self) -> None:
        graph = {"": "?d@2 ?c@2 a@1", "a@1": "c@1", "c@1": "", "c@2": "d@1", "d@1": "", "d@2": ""}
        assert chosen(resolved(graph)) == "a@1 c@2 d@2"


def test_dev_dependencies_count_in_the_root_only() -> None:
    graph = {"": "a@1 !b@1", "a@1": "!c@1", "b@1": "", "c@1": ""}
    assert chosen(resolved(graph)) == "a@1 b@1"
    assert chosen(resolved(graph, ignore_dev=True)) == "a@1"
