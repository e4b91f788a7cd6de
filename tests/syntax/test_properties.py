"""What holds for every tree and every text."""

from __future__ import annotations

import ast as python
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bzlgraph.syntax import BZL, SPEC, ast, parse, parse_prefix
from tests.syntax import printer
from tests.syntax.reference import shape, to_python
from tests.syntax.strategies import EXPRESSIONS, FUNCTIONS, SOUP

MANY = settings(max_examples=200, deadline=None)


@MANY
@given(EXPRESSIONS)
def test_printed_expressions_read_back(tree: ast.Expr) -> None:
    text = printer.expression(tree)
    (statement,) = parse(text, "a.bzl").body
    assert isinstance(statement, ast.ExprStmt)
    assert printer.expression(statement.value) == text
    assert shape(statement.value) == shape(tree)


@settings(max_examples=50, deadline=None)
@given(FUNCTIONS)
def test_printed_statements_read_back(body: list[ast.Stmt]) -> None:
    text = printer.to_text(body)
    parsed = parse_prefix(text, "a.bzl")
    assert parsed.diagnostics == ()
    assert printer.to_text(parsed.file.body) == text
    assert shape(parsed.file.body) == shape(body)


@MANY
@given(EXPRESSIONS)
def test_cpython_reads_the_same(tree: ast.Expr) -> None:
    """CPython's parser is the independent reader: what Starlark shares with Python means the same."""
    text = printer.expression(tree)
    (statement,) = parse(text, "a.bzl").body
    assert isinstance(statement, ast.ExprStmt)
    theirs = python.parse(f"({text})", mode="eval").body
    assert python.dump(to_python(statement.value)) == python.dump(theirs).replace("ctx=Store()", "ctx=Load()")


@settings(max_examples=50, deadline=None)
@given(FUNCTIONS)
def test_spans_slice_back(body: list[ast.Stmt]) -> None:
    """The text under every expression is that expression; children lie inside their parents, in order."""
    file = parse(printer.to_text(body), "a.bzl")
    todo: list[Any] = list(file.body)
    while todo:
        node = todo.pop()
        assert 0 <= node.start < node.end <= len(file.text)
        for child in ast.children(node):
            assert node.start <= child.start <= child.end <= node.end
            todo.append(child)
        if isinstance(node, ast.Expr):
            text = file.text[node.start : node.end]
            (statement,) = parse(f"({text}\n)", "a.bzl").body
            assert isinstance(statement, ast.ExprStmt)
            assert shape(statement.value) == shape(node), text


@settings(max_examples=600, deadline=None)
@given(SOUP, st.sampled_from([" ", ""]), st.sampled_from([BZL, SPEC]))
def test_any_text_gives_a_tree_or_diagnostics(words: list[str], between: str, dialect: Any) -> None:
    """Whatever the text, no exception; each diagnostic has a place in it; what was parsed lies before the first."""
    text = between.join(words)
    file, diagnostics = parse_prefix(text, "a.bzl", dialect)
    lines = file.text.split("\n")
    for diagnostic in diagnostics:
        location = diagnostic.location
        assert location is not None
        assert 1 <= location.line <= len(lines)
        assert 1 <= location.column <= len(lines[location.line - 1]) + 1
        assert diagnostic.source_line == lines[location.line - 1]
        assert diagnostic.render()
    if diagnostics and file.body:
        last, first = file.span(file.body[-1]).end, diagnostics[0].location
        assert first is not None
        assert last <= (first.line, first.column)
    if not diagnostics:
        assert shape(parse(printer.to_text(file.body), "a.bzl", dialect).body) == shape(file.body)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes(data: bytes) -> None:
    for diagnostic in parse_prefix(data, "BUILD").diagnostics:
        assert diagnostic.render()
