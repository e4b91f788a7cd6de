"""Which dialect a file has by its name, and what a switch changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bzlgraph.syntax import BUILD, BZL, MODULE, SCL, SPEC, WORKSPACE, Dialect, for_path, parse, parse_prefix
from tests.syntax.printer import to_text


@pytest.mark.parametrize(
    ("path", "dialect"),
    [
        ("BUILD", BUILD), ("a/b/BUILD.bazel", BUILD), ("third_party/swig.BUILD", BUILD), ("BUILD.tpl", BUILD),
        ("x.scl", SCL),
        ("a/x.BUILD.bazel", BUILD), ("defs.bzl", BZL), ("build_defs.bzl.tpl", BZL), ("WORKSPACE", WORKSPACE),
        ("a/WORKSPACE.bazel", WORKSPACE), ("WORKSPACE.bzlmod", WORKSPACE), ("MODULE.bazel", MODULE),
        ("deps.MODULE.bazel", MODULE), ("REPO.bazel", MODULE), ("x.star", SPEC), ("c:\\x\\defs.bzl", BZL),
    ],
)  # fmt: skip
def test_for_path(path: str, dialect: Dialect) -> None:
    assert for_path(path) is dialect


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("while x: break", replace(BZL, while_loops=True, toplevel_control=True)),
        ("for x in y:\n  if x: continue\n", replace(BZL, toplevel_control=True)),
        ('x = b"a"', replace(BZL, bytes_literals=True)),
        ("é = 1", replace(BZL, unicode_names=True)),
        ("assert.eq(1, 1)", replace(SPEC, free_words=frozenset({"assert"}))),
        ("def f(): pass", replace(BUILD, definitions=True)),
    ],
)
def test_switch_allows(text: str, dialect: Dialect) -> None:
    assert parse_prefix(text, "x", dialect).diagnostics == ()
    usual = SPEC if "assert" in text else BUILD if "def" in text else BZL
    assert len(parse_prefix(text, "x", usual).diagnostics) == 1


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ('x = 1\nload("a", "b")', replace(BZL, loads_first=True)),
        (r'x = "\d"', replace(BZL, strict_escapes=True)),
        ("f(*a, x = 1)", replace(BZL, keyword_after_star=False)),
        ("f(**k)", replace(BUILD, star_arguments=False)),
        ("f(load = 1)", replace(BZL, soft_load=False)),
    ],
)
def test_switch_forbids(text: str, dialect: Dialect) -> None:
    assert len(parse_prefix(text, "x", dialect).diagnostics) == 1
    assert parse_prefix(text, "x", replace(BZL, name=dialect.name)).diagnostics == ()


def test_a_doc_string_may_stand_before_loads() -> None:
    first = replace(BZL, loads_first=True)
    assert parse_prefix('"""Doc."""\nload("a", "b")\nload("c", "d")\nx = 1\n', "x", first).diagnostics == ()


TYPED = """
count: int = 1
names: list[str]
type Pairs[K, V] = dict[K, V] | None
type = 3

def typed(a: int, b: str | None = None, *args: tuple[int, ...], c: list[str] = [], **kwargs: "x") -> str:
    local: int = a
    return type(local)

def generic[S, T](x: S) -> tuple[T, ...]: return x
"""
PLAIN = """
count = 1
pass
Pairs = None
type = 3

def typed(a, b = None, *args, c = [], **kwargs):
    local = a
    return type(local)

def generic(x): return x
"""


def test_types_are_read_and_forgotten() -> None:
    assert to_text(parse(TYPED, "a.bzl").body) == to_text(parse(PLAIN, "a.bzl").body)


@pytest.mark.parametrize("path", ["BUILD", "a.scl", "MODULE.bazel", "a.star"])
def test_types_are_of_bzl_files(path: str) -> None:
    for line in ("x: int = 1", "type T = int", "x = tuple[int, ...]"):
        assert parse_prefix(line, path).diagnostics, line
