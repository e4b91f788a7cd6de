"""A graph of packages whose targets were not read is the graph of the packages themselves, number by number."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bzlgraph.base.label import parse
from bzlgraph.bazel.model import Aspect, Attribute, AttrType, Package, Rule, RuleClass
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.stored import StoredTargets
from bzlgraph.loading.codec import Decoder, Encoder
from bzlgraph.loading.loader import open_loader
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace
from tests.graph.tree import Tree

ROOT = Path(__file__).parents[2]
TREES = (
    "examples/mini_tensorflow",
    *(f"tests/workspaces/{name}" for name in ("macros", "selects", "broken", "rule_attributes")),
)


def stored(packages: list[Package]) -> list[Package]:
    encoder, decoder = Encoder(), Decoder()
    return [decoder.package(encoder.encode(each)) for each in packages]


def unread(package: Package) -> bool:
    assert isinstance(package.targets, StoredTargets)
    return package.targets._targets is None


def told(graph: BuildGraph) -> list[object]:
    columns = graph.columns
    numbers = (columns.first_edge, columns.edge_count, columns.edge_source, columns.edge_target)
    more = (columns.edge_attribute, columns.edge_condition, columns.edge_flags)
    return [columns.labels, columns.kinds, *numbers, *more, [*columns.attributes], [*columns.conditions]]


@pytest.fixture(params=TREES)
def packages(request: pytest.FixtureRequest) -> list[Package]:
    loader = open_loader(open_workspace(ROOT / request.param, Options(jobs=1)))
    return [package for name in loader.packages_below("", "") if (package := loader.find("", name)) is not None]


def test_the_columns_are_the_same_and_no_target_is_read(packages: list[Package]) -> None:
    own, again = BuildGraph(), BuildGraph()
    for each in packages:
        own.add(each)
    kept = stored(packages)
    for each in kept:
        again.add(each)
    assert len(own.columns.edge_target) > 0
    assert told(again) == told(own)
    assert all(map(unread, kept))


def test_names_kinds_classes_and_calls_are_known_without_reading_a_target(packages: list[Package]) -> None:
    graph, fresh = BuildGraph(), BuildGraph()
    for package, kept in zip(packages, stored(packages), strict=True):
        graph.add(kept)
        fresh.add(package)
        assert (list(kept.targets), len(kept.targets)) == (list(package.targets), len(package.targets))
        assert all(name in kept.targets for name in package.targets)
        assert "no such target" not in kept.targets
        for target in package.targets.values():
            node = graph.node(target.label)
            assert graph.kind_words(node) == fresh.kind_words(fresh.node(target.label)) == target.kind
            assert graph.making(node) == fresh.making(fresh.node(target.label))
            known = graph.rule_class(node)
            assert (known and known.name) == (target.rule_class.name if isinstance(target, Rule) else None)
        assert unread(kept)


def test_where_rules_of_other_packages_decide_on_edges_they_are_asked() -> None:
    """An aspect is applied to those that advertise what it requires: the package alone does not tell."""
    tool = Attribute("_tool", AttrType.LABEL, parse("//tools:t", "", ""))
    aspect = Aspect("a", {"_tool": tool}, ("deps",), required_providers=(("Wanted",),))
    deps = Attribute("deps", AttrType.LABEL_LIST, [], aspects=(aspect,))
    classes: dict[bool, RuleClass] = {
        advertises: RuleClass("r", {"deps": deps}, parse("//:r.bzl", "", ""), provides=("Wanted",) * advertises)
        for advertises in (False, True)
    }
    for advertises, reached in ((True, {"//b:low", "//tools:t"}), (False, {"//b:low"})):
        tree = Tree()
        top, low = tree.rule("//a:top", deps=["//b:low"]), tree.rule("//b:low")
        top.rule_class, low.rule_class = classes[False], classes[advertises]
        [package] = stored([tree.package_of(top.label)])
        assert isinstance(package.targets, StoredTargets)
        assert package.targets.edges() is None
        graph = tree.graph()
        graph.add(package)
        ends = graph.ends_of(graph.node(top.label))
        assert {str(graph.labels[end]) for end in ends} == reached


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: data[:40] + b"\0\1\2\3" + data[44:]])
def test_damaged_bytes_are_refused(damage: Callable[[bytes], bytes]) -> None:
    tree = Tree()
    data = Encoder().encode(tree.package_of(tree.rule("//a:top", deps=["//b:low"]).label))
    with pytest.raises((ValueError, EOFError, TypeError, KeyError, IndexError)):
        list(Decoder().package(damage(data)).targets.values())
