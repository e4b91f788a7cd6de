"""What ``--repo_env`` and ``--config`` change in repositories that rules of the tree write: as commands show it.

The tree is that of tests/workspace/test_vendored_tree.py (TensorFlow 2.2x's shape), once with WORKSPACE and once with
MODULE.bazel, where the vendored folders are modules and an extension makes the rest.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bazel.memory_workspace import files_of
from tests.workspace.vendored_tree import TREE
from tests.written_files import write_files

MORE = """
--- .bazelrc
common --noenable_bzlmod
common:bzlmod --enable_bzlmod --noenable_workspace
build:cuda --repo_env=TF_NEED_CUDA=1 --//tree:with_cuda=true
build:cuda12 --config=cuda --repo_env=HERMETIC_CUDA_VERSION=12.9
common --repo_env=HERMETIC_PYTHON_VERSION=3.11
--- MODULE.bazel
module(name = "org_tree", repo_name = "org_tree")
bazel_dep(name = "xla", repo_name = "local_xla")
local_path_override(module_name = "xla", path = "third_party/xla")
bazel_dep(name = "tsl", repo_name = "local_tsl")
local_path_override(module_name = "tsl", path = "third_party/xla/third_party/tsl")
bazel_dep(name = "cuda_cudart", version = "12")
trees = use_extension("//tree:extension.bzl", "trees")
trees.python(requirements = {"//:requirements_3_10.txt": "3.10", "//:requirements_3_11.txt": "3.11"})
use_repo(trees, "local_config_compiler", "local_config_cuda", "python_version_repo")
--- third_party/xla/MODULE.bazel
module(name = "xla")
bazel_dep(name = "tsl", repo_name = "local_tsl")
--- third_party/xla/third_party/tsl/MODULE.bazel
module(name = "tsl")
--- BUILD
--- WORKSPACE
workspace(name = "org_tree")
load("//tree:workspace3.bzl", "tree_workspace3")
tree_workspace3()
load("@local_xla//third_party/py:python_init.bzl", "python_init_repositories")
python_init_repositories(requirements = {"3.10": "//:requirements_3_10.txt", "3.11": "//:requirements_3_11.txt"})
load("@local_xla//third_party/gpus:cuda_configure.bzl", "cuda_configure")
cuda_configure(name = "local_config_cuda")
load("//third_party:compiler.bzl", "compiler_configure")
compiler_configure(name = "local_config_compiler")
--- third_party/compiler.bzl
def _impl(ctx):
    found = ctx.which("clang")
    machine = ctx.execute(["uname", "-m"]).stdout.strip()
    version = ctx.execute([found, "--version"]).stdout
    ctx.file("BUILD", 'exports_files(["copts.bzl"])')
    ctx.file("copts.bzl", 'MACHINE = "%s"\\nVERSION = "%s"\\n' % (machine, version))
compiler_configure = repository_rule(implementation = _impl)
--- tree/extension.bzl
load("//third_party:compiler.bzl", "compiler_configure")
load("@local_xla//third_party/gpus:cuda_configure.bzl", "cuda_configure")
load("@local_xla//third_party/py:python_init.bzl", "python_init_repositories")

def _impl(ctx):
    cuda_configure(name = "local_config_cuda")
    compiler_configure(name = "local_config_compiler")
    for tag in ctx.modules[0].tags.python:
        python_init_repositories({version: label for label, version in tag.requirements.items()})

trees = module_extension(
    implementation = _impl,
    tag_classes = {"python": tag_class(attrs = {"requirements": attr.label_keyed_string_dict()})},
)
--- tree/flags.bzl
flag = rule(implementation = lambda ctx: [], build_setting = config.bool(flag = True))
--- tree/BUILD
load("@local_config_compiler//:copts.bzl", "MACHINE", "VERSION")
load("@local_config_cuda//cuda:build_defs.bzl", "if_cuda")
load("@local_tsl//tsl:tsl.bzl", "tsl_library")
load("@python_version_repo//:py_version.bzl", "HERMETIC_PYTHON_VERSION", "REQUIREMENTS")
load(":flags.bzl", "flag")
flag(name = "with_cuda", build_setting_default = False)
config_setting(name = "cuda", flag_values = {":with_cuda": "true"})
tsl_library(
    name = "core",
    copts = ["-march=" + MACHINE, VERSION],
    deps = ["@local_xla//xla:shape", "@local_tsl//tsl:status"] + if_cuda(["@local_config_cuda//cuda:runtime"]) +
           select({":cuda": if_cuda([":kernels"]), "//conditions:default": []}),
    tags = [HERMETIC_PYTHON_VERSION, REQUIREMENTS],
)
cc_library(name = "kernels")
"""
ALWAYS = {
    "//tree:core", "//tree:cuda", "//tree:with_cuda", "@local_xla//xla:shape", "@local_xla//xla:shape.cc",
    "@local_tsl//tsl:status",
}  # fmt: skip
WITH_CUDA = ALWAYS | {"//tree:kernels", "@local_config_cuda//cuda:runtime"}


@pytest.fixture(scope="module")
def tree(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    return write_files(root, {**files_of(TREE), **files_of(MORE)})


@pytest.fixture(params=["WORKSPACE", "MODULE.bazel"])
def ask(tree, request):
    modules = ["--config=bzlmod"] if request.param == "MODULE.bazel" else []

    def run(command: str, *arguments: str) -> str:
        line = [sys.executable, "-m", "bzlgraph", "--no_cache", "-C", str(tree), command]
        line += [*modules, *(part for each in arguments for part in ([each, *modules] if each == "--vs" else [each]))]
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("TF_", "HERMETIC_"))}
        done = subprocess.run(line, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def own(text: str) -> set[str]:
    """The labels of an answer outside of Bazel's own repositories."""
    builtin = ("@bazel_tools", "@local_config_cc", "@platforms", "@remote", "@local_config_platform", "@cuda_cudart")
    return {line for line in text.splitlines() if not line.startswith(builtin)}


def test_every_repository_of_the_tree_is_found_without_an_option(ask):
    assert own(ask("query", "--noimplicit_deps", "deps(//tree:core)")) == ALWAYS
    gaps = json.loads(ask("query", "//tree/... + deps(//tree:core)", "--output=json"))["gaps"]
    named = {gap["repository"].rpartition("~")[2] for gap in gaps}  # canonical with modules
    assert named - {"bazel_tools", "platforms", "", "local_config_cc"} == set()


def test_a_configuration_changes_what_repositories_hold(ask):
    labels = own(ask("query", "--config=cuda", "--noimplicit_deps", "deps(//tree:core)"))
    assert labels == WITH_CUDA


def test_another_version_of_python_by_the_command_line(ask):
    written = ask("query", "--repo_env=HERMETIC_PYTHON_VERSION=3.10", "//tree:core", "--output=build")
    assert '"3.10"' in written
    assert "numpy==1.22" in written
    assert '"3.11"' in ask("query", "//tree:core", "--output=build")


def test_why_sees_the_branch(ask):
    told = ask("why", "--config=cuda", "@local_config_cuda//cuda:runtime", "--from=//tree:core")
    assert "@local_config_cuda//cuda:runtime" in told
    assert "tree/BUILD" in told


def test_a_difference_of_configurations_has_what_the_repository_brings(ask):
    told = ask("diff-config", "//tree:core", "--output=json", "--vs", "--config=cuda12")
    assert "@local_config_cuda//cuda:runtime" in told
    assert "@cuda_cudart//:v12" in told


def test_select_sees_what_a_branch_has(ask):
    rows = ask("select", "//tree:core", "--config=cuda", "--output=json")
    assert "//tree:kernels" in rows
    assert "//tree:kernels" not in ask("select", "//tree:core", "--output=json")


def test_what_only_a_process_could_tell_is_unknown_and_the_rest_is_not(ask):
    written = ask("query", "//tree:core", "--output=build")
    assert "-march=x86_64" in written
    assert "--version" in written
