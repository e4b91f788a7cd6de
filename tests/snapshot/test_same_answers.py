"""The kept graph answers as the full way does: on every recorded question, and on many made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.cache import answers
from tests.differential.fixtures import Fixture
from tests.differential.questions import arguments, split
from tests.differential.real.stubs import read_stubs, write_stubs
from tests.snapshot.asking import EXAMPLE, FIXTURES, VERSIONS, agreeing, as_typed, example, full, kept, labels_of
from tests.snapshot.made_up import made_up
from tests.written_files import write_files

pytestmark = pytest.mark.usefixtures("private_cache")


@pytest.mark.parametrize(("fixture", "version"), FIXTURES)
def test_recorded_questions(fixture: Fixture, version: str, tmp_path: Path) -> None:
    stubs = write_stubs(read_stubs(fixture.stubs, fixture.tree), tmp_path / "repositories")

    def command(expression: str, *options: str) -> list[str]:
        return ["--jobs=1", *as_typed(arguments(fixture.tree, stubs, version, expression, *options))]

    assert answers.folder_named(command("//...")) is not None
    full(command("deps(//...)", "--keep_going"))
    for question in fixture.questions:
        options, expression = split(question)
        asked = command(expression, *options)
        said = kept(asked)
        assert said in (None, full(asked)), question
    assert kept(command("//...")) is not None


@pytest.mark.parametrize("of_targets", [False, True], ids=["of columns", "of targets"])
@pytest.mark.parametrize("version", VERSIONS)
def test_questions_that_nobody_recorded(version: str, of_targets: bool) -> None:
    start = example(version)
    questions = made_up(labels_of(start), seed=f"13 {version}", number=20 if of_targets else 40, of_targets=of_targets)
    assert agreeing([*start, "query"], questions) > (16 if of_targets else 28)


def test_a_question_that_reached_less_leaves_what_another_reached() -> None:
    start = [*example(), "query"]
    full([*start, "//tensorflow/core:lib"])
    assert kept([*start, "//tensorflow/core:lib"]) is not None
    assert kept([*start, "deps(//tensorflow/core:lib)"]) is None
    full([*start, "deps(//tensorflow/core:lib)"])
    full([*start, "//tensorflow/python:all"])
    for question in ("//tensorflow/core:lib", "deps(//tensorflow/core:lib)", "//tensorflow/python:all"):
        assert kept([*start, question]) == full([*start, question])


@pytest.mark.parametrize("options", [["-q"], ["--quiet", "--strict"], ["-v"], ["--all-gaps"], ["--strict"], ["-qv"]])
def test_how_much_is_told_leaves_the_graph_of_use(options: list[str]) -> None:
    start = example()
    full([*start, "query", "-k", "deps(//...)"])
    for question in (
        *(["query", "deps(//tensorflow/core:lib)"], ["query", "-k", "//tensorflow:all"]),
        *(["why", "//tensorflow/core:lib"], ["rdeps", "//tensorflow/core:lib"], ["select"]),
    ):
        command = [*start, *options, *question]
        said = kept(command)
        assert (said is None) == (options == ["-qv"])  # a word for two options goes the full way
        assert said in (None, full(command)), question


def test_a_graph_is_of_use_whichever_folder_it_was_asked_from(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    question = ["--jobs=1", "query", "deps(//tensorflow/core:lib)"]
    monkeypatch.chdir(EXAMPLE)
    said = full(question)
    assert kept(["-C", str(EXAMPLE), *question]) == kept(question) == said
    monkeypatch.chdir(tmp_path)
    assert kept(["-C", str(EXAMPLE), *question]) == said


def test_what_is_not_there_is_told_with_the_same_places(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "WORKSPACE").touch()
    builds = {
        "p": [("a", "[':gone/x', '//nope:n']"), ("b", "[':a', '//q:none']")],
        "q": [("q", "['//p:none', '//p:b']"), ("r", "['//q:none']")],
    }
    for name, rules in builds.items():
        text = "\n".join(f"filegroup(name = '{rule}', srcs = {srcs})" for rule, srcs in rules)
        (root / name).mkdir()
        (root / name / "BUILD").write_text(text, encoding="utf-8")
    start = ["-C", str(root), "--jobs=1", "query", "-k"]
    assert "p/BUILD:1:10: error: //nope:n" in full([*start, "deps(//...)"]).told
    expressions = ("deps(//p:a)", "deps(//p:b)", "deps(//q:q)", "deps(//q:r)", "rdeps(//..., //p:a)", "deps(//...)")
    questions = [[each, *form] for each in expressions for form in ([], ["--output=location"], ["--output=json"])]
    assert agreeing(start, questions) >= 12
    start[-2:] = ["why"]
    assert agreeing(start, [["//p:a", "--from=//q:q"], ["//p:a", "--from=//q:q", "--output=json"], ["//p:a"]]) >= 1


def test_what_only_something_unknown_adds_is_told_wherever_its_edges_are(tmp_path: Path) -> None:
    build = """\
load("@absent//:rules.bzl", "thing")
thing(name = "t", uses = [":u", ":none"])
filegroup(name = "top", srcs = [":t", ":v"])
filegroup(name = "u", srcs = [":v"])
filegroup(name = "v", srcs = ["v.txt"])
"""
    write_files(tmp_path / "tree", {"WORKSPACE": "", "p/BUILD": build, "p/v.txt": ""})
    start = ["-C", str(tmp_path / "tree"), "--jobs=1", "query", "-k"]
    asked = {
        "deps(//p:top)": True,
        "deps(//p:top, 1)": False,
        "deps(//p:v)": False,
        "rdeps(//p:top, //p:v, 1)": True,
        "rdeps(//p:top, //p:v)": True,
        "rdeps(//..., //p:t)": False,
        "allpaths(//p:t, //p:v)": True,
        "somepath(//p:top, //p:v)": False,
        "somepath(//p:top, //p:u)": True,
        "deps(//p:top) - deps(//p:t)": False,
        "deps(//p:top) ^ deps(//p:t)": True,
    }
    full([*start, "deps(//...)"])
    for question, is_unsure in asked.items():
        told = full([*start, question]).told
        assert ("only possible" in told) is is_unsure, (question, told)
    assert agreeing(start, ([each] for each in asked)) == len(asked)


def test_folders_that_are_no_names_of_packages(tmp_path: Path) -> None:
    for name in ("WORKSPACE", "BUILD", "p/BUILD", "p/q/BUILD"):
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_text("filegroup(name = 'a')\n" if "BUILD" in name else "", encoding="utf-8")
    start = ["-C", str(tmp_path / "tree"), "--jobs=1"]
    full([*start, "query", "deps(//...)"])
    patterns = (
        "///...",
        "///...:*",
        "//p/./q:all",
        "//p/./q:a",
        "//./p/...",
        "//p/../p:a",
        "//p/.:a",
        "//p//q:a",
        "//p/:a",
    )
    for command in ("query", "select", "why"):
        assert agreeing([*start, command], ([each] for each in patterns)) == 0
    assert agreeing([*start, "query"], ([each] for each in ("//...", "//p/...", "//p/q", "//p:all", "//:a"))) >= 4
