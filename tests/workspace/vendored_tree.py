"""A tree that carries its repositories with it."""

from __future__ import annotations

TREE = '''
--- .bazelversion
7.4.1
--- MODULE.bazel
module(name = "tree")
--- WORKSPACE
workspace(name = "org_tree")
load("//tree:workspace3.bzl", "tree_workspace3")
tree_workspace3()
load("@local_xla//third_party/py:python_init.bzl", "python_init_repositories")
python_init_repositories(requirements = {"3.10": "//:requirements_3_10.txt", "3.11": "//:requirements_3_11.txt"})
load("@python_version_repo//:py_version.bzl", "HERMETIC_PYTHON_VERSION")
load("@local_tsl//tools:repositories.bzl", "tsl_repositories")
tsl_repositories(HERMETIC_PYTHON_VERSION)
load("@local_xla//third_party/gpus:cuda_configure.bzl", "cuda_configure")
cuda_configure(name = "local_config_cuda")
--- requirements_3_10.txt
numpy==1.22
--- requirements_3_11.txt
numpy==1.26
--- tree/BUILD
load("@local_config_cuda//cuda:build_defs.bzl", "if_cuda")
load("@local_tsl//tsl:tsl.bzl", "tsl_library")
load("@python_version_repo//:py_version.bzl", "HERMETIC_PYTHON_VERSION", "REQUIREMENTS")
tsl_library(
    name = "core",
    deps = ["@local_xla//xla:shape", "@local_tsl//tsl:status"] + if_cuda(["@local_config_cuda//cuda:runtime"]),
    tags = [HERMETIC_PYTHON_VERSION, REQUIREMENTS],
)
--- tree/workspace3.bzl
load("//third_party:repo.bzl", "vendored")
def tree_workspace3():
    vendored(name = "local_xla", relpath = "third_party/xla")
    vendored(name = "local_tsl", relpath = "third_party/xla/third_party/tsl")
--- third_party/BUILD
--- third_party/repo.bzl
def _vendored_impl(repository_ctx):
    path = repository_ctx.path(repository_ctx.attr.parent).dirname
    for part in repository_ctx.attr.relpath.split("/"):
        path = path.get_child(part)
    repository_ctx.symlink(path, ".")

vendored = repository_rule(
    implementation = _vendored_impl,
    attrs = {"parent": attr.label(default = "//:WORKSPACE"), "relpath": attr.string()},
)
--- third_party/xla/WORKSPACE
--- third_party/xla/xla/BUILD
cc_library(name = "shape", srcs = glob(["*.cc"]), deps = ["@local_tsl//tsl:status"])
--- third_party/xla/xla/shape.cc
--- third_party/xla/third_party/py/BUILD
--- third_party/xla/third_party/py/python_init.bzl
def _version_impl(ctx):
    version = ctx.getenv("HERMETIC_PYTHON_VERSION", "") or "3.10"
    if version not in ctx.attr.versions:
        fail("no requirements for Python", version)
    lock = ctx.attr.locks[ctx.attr.versions.index(version)]
    ctx.file("BUILD", "")
    ctx.file("py_version.bzl", """HERMETIC_PYTHON_VERSION = "{}"
REQUIREMENTS = {}
""".format(version, repr(ctx.read(lock).strip())))

_version = repository_rule(
    implementation = _version_impl,
    attrs = {"versions": attr.string_list(), "locks": attr.label_list()},
    environ = ["HERMETIC_PYTHON_VERSION"],
)

def python_init_repositories(requirements):
    _version(name = "python_version_repo", versions = requirements.keys(), locks = requirements.values())
--- third_party/xla/third_party/gpus/BUILD
--- third_party/xla/third_party/gpus/cuda.tpl
def if_cuda(if_true, if_false = []):
    return if_true if %{configured} else if_false
--- third_party/xla/third_party/gpus/cuda_configure.bzl
def _needed(ctx):
    return ctx.os.environ.get("TF_NEED_CUDA", "").strip() == "1"

def _cuda_impl(ctx):
    ctx.template("cuda/build_defs.bzl", Label("//third_party/gpus:cuda.tpl"), {"%{configured}": str(_needed(ctx))})
    version = ctx.os.environ.get("HERMETIC_CUDA_VERSION", "12.5")
    deps = ["@cuda_cudart//:v" + version.split(".")[0]] if _needed(ctx) else []
    ctx.file("cuda/BUILD", "cc_library(name = 'runtime', deps = {})".format(deps))

cuda_configure = repository_rule(implementation = _cuda_impl, environ = ["TF_NEED_CUDA", "HERMETIC_CUDA_VERSION"])
--- third_party/xla/third_party/tsl/WORKSPACE
--- third_party/xla/third_party/tsl/tools/BUILD
--- third_party/xla/third_party/tsl/tools/repositories.bzl
def _impl(ctx):
    ctx.file("BUILD", "exports_files(['python%s'])" % ctx.attr.version)
_tools = repository_rule(implementation = _impl, attrs = {"version": attr.string()})
def tsl_repositories(version):
    _tools(name = "tsl_tools", version = version)
--- third_party/xla/third_party/tsl/tsl/BUILD
cc_library(name = "status", visibility = ["//visibility:public"])
--- third_party/xla/third_party/tsl/tsl/tsl.bzl
def tsl_library(**kwargs):
    native.cc_library(**kwargs)
'''
