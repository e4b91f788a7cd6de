"""WORKSPACE functions: what they record."""

from __future__ import annotations

import pytest

from bzlgraph.base.errors import EvalProblem
from bzlgraph.base.label import Label
from bzlgraph.bazel.files.context import WorkspaceContext
from bzlgraph.bazel.files.workspace_functions import workspace_functions
from bzlgraph.facts import for_version
from bzlgraph.starlark import Module, Thread, compile_file
from bzlgraph.starlark.universe import UNIVERSE
from bzlgraph.syntax import parse
from bzlgraph.syntax.dialect import WORKSPACE
from tests.bazel.memory_workspace import open_text


def run(text: str) -> WorkspaceContext:
    names = {**UNIVERSE, **workspace_functions()}
    context = WorkspaceContext("", "", facts=for_version())
    program = compile_file(parse(text, "WORKSPACE", WORKSPACE), WORKSPACE, names)
    Module(program, names).run(Thread(host=context))
    return context


def test_everything_is_recorded() -> None:
    context = run(
        'workspace(name = "me")\nbind(name = "b", actual = "//x:y")\nlocal_repository(name = "l", path = "p")\n'
        'new_local_repository(name = "n", path = "q", build_file = "n.BUILD")\n'
        'maven_jar(name = "j", artifact = "a:b:1")\n'
        'android_sdk_repository()\nregister_toolchains("//t:all", "//u")\nregister_execution_platforms("//p")\n'
    )
    assert context.workspace_name == "me"
    assert context.binds["b"].actual == Label("", "x", "y")
    assert [(call.name, call.rule) for call in context.repositories.values()] == [
        ("l", "local_repository"),
        ("n", "new_local_repository"),
        ("j", "maven_jar"),
        ("androidsdk", "android_sdk_repository"),
    ]
    assert context.repositories["n"].attributes == {"path": "q", "build_file": "n.BUILD"}
    assert context.repositories["n"].location.line == 4
    assert context.toolchains == ["//t:all", "//u"]
    assert context.platforms == ["//p"]


def test_a_later_call_wins() -> None:
    context = run('http_archive(name = "a", url = "1")\nhttp_archive(name = "a", url = "2")')
    assert context.repositories["a"].attributes == {"url": "2"}


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ('workspace(name = "a b")', "a b is not a legal workspace name"),
        ('local_repository(path = "x")', "local_repository rule has no 'name' attribute"),
        ('local_repository("x")', "unexpected positional arguments"),
        ('bind(name = "x", actual = "a//b")', "in attribute 'actual' in 'bind' rule"),
    ],
)
def test_errors(code: str, words: str) -> None:
    with pytest.raises(EvalProblem, match=words):
        run(code)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (
            'local_repository(name = "r", path = "x")\nload("//:d.bzl", "s")\nlocal_repository(name = "r", path = "y")',
            3,
        ),
        (
            'load("//:d.bzl", "s")\nlocal_repository(name = "r", path = "x")\nlocal_repository(name = "r", path = "y")',
            3,
        ),
        ('load("//:d.bzl", "s")\ns(name = "r")\nlocal_repository(name = "r", path = "y")', 3),
        ('bind(name = "r", actual = "//:a")\nload("//:d.bzl", "s")\nlocal_repository(name = "r", path = "y")', 3),
        ('load("//:d.bzl", "m")\nlocal_repository(name = "r", path = "x")\nm()', 3),
        ('local_repository(name = "r", path = "x")\nload("//:d.bzl", "s")\ns(name = "r")', 0),
        ('load("//:d.bzl", "s")\ns(name = "r")\ns(name = "r")', 0),
        ('bind(name = "r", actual = "//:a")\nload("//:d.bzl", "s")\nbind(name = "r", actual = "//:b")', 0),
        ('local_repository(name = "r", path = "x")\nlocal_repository(name = "r", path = "y")', 0),
    ],
)
def test_a_native_rule_replaces_nothing_behind_a_load(text: str, place: int) -> None:
    """As Bazel 0.19.1 and 4.2.3 say, each asked with these files."""
    defs = (
        "def _s(ctx):\n    pass\ns = repository_rule(implementation = _s)\n"
        'def m():\n    native.local_repository(name = "r", path = "y")\n'
    )
    found = open_text(f"--- WORKSPACE\n{text}\n--- d.bzl\n{defs}--- BUILD\n--- x/BUILD\n--- y/BUILD\n").diagnostics
    words = "Cannot redefine repository after any load statement in the WORKSPACE file (for repository 'r')"
    assert [each.message for each in found] == [words] * bool(place)
    assert [each.stack[-1].location.line for each in found] == [place] * bool(place)
