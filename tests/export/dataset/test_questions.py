"""The ten questions of docs/dataset.md, as they stand there: DuckDB's answers beside those of query, select, doctor."""

from __future__ import annotations

import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

import bzlgraph
from bzlgraph.base.label import Label
from bzlgraph.cli.main import main
from bzlgraph.questions.repositories import missing_repositories

duckdb = pytest.importorskip("duckdb")  # of the group `test` of pyproject.toml

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "mini_tensorflow"
PAGE = (ROOT / "docs" / "dataset.md").read_text(encoding="utf-8")
SQL = re.findall(r"```sql\n(.*?)```", PAGE, flags=re.DOTALL)
VIEWS, QUESTIONS = SQL[0], dict(enumerate(SQL[1:], 1))
LIB, FILE = "//tensorflow/core:lib", "//tensorflow/core:lib/strings/str_util.cc"

Ask = Callable[[int], list[tuple]]


@pytest.fixture(scope="module")
def ws() -> bzlgraph.Workspace:
    return bzlgraph.open(EXAMPLE, cache=False, jobs=1)


@pytest.fixture(scope="module")
def ask(ws: bzlgraph.Workspace, tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """What DuckDB answers to the question of that number."""
    folder = tmp_path_factory.mktemp("one") / "dataset"
    ws.export_dataset(folder)
    return asking(folder)


def asking(folder: Path) -> Ask:
    connection = duckdb.connect()
    connection.execute(VIEWS.replace("build/dataset", str(folder)))
    return lambda number: connection.execute(QUESTIONS[number]).fetchall()


def test_there_are_ten() -> None:
    assert re.findall(r"^### (\d+)\. ", PAGE, flags=re.MULTILINE) == [str(number) for number in QUESTIONS]
    assert len(QUESTIONS) == 10


def test_packages_most_depended_upon(ws: bzlgraph.Workspace, ask: Ask) -> None:
    dependents: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    found = ws.query("deps(//...)")
    for source, target in found.to_networkx().edges():
        dependents[parts(target)].add(source)
    numbers = {key: sum(parts(each) != key for each in sources) for key, sources in dependents.items()}
    answer = ask(1)
    most = sorted(numbers, key=lambda key: (-numbers[key], key))[:10]
    assert answer == [(Label(*key, "").package_label, numbers[key]) for key in most]
    assert answer[0][1] > 100


def parts(label: str) -> tuple[str, str]:
    """Repository and package."""
    repository, package = label.rpartition(":")[0].split("//")
    return repository.removeprefix("@"), package


def test_what_a_target_needs(ws: bzlgraph.Workspace, ask: Ask) -> None:
    answer = ask(2)
    assert [label for label, _ in answer] == sorted(ws.query(f"deps({LIB})"))
    kinds = ws.query(f"deps({LIB})").to_frame().set_index("label")["kind"]
    assert dict(answer) == dict(kinds)


def test_who_names_it_and_why(ws: bzlgraph.Workspace, ask: Ask) -> None:
    answer = ask(3)
    assert {row[0] for row in answer} == set(ws.query(f"rdeps(//..., {LIB}, 1)")) - {LIB}
    graph = ws.query("deps(//...)").to_networkx()
    reasons = {
        (source, *reason)
        for source in {row[0] for row in answer}
        for reason in zip(graph.edges[source, LIB]["attributes"], graph.edges[source, LIB]["conditions"], strict=True)
    }
    assert {(label, attribute, condition or "") for label, attribute, condition, *_ in answer} == reasons
    places = {f"{path}:{line}" for _, _, _, path, line, _ in answer}
    assert places == {graph.nodes[row[0]]["location"].rpartition(":")[0] for row in answer}


def test_tests_that_a_file_may_break(ws: bzlgraph.Workspace, ask: Ask) -> None:
    expected = ws.query(f'kind("_test rule", rdeps(//..., {FILE}))')
    assert [label for (label,) in ask(4)] == sorted(expected)
    assert len(expected) > 0


def test_rules_of_macros(ws: bzlgraph.Workspace, ask: Ask) -> None:
    answer = ask(5)
    assert len(answer) > 5
    for macro, rules, packages in answer:
        made = ws.query(f'attr(generator_function, "^{macro}$", //...)')
        assert (rules, packages) == (len(made), len({parts(label) for label in made}))
    assert sum(rules for _, rules, _ in answer) == len(ws.query('attr(generator_function, ".", //...)'))


def test_what_conditions_decide(ws: bzlgraph.Workspace, ask: Ask) -> None:
    rows = ws.select()
    rows = rows[rows.condition_kind == "setting"]
    targets, edges = rows.groupby("condition")["target"].nunique(), rows.groupby("condition")["edge"].sum()
    answer = ask(6)
    assert {condition: (number, edge) for condition, number, edge in answer} == {
        condition: (targets[condition], edges[condition]) for condition in targets.index
    }
    assert len(answer) > 3


def test_compiler_options(ws: bzlgraph.Workspace, ask: Ask) -> None:
    expected = ws.query('attr(copts, "-DGOOGLE_CUDA", //...)')
    answer = ask(7)
    assert [row[0] for row in answer] == sorted(expected)
    assert len(answer) > 0


def test_repositories_that_are_not_there(ws: bzlgraph.Workspace, ask: Ask) -> None:
    from bzlgraph.questions.session import ask_query

    completeness = ask_query(ws.session, "deps(//...)").completeness
    missing = {each.name: (each.targets, each.edges) for each in missing_repositories(ws.session, completeness.gaps)}
    answer = ask(8)
    assert {repository: (targets, edges) for repository, targets, edges in answer} == {
        name: numbers for name, numbers in missing.items() if numbers != (0, 0)
    }
    assert len(answer) > 3


def test_packages_that_load_a_file(ws: bzlgraph.Workspace, ask: Ask) -> None:
    expected = ws.query("rbuildfiles(tensorflow/tensorflow.bzl)", universe_scope=["//..."])
    answer = [label for (label,) in ask(9)]
    assert answer == sorted(label for label in expected if label.endswith(":BUILD"))
    assert len(answer) > 3


def test_two_checkouts(tmp_path: Path) -> None:
    after = tmp_path / "after"
    shutil.copytree(EXAMPLE, after)
    with open(after / "tensorflow" / "core" / "BUILD", "a", encoding="utf-8") as file:
        file.write('\ncc_library(name = "fresh", deps = [":lib"])\n')
    listed = tmp_path / "list"
    listed.write_text(f"before '{EXAMPLE}'\nafter '{after}'\n", encoding="utf-8")
    with pytest.raises(SystemExit) as stop:
        main(["--no_cache", "--jobs=1", "export", "dataset", str(tmp_path / "dataset"), "--checkouts", str(listed)])
    assert stop.value.code == 0
    answer = asking(tmp_path / "dataset")(10)
    before, now = (bzlgraph.open(folder, cache=False, jobs=1).query("deps(//...)") for folder in (EXAMPLE, after))
    assert [label for what, label, _ in answer if what == "target"] == sorted(set(now) - set(before))
    edges = set(now.to_networkx().edges()) - set(before.to_networkx().edges())
    assert {(source, target) for what, source, target in answer if what == "edge"} == edges
    assert Counter(what for what, *_ in answer)["target"] == 1
    assert ("//tensorflow/core:fresh", LIB) in edges
