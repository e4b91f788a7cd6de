"""What is completed after a BUILD file ran."""

from __future__ import annotations

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import PackageGroup, SourceFile
from bzlgraph.bazel.targets.instantiate import PUBLIC
from tests.bazel.build_file import build, problems, rule

TESTS = """
sh_test(name = "small")
sh_test(name = "by_hand", tags = ["manual"])
sh_binary(name = "none")
test_suite(name = "all")
test_suite(name = "named", tests = [":small"])
test_suite(name = "empty", tests = [], tags = ["slow"])
"""


def test_suites_without_tests() -> None:
    package = build(TESTS)
    small = [Label("", "pkg", "small")]
    assert rule(package, "all").values["$implicit_tests"] == small
    assert rule(package, "empty").values["$implicit_tests"] == small
    assert "$implicit_tests" not in rule(package, "named").values


def test_source_files_are_what_rules_name() -> None:
    package = build(
        'filegroup(name = "x", srcs = ["a", "//other:b", ":g.o"])\ngenrule(name = "g", outs = ["g.o"], cmd = "")', ["z"]
    )
    sources = {name for name, target in package.targets.items() if isinstance(target, SourceFile)}
    assert sources == {"BUILD", "a"}
    assert package.targets["a"].location.line == 1


def test_arguments_of_an_unknown_call_are_files_when_they_are_there() -> None:
    text = 'cc_library(name = "x", srcs = ["a.cc"] + unknown_macro(["there.cc", "not_there.cc"]))'
    package = build(text, ["there.cc"])
    assert {name for name, target in package.targets.items() if isinstance(target, SourceFile)} == {
        "BUILD",
        "a.cc",
        "there.cc",
    }


def test_strings_that_are_no_labels_make_no_file() -> None:
    package = build('cc_library(name = "x", copts = ["a"], tags = ["b"], visibility = [":c"])')
    assert set(package.targets) == {"x", "BUILD"}


def test_package_defaults_apply_wherever_package_stands() -> None:
    package = build(
        'filegroup(name = "x")\nfilegroup(name = "y", testonly = 0, deprecation = "own")\nsh_test(name = "t")\n'
        'package(default_testonly = 1, default_deprecation = "old", default_visibility = ["//v:__pkg__"])'
    )
    assert [rule(package, name).get("testonly") for name in ("x", "y", "t")] == [True, False, True]
    assert [rule(package, name).get("deprecation") for name in ("x", "y")] == ["old", "own"]
    assert package.default_visibility == (Label("", "v", "__pkg__"),)
    assert rule(package, "x").visibility is None
    assert "testonly" not in rule(package, "x").values


def test_what_this_bazel_lacks_takes_no_default() -> None:
    text = 'constraint_setting(name = "c")\nfilegroup(name = "f")\npackage(default_applicable_licenses = [":l"])'
    package = build(text, version="7.7.1")
    assert rule(package, "f").get("applicable_licenses") == [Label("", "pkg", "l")]
    assert not rule(package, "c").get("applicable_licenses")


def test_metadata_of_the_package_makes_no_source_file() -> None:
    """7.7.1 says that every rule depends on a target that is not there; what a rule writes itself names a file."""
    text = 'package(default_package_metadata = [":l"])\nfilegroup(name = "f")\n'
    assert set(build(text, version="7.7.1").targets) == {"BUILD", "f"}
    written = f'{text}filegroup(name = "g", applicable_licenses = [":m"], srcs = [":s"])'
    assert set(build(written, version="7.7.1").targets) == {"BUILD", "f", "g", "m", "s"}


def test_defaults_that_are_no_attributes_when_a_package_is_loaded() -> None:
    """As Bazel 2.1.0, 4.2.3 and 7.7.1 answer; licenses count since some version behind 4.2.3."""
    package = build(
        'package(default_compatible_with = ["//e:a"], default_restricted_to = ["//e:b"], '
        'default_applicable_licenses = [":l"])\nfilegroup(name = "f")',
        version="4.2.3",
    )
    named = ("compatible_with", "restricted_to", "applicable_licenses")
    assert [rule(package, "f").get(name) for name in named] == [[], [], []]


def test_no_target_lies_in_a_package_below() -> None:
    """Its outputs stay targets: asked of Bazel 2.1.0, 4.2.3 and 7.7.1."""
    text = 'genrule(name = "d/x", outs = ["y"], cmd = "c")\npackage_group(name = "d/g")\nfilegroup(name = "e/z")'
    package = build(text, packages=["d"])
    assert sorted(package.targets) == ["BUILD", "e/z", "y"]
    message = "Label '//pkg:d/x' is invalid because 'pkg/d' is a subpackage"
    assert problems(package) == [message, message.replace("d/x", "d/g")]


@pytest.mark.parametrize("outs", ['["sub", "sub/x"]', '["sub/x", "t", "sub"]'])
def test_no_output_is_a_folder_of_another_one_of_its_rule(outs: str) -> None:
    package = build(f'genrule(name = "a", outs = {outs}, cmd = "c")')
    assert problems(package) == ["rule 'a' has conflicting output files 'sub' and 'sub/x'"]
    assert "a" not in package.targets


@pytest.mark.parametrize(
    ("version", "message"),
    [("4.2.3", "must start with '//'"), ("7.7.1", "must start with '//' or be 'public' or 'private'")],
)
def test_a_package_group_holds_packages_of_its_own_repository(version: str, message: str) -> None:
    package = build('package_group(name = "g", packages = ["@r//a", "//b"])', version=version)
    assert problems(package) == [f"invalid package name '@r//a': {message}"]
    assert package.targets["g"].packages == ("//b",)  # type: ignore[union-attr]


def test_rules_with_the_same_defaults_share_their_class() -> None:
    package = build('filegroup(name = "x")\nfilegroup(name = "y")\npackage(default_testonly = 1)')
    assert rule(package, "x").rule_class is rule(package, "y").rule_class


def test_exported_files() -> None:
    package = build(
        'exports_files(["a", "d/b"])\nexports_files(["c"], visibility = ["//v:__pkg__"])\n'
        'filegroup(name = "x", srcs = ["a"])'
    )
    assert problems(package) == []
    a, c = package.targets["a"], package.targets["c"]
    assert isinstance(a, SourceFile)
    assert isinstance(c, SourceFile)
    assert a.visibility == (Label("", "visibility", "public"),)
    assert c.visibility == (Label("", "v", "__pkg__"),)


def test_package_group() -> None:
    package = build('package_group(name = "g", packages = ["//a", "-//b/c/...", "//..."], includes = [":h", "//x:y"])')
    group = package.targets["g"]
    assert isinstance(group, PackageGroup)
    assert group.packages == ("//a", "-//b/c/...", "//...")
    assert group.includes == (Label("", "pkg", "h"), Label("", "x", "y"))


def test_old_versions_want_licenses_under_third_party() -> None:
    text = 'filegroup(name = "x")\nfilegroup(name = "y", licenses = ["notice"])'
    (message,) = problems(build(text, version="0.19.1", package="third_party/p"))
    assert message.startswith("third-party rule '//third_party/p:x' lacks a license declaration")
    assert problems(build(f'licenses(["notice"])\n{text}', version="0.19.1", package="third_party/p")) == []
    assert problems(build(text, version="4.2.3", package="third_party/p")) == []
    assert problems(build(text, version="0.19.1", package="other")) == []


def test_conditions_do_not_take_the_licenses_of_the_package_since_0_26() -> None:
    text = 'licenses(["notice"])\nconfig_setting(name = "c", values = {"cpu": "k8"})\nfilegroup(name = "f")'
    for version, licensed in (("0.25.1", ["NOTICE"]), ("0.26.1", None), ("1.0.0", None), ("4.2.3", None)):
        package = build(text, version=version)
        assert rule(package, "c").get("licenses") == licensed
        assert rule(package, "f").get("licenses") == ["NOTICE"]


@pytest.mark.parametrize(("version", "seen"), [("4.2.3", (PUBLIC,)), ("7.7.1", ())])
def test_a_condition_that_says_it_is_visible_to_nobody_is_so_since_6(version: str, seen: tuple[Label, ...]) -> None:
    text = 'config_setting(name = "c", values = {"cpu": "k8"}, visibility = [])'
    assert rule(build(text, version=version), "c").visibility == seen
