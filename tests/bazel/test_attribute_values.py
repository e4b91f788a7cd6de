"""Every value in every kind of attribute: refused exactly where real Bazels refuse it."""

from __future__ import annotations

import pytest

from bzlgraph.loading.loader import Loader
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.sources.source import MemorySource
from bzlgraph.workspace.workspace import open_workspace
from tests.bazel.attribute_values import DEFINITIONS, PLACES, VERSIONS, build_file, golden, values
from tests.bazel.build_file import build, problems
from tests.bazel.memory_workspace import package, rule
from tests.bazel.memory_workspace import problems as problems_of


@pytest.mark.parametrize("version", VERSIONS)
def test_values_are_refused_where_bazel_refuses_them(version: str) -> None:
    recorded = golden(version)
    cases = [(value, place) for value in values() for place in PLACES]
    files = {"WORKSPACE": b"", "BUILD": b"", "defs.bzl": DEFINITIONS.encode()}
    for at, (value, place) in enumerate(cases):
        files |= {f"p{at}/BUILD": build_file(place, value).encode(), f"p{at}/a": b"", f"p{at}/b": b""}
    loader = Loader(open_workspace(".", Options(bazel_version=version), MemorySource(files)))
    wrong = []
    for at, (value, place) in enumerate(cases):
        package = loader.find("", f"p{at}")
        assert package is not None
        accepted = not any(each.severity == "error" for each in package.diagnostics)
        if accepted != (recorded[value][PLACES.index(place)] == "+"):
            wrong.append(f"{place.replace('VALUE', value)}: bazel {'refuses' if accepted else 'accepts'} it")
    assert wrong == []


@pytest.mark.parametrize("text", ["...", "x/...", ":...", "...x"])
@pytest.mark.parametrize("version", ["4.2.3", "7.7.1"])
def test_labels_that_are_dots(text: str, version: str) -> None:
    refused = version == "7.7.1" and text in ("...", "x/...")
    where = "in element 0 of attribute 'srcs' in 'filegroup' rule"
    words = f"//pkg:t: invalid label '{text}' {where}: package name cannot contain '...'"
    assert problems(build(f'filegroup(name = "t", srcs = ["{text}"])', version=version)) == [words] * refused


SET = """
--- d.bzl
X = set(["b", "a"])
--- BUILD
load(":d.bzl", "X")
filegroup(name = "x", srcs = X, tags = set(["t"]))
"""


def test_a_set_is_taken_for_a_list() -> None:
    """ListType.convert of Type.java (bazelbuild/bazel@003fcb9c) takes whatever can be iterated over."""
    made = package(SET, version="8.3.1")
    assert [str(each) for each in rule(made, "x").get("srcs")] == ["//:b", "//:a"]
    assert rule(made, "x").get("tags") == ["t"]


def test_build_files_have_sets_since_8_1() -> None:
    """7.7.1 was asked."""
    text = '--- BUILD\nfilegroup(name = "x", tags = set(["t"]))\n'
    assert "name 'set' is not defined" in problems_of(package(text, version="7.7.1"))
    assert problems_of(package(text, version="8.1.1")) == []
