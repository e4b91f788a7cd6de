"""What an unknown value leads to is a gap and costs one statement; everything else is an error as before."""

from __future__ import annotations

import pytest

from tests.bazel.memory_workspace import open_text, package, problems

LOAD = 'load("@absent//x:defs.bzl", "U")\n'
MACRO = f"""
--- a.bzl
{LOAD}
def _helper(value):
    if type(value) == type([]):
        return struct(field = value)

def macro(name):
    native.filegroup(name = name + "_before")
    %s
    native.filegroup(name = name)
--- BUILD
load("//:a.bzl", "macro")
macro(name = "m")
filegroup(name = "after")
"""

LED_TO = [
    "x = _helper(U).field",
    "x = [y for y in U][0]",
    "x = {y: 1 for y in U}['key']",
    "x = int(str(U)[7])",
    "for y in (U.list or None):\n        pass",
    "if not U.startswith('x'):\n        x = None + 1",
    "native.genrule(name = 'g', outs = ['o'], cmd = 1 if U else 2)",
    "x = 1 if U else None\n    native.cc_library(name = 'c', srcs = x, deps = [None if not U else ':a'])",
]


@pytest.mark.parametrize("statement", LED_TO)
def test_what_an_unknown_value_leads_to_is_a_gap(statement: str) -> None:
    made = package(MACRO % statement)
    assert problems(made) == []
    assert {"m_before", "after"} <= made.targets.keys()
    assert not made.broken
    led = [gap for gap in made.gaps if "caused by an unknown value" in gap.what]
    assert len(led) == 1
    assert led[0].location is not None
    assert led[0].location.path == ("BUILD" if "native." in statement else "a.bzl")


@pytest.mark.parametrize(
    "guard",
    [
        "if type(U) != 'list':\n        fail('no list')",
        "if not U:\n        fail('empty')",
        "if 'x' not in U:\n        fail('no x')",
        "if U == 'a':\n        pass\n    elif U == 'b':\n        pass\n    else:\n        fail('none of them')",
        "if len([x for x in U]) < 1:\n        fail(msg = 'too few')",
        "if [1] + U != [1]:\n        fail('too few')",
    ],
)
def test_fail_behind_an_unknown_condition_is_not_reached(guard: str) -> None:
    made = package(MACRO % guard)
    assert problems(made) == []
    assert {"m_before", "m", "after"} <= made.targets.keys()
    assert any("fail()" in gap.what for gap in made.gaps)


@pytest.mark.parametrize(
    "statement", ["fail('always')", "x = None + 1", "x = [1][5]", "U\n    fail('whatever U is')", "x = U()\n    [][0]"]
)
def test_an_error_of_its_own_stays_one(statement: str) -> None:
    made = package(MACRO % statement)
    assert len(problems(made)) == 1
    assert made.broken
    assert "after" not in made.targets


def test_an_error_in_another_statement_stays_one() -> None:
    made = package(f"--- BUILD\n{LOAD}x = [y for y in U]\ncc_library(name = 'c', srcs = 1)\nfilegroup(name = 'f')\n")
    assert len(problems(made)) == 1
    assert "expected value of type 'list(label)'" in problems(made)[0]


def test_names_of_the_failed_statement_are_unknown() -> None:
    text = f"--- BUILD\n{LOAD}first = [y for y in U][0]\nfilegroup(name = 'f', srcs = [first])\n"
    made = package(text)
    assert problems(made) == []
    assert "f" in made.targets


def test_a_bzl_file_goes_on_too() -> None:
    text = f"""
--- a.bzl
{LOAD}
FIRST = [x for x in U][0]
def macro(name):
    native.filegroup(name = name, srcs = LATER)
LATER = [":late"]
--- BUILD
load("//:a.bzl", "FIRST", "LATER", "macro")
macro(name = "m" + LATER[0][1:])
cc_library(name = "c", deps = [FIRST])
"""
    made = package(text)
    assert problems(made) == []
    assert {"mlate", "c"} <= made.targets.keys()


def test_a_value_that_a_bzl_file_guessed() -> None:
    text = f"--- a.bzl\n{LOAD}LIST = [x for x in U]\n--- BUILD\nload('//:a.bzl', 'LIST')\nx = LIST[0]\n"
    made = package(text + "filegroup(name = 'f')\n")
    assert problems(made) == []
    assert "f" in made.targets


def test_workspace_goes_on_too() -> None:
    text = """
--- WORKSPACE
load("@absent//x:defs.bzl", "U")
local_repository(name = "one", path = "one")
[local_repository(name = x["name"], path = U[x["path"]]) for x in [{y: 1 for y in U}]]
local_repository(name = "two", path = "two")
--- BUILD
"""
    workspace = open_text(text)
    assert workspace.diagnostics == []
    assert list(workspace.context.repositories) == ["one", "two"]


def test_the_names_before_an_error_in_a_bzl_file_are_known() -> None:
    text = """
--- a.bzl
def macro(name):
    native.filegroup(name = name)
X = [][0]
--- BUILD
load("//:a.bzl", "X", "macro")
macro(name = "m")
cc_library(name = "c", deps = X)
"""
    made = package(text)
    assert len(problems(made)) == 1
    assert made.targets["m"].kind == "filegroup rule"


_FAILING = """
--- a.bzl
def macro(name):
    native.filegroup(name = name)
--- BUILD
filegroup(name = "before")
load("//:a.bzl", "absent", "macro")
macro(name = "m")
macro(nam = "n")
filegroup(name = "after")
"""


@pytest.mark.parametrize("version", ["0.19.1", "1.0.0"])
def test_before_bazel_1_1_a_build_file_goes_on_behind_a_failed_statement(version: str) -> None:
    made = package(_FAILING, version=version)
    assert {"before", "after"} == set(made.targets) - {"BUILD"}
    assert len(problems(made)) == 3, "what the load() has not bound is unknown to no statement behind it"


@pytest.mark.parametrize("version", ["1.2.0", "4.2.3", "7.7.1", ""])
def test_since_bazel_1_1_a_failed_statement_ends_a_build_file(version: str) -> None:
    made = package(_FAILING, version=version)
    assert {"before"} == set(made.targets) - {"BUILD"}
    assert len(problems(made)) == 1
