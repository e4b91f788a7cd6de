"""macro(): what the implementation gets, names, visibility, inheritance, finalizers."""

from __future__ import annotations

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import PRIVATE, SelectorList
from tests.bazel.memory_workspace import package, problems, rule

MACROS = """
--- lib/BUILD
--- lib/defs.bzl
def _impl(name, visibility, srcs, mode, deps, out):
    print("GOT", name, visibility, srcs, mode, deps, out)
    native.filegroup(name = name, srcs = srcs, visibility = visibility)
    native.filegroup(name = name + "_inner")

my_macro = macro(
    implementation = _impl,
    attrs = {
        "srcs": attr.label_list(),
        "mode": attr.string(default = "fast", configurable = False),
        "deps": attr.label_list(),
        "out": attr.output(),
    },
)

def _inner(name, visibility):
    native.filegroup(name = name)

inner = macro(implementation = _inner)

def _outer(name, visibility):
    inner(name = name + "_in")

outer = macro(implementation = _outer)

def _library(name, visibility, **kwargs):
    native.cc_library(name = name, **kwargs)

library = macro(implementation = _library, inherit_attrs = native.cc_library, attrs = {"copts": None})
common = macro(implementation = _library, inherit_attrs = "common")
_OPTIONS = {"linkopts": attr.string_list(default = ["-d"])}
again = macro(implementation = _library, inherit_attrs = library, attrs = _OPTIONS)

def _last(name, visibility):
    native.filegroup(name = name, srcs = sorted(native.existing_rules().keys()))

last = macro(implementation = _last, finalizer = True)
--- p/BUILD
load("//lib:defs.bzl", "again", "common", "last", "library", "my_macro", "outer")
package(default_visibility = ["//q:__pkg__"])
"""


def test_targets_and_their_visibility() -> None:
    made = package(MACROS + 'my_macro(name = "x", srcs = ["a", "//b:c"])\n', "p")
    x = rule(made, "x")
    value = x.get("srcs")
    assert isinstance(value, SelectorList)
    ((condition, labels),) = value.parts[0].branches
    assert condition.label == Label("", "conditions", "default")
    assert labels == [Label("", "p", "a"), Label("", "b", "c")]
    assert x.visibility == (Label("", "p", "__pkg__"), Label("", "q", "__pkg__"))
    assert x.macros == ("x",)
    assert rule(made, "x_inner").visibility == (PRIVATE,)
    assert x.generator is not None
    assert x.generator.function == "my_macro"


def test_nested_macros_are_remembered() -> None:
    made = package(MACROS + 'outer(name = "o")\n', "p")
    assert rule(made, "o_in").macros == ("o", "o_in")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('my_macro(name = "x", foo = 1)', "no such attribute 'foo' in 'my_macro' macro"),
        ('my_macro(srcs = ["a"])', "missing value for mandatory attribute 'name' in 'my_macro' macro"),
        ('my_macro("x")', "unexpected positional arguments"),
        ('my_macro(name = "x", mode = select({":c": "slow"}))', 'attribute "mode" is not configurable'),
        ('library(name = "x", copts = ["-O"])', "no such attribute 'copts' in 'library' macro"),
    ],
)
def test_wrong_calls(call: str, message: str) -> None:
    assert problems(package(MACROS + call + "\n", "p")) == [message]


def test_inherited_attributes() -> None:
    text = MACROS + 'library(name = "x", srcs = ["a.cc"], deps = None)\n'
    text += 'common(name = "y", tags = ["t"])\nagain(name = "z", srcs = ["z.cc"])\n'
    made = package(text, "p")
    assert problems(made) == []
    assert made.targets["x"].get("srcs").parts[0].branches[0][1] == [Label("", "p", "a.cc")]
    assert made.targets["y"].get("tags") == ["t"]
    assert made.targets["z"].get("linkopts").parts[0].branches[0][1] == ["-d"]


def test_finalizers_run_last() -> None:
    made = package(MACROS + 'last(name = "all")\nfilegroup(name = "later")\n', "p")
    labels = [label.name for label in rule(made, "all").get("srcs")]
    assert labels == ["later"]


TAKES_MORE = """
--- BUILD
--- m.bzl
load("@gone//:x.bzl", "GONE")
load("@rules_python//python:py_library.bzl", "py_library")
def _wrap(name, visibility, parts, testonly = None, **kwargs):
    native.filegroup(name = name, srcs = parts, testonly = testonly)

source = {}
m = macro(implementation = _wrap, inherit_attrs = source)
--- p/BUILD
load("//:m.bzl", "m")
m(name = "a", parts = [":b"], testonly = True)
"""


@pytest.mark.parametrize(
    "source",
    [
        "GONE",
        "rule(implementation = _wrap, attrs = GONE)",
        "macro(implementation = _wrap, inherit_attrs = GONE)",
        "macro(implementation = _wrap, attrs = GONE | {})",
        "py_library",
    ],
)
def test_an_attribute_of_what_is_not_on_disk_is_not_refused(source: str) -> None:
    """Seen in Oak: a macro that inherits from a rule of a repository that was not there."""
    made = package(TAKES_MORE.replace("{}", source, 1), "p")
    assert rule(made, "a").get("srcs") == [Label("", "p", "b")]


FAILING = """
--- p/defs.bzl
def _inner(name, visibility):
    native.filegroup(name = name + "_before")
    fail("no")

inner = macro(implementation = _inner)

def _outer(name, visibility):
    inner(name = name + "_inner")
    native.filegroup(name = name)

outer = macro(implementation = _outer)

def _returning(name, visibility):
    return 1

returning = macro(implementation = _returning)

def _recursive(name, visibility):
    recursive(name = name + "_again")

recursive = macro(implementation = _recursive)
--- p/BUILD
load(":defs.bzl", "outer", "recursive", "returning")
outer(name = "a")
returning(name = "b")
recursive(name = "c")
filegroup(name = "last")
"""


def test_before_9_a_failing_macro_fails_alone() -> None:
    """executeMacroImplementation of MacroClass.java (bazelbuild/bazel@009b8d16): it notes the error and returns."""
    made = package(FAILING, "p", "8.3.1")
    assert problems(made) == [
        "no",
        "macro 'b' may not return a non-None value (got 1)",
        "macro 'c_again' is a direct recursive call of 'c'",
    ]
    assert set(made.targets) >= {"a_inner_before", "a", "last"}


def test_since_9_a_failing_macro_ends_the_file() -> None:
    """failingMacro_immediatelyThrowsEvalExceptionWithFullCallStack of SymbolicMacroTest.java."""
    made = package(FAILING, "p", "9.1.0")
    assert problems(made) == ["no"]
    assert not {"a", "last"} & set(made.targets)


TYPED = """
--- d.bzl
def _impl(name, visibility, **kwargs):
    native.filegroup(name = name)

m = macro(implementation = _impl, attrs = {
    "label": attr.label(), "text": attr.string(), "texts": attr.string_list(),
    "number": attr.int(), "flag": attr.bool(),
})
--- BUILD
load(":d.bzl", "m")
"""


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("label = 1", "expected value of type 'string' for attribute 'label' in 'm' rule, but got 1 (int)"),
        ("text = 1", "expected value of type 'string' for attribute 'text' in 'm' rule, but got 1 (int)"),
        (
            "texts = 'a'",
            "expected value of type 'list(string)' for attribute 'texts' in 'm' rule, but got \"a\" (string)",
        ),
        ("number = 'a'", "expected value of type 'int' for attribute 'number' in 'm' rule, but got \"a\" (string)"),
        ("flag = 5", "boolean is not one of [0, 1]"),
        (
            "text = select({':c': 1})",
            "expected value of type 'string' for attribute 'text' in 'm' rule, but got 1 (int)",
        ),
        ("text = select({':c': 'a'}) + 'b', texts = ['a'], flag = True, label = ':b', number = 1", ""),
    ],
)
def test_arguments_have_the_types_of_attributes(argument: str, message: str) -> None:
    """instantiateMacro of MacroClass.java (bazelbuild/bazel@009b8d16): copyAndLiftStarlarkValue."""
    made = package(f"{TYPED}m(name = 't', {argument})\n", version="8.3.1")
    assert problems(made) == ([message] if message else [])
    assert ("t" in made.targets) == (not message)


@pytest.mark.parametrize("default", ["lambda x: x", "configuration_field('cpp', 'cc_toolchain')"])
def test_defaults_are_known_when_a_macro_is_made(default: str) -> None:
    """testSymbolicMacro_doesNotSupportComputedDefaults of StarlarkRuleClassFunctionsTest.java."""
    text = TYPED.replace("attr.label()", f"attr.label(default = {default})")
    words = "In macro attribute 'label': Macros do not support computed defaults or late-bound defaults"
    assert problems(package(text, version="8.3.1"))[0] == words
