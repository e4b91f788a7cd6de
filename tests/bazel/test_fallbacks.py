"""Well-known repositories that are not on disk: native rules, our own sources, Unknown for the rest."""

from __future__ import annotations

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Rule
from bzlgraph.facts import fallback_sources
from bzlgraph.loading.loader import Loader
from bzlgraph.workspace.options import Options, RepositoryOptions
from bzlgraph.workspace.sources.source import MemorySource
from bzlgraph.workspace.workspace import open_workspace
from tests.bazel.memory_workspace import open_text, package, problems, rule

FOLDER = fallback_sources.FOLDER
SOURCES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.bzl"))


@pytest.mark.parametrize(
    ("file", "name", "kind"),
    [
        ("@rules_cc//cc:defs.bzl", "cc_library", "cc_library rule"),
        ("@rules_cc//cc:cc_library.bzl", "cc_library", "cc_library rule"),
        ("@rules_java//java:defs.bzl", "java_library", "java_library rule"),
        ("@rules_python//python:defs.bzl", "py_library", "py_library rule"),
        ("@rules_shell//shell:sh_binary.bzl", "sh_binary", "sh_binary rule"),
        ("@rules_proto//proto:defs.bzl", "proto_library", "proto_library rule"),
        ("@com_google_protobuf//bazel:proto_library.bzl", "proto_library", "proto_library rule"),
        ("@com_google_protobuf//:protobuf.bzl", "cc_proto_library", "cc_proto_library rule"),
        ("@build_bazel_rules_android//android:rules.bzl", "android_library", "android_library rule"),
        ("@bazel_skylib//:bzl_library.bzl", "bzl_library", "bzl_library rule"),
        ("@rules_pkg//pkg:tar.bzl", "pkg_tar", "pkg_tar rule"),
    ],
)
def test_rules(file: str, name: str, kind: str) -> None:
    made = package(f'--- BUILD\nload("{file}", "{name}")\n{name}(name = "x", srcs = ["a"])\n')
    assert rule(made, "x").kind == kind
    known = fallback_sources.family(file[1:].partition("//")[0]) is not None and ":protobuf.bzl" not in file
    assert bool(made.gaps) != known


def test_a_macro_that_is_spelled_as_a_native_rule_is_none() -> None:
    load = 'load("@rules_cc//cc/toolchains:toolchain.bzl", "cc_toolchain")\n'
    made = package(
        f'--- BUILD\n{load}cc_toolchain(name = "x", args = [":y"], tool_map = ":z")\nfilegroup(name = "y")\n'
    )
    assert rule(made, "x").rule_class.unknown
    what = "the rule class or macro cc_toolchain of @rules_cc//cc/toolchains:toolchain.bzl is unknown"
    assert what in [gap.what for gap in made.gaps]


@pytest.mark.parametrize("file", ["@local_config_platform//:constraints.bzl", "@platforms//host:constraints.bzl"])
@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ({}, ["@platforms//cpu:x86_64", "@platforms//os:linux"]),
        ({"host_os": "macos", "host_arch": "arm64"}, ["@platforms//cpu:aarch64", "@platforms//os:osx"]),
        ({"host_os": "plan9"}, ["@platforms//cpu:x86_64"]),
    ],
)
def test_the_constraints_of_the_host_are_those_of_the_nominal_one(
    file: str, host: dict[str, str], expected: list[str]
) -> None:
    """As Bazel 4.2.3 and 7.7.1 make them on Linux, for x86-64."""
    text = f'load("{file}", "HOST_CONSTRAINTS")\nplatform(name = "p", constraint_values = HOST_CONSTRAINTS)\n'
    files = MemorySource({"WORKSPACE": b"", "BUILD": text.encode()})
    options = Options(bazel_version="4.2.3", repositories=RepositoryOptions(**host))
    made = Loader(open_workspace(".", options, files)).find("", "")
    assert made is not None
    assert [str(each) for each in rule(made, "p").get("constraint_values")] == expected  # type: ignore[union-attr]


def test_before_there_was_a_repository_of_platforms_the_constraints_of_the_host_are_not_known() -> None:
    made = package(
        '--- BUILD\nload("@local_config_platform//:constraints.bzl", "HOST_CONSTRAINTS")\n', version="0.24.1"
    )
    assert [gap.what for gap in made.gaps] == ["@local_config_platform//:constraints.bzl is not on disk"]


def test_globals_of_rule_sets() -> None:
    text = """
--- BUILD
load("//:a.bzl", "ok")
--- a.bzl
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("@rules_cc//cc/common:other.bzl", "nothing_known")
ok = str([CcInfo, type(nothing_known)])
"""
    workspace = open_text(text)
    assert workspace.bzl_loader.file(Label("", "", "a.bzl")).names["ok"] == '[<CcInfo>, "unknown"]'


@pytest.mark.parametrize("path", SOURCES)
def test_every_source_is_listed_and_loads(path: str) -> None:
    family, _, inside = path.partition("/")
    newest = next(each for each in ("7.7.1", "6.0.0") if fallback_sources.source(family, inside, each) is not None)
    folder, _, name = inside.rpartition("/")
    loaded = open_text("--- BUILD", newest).bzl_loader.file(Label(family, folder, name))
    assert loaded.diagnostics == []
    assert len(loaded.names) > 0


@pytest.mark.parametrize("version", ["0.19.1", "0.26.1", "2.1.0", "4.2.3"])
@pytest.mark.parametrize("path", SOURCES)
def test_our_sources_are_for_all_versions(path: str, version: str) -> None:
    """Of those that have what it needs; parameters that only newer ones have are no error."""
    family, _, inside = path.partition("/")
    folder, _, name = inside.rpartition("/")
    if fallback_sources.source(family, inside, version) is not None and fallback_sources.is_there(family, version):
        loaded = open_text("--- BUILD", version).bzl_loader.file(Label(family, folder, name))
        assert loaded.diagnostics == []


def test_listed_sources_exist() -> None:
    listed = {
        f"{family}/{path}" for family, entry in fallback_sources.families().items() for path in entry.get("sources", ())
    }
    assert listed == set(SOURCES)


@pytest.mark.parametrize(("version", "gaps"), [("4.2.3", 0), ("7.7.1", 1)])
def test_archives_of_bazel_7_are_others(version: str, gaps: int) -> None:
    """There pkg_tar has other attributes, and there is no pkg_deb."""
    text = '--- BUILD\nload("@bazel_tools//tools/build_defs/pkg:pkg.bzl", "pkg_deb")\n'
    told = [gap for gap in package(text, version=version).gaps if "pkg.bzl" in str(gap)]
    assert len(told) == gaps


JDK = """
--- BUILD
load("@bazel_tools//tools/jdk:local_java_repository.bzl", "local_java_runtime")
local_java_runtime(name = "jdk", java_home = "/opt/jdk", version = "1.8.0_265")
"""


def test_the_targets_around_a_jdk_of_the_machine() -> None:
    """As `bazel query //:all --output=label_kind` of 7.7.1 lists them."""
    made = package(JDK, version="7.7.1")
    assert made.gaps == []
    assert {name: target.kind for name, target in made.targets.items() if isinstance(target, Rule)} == {
        "jdk": "java_runtime rule",
        "jdk_name_setting": "config_setting rule",
        "jdk_version_setting": "config_setting rule",
        "jdk_name_version_setting": "config_setting rule",
        "jdk_settings_alias": "alias rule",
        "runtime_toolchain_definition": "toolchain rule",
        "bootstrap_runtime_toolchain_definition": "toolchain rule",
    }


def test_a_newer_jdk_has_toolchains_that_only_bazels_own_macro_knows() -> None:
    made = package(JDK.replace("1.8.0_265", "11"), version="7.7.1")
    assert {gap.repository for gap in made.gaps} == {"bazel_tools"}


@pytest.mark.parametrize("version", ["4.2.3", "6.5.0", "8.0.0"])
def test_other_bazels_have_other_targets_around_a_jdk(version: str) -> None:
    assert {gap.repository for gap in package(JDK, version=version).gaps} == {"bazel_tools"}


SKYLIB = [
    ("paths", 'paths.join("a", "b/", "c")', "a/b/c"),
    ("paths", 'paths.join("a", "/b")', "/b"),
    ("paths", 'paths.normalize("a//b/../c/.")', "a/c"),
    ("paths", 'paths.normalize("/../a")', "/a"),
    ("paths", 'paths.basename("a/b.c")', "b.c"),
    ("paths", 'paths.dirname("a/b/c")', "a/b"),
    ("paths", 'paths.dirname("/a")', "/"),
    ("paths", 'paths.relativize("a/b/c", "a")', "b/c"),
    ("paths", 'paths.replace_extension("a/b.cc", ".h")', "a/b.h"),
    ("paths", 'paths.split_extension("a/.x")', ("a/.x", "")),
    ("dicts", "dicts.add({1: 2}, {3: 4}, a = 5)", {1: 2, 3: 4, "a": 5}),
    ("types", "[types.is_list([]), types.is_string([]), types.is_dict({})]", [True, False, True]),
    ("versions", 'versions.is_at_least("1.2.3", "1.10.0")', True),
    ("collections", "collections.uniq([1, 2, 1])", [1, 2]),
    ("collections", 'collections.before_each("-I", ["a", "b"])', ["-I", "a", "-I", "b"]),
    ("shell", 'shell.quote("a\'b")', "'a'\\''b'"),
    ("structs", "structs.to_dict(struct(b = 1, a = 2))", {"a": 2, "b": 1}),
    ("partial", "partial.call(partial.make(lambda a, b: (a, b), 1), b = 2)", (1, 2)),
    ("sets", "sets.to_list(sets.union(sets.make([1, 2]), sets.make([2, 3])))", [1, 2, 3]),
    ("sets", "sets.contains(sets.make([1]), 1)", True),
]


@pytest.mark.parametrize(("module", "expression", "wanted"), SKYLIB)
def test_skylib(module: str, expression: str, wanted: object) -> None:
    text = f'--- BUILD\n--- a.bzl\nload("@bazel_skylib//lib:{module}.bzl", "{module}")\nvalue = {expression}\n'
    loaded = open_text(text).bzl_loader.file(Label("", "", "a.bzl"))
    assert loaded.diagnostics == []
    assert loaded.names["value"] == wanted


def test_selects() -> None:
    text = """
--- BUILD
load("@bazel_skylib//lib:selects.bzl", "selects")
filegroup(name = "f", srcs = selects.with_or({(":a", ":b"): ["x"], "//conditions:default": []}))
selects.config_setting_group(name = "any", match_any = [":a", ":b"])
selects.config_setting_group(name = "all", match_all = [":a", ":b", ":c"])
selects.config_setting_group(name = "always", match_all = ["//conditions:default"])
"""
    made = package(text)
    (selector,) = rule(made, "f").get("srcs").parts
    assert [str(condition) for condition, _ in selector.branches] == ["//:a", "//:b", "//conditions:default"]
    kinds = {name: target.kind for name, target in made.targets.items() if name not in "abcx"}
    assert kinds["any"] == kinds["all"] == "alias rule"
    assert str(rule(made, "always").get("actual")) == "@bazel_skylib//lib:always_true"
    assert problems(made) == []


def test_files_that_rules_write() -> None:
    text = """
--- BUILD
load("@bazel_skylib//rules:copy_file.bzl", "copy_file")
load("@bazel_skylib//rules:write_file.bzl", "write_file")
load("@bazel_tools//tools/build_defs/pkg:pkg.bzl", "pkg_tar")
copy_file(name = "c", src = "a", out = "b")
write_file(name = "w", out = "x.txt", content = ["line"])
pkg_tar(name = "t", srcs = ["a"], extension = "tar.gz")
"""
    made = package(text)
    assert made.targets["b"].kind == made.targets["x.txt"].kind == made.targets["t.tar.gz"].kind == "generated file"
    assert rule(made, "t").kind == "_real_pkg_tar rule"


def test_what_a_rule_of_ours_does_not_take_is_a_gap() -> None:
    """The repository it stands in for may be of a version that takes it."""
    made = package("""
--- BUILD
load("@bazel_skylib//:bzl_library.bzl", "bzl_library")
bzl_library(name = "x", srcs = [":a.bzl"], parse_tests = [":b"])
""")
    assert list(map(str, rule(made, "x").get("parse_tests"))) == ["//:b"]
    (gap,) = made.gaps
    assert gap.what.startswith(
        "the rule bzl_library of @bazel_skylib is not on disk; the one that stands in for it has no"
    )


def test_repositories() -> None:
    text = """
--- WORKSPACE
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
load("@bazel_tools//tools/build_defs/repo:utils.bzl", "maybe")
http_archive(name = "one", urls = ["u"], build_file = "//third_party:one.BUILD")
maybe(http_archive, "one", build_file = "//third_party:other.BUILD")
load("//:d.bzl", "TWO")
maybe(http_archive, "two", build_file = TWO)
--- BUILD
--- d.bzl
TWO = Label("//third_party:two.BUILD")
"""
    workspace = open_text(text)
    assert workspace.diagnostics == []
    calls = workspace.context.repositories
    assert calls["one"].attributes["build_file"] == "//third_party:one.BUILD"
    assert calls["two"].attributes["build_file"] == Label("", "third_party", "two.BUILD")
    assert calls["two"].rule == "http_archive"
    assert calls["two"].location.path == "WORKSPACE"


def test_a_repository_of_one_fetched_file_is_known() -> None:
    text = """
--- WORKSPACE
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_file", "http_jar")
http_file(name = "one", urls = ["https://example.com/one"])
http_file(name = "two", urls = ["u"], downloaded_file_path = "bin/two", sha256 = "00")
http_jar(name = "jar", url = "u")
--- BUILD
"""
    loader = Loader(open_text(text))
    found = {
        name: [str(label) for label in target.values["srcs"]]
        for name, folder in (("one", "file"), ("two", "file"), ("jar", "jar"))
        if isinstance(target := loader.target(Label(name, folder, "file")), Rule)
    }
    assert found == {
        "one": ["@one//file:downloaded"],
        "two": ["@two//file:bin/two"],
        "jar": ["@jar//jar:downloaded.jar"],
    }
    jar = loader.target(Label("jar", "jar", "jar"))
    assert jar is not None
    assert jar.kind == "java_import rule"
    assert loader.workspace.repository("one").gaps == ()


CONFIGURE = """
load("@bazel_tools//tools/build_defs/repo:utils.bzl", "patch", "workspace_and_buildfile")
load("@bazel_tools//tools/cpp:lib_cc_configure.bzl", "escape_string", "get_cpu_value", "resolve_labels")
load("@bazel_tools//tools/cpp:lib_cc_configure.bzl", "split_escaped")

def _impl(ctx):
    workspace_and_buildfile(ctx)
    patch(ctx)
    paths = resolve_labels(ctx, ["@//:WORKSPACE"])
    ctx.file("out", str([
        get_cpu_value(ctx), escape_string("50%"), split_escaped("a:b%:c:", ":"), split_escaped("", ":"),
        paths["@//:WORKSPACE"].basename,
    ]))

configure = repository_rule(
    implementation = _impl,
    attrs = {
        "build_file": attr.label(),
        "build_file_content": attr.string(),
        "workspace_file": attr.label(),
        "workspace_file_content": attr.string(),
        "patches": attr.label_list(),
        "patch_args": attr.string_list(default = ["-p1"]),
    },
)
"""


def test_helpers_of_configure_rules_do_what_those_of_bazel_do() -> None:
    call = 'configure(name = "x", build_file_content = "# BUILD")'
    files = {"configure.bzl": CONFIGURE, "WORKSPACE": f'load("//:configure.bzl", "configure")\n{call}', "BUILD": ""}
    text = "".join(f"--- {path}\n{content}\n" for path, content in files.items())
    found = open_text(text).repository("x")
    assert (found.problems, found.gaps) == ((), ())
    source = found.tree.source
    assert source.read("out").decode() == '["k8", "50%%", ["a", "b:c", ""], [], "WORKSPACE"]'
    assert source.read("WORKSPACE").decode() == 'workspace(name = "x")\n'
    assert source.read("BUILD.bazel").decode() == "# BUILD"


def test_a_macro_may_be_a_module_extension() -> None:
    text = """
--- MODULE.bazel
module(name = "here")
version = use_extension("//:extensions.bzl", "version_extension")
use_repo(version, "the_version")
--- extensions.bzl
load("@bazel_skylib//lib:modules.bzl", "modules")
def _impl(ctx):
    ctx.file("BUILD", "exports_files(['%s'])" % modules.apparent_repo_name("@@a~~b~" + ctx.attr.tail))
_repo = repository_rule(implementation = _impl, attrs = {"tail": attr.string()})
def repos():
    _repo(name = "the_version", tail = "c")
version_extension = modules.as_extension(repos)
--- BUILD
load("@bazel_skylib//rules:native_binary.bzl", "native_binary")
native_binary(name = "n", src = "@the_version//:c")
"""
    loader = Loader(open_text(text))
    found = loader.find("", "")
    assert found is not None
    assert problems(found) == []
    assert loader.target(rule(found, "n").values["src"]) is not None


UNITTEST = """
--- a.bzl
load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "analysistest", "loadingtest", "unittest")
def _check(ctx):
    pass
check_test = unittest.make(_check, attrs = {"data": attr.label_list()})
look_test = analysistest.make(_check, expect_failure = True)
def tests():
    unittest.suite("all", check_test, partial.make(check_test, data = [":b"]))
    env = loadingtest.make("load")
    loadingtest.equals(env, "one", 1, 2)
--- BUILD
load("@bazel_skylib//rules:diff_test.bzl", "diff_test")
load(":a.bzl", "look_test", "tests")
tests()
look_test(name = "look", target_under_test = ":all")
diff_test(name = "diff", file1 = "a.bzl", file2 = "BUILD")
"""


def test_unit_tests_of_skylib() -> None:
    made = package(UNITTEST)
    assert made.gaps == []
    assert problems(made) == []
    assert {each.label.name: each.kind for each in made.rules()} == {
        "all_test_0": "check_test rule",
        "all_test_1": "check_test rule",
        "all": "test_suite rule",
        "load_tests": "test_suite rule",
        "load_one": "_loading_test rule",
        "look": "look_test rule",
        "diff": "_diff_test rule",
    }
    assert rule(made, "load_one").values["failure_message"] == 'Expected "1", but got "2"'
    assert [str(each) for each in rule(made, "all_test_1").values["data"]] == ["//:b"]


def test_a_repository_of_a_jar_is_known() -> None:
    text = """
--- WORKSPACE
load("@bazel_tools//tools/build_defs/repo:java.bzl", "java_import_external")
java_import_external(
    name = "guava",
    jar_sha256 = "00",
    jar_urls = ["https://example.com/m/guava-20.jar"],
    licenses = ["notice"],
    deps = ["@jsr"],
    exports = ["@jsr//jar"],
)
java_import_external(
    name = "jsr",
    jar_urls = ["u/jsr.jar"],
    licenses = ["notice"],
    neverlink = True,
    generated_linkable_rule_name = "link",
    srcjar_urls = ["u/jsr-sources.jar"],
)
--- BUILD
"""
    loader = Loader(open_text(text))
    guava = loader.target(Label("guava", "", "guava"))
    assert isinstance(guava, Rule)
    found = {name: [str(each) for each in guava.values[name]] for name in ("jars", "deps", "exports")}
    assert found == {"jars": ["@guava//:guava-20.jar"], "deps": ["@jsr//:jsr"], "exports": ["@jsr//jar:jar"]}
    linked = loader.target(Label("jsr", "", "link"))
    assert isinstance(linked, Rule)
    assert str(linked.values["srcjar"]) == "@jsr//:jsr-src.jar"
    jar = loader.target(Label("jsr", "jar", "jar"))
    assert isinstance(jar, Rule)
    assert str(jar.values["actual"]) == "@jsr//:jsr"


def test_what_only_the_rule_set_takes_is_a_gap_and_no_problem() -> None:
    """sh_test of rules_shell has use_bash_launcher, native.sh_test has not; nobody knows of other attributes."""
    made = package(
        """--- BUILD
load("@rules_shell//shell:sh_test.bzl", "sh_test")
sh_test(name = "x", srcs = "x.sh", use_bash_launcher = True, helper = "//a:helper")
sh_test(name = "native", srcs = ["x.sh"])
"""
    )
    assert problems(made) == []
    told = [gap.what for gap in made.gaps if gap.repository == "rules_shell"]
    assert len([what for what in told if "has no attribute use_bash_launcher" in what]) == 1
    assert any("srcs" in what for what in told)
    assert str(rule(made, "x").values["helper"]) == "//a:helper"
    assert rule(made, "x").kind == rule(made, "native").kind == "sh_test rule"
