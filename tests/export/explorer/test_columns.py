"""The data of the explorer's page says what the graph says; the page is one file under one policy."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from bzlgraph.config.arguments import ConfigArguments
from bzlgraph.config.configured.view import ConfiguredView
from bzlgraph.explore import scenarios
from bzlgraph.explore.exploration import Exploration, Part
from bzlgraph.export.explorer.columns import LONGEST, SCHEMA, page_data
from bzlgraph.export.explorer.page import packed, page
from bzlgraph.graph.model import NodeKind, condition_text
from bzlgraph.questions.exploration import ask_explore
from bzlgraph.questions.session import QueryOptions, Session, ask_query, open_session
from tests.export.explorer.page import labels_of

MINI = Path(__file__).parents[3] / "examples" / "mini_tensorflow"
GOING = QueryOptions(keep_going=True)


@pytest.fixture(scope="module")
def session() -> Session:
    return open_session(MINI)


@pytest.fixture(scope="module")
def exploration(session: Session) -> Exploration:
    return ask_explore(session, "//tensorflow/python/...", GOING).answer


@pytest.fixture(scope="module")
def data(exploration: Exploration) -> dict[str, Any]:
    return json.loads(json.dumps(page_data(exploration)))  # type: ignore[no-any-return]


def test_it_holds_the_targets_and_all_that_they_need(session: Session, data: dict[str, Any]) -> None:
    answer = ask_query(session, "deps(//tensorflow/python/...)", GOING).answer
    assert data["schema"] == SCHEMA
    assert labels_of(data) == [str(label) for label in sorted(answer.graph.labels[node] for node in answer.nodes)]
    roots = {label for label, root in zip(labels_of(data), data["nodes"]["root"], strict=True) if root}
    asked = ask_query(session, "//tensorflow/python/...", GOING).answer
    assert roots == {str(asked.graph.labels[node]) for node in asked.nodes}


def test_every_edge_is_there_with_its_reason(exploration: Exploration, data: dict[str, Any]) -> None:
    labels, edges = labels_of(data), data["edges"]
    ends = [0, *accumulate(edges["count"])]
    found = {
        (
            labels[source],
            labels[edges["target"][edge]],
            data["attributes"][edges["attribute"][edge]],
            data["conditions"][edges["condition"][edge]]["text"],
            edges["flags"][edge],
        )
        for source in range(len(labels))
        for edge in range(ends[source], ends[source + 1])
    }
    graph = exploration.graph
    within = set(exploration.nodes)
    wanted = set()
    for number in (each for node in exploration.nodes for each in graph.edges_from(node)):
        edge = graph.edge(number)
        if edge.target not in within:
            continue
        names = (str(graph.labels[edge.source]), str(graph.labels[edge.target]))
        wanted.add((*names, edge.attribute, edge.when, int(edge.flags)))
    assert found == wanted


def test_a_target_has_its_kind_its_place_and_its_macro_stack(exploration: Exploration, data: dict[str, Any]) -> None:
    graph, columns = exploration.graph, data["frames"]
    for number, node in enumerate(exploration.nodes):
        assert data["kinds"][data["nodes"]["kind"][number]]["words"] == graph.kind_words(node)
        if graph.kinds[node] != NodeKind.RULE:
            continue
        stack, at = [], data["nodes"]["frame"][number]
        while at >= 0:
            function, file, line, column, caller = (each[at] for each in columns)
            stack.append((data["functions"][function], data["files"][file], line, column))
            at = caller
        assert stack == [(frame.function, *frame.location) for frame in graph.describe(node).stack]


def test_the_truths_of_conditions_are_those_of_a_configured_view(session: Session, exploration: Exploration) -> None:
    words = {each.words: each for each in exploration.scenarios}
    assert {"-c fastbuild", "-c opt", "-c dbg", "--config=cuda", "--config=mkl"} <= set(words)
    known = {condition_text(row): row for row in exploration.graph.columns.conditions}
    for tokens in (("-c", "opt"), ("--config=cuda",)):
        view = session.view(ConfigArguments(tokens))
        terms = [known[condition.text] for condition in exploration.conditions]
        assert words[" ".join(tokens)].truths == tuple(map(view.truth, terms))
    assert words["--config=cuda"].truths != words["-c fastbuild"].truths


def test_options_of_the_command_line_are_part_of_every_configuration(session: Session) -> None:
    given = ConfigArguments(("--define=using_cuda=true",))
    words = [each.words for each in ask_explore(session, "//tensorflow/core/...", GOING, given).answer.scenarios]
    assert words[0] == "--define=using_cuda=true"
    assert all(each.startswith(words[0]) for each in words)


def test_a_long_value_is_cut_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text('genrule(name = "g", outs = ["o"], cmd = "x" * 100000)')
    data = page_data(ask_explore(open_session(tmp_path), "//...", GOING).answer)
    texts = data["texts"]
    assert isinstance(texts, list)
    assert "x" * LONGEST + "… (100,000 characters)" in texts


def test_the_same_exploration_gives_the_same_bytes(exploration: Exploration) -> None:
    again = ask_explore(open_session(MINI), exploration.title, GOING).answer
    assert packed(again) == packed(exploration)


def test_the_page_allows_its_own_script_and_nothing_else(exploration: Exploration) -> None:
    text = page(exploration).decode()
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1])  # type: ignore[index]
    scripts = re.findall(r"<script>(.*?)</script>", text, flags=re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    assert re.findall(r"script-src ([^;]*)", policy) == [" ".join(f"'sha256-{each}'" for each in hashes)]
    assert "default-src 'none'" in policy
    assert "connect-src 'none'" in policy
    held = re.search(r'id="data">([^<]*)<', text)[1]  # type: ignore[index]
    assert json.loads(gzip.decompress(base64.b64decode(held)))["schema"] == SCHEMA


def test_configs_that_build_the_same_are_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(
        'config_setting(name = "gpu", values = {"define": "gpu=true"})\n'
        'filegroup(name = "top", srcs = select({":gpu": ["a"], "//conditions:default": []}))\n'
    )
    (tmp_path / ".bazelrc").write_text("build:going --keep_going\nbuild:gpu --define=gpu=true\n")
    walked: list[str] = []
    walk = scenarios._walk

    def counting(part: Part, view: ConfiguredView, rules: Any) -> Any:
        walked.append(view.configuration.words)
        return walk(part, view, rules)

    monkeypatch.setattr(scenarios, "_walk", counting)
    found = ask_explore(open_session(tmp_path), "//:top", GOING).answer
    assert [each.words for each in found.scenarios] == [
        "-c fastbuild",
        "-c opt",
        "-c dbg",
        "--config=going",
        "--config=gpu",
    ]
    assert walked == ["-c fastbuild", "--config=gpu"]  # nobody asks for the compilation mode
