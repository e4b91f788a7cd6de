"""Which dialect a file has by its name, and what a switch changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bzlgraph.syntax import BUILD, BZL, MODULE, SPEC, WORKSPACE, Dialect, for_path, parse_prefix


@pytest.mark.parametrize(
    ("path", "dialect"),
    [
        ("BUILD", BUILD), ("a/b/BUILD.bazel", BUILD), ("third_party/swig.BUILD", BUILD), ("BUILD.tpl", BUILD),
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
