"""Every fault in a query gives one clear message with a place."""

from __future__ import annotations

import pytest

from bzlgraph.base.errors import LoadProblem, QueryFailure, QueryProblem
from bzlgraph.query.environment import Environment, QuerySettings
from bzlgraph.query.evaluate import query
from tests.golden import CASES, check_golden
from tests.graph.tree import Tree, plain_tree

NAME = "query/errors.txt"


def tree() -> Tree:
    made = plain_tree({"x": []})
    made.rule("//a:a", deps=["//b:b"])
    made.rule("//b:b")
    made.rule("//tensorflow/core:lib")
    return made


def message(text: str) -> str:
    with pytest.raises((QueryProblem, QueryFailure, LoadProblem)) as caught:
        query(text, Environment(tree().graph()))
    return caught.value.diagnostic.render()


def test_messages() -> None:
    lines = (CASES / NAME).read_text(encoding="utf-8").splitlines()
    queries = [line[2:] for line in lines if line == "?" or line.startswith("? ")]
    assert len(queries) > 30
    chunks = [f"? {text}\n{message(text)}\n" if text else f"?\n{message(text)}\n" for text in queries]
    check_golden(NAME, lines[0] + "\n" + "".join(chunks))


@pytest.mark.parametrize(
    "expression",
    ["deps(//a:user)", "rdeps(//a:user, //a:a)", "allpaths(//a:user, //a:a)", "somepath(//a:user, //a:a)"],
)
def test_what_is_not_followed_is_loaded_and_may_be_missing(expression: str) -> None:
    """Bazels 0.24.1, 4.2.3 and 7.7.1 with --keep_going --noimplicit_deps: the same answer, and exit code 3."""
    assert [each.partition(": ")[0] for each in problems_without_implicit(expression)] == ["//missing:t"]


@pytest.mark.parametrize("expression", ["//a:a", "deps(//a:user, 2)", "kind(rule, //a:user)", "labels(deps, //a:user)"])
def test_what_is_not_followed_is_not_loaded_for_some_steps(expression: str) -> None:
    assert problems_without_implicit(expression) == []


def problems_without_implicit(expression: str) -> list[str]:
    """The problems of a query that does not follow the edge to what is missing."""
    made = plain_tree({"x": []})
    made.rule("//a:user", deps=["//a:a"])
    made.rule("//a:a", _hidden=["//missing:t"])
    answer = query(expression, Environment(made.graph(), QuerySettings(implicit_deps=False)))
    assert "//missing:t" not in map(str, answer)
    return [each.message for each in answer.problems]


def test_deep_nesting_is_refused() -> None:
    assert "nested more than" in message("(" * 10_000 + "//a" + ")" * 10_000)
    assert "let expressions" in message("let x = //a in " * 10_000 + "//a")
    assert "nested more than" in message("deps(" * 1_000)


def test_long_chains_are_fine() -> None:
    assert len(query(" + ".join(["//a:a"] * 5_000), Environment(tree().graph()))) == 1


@pytest.mark.parametrize(
    ("text", "wanted", "hint"),
    [
        ("//a:ab", "no such target '//a:ab'", "did you mean //a:a, //b:b?"),
        ("//tensorfow/...", "no targets found beneath 'tensorfow'", "did you mean //tensorflow/...?"),
        ("u/tensorfow/...", "no targets found beneath 'u/tensorfow'", "did you mean //tensorflow/...?"),
        ("/tensorfow/...", "invalid package name '/tensorfow'", "did you mean //tensorflow/...?"),
        ("k//tensorflow/core:all", "invalid package name", "did you mean //tensorflow/core:all?"),
        ("//nowhere:x", "no such package '//nowhere'", None),
        ("//nowhere:all", "no such package '//nowhere'", None),
        ("@absent//...", "the repository '@absent' is not on disk", "give its folder with"),
        ("nowhere/at/all", "no such package '//nowhere/at/all'", None),
    ],
)
def test_patterns_without_targets(text: str, wanted: str, hint: str | None) -> None:
    with pytest.raises(LoadProblem) as caught:
        query(text, Environment(tree().graph()))
    diagnostic = caught.value.diagnostic
    assert wanted in diagnostic.message
    assert (hint or "") in (diagnostic.hint or "")
    environment = Environment(tree().graph(), QuerySettings(keep_going=True))
    answer = query(f"{text} + //a:a", environment)
    assert list(map(str, answer)) == ["//a:a"]
    assert wanted in answer.problems[0].message


def test_missing_dependencies_are_told_and_left_out() -> None:
    made = plain_tree({"x": ["gone"]})
    made.rule("//p:y", deps=["//nowhere:z"])
    answer = query("deps(//p:all)", Environment(made.graph()))
    assert list(map(str, answer)) == ["//p:x", "//p:y"]
    assert [problem.message.partition(":")[0] for problem in answer.problems] == [
        "//nowhere",
        "no such target '//p",
    ]
