"""@bazel_tools, and what Bazel makes beside it, without a Bazel: what rules name is known, the rest is a gap."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.base.label import parse
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.model import EdgeFlag, NodeKind
from bzlgraph.loading.loader import open_loader
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text('cc_library(name = "a")\ngenrule(name = "g", outs = ["o"], cmd = "")\n')
    return tmp_path


def graph_of(tree: Path, version: str = "0.19.1", **overrides: Path) -> BuildGraph:
    return BuildGraph(open_loader(open_workspace(tree, Options(bazel_version=version, overrides=overrides))))


def reached(graph: BuildGraph, label: str, excluded_flags: int = 0) -> dict[str, str]:
    nodes = graph.closure([graph.resolve(parse(label, "", ""))], excluded_flags)
    return {str(graph.labels[node]): graph.kind_words(node) for node in nodes}


def test_implicit_dependencies_and_what_they_need(tree: Path) -> None:
    found = reached(graph_of(tree), "//:a")
    assert found["@bazel_tools//tools/cpp:toolchain"] == "alias rule"
    assert found["@bazel_tools//tools/cpp:grep-includes.sh"] == "source file"
    assert found["//external:cc_toolchain"] == "bind rule"
    assert found["@local_config_cc//:toolchain"] == "cc_toolchain_suite rule"
    assert found["@local_config_cc//:cc-compiler-k8"] == "cc_toolchain rule"
    assert [label for label, kind in found.items() if not kind.endswith((" rule", "source file"))] == []
    assert reached(graph_of(tree), "//:a", EdgeFlag.IMPLICIT) == {"//:a": "cc_library rule"}


def test_binds_that_bazel_adds_where_workspace_counts(tree: Path) -> None:
    """Those of 7.7.1 were asked of it: `bazel query //external:all --noenable_bzlmod --enable_workspace`."""
    found = reached(graph_of(tree, "7.7.1"), "@bazel_tools//tools/android:sdk")
    assert found["//external:android/sdk"] == "bind rule"
    assert found["@bazel_tools//tools/android:poison_pill_android_sdk"] == "android_sdk rule"
    without = open_loader(open_workspace(tree, Options(bazel_version="7.7.1", enable_workspace=False)))
    assert without.target(parse("//external:android/sdk", "", "")) is None


def test_a_generated_file_has_its_rule_and_a_rule_its_outputs(tree: Path) -> None:
    graph = graph_of(tree)
    found = reached(graph, "@bazel_tools//third_party/java/j2objc:jre_emul.jar")
    assert found["@bazel_tools//third_party/java/j2objc:jre_emul.jar"] == "generated file"
    assert found["@bazel_tools//third_party/java/j2objc:jre_emul_jar"] == "genrule rule"
    rule = graph.target(graph.resolve(parse("@bazel_tools//third_party/java/j2objc:jre_emul_jar", "", "")))
    assert [str(output) for output in rule.outputs] == ["@bazel_tools//third_party/java/j2objc:jre_emul.jar"]


def test_selects_keep_their_conditions(tree: Path) -> None:
    graph = graph_of(tree)
    start = graph.resolve(parse("@bazel_tools//tools/launcher:launcher", "", ""))
    reached(graph, "@bazel_tools//tools/launcher:launcher")
    edges = {
        str(graph.labels[graph.columns.edge_target[each]]): graph.edge(each).when for each in graph.edges_from(start)
    }
    assert edges["@bazel_tools//tools/launcher:launcher_windows"] == "@bazel_tools//src/conditions:host_windows"
    assert "not @bazel_tools//src/conditions:host_windows" in edges["@bazel_tools//src/tools/launcher:launcher"]


def test_what_the_table_does_not_have_is_a_gap(tree: Path) -> None:
    graph = graph_of(tree)
    node = graph.resolve(parse("@bazel_tools//tools/cpp:nobody_knows_this", "", ""))
    assert graph.kinds[node] == NodeKind.UNLOADED
    assert [gap.what for gap in graph.gaps_of([node])] == ["@bazel_tools"]
    assert reached(graph, "@bazel_tools//no/such/package:x") == {"@bazel_tools//no/such/package:x": "unloaded target"}


def test_a_repository_on_disk_counts(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    real = tmp_path_factory.mktemp("bazel_tools")
    (real / "tools" / "cpp").mkdir(parents=True)
    (real / "tools" / "cpp" / "BUILD").write_text('filegroup(name = "toolchain")\n')
    graph = graph_of(tree, bazel_tools=real)
    assert reached(graph, "@bazel_tools//tools/cpp:toolchain") == {
        "@bazel_tools//tools/cpp:toolchain": "filegroup rule"
    }
    assert graph.kinds[graph.resolve(parse("@bazel_tools//tools/cpp:malloc", "", ""))] == NodeKind.MISSING


def test_constraints_of_bazel_4(tree: Path) -> None:
    assert reached(graph_of(tree, "4.2.3"), "@platforms//os:linux") == {
        "@platforms//os:linux": "constraint_value rule",
        "@platforms//os:os": "constraint_setting rule",
    }


def test_the_package_that_old_bazels_make_up(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text('filegroup(name = "a", srcs = ["//tools/defaults:crosstool"])\n')
    found = reached(graph_of(tmp_path, "0.19.1"), "//:a")
    assert found["//tools/defaults:crosstool"] == "filegroup rule"
    assert found["@bazel_tools//tools/cpp:toolchain"] == "alias rule"
    newer = graph_of(tmp_path, "4.2.3")
    assert reached(newer, "//:a")["//tools/defaults:crosstool"] == "unloaded target"


def test_the_package_that_old_bazels_made_up_wins_over_the_folder(tmp_path: Path) -> None:
    """As 0.19.1 answers; trees of its time have a file there that says so, and nothing else."""
    (tmp_path / "tools/defaults").mkdir(parents=True)
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "tools/defaults/BUILD").write_text('filegroup(name = "own")\n', encoding="utf-8")
    for version, names in (("0.19.1", {"BUILD", "crosstool", "jdk"}), ("0.24.1", {"BUILD", "own"})):
        loader = open_loader(open_workspace(tmp_path, Options(bazel_version=version, jobs=1)))
        package = loader.package("", "tools/defaults")
        assert package is not None
        assert names <= package.targets.keys()
        assert ("own" in package.targets) == ("own" in names)


def test_the_library_that_old_cpp_rules_depend_on_does_not_depend_on_itself(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").write_text("")
    (tmp_path / "BUILD").write_text('cc_library(name = "a")\n')
    graph = graph_of(tmp_path, "0.19.1")
    library = graph.resolve(parse("@bazel_tools//tools/cpp:stl", "", ""))
    assert str(graph.labels[library]) in reached(graph, "//:a")
    assert library not in {graph.columns.edge_target[edge] for edge in graph.edges_from(library)}


@pytest.mark.parametrize(
    ("boundary", "toolchains"), [("WORKSPACE", "@rules_java_builtin"), ("MODULE.bazel", "@@rules_java~")]
)
def test_java_tools_are_those_of_the_module_where_modules_count(tmp_path: Path, boundary: str, toolchains: str) -> None:
    """Asked of Bazel 7.7.1 with each of the two files."""
    (tmp_path / boundary).touch()
    (tmp_path / "BUILD").write_text('java_library(name = "a", srcs = ["A.java"])')
    found = reached(graph_of(tmp_path, "7.7.1"), "//:a")
    assert [label for label in found if "rules_java" in label] == [f"{toolchains}//toolchains:current_java_toolchain"]


def test_a_name_that_an_unknown_macro_of_workspace_may_bind_is_a_gap(tree: Path) -> None:
    """grpc_deps() binds //external:protobuf: without its repository nobody knows. What is declared is as it was."""
    (tree / "WORKSPACE").write_text(
        'load("@grpc//:deps.bzl", "grpc_deps", "more")\n\ngrpc_deps()\n\nmore()\n\nbind(name = "b", actual = "//:a")\n'
    )
    (tree / "c").mkdir()
    (tree / "c/BUILD").write_text(
        'filegroup(name = "y", srcs = ["//external:b"])\nfilegroup(name = "x", srcs = ["//external:protobuf"])\n'
    )
    graph = graph_of(tree, "4.2.3")
    bound = graph.resolve(parse("//external:b", "", ""))
    assert reached(graph, "//external:b", EdgeFlag.IMPLICIT) == {"//external:b": "bind rule", "//:a": "cc_library rule"}
    assert graph.gaps_of([bound]) == ()
    node = graph.resolve(parse("//external:protobuf", "", ""))
    assert graph.kinds[node] == NodeKind.UNLOADED
    (gap,) = graph.gaps_of([node])
    assert str(gap).startswith("grpc_deps() of @grpc//:deps.bzl is unknown and 1 other call in WORKSPACE: the names")


def test_without_unknown_macros_such_a_name_is_an_error(tree: Path) -> None:
    graph = graph_of(tree, "4.2.3")
    assert graph.kinds[graph.resolve(parse("//external:protobuf", "", ""))] == NodeKind.MISSING


@pytest.mark.parametrize(
    ("label", "place"),
    [
        ("@platforms//:incompatible", "external/platforms/BUILD:"),
        ("@platforms//os:linux", "external/platforms/os/BUILD:"),
        ("@bazel_tools//tools/cpp:malloc", "external/bazel_tools/tools/cpp/BUILD:"),
    ],
)
def test_a_target_is_placed_in_the_folder_of_its_repository(tmp_path: Path, label: str, place: str) -> None:
    (tmp_path / "MODULE.bazel").touch()
    graph = graph_of(tmp_path, "9.1.0")
    found = graph.target(graph.resolve(parse(label, "", "")))
    assert str(found.location).startswith(place)
