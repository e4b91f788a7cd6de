"""What BUILD files get wrong: the words, and which targets stay. Each line was tried with Bazel 4.2.3."""

from __future__ import annotations

import pytest

from bzlgraph.bazel.model import Rule
from tests.bazel.build_file import build, problems

ONLY_ALONE = (
    "Public or private visibility labels (e.g. //visibility:public or //visibility:private) cannot be used in "
    "combination with other labels"
)
REPORTED = [
    # code, messages (without the label in front), targets that stay
    (
        'config_setting(name="x", flag_values={":x": "1", "x": "2", "//o": ""})',
        ["duplicate labels in attribute 'flag_values' in 'config_setting' rule: //pkg:x (as [\":x\", \"x\"])"],
        "x after",
    ),
    ('filegroup(name="x", tags=["a"], srcss=["b"])', ["no such attribute 'srcss' in 'filegroup' rule"], "x after"),
    (
        'genrule(name="x", cmd="", outs=["//q:z"])',
        [
            "label '//q:z' is not in the current package",
            "missing value for mandatory attribute 'outs' in 'genrule' rule",
        ],
        "x after",
    ),
    (
        'genrule(name="x", cmd="", outs=[1])',
        [
            "expected value of type 'output' for element 0 of attribute 'outs' in 'genrule' rule, but got 1 (int)",
            "missing value for mandatory attribute 'outs' in 'genrule' rule",
        ],
        "x after",
    ),
    (
        'alias(name="x", actual=1)',
        [
            "expected value of type 'string' for attribute 'actual' in 'alias' rule, but got 1 (int)",
            "missing value for mandatory attribute 'actual' in 'alias' rule",
        ],
        "x after",
    ),
    (
        'cc_library(name="x", linkstatic=2, copts=[1], defines="x", testonly="1")',
        [
            "boolean is not one of [0, 1]",
            "expected value of type 'string' for element 0 of attribute 'copts' in 'cc_library' rule, but got 1 (int)",
            (
                "expected value of type 'list(string)' for attribute 'defines' in 'cc_library' rule, "
                'but got "x" (string)'
            ),
            "expected value of type 'int' for attribute 'testonly' in 'cc_library' rule, but got \"1\" (string)",
        ],
        "x after",
    ),
    (
        'cc_test(name="x", stamp=3, shard_count="x", size="foo", timeout="bar")',
        [
            "expected value of type 'tristate' for TriState values is not one of [-1, 0, 1], but got 3 (int)",
            "expected value of type 'int' for attribute 'shard_count' in 'cc_test' rule, but got \"x\" (string)",
            "In rule 'x', size 'foo' is not a valid size.",
            "In rule 'x', timeout 'bar' is not a valid timeout.",
        ],
        "x x.dwp after",
    ),
    ('filegroup(name="x", visibility=["x"])', [], "x after"),
    (
        'filegroup(name="x", visibility=["//visibility:public", "//a:__pkg__"])',
        [
            ONLY_ALONE,
        ],
        "x after",
    ),
    ('config_setting(name="x")', [], "x after"),
    (
        'config_setting(name="x", values={"a":1})',
        ["expected value of type 'string' for dict value element, but got 1 (int)"],
        "x after",
    ),
    ('filegroup(name="x", generator_name="y")', [], "x after"),
    ('filegroup(name="x", licenses=["foo"])', ["invalid license type: 'foo'"], "x after"),
    ('filegroup(name="x", distribs=["foo"])', ["Invalid distribution type 'foo'"], "x after"),
    ('test_suite(name="x", tests=[":no"])', [], "x no after"),
    (
        'filegroup(name="x", srcs=[None])',
        [
            (
                "expected value of type 'string' for element 0 of attribute 'srcs' in 'filegroup' rule, "
                "but got None (NoneType)"
            )
        ],
        "x after",
    ),
    ('filegroup(name="x", tags=select({"a":["b"]}))', ['attribute "tags" is not configurable'], "x after"),
    (
        'filegroup(name="x", data=select({"a":["q"]})+select({"b":["q"]}))',
        ["Label '//pkg:q' is duplicated in the 'data' attribute of rule 'x'"],
        "x a b q after",
    ),
    ('filegroup(name="x", data=select({"a":["q"], "b":["q"]}))', [], "x a b q after"),
    (
        'filegroup(name="x", srcs=["a.txt", ":a.txt"])',
        ["Label '//pkg:a.txt' is duplicated in the 'srcs' attribute of rule 'x'"],
        "x a.txt after",
    ),
    ('java_library(name="x", resource_jars=["a"])', [], "x libx.jar libx-src.jar a after"),
    ('java_library(name="x/y")', [], "x/y libx/y.jar libx/y-src.jar after"),
    (
        'toolchain(name="x")',
        [
            "missing value for mandatory attribute 'toolchain_type' in 'toolchain' rule",
            "missing value for mandatory attribute 'toolchain' in 'toolchain' rule",
        ],
        "x after",
    ),
    ('licenses(["foo"])', ["invalid license type: 'foo'"], "after"),
    (
        'licenses(["notice", 1])',
        ["expected value of type 'string' for element 1 of 'licenses' operand, but got 1 (int)"],
        "after",
    ),
    (
        "distribs([1])",
        ["expected value of type 'string' for element 0 of 'distribs' operand, but got 1 (int)"],
        "after",
    ),
    (
        'distribs("web")',
        ["expected value of type 'list(string)' for 'distribs' operand, but got \"web\" (string)"],
        "after",
    ),
    ('distribs(["zz"])', ["Invalid distribution type 'zz'"], "after"),
    ('package_group(name="x", packages=["x"])', ["invalid package name 'x': must start with '//'"], "x after"),
    ('exports_files(["a", "a"])', [], "a after"),
    ("glob()", [], "after"),
    ('glob(["**"], exclude=["/a"])', [], "after"),
]

FATAL = [
    # code, message, targets that were made before
    ('filegroup("x")', "unexpected positional arguments", ""),
    ("filegroup(name=1)", "filegroup 'name' attribute must be a string", ""),
    ("filegroup()", "filegroup rule has no 'name' attribute", ""),
    ('filegroup(name="")', "illegal rule name: : invalid target name '': empty target name", ""),
    (
        'filegroup(name="a//b")',
        "illegal rule name: a//b: invalid target name 'a//b': target names may not contain '//' path separators",
        "",
    ),
    (
        'filegroup(name="a/../b")',
        (
            "illegal rule name: a/../b: invalid target name 'a/../b': "
            "target names may not contain up-level references '..'"
        ),
        "",
    ),
    (
        'genrule(name="x", cmd="", outs=["a","a"])',
        "generated file 'a' in rule 'x' conflicts with existing generated file from rule 'x', defined at pkg/BUILD:1:8",
        "",
    ),
    (
        'genrule(name="w", cmd="", outs=["a"]); genrule(name="x", cmd="", outs=["a"])',
        "generated file 'a' in rule 'x' conflicts with existing generated file from rule 'w', defined at pkg/BUILD:1:8",
        "w a",
    ),
    (
        'genrule(name="w", cmd="", outs=["d"]); genrule(name="x", cmd="", outs=["d/f"])',
        "output file 'd/f' of rule 'x' conflicts with output file 'd' of rule 'w'",
        "w d",
    ),
    (
        'genrule(name="w", cmd="", outs=["d/f"]); genrule(name="x", cmd="", outs=["d"])',
        "output file 'd' of rule 'x' conflicts with output file 'd/f' of rule 'w'",
        "w d/f",
    ),
    (
        'filegroup(name="x"); filegroup(name="x")',
        "filegroup rule 'x' in package 'pkg' conflicts with existing filegroup rule, defined at pkg/BUILD:1:10",
        "x",
    ),
    (
        'genrule(name="x", srcs=["a"], cmd="", outs=["a"])',
        "rule 'x' has file 'a' as both an input and an output",
        "",
    ),
    ("package()", "at least one argument must be given to the 'package' function", ""),
    (
        "package(default_testonly=1); package(default_testonly=1)",
        "'package' can only be used once per BUILD file",
        "",
    ),
    ('package(default_copts=["a"])', "unexpected keyword argument: default_copts", ""),
    (
        'package(default_visibility="x")',
        "expected value of type 'list(label)' for 'package' argument, but got \"x\" (string)",
        "",
    ),
    (
        'licenses("notice")',
        "in call to licenses(), parameter 'license_strings' got value of type 'string', want 'sequence'",
        "",
    ),
    (
        'exports_files("a")',
        "in call to exports_files(), parameter 'srcs' got value of type 'string', want 'sequence'",
        "",
    ),
    (
        'filegroup(name="a"); exports_files(["a"])',
        "generated label '//pkg:a' conflicts with existing filegroup rule",
        "a",
    ),
    (
        'exports_files(["a"],visibility=["//visibility:private"]); exports_files(["a"])',
        "visibility for exported file 'a' declared twice",
        "a",
    ),
    ('glob("a")', "in call to glob(), parameter 'include' got value of type 'string', want 'sequence'", ""),
    ("glob([1])", "expected value of type 'string' for element 0 of 'glob' argument, but got 1 (int)", ""),
    ('glob(["a"], allow_empty=None)', "expected boolean for argument `allow_empty`, got `None`", ""),
    (
        'glob(["a"], exclude_directories=None)',
        "in call to glob(), parameter 'exclude_directories' got value of type 'NoneType', want 'int'",
        "",
    ),
    (
        'filegroup(name="x", srcs=select({"a": []}, no_match_error=None))',
        "in call to select(), parameter 'no_match_error' got value of type 'NoneType', want 'string'",
        "",
    ),
    ('genrule(name="x", cmd="", outs=["."])', "genrule output file name can't be equal '.'", ""),
    ('glob(["a"], allow_empty=2)', "expected boolean for argument `allow_empty`, got `2`", ""),
    (
        'environment_group(name="x", environments=[], defaults=[])',
        "environment group x must contain at least one environment",
        "",
    ),
]


@pytest.mark.parametrize(("code", "messages", "targets"), REPORTED)
def test_reported_and_kept(code: str, messages: list[str], targets: str) -> None:
    package = build(f'{code}\nfilegroup(name = "after")\n')
    assert [message.removeprefix("//pkg:x: ") for message in problems(package)] == messages
    assert set(package.targets) - {"BUILD"} == set(targets.split())


@pytest.mark.parametrize(("code", "message", "targets"), FATAL)
def test_ends_the_file(code: str, message: str, targets: str) -> None:
    package = build(f'{code}\nfilegroup(name = "after")\n')
    assert problems(package) == [message]
    assert set(package.targets) - {"BUILD"} == set(targets.split())


@pytest.mark.parametrize(
    ("label", "reason"),
    [
        ("../a", "target names may not contain up-level references '..'"),
        ("/a", "target names may not start with '/'"),
        ("", "empty package-relative label"),
        ("//", "empty target name"),
    ],
)
def test_bad_labels(label: str, reason: str) -> None:
    package = build(f'filegroup(name = "x", srcs = ["ok", "{label}"])')
    (message,) = problems(package)
    assert message.startswith(
        f"//pkg:x: invalid label '{label}' in element 1 of attribute 'srcs' in 'filegroup' rule: "
    )
    rule = package.targets["x"]
    assert isinstance(rule, Rule)
    assert "srcs" not in rule.values


def test_a_label_into_a_package_below() -> None:
    package = build('filegroup(name = "x", srcs = ["sub/a", "subs/b"])', packages=["sub"])
    assert problems(package) == ["Label '//pkg:sub/a' is invalid because 'pkg/sub' is a subpackage"]
    assert package.diagnostics[0].hint == "perhaps you meant to put the colon here: '//pkg/sub:a'?"
    assert "subs/b" in package.targets
    assert "sub/a" not in package.targets


def test_a_typo_gets_a_suggestion() -> None:
    package = build('cc_library(name = "x", dep = [])')
    assert package.diagnostics[0].hint == "did you mean 'deps'?"
    assert str(package.diagnostics[0].location) == "pkg/BUILD:1:11"


def test_what_cannot_be_called_is_named_by_its_type() -> None:
    """As Bazel 4.2.3 and 7.7.1 say it: Python knows the value by the name of our class."""
    assert problems(build('Label("//a:b")()')) == ["'Label' object is not callable"]


@pytest.mark.parametrize(("version", "fault"), [("4.2.3", "workspace names may contain only"), ("7.7.1", "")])
def test_canonical_names_came_with_modules(version: str, fault: str) -> None:
    told = problems(build('filegroup(name = "x", srcs = ["@@a~b//c"])', version=version))
    assert len(told) == bool(fault)
    assert all(f"invalid repository name '@@a~b': {fault}" in each for each in told)


@pytest.mark.parametrize("version", ["0.19.1", "4.2.3", "7.7.1"])
def test_what_native_has_not(version: str) -> None:
    """As 2.1.0 to 7.7.1 say it; a name of a later Bazel is none of an older one."""
    macros = "def m(name):\n    native.cc_librry(name = name)\n"
    package = build('m(name = "x")', macros=macros, version=version)
    assert problems(package) == ["no native function or rule 'cc_librry' (did you mean 'cc_library'?)"]
    macros = "def m(name):\n    native.filegroup(name = str(hasattr(native, 'no')) + getattr(native, 'no', name))\n"
    package = build('m(name = "x")', macros=macros, version=version)
    assert [rule.label.name for rule in package.rules()] == ["Falsex"]
