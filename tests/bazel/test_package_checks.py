"""What BUILD files may not say of packages, groups of environments and exported files.

Expected: Bazels 2.1.0, 4.2.3 and 7.7.1; PackageFactoryTest of Bazel (036aada4) has most of these.
"""

from __future__ import annotations

import pytest

from tests.bazel.memory_workspace import package, problems

FOO, BAR = 'environment(name = "foo")', 'environment(name = "bar")'


def group(name: str, environments: str, defaults: str = "") -> str:
    listed, chosen = ([f":{each}" for each in names.split()] for names in (environments, defaults))
    return f"environment_group(name = {name!r}, environments = {listed}, defaults = {chosen})"


def problems_of(build: str, version: str = "7.7.1") -> list[str]:
    return problems(package(f"--- pkg/BUILD\n{build}\n", "pkg", version))


@pytest.mark.parametrize("version", ["0.19.1", "4.2.3", "7.7.1", "9.1.0"])
@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([FOO, BAR, group("one", "foo"), group("two", "bar", "bar")], None),
        ([group("later", "foo"), FOO], None),
        ([group("group", "foo")], "environment //pkg:foo does not exist"),
        (['filegroup(name = "foo")', group("group", "foo")], "//pkg:foo is not a valid environment"),
        ([FOO, BAR, group("g", "foo", "bar")], "default //pkg:bar is not a declared environment for group //pkg:g"),
        ([FOO, group("g", "foo foo")], "label '//pkg:foo' is duplicated in the 'environments' list of 'g'"),
        ([FOO, group("g", "foo", "foo foo")], "label '//pkg:foo' is duplicated in the 'defaults' list of 'g'"),
        ([FOO, group("g", "foo"), group("h", "foo")], "environment //pkg:foo belongs to both //pkg:h and //pkg:g"),
        (
            ['environment(name = "foo", fulfills = [":bar"])', 'filegroup(name = "bar")', group("g", "foo")],
            'in "fulfills" attribute of //pkg:foo: //pkg:bar is not a valid environment',
        ),
        (
            ['environment(name = "foo", fulfills = [":bar"])', BAR, group("g", "foo")],
            'in "fulfills" attribute of //pkg:foo: //pkg:bar is not a member of this group',
        ),
        (
            [FOO, 'environment_group(name = "g", environments = [":foo"])'],
            "environment_group() missing 1 required named argument: defaults",
        ),
    ],
)
def test_environment_groups(lines: list[str], message: str | None, version: str) -> None:
    assert problems_of("\n".join(lines), version) == ([] if message is None else [message])


def test_environments_of_other_packages() -> None:
    assert problems_of('environment_group(name = "g", environments = ["//foo"], defaults = [])') == [
        "//foo:foo is not in the same package as group //pkg:g",
        "environment //foo:foo does not exist",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("['a'], licenses = ['notice']", None),
        ("['a'], licenses = None", None),
        ("['a'], licenses = ['nonsense']", "invalid license type: 'nonsense'"),
        (
            "['a'], licenses = 'notice'",
            "in call to exports_files(), parameter 'licenses' got value of type 'string', want 'sequence or NoneType'",
        ),
        (
            "['a'], visibility = 1",
            "in call to exports_files(), parameter 'visibility' got value of type 'int', want 'sequence or NoneType'",
        ),
    ],
)
def test_exports_files(arguments: str, message: str | None) -> None:
    assert problems_of(f"exports_files({arguments})") == ([] if message is None else [message])


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ("", None),
        (", visibility = ['//visibility:public']", None),
        (", licenses = ['notice']", "licenses for exported file 'a' declared twice"),
    ],
)
def test_a_file_is_given_licenses_once(second: str, message: str | None) -> None:
    build = f"exports_files(['a'], licenses = ['notice'])\nexports_files(['a']{second})"
    assert problems_of(build) == ([] if message is None else [message])


@pytest.mark.parametrize(
    "argument", ["default_compatible_with", "default_restricted_to", "default_applicable_licenses"]
)
def test_labels_of_package_stand_once(argument: str) -> None:
    build = f"package({argument} = ['//foo', '//bar', '//foo:foo', '//bar'])\nfilegroup(name = 'after')"
    new = package(f"--- pkg/BUILD\n{build}\n", "pkg", "7.7.1")
    assert problems(new) == [f"duplicate label(s) in {argument}: //bar:bar, //foo:foo"]
    assert "after" not in new.targets
    old = package(f"--- pkg/BUILD\n{build}\n", "pkg", "4.2.3")
    assert problems(old) == [
        f"label '//{label}' is duplicated in the '{argument}' list of 'package pkg'" for label in ("foo:foo", "bar:bar")
    ]
    assert "after" in old.targets


def test_package_groups_are_named() -> None:
    assert problems_of('package_group("x")') == ["package_group() got unexpected positional argument"]


@pytest.mark.parametrize("version", ["0.19.1", "4.2.3", "7.7.1"])
def test_a_dot_at_the_end_of_a_name_is_left_out(version: str) -> None:
    lines = [
        'filegroup(name = "a/.", srcs = ["d/."])',
        'exports_files(["b/."])',
        'genrule(name = "g", outs = ["c/."], cmd = "x")',
    ]
    found = package("--- pkg/BUILD\n" + "\n".join(lines), "pkg", version)
    assert problems(found) == []
    assert sorted(found.targets) == ["BUILD", "a", "b", "c", "d", "g"]
