"""Rules that are made of other rules, and initializers, by version."""

from __future__ import annotations

import pytest

from tests.bazel.memory_workspace import package, problems


def test_the_class_of_an_analysis_test_is_its_name_and_test() -> None:
    text = '--- BUILD\nload(":a.bzl", "t")\nt("t")\nt("u_test")\n--- a.bzl\n'
    text += "def t(name):\n    testing.analysis_test(name = name, implementation = t)\n"
    found = package(text, version="7.7.1")
    assert [rule.kind for rule in found.rules()] == ["t_test rule", "u_test_test rule"]


def test_an_initializer_gets_the_name() -> None:
    text = '--- BUILD\nload(":a.bzl", "r")\nr(name = "i", srcs = ["x"], tags = ["t"])\n--- a.bzl\n'
    text += "def _init(name, srcs):\n    return {'srcs': srcs + [name + '.txt']}\n"
    text += "r = rule(lambda ctx: None, attrs = {'srcs': attr.label_list()}, initializer = _init)\n"
    found = package(text)
    assert problems(found) == []
    assert list(map(str, found.targets["i"].values["srcs"])) == ["//:x", "//:i.txt"]


RULE_EXTENSION = {"experimental_rule_extension_api": True}
"""What Bazel 7 wants for initializers."""


@pytest.mark.parametrize(("version", "passed"), [("7.7.1", "['name', 'srcs']"), ("8.0.1", "['name']")])
def test_an_initializer_is_passed_none_before_bazel_8(version: str, passed: str) -> None:
    text = '--- BUILD\nload(":a.bzl", "r")\nr(name = "i", srcs = None)\n--- a.bzl\n'
    text += "def _init(**kwargs):\n    return {'seen': str(sorted(kwargs))}\n"
    text += "attrs = {'srcs': attr.label_list(), 'seen': attr.string()}\n"
    text += "r = rule(lambda ctx: None, attrs = attrs, initializer = _init)\n"
    found = package(text, version=version, switches=RULE_EXTENSION)
    assert problems(found) == []
    assert found.targets["i"].values["seen"].replace('"', "'") == passed


def test_an_initializer_may_return_none() -> None:
    text = '--- BUILD\nload(":a.bzl", "r")\nr(name = "i", srcs = ["x"])\n--- a.bzl\n'
    text += "def _init(name, srcs):\n    pass\n"
    text += "r = rule(lambda ctx: None, attrs = {'srcs': attr.label_list()}, initializer = _init)\n"
    found = package(text, version="7.7.1", switches=RULE_EXTENSION)
    assert problems(found) == []
    assert list(map(str, found.targets["i"].values["srcs"])) == ["//:x"]


def test_a_call_may_set_private_attributes_by_their_inner_names_and_no_initializer() -> None:
    """7.7.1 takes the call. Of initializers it takes this in its own files only."""
    text = '--- BUILD\nload(":a.bzl", "r")\nr(name = "i")\n--- a.bzl\ndef _init(name):\n    return {"_all": ["//:x"]}\n'
    text += "r = rule(lambda ctx: None, attrs = {'_all': attr.label_list()}, initializer = _init)\n"
    assert problems(package(text)) == ["file '//:a.bzl' cannot use private API"]
    call = text.replace('r(name = "i")', 'r(**{"name": "i", "$all": ["//:y"]})')
    made = package(call.replace('return {"_all": ["//:x"]}', "pass"))
    assert problems(made) == []
    assert list(map(str, made.targets["i"].values["$all"])) == ["//:y"]
    written = text.replace('return {"_all": ["//:x"]}', "pass")
    assert "no such attribute '_all'" in problems(package(written.replace('"i")', '"i", _all = [])')))[0]
