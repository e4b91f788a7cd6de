"""What is completed after a BUILD file ran."""

from __future__ import annotations

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import PackageGroup, SourceFile
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


def test_conditions_do_not_take_the_licenses_of_the_package_since_1_2() -> None:
    text = 'licenses(["notice"])\nconfig_setting(name = "c", values = {"cpu": "k8"})\nfilegroup(name = "f")'
    for version, licensed in (("0.24.1", ["NOTICE"]), ("1.2.0", None), ("4.2.3", None)):
        package = build(text, version=version)
        assert rule(package, "c").get("licenses") == licensed
        assert rule(package, "f").get("licenses") == ["NOTICE"]
