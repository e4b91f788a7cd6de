"""Options by version."""

from dataclasses import replace

import pytest

from bzlgraph.facts.options import OptionFact, options_for
from bzlgraph.facts.versioned import version_key
from tools.options.make_options import Option
from tools.options.read_options import following, read_reference

VERSIONS = ("0.17.2", "0.19.1", "0.24.1", "1.0.0", "2.1.0", "4.2.3", "7.7.1", "8.0.1", "8.7.0", "9.1.0")


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


@pytest.mark.parametrize(
    ("name", "version", "foreign", "default"),
    [
        ("enable_workspace", "7.7.1", False, "true"),
        ("enable_workspace", "8.3.1", False, "false"),
        ("enable_workspace", "9.0.0", True, "false"),
        ("legacy_external_runfiles", "8.0.1", False, "false"),
        ("incompatible_strict_action_env", "8.7.0", False, "false"),
        ("incompatible_strict_action_env", "9.0.0", False, "true"),
        ("incompatible_disable_autoloads_in_main_repo", "8.1.1", True, "false"),
        ("incompatible_disable_autoloads_in_main_repo", "8.2.1", False, "false"),
        ("incompatible_disable_autoloads_in_main_repo", "9.1.0", False, "true"),
        ("crosstool_top", "8.0.1", True, "@bazel_tools//tools/cpp:toolchain"),
        ("experimental_platform_in_output_dir", "9.0.0", False, "auto"),
    ],
)
def test_options_of_bazel_8_and_9(name: str, version: str, foreign: bool, default: str) -> None:
    found = fact(name, version)
    assert (found.foreign, found.default) == (foreign, default)


def test_new_options_of_the_configuration() -> None:
    assert fact("allowed_cpu_values", "8.0.1").configures
    assert fact("incompatible_target_cpu_from_platform", "9.0.0").configures
    assert fact("verbose_visibility_errors", "8.7.0").home == "9.0.0"
    assert not fact("repo_contents_cache", "9.0.0").configures


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


@pytest.mark.parametrize("version", VERSIONS)
def test_each_switch_may_be_true_false_and_each_of_its_choices(version: str) -> None:
    switches = [each for each in options_for(version).options.values() if each.kind == "switch"]
    assert switches
    for option in switches:
        meant = {option.canonical(word) for word in ("true", "0", *option.choices)}
        assert meant == set(option.choices), option.name


def test_what_true_and_false_mean_for_a_switch() -> None:
    option = options_for("8.3.1").find("guard_against_concurrent_changes")
    assert option is not None
    assert [option.canonical(word) for word in ("true", "no", "lite")] == ["full", "off", "lite"]


def test_an_old_name_is_the_new_option_where_only_that_is_left() -> None:
    assert fact("auth_enabled", "4.2.3").name == "google_default_credentials"
    assert fact("experimental_sandbox_base", "4.2.3").name == "sandbox_base"
    assert fact("experimental_sandbox_base", "0.24.1").name == "experimental_sandbox_base"


def test_the_versions_are_in_order() -> None:
    assert list(VERSIONS) == sorted(VERSIONS, key=version_key)


PAGE = """
## Startup Options
`--[no]batch` default: "false"
:   Run without a server.
## Options Common to all Commands
`--config=&lt;a string&gt;` multiple uses are accumulated
:   Selects sections.
## Build Options
`--compilation_mode=&lt;fastbuild, dbg or opt&gt;` [`-c`] default: "fastbuild"
:   The mode.
`--[no]stamp` default: "auto"
:   Stamps.
`--shortcut`
:   Stands for others.

    Expands to:

      `--config=a\\_b`

    Tags:
    [`execution`](#effect_tag_EXECUTION), `--not_this`
## Test Options
Inherits all options from [build](#build).
## Cquery Options
Inherits all options from [test](#test).
### Option Effect Tags
"""


def test_a_page_of_the_command_line_reference_is_read() -> None:
    found = read_reference(PAGE)
    assert found["batch"].commands == {"startup"}
    assert (found["config"].kind, found["config"].multiple) == ("string", True)
    mode = found["compilation_mode"]
    assert (mode.kind, mode.default, mode.short, mode.choices) == (
        "enum",
        "fastbuild",
        "c",
        ["fastbuild", "dbg", "opt"],
    )
    assert mode.commands == {"build", "test", "cquery"} == found["config"].commands
    assert (found["stamp"].kind, found["stamp"].default) == ("tristate", "auto")
    assert found["shortcut"].expansion == ["--config=a_b"]


def test_only_what_a_later_page_changes_changes() -> None:
    asked = {name: replace(option, configures=True) for name, option in read_reference(PAGE).items()}
    asked["hidden"] = Option()
    asked["shortcut"].expansion = ["--config=told", "--better=1"]
    later = PAGE.replace('default: "auto"', 'default: "no"').replace(
        "`--[no]batch`", "`--[no]verbose_visibility_errors`"
    )
    found = following(asked, read_reference(PAGE), read_reference(later))
    assert sorted(found) == ["compilation_mode", "config", "hidden", "shortcut", "stamp", "verbose_visibility_errors"]
    assert (found["stamp"].default, found["stamp"].configures) == ("no", True)
    assert found["shortcut"].expansion == ["--config=told", "--better=1"]
    assert found["verbose_visibility_errors"].configures


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3", "7.7.1"])
@pytest.mark.parametrize("name", ["cpu", "host_cpu"])
def test_an_empty_cpu_is_that_of_the_machine(version: str, name: str) -> None:
    """A config_setting with ``values = {"cpu": ""}`` holds by default, and with ``--cpu=``."""
    assert fact(name, version).canonical("") == fact(name, version).canonical("k8")
