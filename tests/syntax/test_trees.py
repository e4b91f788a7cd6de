"""Whole files: the tree as text and as JSON, spans, comments, printing."""

from __future__ import annotations

import json

import pytest

from bzlgraph.syntax import ast, dump, parse
from bzlgraph.syntax.depth import room
from bzlgraph.syntax.dump import find_comments
from tests.golden import CASES, check_golden
from tests.syntax import printer
from tests.syntax.reference import shape

NAMES = ["macros.bzl", "package.BUILD"]


def file_of(name: str) -> ast.File:
    return parse((CASES / "syntax" / "tree" / name).read_bytes(), name)


@pytest.mark.parametrize("name", NAMES)
def test_tree(name: str) -> None:
    check_golden(f"syntax/tree/{name}.tree.golden", dump.tree(file_of(name)) + "\n")


@pytest.mark.parametrize("name", NAMES)
def test_printed(name: str) -> None:
    file = file_of(name)
    text = printer.to_text(file.body)
    check_golden(f"syntax/tree/{name}.printed.golden", text)
    again = parse(text, name)
    assert shape(again.body) == shape(file.body)
    assert printer.to_text(again.body) == text


@pytest.mark.parametrize("name", NAMES)
def test_comments(name: str) -> None:
    """Each comment stands where its place says; a line has one at most, behind code or alone."""
    file = file_of(name)
    lines = file.text.split("\n")
    comments = find_comments(file.text)
    assert [file.text[each.start : each.end] for each in comments] == [each.text for each in comments]
    for comment in comments:
        first, column = file.position(comment.start)
        assert comment.text == lines[first - 1][column - 1 :].rstrip("\r")
        assert comment.suffix == bool(lines[first - 1][: column - 1].strip())
    assert len(comments) >= sum(line.lstrip().startswith("#") for line in lines)


@pytest.mark.parametrize("name", NAMES)
def test_json(name: str) -> None:
    """The JSON parses back and holds every node of the tree once, with its span."""
    file = file_of(name)
    data = json.loads(dump.json_text(file))
    assert data == dump.to_json(file)
    assert data["node"] == "File"
    assert data["path"] == name
    assert [each["text"] for each in data["comments"]] == [each.text for each in find_comments(file.text)]
    lines = file.text.split("\n")
    todo, found = list(data["body"]), 0
    while todo:
        node = todo.pop()
        found += 1
        first, column, last, end = node["span"]
        if node["node"] == "Ident":
            assert first == last
            assert node["name"] in lines[first - 1][column - 1 : end - 1]
        for value in node.values():
            flat = [value] if isinstance(value, dict) else value if isinstance(value, list) else []
            flat = [item for each in flat for item in (each if isinstance(each, list) else [each])]
            todo += [each for each in flat if isinstance(each, dict) and "node" in each]
    assert found == dump.tree(file).count("\n")


def test_depth() -> None:
    """The deepest tree the parser makes can be shown, printed and read again."""
    text = f"x = {'f(' * 199}1{')' * 199}\n"
    file = parse(text, "a.bzl")
    assert dump.tree(file).count("Call") == 199
    assert dump.json_text(file).count('"Call"') == 199
    again = parse(printer.to_text(file.body), "a.bzl")
    with room():
        assert shape(again.body) == shape(file.body)
