"""Options by version."""

import pytest

from bzlgraph.facts.options import OptionFact, options_for
from bzlgraph.facts.versioned import version_key

VERSIONS = ("0.17.2", "0.19.1", "0.24.1", "1.0.0", "2.1.0", "4.2.3", "7.7.1")


def fact(name: str, version: str = "") -> OptionFact:
    found = options_for(version).find(name)
    assert found is not None
    return found


@pytest.mark.parametrize("version", VERSIONS)
def test_options_that_every_bazel_has(version: str) -> None:
    mode = fact("compilation_mode", version)
    assert (mode.kind, mode.default, mode.abbreviation, mode.choices) == (
        "enum",
        "fastbuild",
        "c",
        ("fastbuild", "dbg", "opt"),
    )
    assert fact("define", version).multiple
    assert fact("config", version).multiple
    assert fact("cpu", version).default == "k8"
    assert options_for(version).abbreviations["c"] == "compilation_mode"
    configuring = [each for each in options_for(version).options.values() if each.configures and not each.foreign]
    assert 200 < len(configuring) < 400


@pytest.mark.parametrize(
    ("name", "configures"),
    [("cpu", True), ("copt", True), ("define", True), ("test_env", True), ("jobs", False), ("keep_going", False)],
)
def test_what_is_part_of_the_configuration(name: str, configures: bool) -> None:
    assert fact(name).configures is configures


def test_an_option_of_other_versions_is_foreign_and_says_whose() -> None:
    assert fact("distinct_host_configuration", "7.7.1").home == "4.2.3"
    assert fact("enable_bzlmod", "0.19.1").home == "7.7.1"
    assert not fact("enable_bzlmod", "7.7.1").foreign


def test_a_version_between_two_is_the_older_one() -> None:
    assert fact("platforms", "0.20.0").default == fact("platforms", "0.19.1").default
    assert fact("platforms", "0.20.0").default != fact("platforms", "0.24.1").default
    assert not fact("platforms", "9.0").foreign


def test_options_that_stand_for_others() -> None:
    found = fact("remote_download_minimal", "2.1.0")
    assert (found.kind, found.takes_value, found.has_no) == ("expansion", False, False)
    assert "--nobuild_runfile_links" in found.expansion


def test_every_expansion_names_options_of_its_version() -> None:
    for version in VERSIONS:
        table = options_for(version)
        for each in table.options.values():
            for word in () if each.foreign else (*each.expansion, *each.adds):
                name = word.removeprefix("--").partition("=")[0]
                assert table.find(name) or table.find(name.removeprefix("no")), (version, each.name, word)


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("boolean", "YES", "true"),
        ("boolean", "f", "false"),
        ("tristate", "Auto", "auto"),
        ("tristate", "1", "yes"),
        ("integer", "010", "8"),
        ("integer", "0x10", "16"),
        ("integer", "-5", "-5"),
        ("integer", "1_0", None),
        ("integer", "x", None),
        ("boolean", "", None),
        ("string", " as it is ", " as it is "),
    ],
)
def test_values_as_they_are_compared(kind: str, text: str, expected: str | None) -> None:
    option = OptionFact("x", kind, None)
    if expected is None:
        with pytest.raises(ValueError, match=r"is not|invalid"):
            option.canonical(text)
    else:
        assert option.canonical(text) == expected


def test_an_old_name_is_the_new_option_where_only_that_is_left() -> None:
    assert fact("auth_enabled", "4.2.3").name == "google_default_credentials"
    assert fact("experimental_sandbox_base", "4.2.3").name == "sandbox_base"
    assert fact("experimental_sandbox_base", "0.24.1").name == "experimental_sandbox_base"


def test_the_versions_are_in_order() -> None:
    assert list(VERSIONS) == sorted(VERSIONS, key=version_key)
