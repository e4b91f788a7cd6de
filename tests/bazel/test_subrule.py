"""subrule(): what it brings to rules and aspects, and which Bazels keep it to themselves.

Real Bazel 7.7.1, with and without --experimental_rule_extension_api, was asked for the attributes, names and errors.
"""

from __future__ import annotations

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Package, Rule
from tests.bazel.memory_workspace import package, problems, rule

FILES = """
--- lib/BUILD
--- lib/tool.bzl
def _impl(ctx):
    pass
inner = subrule(implementation = _impl, attrs = {"_in": attr.label(default = ":y")})
--- lib/defs.bzl
load(":tool.bzl", "inner")
def _impl(ctx):
    pass
many = subrule(
    implementation = _impl,
    attrs = {"_x": attr.label(default = ":x"), "_tools": attr.label_list(default = [":t"], cfg = "exec")},
    toolchains = ["//lib:type"],
    subrules = [inner],
)
r = rule(implementation = _impl, subrules = [many], attrs = {"_own": attr.label(default = ":own")})
child = rule(implementation = _impl, parent = r)
plain = rule(implementation = _impl)
a = aspect(implementation = _impl, subrules = [many, inner])
applies = rule(implementation = _impl, attrs = {"deps": attr.label_list(aspects = [a])})
--- p/BUILD
load("//lib:defs.bzl", "applies", "child", "plain", "r")
applies(name = "applies")
child(name = "child")
plain(name = "plain")
r(name = "r")
"""
BROUGHT = {
    "$//lib:defs.bzl%many%_tools": [Label("", "lib", "t")],
    "$//lib:defs.bzl%many%_x": Label("", "lib", "x"),
    "$//lib:tool.bzl%inner%_in": Label("", "lib", "y"),
}


@pytest.fixture(scope="module", params=["7.7.1", "9.0.0"])
def made(request) -> Package:
    return package(FILES, "p", request.param, {"experimental_rule_extension_api": True})


@pytest.mark.parametrize("name", ["r", "child"])
def test_a_rule_has_the_attributes_of_its_subrules(made: Package, name: str) -> None:
    found = rule(made, name)
    assert {each: found.get(each) for each in BROUGHT} == BROUGHT
    assert found.get("$own") == Label("", "lib", "own")
    attributes = found.rule_class.attributes
    assert all(attributes[each].implicit for each in BROUGHT)
    assert [each for each in BROUGHT if attributes[each].tool] == ["$//lib:defs.bzl%many%_tools"]


def test_a_rule_asks_for_the_toolchains_of_its_subrules(made: Package) -> None:
    needs = {name: rule(made, name).rule_class.exec_groups for name in ("r", "plain")}
    assert [str(each.type) for group in needs["r"] for each in group.toolchains] == ["//lib:type"]
    assert needs["plain"] == ()


def test_an_aspect_brings_the_attributes_of_its_subrules(made: Package) -> None:
    (aspect,) = rule(made, "applies").rule_class.attributes["deps"].aspects
    assert sorted(aspect.attributes) == sorted(BROUGHT)


SUBRULE = "s = subrule(implementation = _impl)"
USES = [
    (SUBRULE, ""),
    ("r = rule(implementation = _impl, initializer = _impl)", "initializer"),
    ("b = rule(implementation = _impl)\nr = rule(implementation = _impl, parent = b)", "parent"),
    ("r = rule(implementation = _impl, extendable = False)", "extendable"),
]


def _problems(statements: str, version: str) -> list[str]:
    text = (
        f'--- BUILD\nload("//d:a.bzl", "x")\n--- d/BUILD\n--- d/a.bzl\ndef _impl(ctx):\n    pass\n{statements}\nx = 1\n'
    )
    return problems(package(text, version=version))


@pytest.mark.parametrize(("statements", "argument"), USES)
def test_bazel_7_keeps_it_to_itself(statements: str, argument: str) -> None:
    assert _problems(statements, "7.7.1") == ["file '//d:a.bzl' cannot use private API"]
    assert _problems(statements, "8.0.1") == _problems(statements, "9.0.0") == _problems(statements, "") == []
    (before,) = _problems(statements, "4.2.3")
    unknown = f"rule() got unexpected keyword argument '{argument}'" if argument else "name 'subrule' is not defined"
    assert before.startswith(unknown)


@pytest.mark.parametrize("arguments", ["subrules = []", "parent = None, initializer = None, extendable = None"])
def test_what_says_nothing_is_no_use_of_it(arguments: str) -> None:
    assert _problems(f"r = rule(implementation = _impl, {arguments})", "7.7.1") == []


def test_a_macro_may_call_it_where_a_file_may() -> None:
    text = '--- BUILD\nload("//d:a.bzl", "m")\nm()\nfilegroup(name = "x")\n--- d/BUILD\n--- d/a.bzl\n'
    text += f"def _impl(ctx):\n    pass\ndef m():\n    {SUBRULE}\n"
    assert problems(package(text, version="7.7.1")) == ["file '//d:a.bzl' cannot use private API"]
    assert isinstance(package(text, version="8.0.1").targets["x"], Rule)


@pytest.mark.parametrize(("version", "length", "refused"), [("7.7.1", 109, 0), ("7.7.1", 110, 1), ("8.2.1", 110, 0)])
def test_a_long_name_of_an_attribute_of_a_subrule_is_refused(version: str, length: int, refused: int) -> None:
    """As Kleaf, whose subrules have the names of their folders, is refused by 7.7.1."""
    name = "s" * length
    files = f"""
--- lib/BUILD
--- lib/defs.bzl
{name} = subrule(implementation = lambda ctx, _x: None, attrs = {{"_x": attr.label(default = ":x")}})
r = rule(implementation = lambda ctx: None, subrules = [{name}])
--- p/BUILD
load("//lib:defs.bzl", "r")
r(name = "a")
"""
    told = problems(package(files, "p", version, {"experimental_rule_extension_api": True}))
    words = f"Attribute r.$//lib:defs.bzl%{name}%_x's name is too long (129 > 128)"
    assert told[:refused] == [words][:refused]
    assert bool(told) is bool(refused)
