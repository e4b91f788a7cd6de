"""--incompatible_autoload_externally: the table that it changes, and what a tree under it has."""

from __future__ import annotations

import pytest

from bzlgraph.facts import for_version
from bzlgraph.facts.autoloads import with_autoloads
from bzlgraph.facts.options import options_for


def defaults(version: str) -> list[str]:
    found = options_for(version).find("incompatible_autoload_externally")
    assert found is not None
    return (found.default or "").split(",") if found.default else []


@pytest.mark.parametrize("version", ["7.7.1", "8.0.1", "8.7.0", "9.0.0", "9.1.0"])
def test_the_default_of_the_option_is_what_the_version_does(version: str) -> None:
    plain = for_version(version)
    found = with_autoloads(plain, defaults(version))
    assert sorted(found.autoloaded_rules) == sorted(plain.autoloaded_rules)
    for place in ("native", "bzl", "build"):
        assert found.absent_names(place) == plain.absent_names(place)
    assert (found.removed_rules, found.emptied_rules) == (plain.removed_rules, plain.emptied_rules)


@pytest.mark.parametrize(
    ("version", "items", "loaded", "absent"),
    [
        ("8.7.0", [], [], {"sh_test": True, "py_test": True, "proto_library": True, "java_test": False}),
        ("8.7.0", ["+@rules_shell"], ["sh_binary", "sh_library", "sh_test"], {"sh_test": False, "py_test": True}),
        ("8.7.0", ["@com_google_protobuf"], None, {"proto_library": False}),
        ("8.7.0", ["@protobuf"], None, {"proto_library": False}),
        ("9.0.0", ["+sh_test", "+sh_test"], ["sh_test"], {"sh_test": False, "sh_binary": True}),
        ("7.7.1", ["-sh_test"], [], {"sh_test": True, "sh_binary": False}),
        ("7.7.1", ["+@nowhere"], [], {"sh_test": False}),
    ],
)
def test_what_is_named_is_loaded_or_gone(
    version: str, items: list[str], loaded: list[str] | None, absent: dict[str, bool]
) -> None:
    found = with_autoloads(for_version(version), items)
    assert loaded is None or sorted(found.autoloaded_rules) == loaded
    for place in ("native", "build"):
        assert {name: name in found.absent_names(place) for name in absent} == absent


def test_symbols_that_are_no_rules() -> None:
    assert "JavaInfo" in for_version("9.0.0").absent_names("bzl")
    assert "JavaInfo" not in with_autoloads(for_version("9.0.0"), ["+JavaInfo"]).absent_names("bzl")
    assert "PyInfo" in with_autoloads(for_version("8.1.1"), []).absent_names("bzl")


def test_rules_that_bazel_9_removed_are_loaded_again() -> None:
    found = with_autoloads(for_version("9.0.0"), ["+cc_library"])
    assert "cc_library" not in found.removed_rules
    assert "cc_test" in found.removed_rules
    assert "java_library" in with_autoloads(for_version("8.7.0"), []).emptied_rules


@pytest.mark.parametrize(
    ("version", "items", "problem"),
    [
        ("8.7.0", ["nonsense"], "Undefined symbol in --incompatible_autoload_externally: 'nonsense'"),
        ("8.7.0", [" sh_test"], "Undefined symbol"),
        ("8.7.0", ["-sh_test", "+sh_test"], "Duplicated symbol 'sh_test' in --incompatible_autoload_externally"),
    ],
)
def test_what_bazel_crashes_on_is_refused(version: str, items: list[str], problem: str) -> None:
    with pytest.raises(ValueError, match="symbol") as found:
        with_autoloads(for_version(version), items)
    assert str(found.value).startswith(problem)
