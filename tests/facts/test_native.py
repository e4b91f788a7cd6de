"""The table of native rules against what is known of real Bazels."""

from __future__ import annotations

import pytest

from bzlgraph.facts import for_version, known_versions
from bzlgraph.facts.native import EXEC, MANDATORY, SORTED, TOOL, nearest_version, rule, rule_names


def attributes(version: str, name: str) -> dict[str, object]:
    fact = for_version(version).rule(name)
    assert fact is not None
    return {each.name: each.default for each in fact.attributes}


@pytest.mark.parametrize("version", known_versions())
def test_every_rule_of_every_version_can_be_read(version: str) -> None:
    for name in rule_names():
        fact = rule(version, name)
        assert fact is not None
        assert len({each.name for each in fact.attributes}) == len(fact.attributes)
        assert fact.attributes


@pytest.mark.parametrize("version", known_versions())
@pytest.mark.parametrize(("name", "default"), [("cc_library", False), ("cc_binary", True), ("cc_test", False)])
def test_linkstatic(version: str, name: str, default: bool) -> None:
    assert attributes(version, name)["linkstatic"] is default


@pytest.mark.parametrize("version", known_versions())
def test_tests_are_testonly_and_medium(version: str) -> None:
    found = attributes(version, "cc_test")
    assert found["size"] == "medium"
    assert found["testonly"] is True
    assert attributes(version, "cc_library")["testonly"] is False


def test_implicit_labels_of_old_versions_come_from_the_recordings() -> None:
    found = attributes("0.19.1", "cc_library")
    assert found["$stl_default"] == "@bazel_tools//tools/cpp:stl"
    assert found[":cc_toolchain"] == "@bazel_tools//tools/cpp:toolchain"
    assert "$stl_default" not in attributes("4.2.3", "cc_library")


def test_a_foreign_attribute_is_known_without_default_where_no_version_was_chosen() -> None:
    assert "exec_tools" not in attributes("7.7.1", "genrule")
    fact = for_version("7.7.1", tolerant=True).rule("genrule")
    assert fact is not None
    foreign = {each.name: each for each in fact.attributes if each.foreign}
    assert foreign["exec_tools"].default is None
    assert not foreign["exec_tools"].flags & MANDATORY


def test_a_rule_of_another_version_is_known() -> None:
    fact = for_version("7.7.1").rule("maven_jar")
    assert fact is not None
    assert fact.foreign
    assert not for_version("0.19.1").rule("maven_jar").foreign  # type: ignore[union-attr]
    assert for_version("0.19.1").rule("no_such_rule") is None


def test_tools_are_marked_in_versions_that_do_not_print_it() -> None:
    for version in known_versions():
        fact = for_version(version).rule("genrule")
        assert fact is not None
        flags = {each.name: each.flags for each in fact.attributes}
        assert flags["tools"] & TOOL
        assert not flags["srcs"] & TOOL
        assert flags["outs"] & MANDATORY


@pytest.mark.parametrize(
    ("name", "outputs"),
    [
        ("cc_binary", ["%{name}.stripped", "%{name}.dwp"]),
        ("cc_test", ["%{name}.stripped", "%{name}.dwp"]),
        ("cc_library", []),
        ("java_library", ["lib%{name}.jar", "lib%{name}-src.jar"]),
        ("java_binary", ["%{name}.jar", "%{name}-src.jar", "%{name}_deploy.jar", "%{name}_deploy-src.jar"]),
        ("filegroup", []),
        ("genrule", []),
    ],
)
@pytest.mark.parametrize("version", known_versions())
def test_implicit_outputs(version: str, name: str, outputs: list[str]) -> None:
    fact = for_version(version).rule(name)
    assert fact is not None
    if name == "cc_test" and version != "7.7.1":
        outputs = outputs[1:]
    if name == "java_binary" and version == "7.7.1":  # a second rule makes it (bzlgraph/bazel/rules/native_macros.py)
        outputs = [each for each in outputs if not each.endswith("_deploy.jar")]
    assert [template for template, attribute in fact.outputs if attribute is None] == outputs


def test_nearest_version() -> None:
    assert nearest_version("99") == known_versions()[-1]
    assert nearest_version("0.20.0rc1") == "0.19.1"
    assert [nearest_version(each) for each in ("7.0.0", "6.5.0", "2.0.0")] == ["7.7.1", "4.2.3", "2.1.0"]


def test_rules_before_the_one_that_was_asked_of_a_line_are_its_own_not_those_of_an_older_line():
    """Bazel 7 has Python rules without the tool that made Python 3 of Python 2, as 7.7.1 tells."""
    names = {each.name for each in for_version("7.6.1").rule("py_library").attributes if not each.foreign}
    assert "$python2to3" not in names


def test_tolerant_facts_demand_only_what_every_version_demands() -> None:
    def mandatory(version: str) -> set[str]:
        fact = for_version(version).rule("cc_toolchain")
        assert fact is not None
        return {each.name for each in fact.attributes if each.flags & MANDATORY}

    assert "toolchain_config" in mandatory("7.7.1")
    assert "toolchain_config" not in mandatory("")
    assert "all_files" in mandatory("")


def test_attributes_of_versions_without_a_table_are_accepted() -> None:
    fact = for_version().rule("cc_shared_library")
    assert fact is not None
    types = {each.name: each.type for each in fact.attributes}
    assert types["roots"] == "LABEL_LIST"
    assert types["testonly"] == "BOOLEAN"


def test_bazel_7_sorts_tags_of_every_rule_but_those_of_the_configuration() -> None:
    rules = [found for name in rule_names() if (found := rule("7.7.1", name)) is not None and not found.foreign]
    unsorted = [
        found.name
        for found in rules
        for attribute in found.attributes
        if attribute.name == "tags" and not attribute.foreign and not attribute.flags & SORTED
    ]
    assert len(rules) > 50
    assert set(unsorted) == {
        "config_feature_flag",
        "config_setting",
        "constraint_setting",
        "constraint_value",
        "environment",
        "platform",
        "toolchain",
    }


@pytest.mark.parametrize(
    ("name", "attribute"),
    [
        ("cc_import", "strip_include_prefix"),
        ("filegroup", "exec_group_compatible_with"),
        ("objc_library", "cxxopts"),
        ("platform", "flags"),
        ("platform", "missing_toolchain_error"),
        ("platform", "required_settings"),
        ("starlark_doc_extract", "allow_unused_doc_comments"),
        ("toolchain", "use_target_platform_constraints"),
        ("toolchain_type", "no_match_error"),
    ],
)
def test_attributes_that_only_newer_bazels_have_are_accepted(name: str, attribute: str) -> None:
    found = rule("7.7.1", name)
    assert found is not None
    assert [each.foreign for each in found.attributes if each.name == attribute] == [True]


@pytest.mark.parametrize("rule_name", ["java_binary", "java_library", "java_plugin", "java_test"])
def test_java_plugins_are_built_for_the_platform_that_runs_them(rule_name: str) -> None:
    """``bazel cquery`` of 0.24.1 and 2.1.0 has them in HOST, that of 4.2.3 has not."""
    for version, flags in (("0.24.1", TOOL), ("2.1.0", TOOL), ("4.2.3", TOOL | EXEC), ("7.7.1", TOOL | EXEC)):
        found = rule(version, rule_name)
        assert found is not None
        plugins = [each for each in found.attributes if each.name in ("plugins", "exported_plugins")]
        assert [each.flags for each in plugins] == [flags] * len(plugins) != []


@pytest.mark.parametrize(
    ("name", "attribute", "versions"),
    [
        ("genrule", ":cc_toolchain", "0.24.1 0.25.1"),
        ("genrule", "exec_tools", "0.28.1 0.29.0 1.0.0 1.2.0"),
        ("genrule", "cmd_bash", "0.29.0 1.0.0 1.2.0"),
        ("sh_test", "$lcov_merger", "0.24.1 0.25.1 0.26.1"),
        ("java_binary", "$no_launcher", "0.24.1"),
        ("py_binary", "$py_toolchain_type", "0.25.1 0.26.1 0.27.0 0.28.1 0.29.0 1.0.0 1.2.0"),
        ("cc_library", "local_defines", "1.0.0 1.2.0"),
    ],
)
def test_rules_between_0_24_and_1_2_are_those_of_each_bazel(name: str, attribute: str, versions: str) -> None:
    between = [version for version in known_versions() if "0.24.1" <= version <= "1.2.0"]
    facts = {version: rule(version, name) for version in between}
    own = {v: {each.name for each in fact.attributes if not each.foreign} for v, fact in facts.items() if fact}
    assert [version for version in between if attribute in own[version]] == versions.split()
