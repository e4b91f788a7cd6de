"""Random settings and selects: bzlgraph agrees with a resolver that tries everything."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Rule
from bzlgraph.config.arguments import ConfigArguments, configuration_for
from bzlgraph.config.configured.view import ConfiguredView
from bzlgraph.config.settings import settings_for
from bzlgraph.config.value import configured_value
from bzlgraph.graph.build import BuildGraph
from bzlgraph.loading.loader import open_loader
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace
from tests.config.lattice import REFUSED, RULES, SAMPLE, build_text, random_lattice, random_words, resolve
from tests.differential.configured.recorded import VERSIONS, asked, combinations, read_answers

SEEDS = st.integers(0, 10**6)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("lattices")


def _graph(seed: int, folder: Path) -> BuildGraph:
    tree = folder / str(seed)
    tree.mkdir(exist_ok=True)
    (tree / "WORKSPACE").write_text("")
    (tree / "rules.bzl").write_text(RULES)
    (tree / "BUILD").write_text(build_text(random_lattice(seed)))
    return BuildGraph(open_loader(open_workspace(tree, Options(bazel_version="4.2.3", jobs=1))))


@settings(max_examples=60)
@given(seed=SEEDS, words=st.lists(SEEDS, min_size=1, max_size=4))
def test_the_branch_that_brute_force_finds(folder: Path, seed: int, words: list[int]) -> None:
    graph, lattice = _graph(seed, folder), random_lattice(seed)
    assert isinstance(graph.source, object)
    workspace = graph.source.workspace  # type: ignore[union-attr]
    for each in words:
        tokens = random_words(each)
        configuration = configuration_for(workspace, ConfigArguments(tuple(tokens) or ("-c", "fastbuild")))
        assert configuration is not None
        view = ConfiguredView(graph, settings_for(graph, workspace, configuration))
        for name in lattice.selects:
            assert _ours(view, name) == resolve(lattice, name, tokens), (name, tokens)


def _ours(view: ConfiguredView, name: str) -> str:
    rule = view.base.target(view.base.resolve(Label("", "", name)))
    assert isinstance(rule, Rule)
    found = configured_value(rule, "srcs", view.configuration)
    assert not found.open, "everything is known here"
    if found.error:
        return REFUSED
    (label,) = found.value
    reached = {str(view.labels[number]) for number in view.closure([view.node(rule.label)])}
    assert {each for each in reached if each.startswith("//:is_")} == {str(label)}
    return label.name.removeprefix("is_")


SAMPLED = Path(__file__).parents[1] / "workspaces" / "configured" / "lattice"


def test_the_sample_is_made_by_the_generator() -> None:
    assert (SAMPLED / "BUILD").read_text() == build_text(random_lattice(SAMPLE))


@pytest.mark.parametrize("version", VERSIONS)
def test_real_bazel_agrees_with_brute_force(version: str) -> None:
    lattice = random_lattice(SAMPLE)
    answers = list(read_answers((SAMPLED / "expected" / f"cquery-{version}.txt").read_text(encoding="utf-8")))
    assert len(answers) == len(combinations(SAMPLED))
    for answer in answers:
        words, where = asked(answer.options)
        name = where.roots.removeprefix("//:")
        (value,) = [fact for fact in answer.facts if fact.startswith(f"value {where.roots} srcs ")] or [REFUSED]
        taken = REFUSED if answer.exit_code else value.rpartition("is_")[2].rstrip('"]')
        assert taken == resolve(lattice, name, words), answer.options
