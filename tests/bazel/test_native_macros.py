"""Rules that are macros inside Bazel 7; the answers are those of Bazel 7.7.1 on tests/workspaces/computed_defaults."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import labels_in
from bzlgraph.bazel.model import OutputFile, Package, Rule, SelectorList
from bzlgraph.loading.loader import open_loader
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace

LAUNCHER = Label("bazel_tools", "tools/jdk", "launcher_flag_alias")


def load(folder: Path, build: str, version: str) -> Package:
    (folder / "WORKSPACE").touch()
    (folder / "BUILD").write_text(build, encoding="utf-8")
    package = open_loader(open_workspace(folder, Options(bazel_version=version))).find("", "")
    assert package is not None
    return package


def rule(package: Package, name: str) -> Rule:
    found = package.targets[name]
    assert isinstance(found, Rule)
    return found


def test_java_binary_makes_its_deploy_jar_by_a_second_rule(tmp_path: Path) -> None:
    package = load(tmp_path, 'java_binary(name = "a.b", tags = ["x"], testonly = 1)\n', "7.7.1")
    made = rule(package, "a.b_deployjars_internal_rule")
    assert made.kind == "deploy_jars rule"
    assert made.values["tags"] == ["manual", "x"]
    assert made.values["testonly"]
    assert made.generator is not None
    assert (made.generator.name, made.generator.function) == ("a.b", "java_binary")
    jar = package.targets["a.b_deploy.jar"]
    assert isinstance(jar, OutputFile)
    assert jar.rule == made.label
    assert rule(package, "a.b").values["launcher"] == LAUNCHER


@pytest.mark.parametrize("kind", ["py_binary", "py_test"])
@pytest.mark.parametrize("version", ["4.2.3", "7.7.1"])
def test_legacy_create_init_may_be_a_bool(tmp_path: Path, kind: str, version: str) -> None:
    """As Bazel 4.2.3, where it is one of three values, and 7.7.1, where it is a number and the macro makes it one."""
    text = "".join(
        f'{kind}(name = "{name}", srcs = ["{name}.py"], legacy_create_init = {value})\n'
        for name, value in {"no": "False", "yes": "True", "number": "-1", "none": "None"}.items()
    )
    package = load(tmp_path, text, version)
    assert package.diagnostics == []
    values = {name: rule(package, name).values.get("legacy_create_init") for name in ("no", "yes", "number", "none")}
    assert values == {"no": 0, "yes": 1, "number": -1, "none": None}
    assert type(values["no"]) is int
    (refused,) = load(tmp_path, f'{kind}(name = "x", srcs = ["x.py"], legacy_create_init = "a")\n', version).diagnostics
    assert refused.message.endswith(f"attribute 'legacy_create_init' in '{kind}' rule, but got \"a\" (string)")


@pytest.mark.parametrize(
    ("written", "launcher", "second"),
    [
        ("create_executable = False", None, "deploy_jars_nonexec rule"),
        ("use_launcher = False", None, "deploy_jars rule"),
        ('launcher = "//:mine"', Label("", "", "mine"), "deploy_jars rule"),
        ('tags = ["nodeployjar"]', LAUNCHER, ""),
    ],
)
def test_what_java_binary_writes(tmp_path: Path, written: str, launcher: Label | None, second: str) -> None:
    package = load(tmp_path, f'java_binary(name = "x", {written})\n', "7.7.1")
    assert rule(package, "x").values.get("launcher") == launcher
    made = package.targets.get("x_deployjars_internal_rule")
    assert (made.kind if made is not None else "") == second


def test_before_bazel_7_it_is_one_rule(tmp_path: Path) -> None:
    package = load(tmp_path, 'java_binary(name = "x")\n', "4.2.3")
    assert [each.label.name for each in package.rules()] == ["x"]
    assert "x_deploy.jar" in package.targets


def test_nobody_calls_the_second_rule(tmp_path: Path) -> None:
    package = load(tmp_path, 'deploy_jars(name = "x", binary = ":y")\n', "7.7.1")
    assert not list(package.rules())


@pytest.mark.parametrize(("written", "configurable"), [("", True), (", linkstatic = 1", False)])
def test_cc_test_is_linked_as_the_platform_needs(tmp_path: Path, written: str, configurable: bool) -> None:
    package = load(tmp_path, f'cc_test(name = "t"{written})\n', "7.7.1")
    value = rule(package, "t").values["linkstatic"]
    assert isinstance(value, SelectorList) == configurable


@pytest.mark.parametrize(("version", "target"), [("4.2.3", None), ("7.7.1", Label("", "", "it"))])
def test_a_label_flag_leads_to_its_default(tmp_path: Path, version: str, target: Label | None) -> None:
    package = load(tmp_path, 'label_flag(name = "f", build_setting_default = ":it")\n', version)
    assert rule(package, "f").values.get(":alias") == target


@pytest.mark.parametrize(("version", "kept"), [("4.2.3", True), ("7.7.1", False)])
def test_labels_into_the_folder_of_another_repository(tmp_path: Path, version: str, kept: bool) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "WORKSPACE").touch()
    (tmp_path / "other" / "notes.txt").touch()
    text = 'local_repository(name = "o", path = "other")\n'
    (tmp_path / "WORKSPACE").write_text(text, encoding="utf-8")
    (tmp_path / "BUILD").write_text('filegroup(name = "x", srcs = glob(["other/**"]))\n', encoding="utf-8")
    package = open_loader(open_workspace(tmp_path, Options(bazel_version=version))).find("", "")
    assert package is not None
    assert ("other/notes.txt" in package.targets) == kept


@pytest.mark.parametrize(("version", "chosen"), [("4.2.3", ["a", "b"]), ("7.7.1", ["a"])])
def test_tags_choose_among_the_tests_of_a_package(tmp_path: Path, version: str, chosen: list[str]) -> None:
    tests = 'sh_test(name = "a", srcs = ["t.sh"], tags = ["red"])\nsh_test(name = "b", srcs = ["t.sh"])\n'
    package = load(tmp_path, tests + 'test_suite(name = "s", tags = ["+red", "-large"])\n', version)
    assert [each.name for each in rule(package, "s").values["$implicit_tests"]] == chosen


@pytest.mark.parametrize(("version", "refused"), [("4.2.3", True), ("7.7.1", False)])
def test_a_label_in_two_parts_of_a_concatenation(tmp_path: Path, version: str, refused: bool) -> None:
    text = 'filegroup(name = "x", srcs = ["f"] + select({"//conditions:default": ["f"]}))\n'
    package = load(tmp_path, text, version)
    assert any("duplicated" in each.message for each in package.diagnostics) == refused


@pytest.mark.parametrize(("version", "licensed"), [("4.2.3", True), ("7.7.1", False)])
def test_rules_in_starlark_take_no_licenses_of_their_package(tmp_path: Path, version: str, licensed: bool) -> None:
    package = load(tmp_path, 'licenses(["notice"])\ncc_library(name = "x")\n', version)
    assert bool(rule(package, "x").get("licenses")) == licensed


CC_RULES = """\
cc_binary(name = "plain")
cc_library(name = "def_parser_lib")
cc_binary(name = "tagged", tags = ["__DONT_DEPEND_ON_DEF_PARSER__"])
"""


@pytest.mark.parametrize(
    ("version", "without"),
    [("0.19.1", []), ("4.2.3", []), ("7.7.1", ["def_parser_lib", "tagged"])],
)
def test_cc_rules_need_def_parser_unless_they_are_part_of_it(tmp_path: Path, version: str, without: list[str]) -> None:
    """Asked of real Bazel: until 4.2 its packages decide, in 7.7 name and tags do."""
    package = load(tmp_path, CC_RULES, version)
    names = [each.label.name for each in package.rules() if each.get("$def_parser") is None]
    assert names == without


@pytest.mark.parametrize("version", ["0.19.1", "4.2.3"])
def test_def_parser_does_not_need_itself(tmp_path: Path, version: str) -> None:
    load(tmp_path, "", version)
    loader = open_loader(open_workspace(tmp_path, Options(bazel_version=version)))
    for folder, name in (("third_party/def_parser", "def_parser_lib"), ("tools/cpp", "malloc")):
        package = loader.find("bazel_tools", folder)
        assert package is not None
        assert rule(package, name).get("$def_parser") is None, name


@pytest.mark.parametrize(("version", "label"), [("7.7.1", "@@//a:__subpackages__"), ("6.5.0", "//a:__subpackages__")])
def test_the_filter_of_a_shared_library_is_canonical(tmp_path: Path, version: str, label: str) -> None:
    package = load(tmp_path, 'cc_shared_library(name = "x", exports_filter = ["//a:__subpackages__"])', version)
    assert rule(package, "x").get("exports_filter") == [label]


@pytest.mark.parametrize("kind", ["cc_binary", "cc_test"])
def test_what_is_linked_beside_shared_libraries_is_named_again(tmp_path: Path, kind: str) -> None:
    """As Bazel 7.7.1 shows it with ``--output=xml``; 4.2.3 has no such attribute."""
    text = "".join(
        f'{kind}(name = "{name}", {arguments})\n'
        for name, arguments in {
            "plain": 'deps = [":b"]',
            "empty": 'deps = [":b"], dynamic_deps = []',
            "alone": 'dynamic_deps = [":s"]',
            "all": 'deps = [":b"], dynamic_deps = [":s"], malloc = ":m", link_extra_lib = ":l"',
            "select": 'deps = select({"//conditions:default": [":b"]}), dynamic_deps = [":s"]',
        }.items()
    )
    package = load(tmp_path, text, "7.7.1")
    assert package.diagnostics == []
    name = "$deps_analyzed_by_graph_structure_aspect"
    values = {each: rule(package, each).values.get(name) for each in ("plain", "empty", "alone", "all")}
    linked = [Label("", "", each) for each in "blm"]
    assert values == {"plain": None, "empty": None, "alone": [], "all": linked}
    assert Label("", "", "b") in labels_in(rule(package, "select").values[name])
    text = f'{kind}(name = "x", deps = [":b"], dynamic_deps = [":s"], malloc = ":b")\n'
    (refused,) = load(tmp_path, text, "7.7.1").diagnostics
    assert f"Label '//:b' is duplicated in the '{name}' attribute of rule 'x'" in refused.message
