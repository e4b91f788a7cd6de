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
def labelled(name):
    archive(name = name, urls = ["v"], build_file = Label("//x:b.BUILD"))
--- BUILD
"""


def test_recorded() -> None:
    text = RULE + '--- WORKSPACE\nload("//lib:defs.bzl", "labelled", "macro")\nmacro("a")\n'
    text += 'labelled("b")\nmacro("b")\n'
    workspace = open_text(text)
    assert workspace.diagnostics == []
    a, b = workspace.context.repositories["a"], workspace.context.repositories["b"]
    assert (a.rule, a.bzl) == ("archive", Label("", "lib", "defs.bzl"))
    assert a.attributes == {"urls": ["u"], "build_file": Label("", "lib", "default.BUILD")}
    assert b.attributes["build_file"] == Label("", "x", "b.BUILD")
    assert (a.location.path, a.location.line) == ("WORKSPACE", 2)


SEEN = """
def _impl(repository_ctx):
    pass
made = repository_rule(
    implementation = _impl,
    attrs = {
        "label": attr.label(default = "//:zz"),
        "list": attr.label_list(),
        "number": attr.int(default = 4),
        "nothing": attr.label(),
        "_hidden": attr.string(default = "q"),
    },
)
def tell(name):
    view = native.existing_rule(name)
    made(name = "told_" + name, list = [str(dict(view)) if view else "None"])
def names():
    made(name = "names", list = sorted([n for n, r in native.existing_rules().items() if r["kind"] != "x"]))
"""
"""A macro that tells what it sees in the attribute of a repository."""


def told(workspace: str, version: str) -> dict[str, list[str]]:
    text = f"--- WORKSPACE\n{workspace}--- defs.bzl\n{SEEN}--- BUILD\n"
    opened = open_text(text, version)
    assert opened.diagnostics == []
    calls = opened.context.repositories.values()
    return {call.name: call.attributes["list"] for call in calls if "list" in call.attributes}


def test_existing_rules_are_seen_with_their_defaults() -> None:
    """As Bazel 0.19.1, 2.1.0 and 4.2.3 print them, without what every rule has (tags, features ...)."""
    asked = 'load("//:defs.bzl", "made", "tell")\nmade(name = "a", list = [":y"])\ntell("a")\n'
    (text,) = told(asked, "4.2.3")["told_a"]
    assert text == (
        '{"name": "a", "generator_name": "", "generator_function": "", "generator_location": "", '
        '"label": "//:zz", "list": (":y",), "number": 4, "kind": "made"}'
    )


CHANGING = """
def change(name):
    made(name = "told", list = [type(native.existing_rules())])
    view = native.existing_rule(name)
    view.pop("name")
    view["number"] = 5
    made(name = "told_" + name, list = [str(view["number"]), view["label"]])
"""


def test_a_macro_may_change_what_it_is_given_before_bazel_6() -> None:
    """Asked of Bazel 0.19.1, 2.1.0, 4.2.3 (a dict) and 7.7.1 (a Map without pop)."""
    asked = 'load("//:defs.bzl", "made", "change")\nmade(name = "a", label = "@r//:y")\nchange("a")\n'
    text = f"--- WORKSPACE\n{asked}--- defs.bzl\n{SEEN}{CHANGING}--- BUILD\n"
    opened = open_text(text, "2.1.0")
    assert opened.diagnostics == []
    assert opened.context.repositories["told"].attributes["list"] == ["dict"]
    assert opened.context.repositories["told_a"].attributes["list"] == ["5", "@r//:y"]
    opened = open_text(text, "7.7.1")
    assert opened.context.repositories["told"].attributes["list"] == ["Map"]
    assert [each.message for each in opened.diagnostics] == ["'Map' value has no field or method 'pop'"]


@pytest.mark.parametrize(("version", "own"), [("0.19.1", ["me"]), ("4.2.3", ["me"]), ("7.7.1", [])])
def test_the_checkout_itself_and_binds_exist(version: str, own: list[str]) -> None:
    """`workspace(name = "me")` declares `local_repository(name = "me", path = ".")`: seen in 0.19.1 to 4.2.3; 7.7.1 has
    the kind behind the name."""
    asked = 'workspace(name = "me")\nload("//:defs.bzl", "names", "tell")\nbind(name = "b", actual = "//:x")\n'
    seen = told(asked + 'names()\ntell("me")\ntell("b")\n', version)
    assert seen["names"] == ["b", *own]
    head = '"generator_name": "", "generator_function": "", "generator_location": ""'
    bound = f'{{"name": "b", {head}, "actual": "//:x", "kind": "bind"}}'
    if version == "7.7.1":
        bound = f'{{"name": "b", "kind": "bind", {head}, "actual": "//:x"}}'
    assert seen["told_b"] == [bound]
    whole = f'{{"name": "me", {head}, "path": ".", "kind": "local_repository"}}'
    assert seen["told_me"] == [whole if own else "None"]


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
