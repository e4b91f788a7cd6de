"""What running symbolic macros mean for visibility, files, names, functions and finalizers.

The cases follow Bazel's own SymbolicMacroTest (bazelbuild/bazel@9e91c0f724916b825f6e2d574b104ed0e22cbb44 and
@036aada43089fcf3942daa4f52bcf94909e467fb).
"""

from __future__ import annotations

import pytest

from bzlgraph.bazel.model import SourceFile
from tests.bazel.memory_workspace import package, problems, rule

SHOWS = """
--- inner/BUILD
--- inner/defs.bzl
def _inner(name, visibility):
    native.filegroup(name = name, visibility = visibility)
    native.exports_files([name + ".txt"], visibility = ["//friend:__pkg__"])

inner = macro(implementation = _inner)
--- outer/BUILD
--- outer/defs.bzl
load("//inner:defs.bzl", "inner")

def _outer(name, visibility):
    native.filegroup(name = name, visibility = visibility)
    native.filegroup(name = name + "_own")
    inner(name = name + "_shown", visibility = visibility)
    inner(name = name + "_hidden")

outer = macro(implementation = _outer)
--- p/BUILD
load("//outer:defs.bzl", "outer")
"""


@pytest.mark.parametrize(
    ("default", "written", "seen"),
    [
        ("//visibility:private", None, ["//p:__pkg__"]),
        ("//by:__pkg__", None, ["//by:__pkg__", "//p:__pkg__"]),
        ("//by:__pkg__", ["//q:__pkg__"], ["//p:__pkg__", "//q:__pkg__"]),
        ("//by:__pkg__", ["//visibility:private"], ["//p:__pkg__"]),
        ("//by:__pkg__", ["//p:__pkg__"], ["//p:__pkg__"]),
        ("//by:__pkg__", ["//visibility:public", "//q:__pkg__"], ["//visibility:public"]),
    ],
)
def test_a_macro_is_told_the_package_that_calls_it(default: str, written: object, seen: list[str]) -> None:
    text = f'package(default_visibility = ["{default}"])\nouter(name = "m", visibility = {written})\n'
    made = package(SHOWS + text, "p", version="8.7.0")
    assert problems(made) == []
    assert [str(each) for each in rule(made, "m").visibility or ()] == seen


def test_a_submacro_is_told_the_package_of_the_macro_around_it() -> None:
    made = package(SHOWS + 'outer(name = "m")\n', "p")
    found = {name: [str(each) for each in target.visibility or ()] for name, target in made.targets.items()}
    assert found["m_own"] == ["//visibility:private"]
    assert found["m_shown"] == ["//outer:__pkg__", "//p:__pkg__"]
    assert found["m_hidden"] == ["//outer:__pkg__"]
    assert found["m_hidden.txt"] == ["//friend:__pkg__", "//inner:__pkg__"]


def test_existing_rules_show_the_visibility_that_is_written() -> None:
    text = """
--- defs.bzl
def _m(name, visibility):
    native.filegroup(name = name)

m = macro(implementation = _m)

def show():
    native.filegroup(name = "seen_%d" % len(native.existing_rule("x")["visibility"]))
--- BUILD
load(":defs.bzl", "m", "show")
m(name = "x")
show()
"""
    assert "seen_0" in package(text).targets


FILES = """
--- defs.bzl
def _m(name, visibility, srcs = None, data = None, _tool = None):
    native.filegroup(name = name, srcs = ["inside.txt", "named_outside.txt"], data = srcs)

_ATTRS = {"srcs": attr.label_list(), "data": attr.label(default = "by_default.txt"), "_tool": attr.label(default = "t")}
m = macro(implementation = _m, attrs = _ATTRS)

def _around(name, visibility):
    m(name = name + "_m", srcs = ["given_inside.txt"])

around = macro(implementation = _around)
--- BUILD
load(":defs.bzl", "around", "m")
around(name = "other")
m(name = "x", srcs = ["given.txt", ":other", ":other_m"] + select({":c": ["chosen.txt"], "//conditions:default": []}))
filegroup(name = "y", srcs = ["named_outside.txt"])
"""


def test_files_are_those_that_the_build_file_names() -> None:
    made = package(FILES, "")
    files = {name for name, target in made.targets.items() if isinstance(target, SourceFile)}
    assert files == {"BUILD", "given.txt", "chosen.txt", "named_outside.txt", "by_default.txt"}


CALLS = """
--- defs.bzl
def _inner(name, visibility):
    {inner}

inner = macro(implementation = _inner)

def _m(name, visibility, values = []):
    {body}

m = macro(implementation = _m, attrs = {{"values": attr.int_list(configurable = False)}})
--- BUILD
load(":defs.bzl", "m")
m(name = "abc", values = [1])
{after}
"""

_EXISTS = "conflicts with an existing macro (and was not created by it)"
_FILE = "can only be used while evaluating a BUILD file"


@pytest.mark.parametrize(
    ("body", "inner", "after", "message"),
    [
        ("inner(name = name + '$x')", "pass", "", "macro 'abc' cannot declare submacro named 'abc$x'."),
        ("inner(name = name); inner(name = name)", "pass", "", f"macro 'abc' {_EXISTS}"),
        ("inner(name = name); native.filegroup(name = name)", "pass", "", f"target 'abc' {_EXISTS}"),
        (
            "native.filegroup(name = name); inner(name = name)",
            "pass",
            "",
            "macro 'abc' conflicts with an existing target.",
        ),
        ("pass", "pass", "m(name = 'abc')", f"macro 'abc' {_EXISTS}"),
        ("pass", "pass", "exports_files(['abc'])", f"target 'abc' {_EXISTS}"),
        ("pass", "pass", "genrule(name = 'g', outs = ['abc'], cmd = '')", f"target 'abc' {_EXISTS}"),
        ("inner(name = name)", "native.filegroup(name = name)", "", ""),
        ("m(name = name + '_x')", "pass", "", "macro 'abc_x' is a direct recursive call of 'abc'"),
        ("native.glob(['*'])", "pass", "", f"glob() {_FILE}, a legacy macro, or a rule finalizer"),
        (
            "native.subpackages(include = ['*'])",
            "pass",
            "",
            f"subpackages() {_FILE}, a legacy macro, or a rule finalizer",
        ),
        ("native.existing_rule('x')", "pass", "", f"existing_rule() {_FILE}, a legacy macro, or a rule finalizer"),
        ("native.existing_rules()", "pass", "", f"existing_rules() {_FILE}, a legacy macro, or a rule finalizer"),
        ("native.package(features = [])", "pass", "", f"package() {_FILE} or a legacy macro"),
        (
            "native.environment(name = name)",
            "pass",
            "",
            "environment rule can only be instantiated while evaluating a BUILD file or a legacy macro",
        ),
        ("values.append(2)", "pass", "", "trying to mutate a frozen list value"),
        ("visibility.append(Label('//x'))", "pass", "", "trying to mutate a frozen list value"),
        ("return True", "pass", "", "macro 'abc' may not return a non-None value (got True)"),
    ],
)
def test_what_a_macro_may_do(body: str, inner: str, after: str, message: str) -> None:
    made = package(CALLS.format(body=body, inner=inner, after=after), "")
    assert problems(made) == ([message] if message else [])


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        ("attrs = {1: attr.string()}", "got dict<int, Attribute> for 'attrs', want dict<string, Attribute|None>"),
        ("attrs = {'a': 1}", "got dict<string, int> for 'attrs', want dict<string, Attribute|None>"),
        ("attrs = {'a b': None}", "attribute name `a b` is not a valid identifier."),
        ("inherit_attrs = 'all'", 'Invalid \'inherit_attrs\' value "all"; expected a rule, a macro, or "common"'),
        ("attrs = {'_tool': attr.label()}", "cannot set value of implicit attribute '_tool'"),
    ],
)
def test_wrong_definitions_and_private_attributes(definition: str, message: str) -> None:
    text = f"""
--- defs.bzl
def _m(name, visibility, **kwargs):
    pass

m = macro(implementation = _m, {definition})
--- BUILD
load(":defs.bzl", "m")
m(name = "x", _tool = "//t")
"""
    assert message in problems(package(text, ""))


def test_a_macro_that_inherits_takes_any_attribute() -> None:
    text = """
--- defs.bzl
def _m(name, visibility, tags):
    pass

m = macro(implementation = _m, inherit_attrs = "common")
--- BUILD
load(":defs.bzl", "m")
"""
    assert problems(package(text, "")) == [
        "If inherit_attrs is set, implementation function must have a **kwargs parameter"
    ]


FINALIZERS = """
--- defs.bzl
def _plain(name, visibility):
    native.filegroup(name = name)

plain = macro(implementation = _plain)

def _last(name, visibility):
    plain(name = name + "_late")
    native.filegroup(name = name, srcs = native.existing_rules().keys() + native.glob(["*.txt"], allow_empty = True))

last = macro(implementation = _last, finalizer = True)
--- BUILD
load(":defs.bzl", "last")
last(name = "one")

last(name = "two")
filegroup(name = "below")
"""


def test_finalizers_do_not_see_each_other() -> None:
    made = package(FINALIZERS, "")
    assert problems(made) == []
    assert [each.label.name for each in made.rules()] == ["below", "one", "two", "one_late", "two_late"]
    for name in ("one", "two"):
        assert [label.name for label in rule(made, name).get("srcs")] == ["below"]


def test_what_a_finalizer_makes_stands_where_it_is_called() -> None:
    made = package(FINALIZERS, "")
    for name, line in [("one", 2), ("two", 4), ("two_late", 4)]:
        found = rule(made, name)
        assert (found.location.path, found.location.line) == ("BUILD", line)
        assert found.generator is not None
        assert found.generator.function == "last"


def test_a_package_with_errors_is_not_finalized() -> None:
    made = package(FINALIZERS + "fail('no')\n", "")
    assert [each.label.name for each in made.rules()] == ["below"]


def test_a_finalizer_runs_in_no_other_macro() -> None:
    text = FINALIZERS.replace(
        "last = macro",
        "def _m(name, visibility):\n    last(name = name)\n\nm = macro(implementation = _m)\nlast = macro",
    )
    made = package(text.replace('"last")', '"last", "m")') + 'm(name = "x")\n', "")
    assert problems(made)[0].startswith("Cannot instantiate a rule finalizer within a non-finalizer symbolic macro.")
