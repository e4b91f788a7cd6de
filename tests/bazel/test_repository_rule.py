"""repository_rule(): calls are recorded with their attributes, labels resolved."""

from __future__ import annotations

import pytest

from bzlgraph.base.label import Label
from tests.bazel.memory_workspace import open_text, package, problems

RULE = """
--- lib/BUILD
--- lib/defs.bzl
def _impl(repository_ctx):
    pass
archive = repository_rule(
    implementation = _impl,
    attrs = {
        "urls": attr.string_list(mandatory = True),
        "build_file": attr.label(default = "//lib:default.BUILD"),
        "_hidden": attr.label(default = "//lib:hidden"),
    },
)
def macro(name):
    if not native.existing_rule(name):
        archive(name = name, urls = ["u"])
--- BUILD
"""


def test_recorded() -> None:
    text = RULE + '--- WORKSPACE\nload("//lib:defs.bzl", "archive", "macro")\nmacro("a")\n'
    text += 'archive(name = "b", urls = ["v"], build_file = Label("//x:b.BUILD"))\nmacro("b")\n'
    workspace = open_text(text)
    assert workspace.diagnostics == []
    a, b = workspace.context.repositories["a"], workspace.context.repositories["b"]
    assert (a.rule, a.bzl) == ("archive", Label("", "lib", "defs.bzl"))
    assert a.attributes == {"urls": ["u"], "build_file": Label("", "lib", "default.BUILD")}
    assert b.attributes["build_file"] == Label("", "x", "b.BUILD")
    assert (a.location.path, a.location.line) == ("WORKSPACE", 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('archive(name = "a")', "missing value for mandatory attribute 'urls' in 'archive' rule"),
        ('archive(name = "a", urls = [], x = 1)', "no such attribute 'x' in 'archive' rule"),
        ("archive(urls = [])", "repository rule archive: 'name' must be a string, got NoneType"),
        ('archive("a")', "unexpected positional arguments"),
    ],
)
def test_wrong_calls(call: str, message: str) -> None:
    text = RULE + f'--- WORKSPACE\nload("//lib:defs.bzl", "archive")\n{call}\n'
    assert [each.message for each in open_text(text).diagnostics] == [message]


def test_not_in_build_files() -> None:
    text = RULE.replace("--- BUILD\n", '--- BUILD\nload("//lib:defs.bzl", "archive")\narchive(name = "x", urls = [])\n')
    (message,) = problems(package(text))
    assert message.startswith("repository rule archive can only be called while WORKSPACE is evaluated")
