"""Repository rules in the forms that rule sets have today come out right by running them.

Each form is written anew here: a proxy that a version of Bazel chooses, features by version, a repository of settings,
a hub of others.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Package
from bzlgraph.loading.loader import Loader
from bzlgraph.workspace.options import Options, RepositoryOptions
from bzlgraph.workspace.sources.source import MemorySource
from bzlgraph.workspace.workspace import open_workspace
from tests.bazel.memory_workspace import files_of
from tests.workspace.rule_workspace import opened
from tests.written_files import write_files


def loaded(text: str, version: str = "", environment: tuple[tuple[str, str], ...] = ()) -> Loader:
    """The packages of a workspace that must have nothing unknown."""
    repositories = RepositoryOptions(repo_env=environment)
    options = Options(bazel_version=version, enable_bzlmod=False, enable_workspace=True, repositories=repositories)
    return Loader(open_workspace(".", options, MemorySource(files_of(text))))


def package(of: Loader, repo: str, name: str = "") -> Package:
    found = of.find(repo, name)
    assert found is not None
    assert (found.diagnostics, found.gaps) == ([], [])
    return found


PROXY = '''
--- WORKSPACE
load("//:extensions.bzl", "compatibility_proxy_repo")
compatibility_proxy_repo()
--- extensions.bzl
def _impl(rctx):
    if not native.bazel_version or int(native.bazel_version.split(".")[0]) >= 9:
        rctx.file("BUILD", "")
        rctx.file("proxy.bzl", """load("@//rules:own.bzl", _cc_library = "cc_library")
cc_library = _cc_library
""")
    else:
        rctx.file("BUILD", "exports_files(['proxy.bzl'])")
        rctx.file("proxy.bzl", "cc_library = native.cc_library\\n")

_proxy = repository_rule(implementation = _impl, doc = "proxy")

def compatibility_proxy_repo():
    _proxy(name = "cc_compatibility_proxy")
--- rules/BUILD
--- rules/own.bzl
def _impl(ctx):
    pass
cc_library = rule(implementation = _impl, attrs = {"deps": attr.label_list()})
--- BUILD
load("@cc_compatibility_proxy//:proxy.bzl", "cc_library")
cc_library(name = "a", deps = [":b"])
cc_library(name = "b")
'''


@pytest.mark.parametrize(("version", "own"), [("7.7.1", False), ("9.0.0", True)])
def test_a_proxy_takes_the_rules_that_the_version_has(version: str, own: bool):
    found = package(loaded(f"{PROXY}--- .bazelversion\n{version}"), "").targets["a"]
    assert found.values["deps"] == [Label("", "", "b")]
    assert (found.rule_class.bzl is not None) == own


@pytest.mark.parametrize("version", ["8.4.2", "9.0.0"])
def test_the_gap_of_a_rule_set_names_the_option_that_closes_it(tmp_path: Path, version: str):
    module = 'bazel_dep(name = "protobuf", version = "1", repo_name = "com_google_protobuf")\n'
    build = 'load("@com_google_protobuf//bazel:proto_library.bzl", "proto_library")\nproto_library(name = "p")\n'
    write_files(tmp_path, {"main/MODULE.bazel": module, "main/BUILD": build})
    rules = "def proto_library(name):\n    native.filegroup(name = name)\n"
    write_files(
        tmp_path, {"own/BUILD": "", "own/MODULE.bazel": "", "own/bazel/BUILD": "", "own/bazel/proto_library.bzl": rules}
    )

    def main(overrides: dict[str, Path]) -> Package:
        options = Options(overrides, bazel_version=version)
        found = Loader(open_workspace(tmp_path / "main", options)).find("", "")
        assert found is not None
        return found

    (gap,) = main({}).gaps
    assert "--override_repository=protobuf+=DIR" in gap.hides
    given = main({"protobuf+": tmp_path / "own"})
    assert (given.gaps, given.targets["p"].kind) == ([], "filegroup rule")


FEATURES = """
--- WORKSPACE
load("//:repos.bzl", "features_deps")
features_deps()
--- repos.bzl
GLOBALS = {"cc_thing": ("0.1", "8.0"), "json": ("4.0", "")}

def parse_version(text):
    numbers = text.split("-")[0].split(".")
    return tuple([int(each) if each.isdigit() else 0 for each in numbers])

def _version(rctx):
    rctx.file("BUILD.bazel", "exports_files([\\"version.bzl\\"])")
    rctx.file("version.bzl", "version = '" + native.bazel_version + "'")

def _globals(rctx):
    rctx.file("BUILD.bazel", "")
    now = parse_version(native.bazel_version)
    lines = ["globals = struct("]
    for name, (least, beyond) in GLOBALS.items():
        has = now >= parse_version(least) and (not beyond or now < parse_version(beyond))
        lines.append("    %s = %s," % (name, repr(name) if has else "None"))
    lines.append(")")
    rctx.file("globals.bzl", "\\n".join(lines))

version_repo = repository_rule(_version, local = True)
globals_repo = repository_rule(_globals, local = True)

def features_deps():
    version_repo(name = "features_version")
    globals_repo(name = "features_globals")
--- BUILD
load("@features_globals//:globals.bzl", "globals")
load("@features_version//:version.bzl", "version")
filegroup(name = "f", tags = [version, str(globals.cc_thing), str(globals.json)])
"""


@pytest.mark.parametrize(("version", "thing"), [("7.7.1", "cc_thing"), ("8.2.0", "None")])
def test_features_are_those_of_the_version(version: str, thing: str):
    assert package(loaded(FEATURES, version), "").targets["f"].values["tags"] == [version, thing, "json"]


SETTINGS = """
--- WORKSPACE
load("//:config.bzl", "internal_config_repo")
internal_config_repo(name = "rules_internal")
--- config.bzl
_CONFIG = '''config = struct(
  own = {own},
  windows = {windows},
)
'''

def _bool(rctx, name, default):
    value = rctx.getenv(name, default)
    if value not in ("0", "1"):
        fail(name, "must be 0 or 1")
    return value == "1"

def _impl(rctx):
    own = _bool(rctx, "OWN_RULES", "1") and hasattr(native, "starlark_doc_extract")
    rctx.file("config.bzl", _CONFIG.format(own = own, windows = "windows" in rctx.os.name))
    rctx.file("shim.bzl", "load('@//own:impl.bzl', _impl = 'impl')\\nimpl = _impl\\n" if own else "impl = None\\n")
    rctx.file("BUILD", "package(default_visibility = ['{}'])".format("//visibility:public"))
    return None

internal_config_repo = repository_rule(implementation = _impl, configure = True, environ = ["OWN_RULES"])
--- own/BUILD
--- own/impl.bzl
impl = "own"
--- BUILD
load("@rules_internal//:config.bzl", "config")
load("@rules_internal//:shim.bzl", "impl")
filegroup(name = "f", tags = ["1 %s" % config.own, "2 %s" % config.windows, "3 %s" % impl])
"""


def test_settings_come_from_the_version_and_the_environment():
    def tags(*environment: tuple[str, str]) -> object:
        return package(loaded(SETTINGS, "7.7.1", environment), "").targets["f"].values["tags"]

    assert tags() == ["1 True", "2 False", "3 own"]
    assert tags(("OWN_RULES", "0")) == ["1 False", "2 False", "3 None"]
    broken = loaded(SETTINGS, "7.7.1", (("OWN_RULES", "2"),)).find("", "")
    assert broken is not None
    assert any("OWN_RULES must be 0 or 1" in each.message for each in broken.diagnostics)


HUB = """
--- WORKSPACE
load("//:hub.bzl", "hub", "spoke")
spoke(name = "pip_39_numpy", requirement = "numpy==1.0", deps = ["six"])
spoke(name = "pip_39_six", requirement = "six==2.0")
hub(name = "pip", packages = {"numpy": "39", "six": "39"}, lock = "//:requirements.txt")
--- requirements.txt
numpy==1.0
six==2.0
--- hub.bzl
def _normal(name):
    return name.lower().replace("-", "_")

def _spoke(rctx):
    name, version = rctx.attr.requirement.split("==")
    rctx.template("BUILD.bazel", rctx.attr._template, {
        "%name%": name,
        "%deps%": repr(["@pip//" + _normal(each) for each in rctx.attr.deps]),
    })

spoke = repository_rule(
    implementation = _spoke,
    attrs = {
        "requirement": attr.string(mandatory = True),
        "deps": attr.string_list(),
        "_template": attr.label(default = "//:spoke.tpl"),
    },
)

def _hub(rctx):
    pinned = [line.split("==")[0] for line in rctx.read(rctx.attr.lock).splitlines() if line]
    for name in pinned:
        rctx.file(_normal(name) + "/BUILD.bazel", "alias(name = '{n}', actual = '@pip_{v}_{n}//:pkg')".format(
            n = _normal(name),
            v = rctx.attr.packages[name],
        ))
    rctx.file("requirements.bzl", "all_requirements = " + repr(["@pip//" + name for name in pinned]))
    rctx.file("BUILD.bazel")

hub = repository_rule(implementation = _hub, attrs = {"packages": attr.string_dict(), "lock": attr.label()})
--- spoke.tpl
py_library(name = "pkg", tags = ["%name%"], deps = %deps%)
--- BUILD
load("@pip//:requirements.bzl", "all_requirements")
py_library(name = "all", deps = all_requirements)
"""


def test_a_hub_gives_the_labels_of_its_lock_file():
    loader = loaded(HUB)
    deps = package(loader, "").targets["all"].values["deps"]
    assert [str(each) for each in deps] == ["@pip//numpy:numpy", "@pip//six:six"]
    assert str(package(loader, "pip", "numpy").targets["numpy"].values["actual"]) == "@pip_39_numpy//:pkg"
    assert [str(each) for each in package(loader, "pip_39_numpy").targets["pkg"].values["deps"]] == ["@pip//six:six"]


def test_packages_of_a_repository_that_cannot_be_made_say_why():
    broken = loaded(SETTINGS, "7.7.1", (("OWN_RULES", "2"),))
    with pytest.raises(LoadProblem, match=r"no such package '@rules_internal//x': OWN_RULES must be 0 or 1") as caught:
        broken.package("rules_internal", "x")
    assert str(caught.value.diagnostic.location) == "config.bzl:10:13"


OVERLAY = """
--- WORKSPACE
load("//:configure.bzl", "llvm_configure")
llvm_configure(name = "llvm-project", targets = ["X86"])
--- BUILD
--- configure.bzl
def _impl(ctx):
    root = ctx.path(Label("//:WORKSPACE")).dirname.get_child("raw")
    tools = root.get_child("utils").get_child("bazel")
    python = ctx.which("python3")
    if not python:
        fail("no python3")
    command = [python, tools.get_child("overlay_directories.py"), "--src", root, "--overlay"]
    result = ctx.execute(command + [tools.get_child("overlay"), "--target", "."], timeout = 20)
    if result.return_code != 0:
        fail("failed: " + result.stderr)
    ctx.file("llvm/targets.bzl", "llvm_targets = " + str(ctx.attr.targets))

llvm_configure = repository_rule(implementation = _impl, attrs = {"targets": attr.string_list()}, configure = True)
--- raw/llvm/lib/IR.cpp
--- raw/llvm/include/IR.h
--- raw/mlir/a.cpp
--- raw/utils/bazel/overlay_directories.py
--- raw/utils/bazel/overlay/BUILD.bazel
--- raw/utils/bazel/overlay/llvm/BUILD.bazel
load(":targets.bzl", "llvm_targets")
cc_library(name = "IR", srcs = glob(["lib/*.cpp"]), hdrs = glob(["include/*.h"]), tags = llvm_targets)
"""


def test_a_repository_of_overlaid_build_files():
    """LLVM's: its BUILD files lie in a folder of their own, which a script lays over the sources."""
    loader = loaded(OVERLAY)
    library = package(loader, "llvm-project", "llvm").targets["IR"]
    assert [each.name for each in (*library.values["srcs"], *library.values["hdrs"])] == ["lib/IR.cpp", "include/IR.h"]
    assert library.values["tags"] == ["X86"]
    assert loader.packages_below("llvm-project", "") == ["", "llvm", "utils/bazel/overlay", "utils/bazel/overlay/llvm"]
    assert loader.workspace.repository("llvm-project").assumptions[0] == "python3 is /usr/bin/python3"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("ctx.download_and_extract('https://example.com/a.zip')", "@x downloads https://example.com/a.zip"),
        ("ctx.execute(['configure'])", 'execute(["configure"]) of @x is not run'),
        ("if ctx.which('tool'): ctx.file('p/BUILD', '')", 'which("tool") of @x is unknown'),
    ],
)
def test_a_package_that_may_be_there_says_what_would_tell(code: str, reason: str):
    missing = Loader(opened(code)).missing("x", "p")
    assert missing.message == f"no such package '@x//p' in what is known of '@x': {reason}"
