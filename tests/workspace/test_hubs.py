"""Hubs whose rule set is not on disk: their labels come from the lock files in the tree."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.label import Label
from bzlgraph.questions.origins import repository_origin
from bzlgraph.questions.paths import ask_why
from bzlgraph.questions.session import QueryOptions, Session, ask_query, open_session
from bzlgraph.workspace.options import Options

MAVEN_LOCK = json.dumps(
    {
        "artifacts": {
            "com.google.guava:guava": {"shasums": {"jar": "1"}, "version": "31.1-jre"},
            "com.google.guava:failureaccess": {"shasums": {"jar": "2"}, "version": "1.0.1"},
        },
        "dependencies": {"com.google.guava:guava": ["com.google.guava:failureaccess"]},
        "version": "2",
    },
    indent=2,
)
REQUIREMENTS = "# by hand\nabsl-py==2.1.0 \\\n    --hash=sha256:00\nNumPy[x]==2.1.3 ; python_version < '4'\n"
STRANGE = '{"artifacts": {"a.b:c": {"version": "\\u0001"}, "a.b:d": {}, "a-b:d": {}, "\\"x\\n:y": {}, ":": {}}}'
CARGO_LOCK = """version = 3

[[package]]
name = "mine"
version = "0.1.0"
dependencies = [
 "serde",
]

[[package]]
name = "serde"
version = "1.0.2"
source = "registry+https://crates.example"

[[package]]
name = "serde_derive"
version = "1.0.2"
source = "registry+https://crates.example"
"""
GO_MOD = "module example.com/m\n\ngo 1.21\n\nrequire (\n\tgithub.com/stretchr/testify v1.8.4\n)\n"
LOCKS = {
    "py/requirements.txt": REQUIREMENTS, "py/BUILD": "", "maven_install.json": MAVEN_LOCK, "Cargo.lock": CARGO_LOCK,
    "go.mod": GO_MOD,
}  # fmt: skip
MODULE = """
module(name = "mine")
bazel_dep(name = "rules_python", version = "1.0")
bazel_dep(name = "rules_jvm_external", version = "6.0")
bazel_dep(name = "rules_rust", version = "0.50")
bazel_dep(name = "gazelle", version = "0.40")
pip = use_extension("@rules_python//python/extensions:pip.bzl", "pip")
pip.parse(hub_name = "other", python_version = "3.11", requirements_lock = "//:nothing.txt")
pip.parse(hub_name = "pypi", python_version = "3.11", requirements_lock = "//py:requirements.txt")
use_repo(pip, "other", pip = "pypi")
maven = use_extension("@rules_jvm_external//:extensions.bzl", "maven")
maven.install(artifacts = ["com.google.guava:guava:31.1-jre"], lock_file = "//:maven_install.json")
maven.install(name = "more", artifacts = ["junit:junit:4.13"])
use_repo(maven, "maven", "more")
crate = use_extension("@rules_rust//crate_universe:extensions.bzl", "crate")
crate.from_cargo(name = "crates", cargo_lockfile = "//:Cargo.lock", manifests = ["//:Cargo.toml"])
use_repo(crate, "crates")
go_deps = use_extension("@gazelle//:extensions.bzl", "go_deps")
go_deps.from_file(go_mod = "//:go.mod")
use_repo(go_deps, "com_github_stretchr_testify", "com_github_stretchr_testifi")
"""
WORKSPACE = """
load("@rules_python//python:pip.bzl", "pip_parse")
pip_parse(name = "pip", requirements_lock = "//py:requirements.txt")
load("@rules_jvm_external//:defs.bzl", "maven_install")
maven_install(name = "maven", artifacts = ["a:b:1"], maven_install_json = "//:maven_install.json")
load("@rules_rust//crate_universe:defs.bzl", "crates_repository")
crates_repository(name = "crates", cargo_lockfile = "//:Cargo.lock", manifests = ["//:Cargo.toml"])
"""


def opened(root: Path, build: str, files: Mapping[str, str]) -> Session:
    for path, text in {**LOCKS, "BUILD": build, **files}.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return open_session(root, Options())


def deps(session: Session, target: str) -> tuple[dict[str, tuple[str, str]], list[str]]:
    """What a target depends on: label -> (kind, place); and the gaps."""
    reply = ask_query(session, f"deps({target})", QueryOptions())
    assert reply.completeness.problems == ()
    nodes = (reply.answer.graph.describe(node) for node in reply.answer.nodes)
    found = {str(node.label): (node.kind_words, str(node.location)) for node in nodes}
    return found, [str(gap) for gap in reply.completeness.gaps]


@pytest.fixture(params=[{"MODULE.bazel": MODULE}, {"WORKSPACE": WORKSPACE}], ids=["MODULE.bazel", "WORKSPACE"])
def files(request):
    return request.param


def test_a_requirement_is_where_the_requirements_file_has_it(tmp_path, files):
    session = opened(tmp_path, 'py_library(name = "a", deps = ["@pip//numpy", "@pip//absl_py:whl"])', files)
    found, gaps = deps(session, "//:a")
    assert found["@pip//numpy:numpy"] == ("alias rule", "py/requirements.txt:4:6")
    assert found["@pip//absl_py:whl"][1].startswith("py/requirements.txt:2:")
    assert any("is only known from the 2 packages that py/requirements.txt lists" in gap for gap in gaps)
    node = session.graph.find(Label("pip", "numpy", "numpy"))
    target = session.graph.target(node)
    assert "pypi_version=2.1.3" in target.values["tags"]


def test_a_package_that_no_requirement_pins_is_a_gap_with_the_nearest_name(tmp_path, files):
    session = opened(tmp_path, 'py_library(name = "a", deps = ["@pip//numpi"])', files)
    found, gaps = deps(session, "//:a")
    assert found["@pip//numpi:numpi"][0] == "unloaded target"
    assert any(gap.startswith("@pip//numpi: ") and "the nearest is @pip//numpy" in gap for gap in gaps)


def test_functions_of_requirements_bzl_give_labels(tmp_path, files):
    build = 'load("@pip//:requirements.bzl", "requirement")\npy_library(name = "a", deps = [requirement("Absl-Py")])'
    found, _ = deps(opened(tmp_path, build, files), "//:a")
    assert found["@pip//absl_py:pkg"][0] == "alias rule"


def test_an_entry_point_is_a_target_of_the_repository_of_its_package(tmp_path):
    """As rules_python has it for WORKSPACE; seen in OpenTitan."""
    build = 'load("@pip//:requirements.bzl", "entry_point")\n'
    build += 'filegroup(name = "a", srcs = [entry_point("Absl-Py"), entry_point("numpy", "f2py")])'
    rule = opened(tmp_path, build, {"WORKSPACE": WORKSPACE}).loader.package("", "").targets["a"]
    assert list(map(str, rule.values["srcs"])) == [
        "@pip_absl_py//:rules_python_wheel_entry_point_Absl-Py",
        "@pip_numpy//:rules_python_wheel_entry_point_f2py",
    ]


def test_artifacts_of_maven_depend_on_what_the_lock_file_says(tmp_path, files):
    session = opened(tmp_path, 'java_library(name = "a", exports = ["@maven//:com_google_guava_guava"])', files)
    found, gaps = deps(session, "//:a")
    assert found["@maven//:com_google_guava_guava"] == ("jvm_import rule", "maven_install.json:3:11")
    assert "@maven//:com_google_guava_failureaccess" in found
    assert any("that maven_install.json lists" in gap for gap in gaps)


def test_an_artifact_that_is_not_locked_is_a_gap_with_the_nearest_name(tmp_path, files):
    session = opened(tmp_path, 'java_library(name = "a", exports = ["@maven//:com_google_guava_guavas"])', files)
    found, gaps = deps(session, "//:a")
    assert found["@maven//:com_google_guava_guavas"][0] == "unloaded target"
    assert any("the nearest is @maven//:com_google_guava_guava" in gap for gap in gaps)


def test_crates_that_members_depend_on(tmp_path, files):
    session = opened(tmp_path, 'filegroup(name = "a", srcs = ["@crates//:serde", "@crates//:serde_derive"])', files)
    found, _ = deps(session, "//:a")
    assert found["@crates//:serde"] == ("alias rule", "Cargo.lock:10:6")
    assert found["@crates//:serde_derive"][0] == "unloaded target"


def test_artifacts_that_a_tag_lists_are_where_the_tag_is(tmp_path):
    session = opened(tmp_path, 'filegroup(name = "a", srcs = ["@more//:junit_junit"])', {"MODULE.bazel": MODULE})
    found, _ = deps(session, "//:a")
    assert found["@more//:junit_junit"][1].startswith("MODULE.bazel:13:")


OTHER = """
module(name = "other")
bazel_dep(name = "rules_python", version = "1.0")
bazel_dep(name = "rules_jvm_external", version = "6.0")
bazel_dep(name = "gazelle", version = "0.40")
pip = use_extension("@rules_python//python/extensions:pip.bzl", "pip")
pip.parse(hub_name = "others", python_version = "3.11", requirements_lock = "//:requirements.txt")
use_repo(pip, "others")
maven = use_extension("@rules_jvm_external//:extensions.bzl", "maven")
maven.install(artifacts = ["com.google.guava:guava:30", "junit:junit:4.13"])
go_deps = use_extension("@gazelle//:extensions.bzl", "go_deps")
go_deps.module(path = "github.com/stretchr/testify", version = "v1.10.0")
"""


def test_tags_of_all_modules_count_each_with_its_own_labels(tmp_path):
    override = (
        'bazel_dep(name = "other", repo_name = "dep")\nlocal_path_override(module_name = "other", path = "other")\n'
    )
    files = {
        "MODULE.bazel": MODULE.replace("pip = use", f"{override}pip = use", 1),
        "other/MODULE.bazel": OTHER,
        "other/BUILD": 'filegroup(name = "o", srcs = ["@others//flask"], visibility = ["//visibility:public"])',
        "other/requirements.txt": "\nflask==3.0\n",
    }
    srcs = ["@dep//:o", "@maven//:com_google_guava_guava", "@maven//:junit_junit", "@com_github_stretchr_testify//x"]
    found, gaps = deps(opened(tmp_path, f'filegroup(name = "a", srcs = {json.dumps(srcs)})', files), "//:a")
    flask = next(label for label in found if label.endswith("others//flask:flask"))
    assert found[flask] == ("alias rule", "external/other~/requirements.txt:2:6")
    assert found["@maven//:com_google_guava_guava"] == ("jvm_import rule", "maven_install.json:3:11")
    assert found["@maven//:junit_junit"][0] == "jvm_import rule"
    assert any("is github.com/stretchr/testify v1.10.0 of other/MODULE.bazel:12" in gap for gap in gaps)


def test_a_go_module_has_its_version_and_place(tmp_path):
    build = (
        'filegroup(name = "a", srcs = ["@com_github_stretchr_testify//assert", "@com_github_stretchr_testifi//assert"])'
    )
    session = opened(tmp_path, build, {"MODULE.bazel": MODULE})
    _, gaps = deps(session, "//:a")
    assert any("is github.com/stretchr/testify v1.8.4 of go.mod:6" in gap for gap in gaps)
    assert any("is not in go.mod; the nearest is @com_github_stretchr_testify" in gap for gap in gaps)
    call = session.loader.workspace.repository("com_github_stretchr_testify").call
    assert (call.rule, str(call.location)) == ("go_repository", "go.mod:6:1")


def test_a_lock_file_that_is_not_there_is_a_gap(tmp_path):
    session = opened(tmp_path, 'filegroup(name = "a", srcs = ["@other//x"])', {"MODULE.bazel": MODULE})
    found, gaps = deps(session, "//:a")
    assert found["@other//x:x"][0] == "unloaded target"
    assert any("the lock file //:nothing.txt cannot be read: no such file" in gap for gap in gaps)


@pytest.mark.parametrize(
    "text", ["", "[", "{}", "[[[[" * 50_000, '{"artifacts": {"a": 1}}', "[[package]]\nname = 1\n", STRANGE]
)
def test_a_broken_lock_file_breaks_nothing(tmp_path, files, text):
    broken = {**files, "maven_install.json": text, "Cargo.lock": text, "py/requirements.txt": text}
    build = 'filegroup(name = "a", srcs = ["@maven//:x", "@crates//:x", "@pip//x"])'
    found, gaps = deps(opened(tmp_path, build, broken), "//:a")
    assert {"@maven//:x", "@crates//:x", "@pip//x:x"} <= set(found)
    assert gaps


@pytest.mark.parametrize(
    "tag", ['lock_file = "//:gone.json"', 'lock_file = "//:[:"', "artifacts = 3", "artifacts = [3]", ""]
)
def test_a_tag_of_another_form_is_a_gap(tmp_path, tag):
    module = f"""
bazel_dep(name = "rules_jvm_external", version = "6.0")
maven = use_extension("@rules_jvm_external//:extensions.bzl", "maven")
maven.install({tag})
use_repo(maven, "maven")
"""
    session = opened(tmp_path, 'filegroup(name = "a", srcs = ["@maven//:x"])', {"MODULE.bazel": module})
    found, gaps = deps(session, "//:a")
    assert found["@maven//:x"][0] == "unloaded target"
    assert any(gap.startswith("@maven//: its targets") for gap in gaps)
    assert not session.loader.workspace.repository("maven").problems


def test_a_huge_requirements_file_costs_no_more_than_what_is_asked_for(tmp_path, files):
    text = "\n" * 1_000_000 + "\n".join(f"p{number}==1" for number in range(5_000))
    session = opened(tmp_path, 'py_library(name = "a", deps = ["@pip//p4"])', {**files, "py/requirements.txt": text})
    found, _ = deps(session, "//:a")
    assert found["@pip//p4:p4"][1].startswith("py/requirements.txt:200000:")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("@crates//:serdee", "@crates//:serde"), ("@pip//numpi", "@pip//numpy"), ("@pip//numpy:pgk", "@pip//numpy:pkg")],
)
def test_a_typed_package_that_the_lock_file_does_not_pin_is_refused(tmp_path, files, typed, meant):
    session = opened(tmp_path, 'filegroup(name = "a", srcs = ["@crates//:serde", "@pip//numpy"])', files)
    for ask in (lambda: ask_why(session, typed, "//:a"), lambda: ask_query(session, f"deps({typed})", QueryOptions())):
        with pytest.raises(LoadProblem, match=f"{typed}.* is not pinned by the lock file") as caught:
            ask()
        assert f"did you mean {meant}" in caught.value.diagnostic.hint
    assert ask_why(session, typed, "//:a", assume_declared=True).answer.no_way is not None


def test_no_lock_file_pins_the_packages_of_a_go_module(tmp_path):
    session = opened(tmp_path, "", {"MODULE.bazel": MODULE})
    asked = ask_query(session, "deps(@com_github_stretchr_testify//assert)", QueryOptions())
    assert [str(asked.answer.graph.labels[node]) for node in asked.answer.nodes] == [
        "@com_github_stretchr_testify//assert:assert"
    ]
    assert any("testify v1.8.4 of go.mod:6" in gap.hides for gap in asked.completeness.gaps)


def test_a_hub_comes_from_the_tags_that_mean_it(tmp_path):
    tag = 'maven.artifact(group = "junit", artifact = "junit", version = "4.13")\n'
    module = MODULE.replace("maven.install(name", f"{tag}{tag}maven.install(name", 1)
    workspace = opened(tmp_path, "", {"MODULE.bazel": module}).loader.workspace
    said = {}
    for repo in ("maven", "more", "com_github_stretchr_testify", "com_github_stretchr_testifi"):
        origin = repository_origin(workspace, repo)
        said[repo] = [f"{step.word} {step.what} {step.location}{step.note}" for step in origin.steps[1:]]
    assert said == {
        "maven": [
            "tag maven.install MODULE.bazel:12:14",
            "tag maven.artifact MODULE.bazel:13:15and 1 more tag",
            "use_repo maven MODULE.bazel:16:9",
        ],
        "more": ["tag maven.install MODULE.bazel:15:14", "use_repo more MODULE.bazel:16:9"],
        "com_github_stretchr_testify": [
            "tag 1 tag MODULE.bazel:21:18",
            "use_repo com_github_stretchr_testify MODULE.bazel:22:9",
            "go_repository github.com/stretchr/testify v1.8.4 go.mod:6:1",
        ],
        "com_github_stretchr_testifi": [
            "tag 1 tag MODULE.bazel:21:18none names it",
            "use_repo com_github_stretchr_testifi MODULE.bazel:22:9",
        ],
    }
