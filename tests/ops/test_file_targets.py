"""A file -> the targets that build it: of its package, of those above, of those that name it; only packages count."""

from pathlib import Path

import pytest

from bzlgraph.loading.loader import Loader
from bzlgraph.ops.file_targets import FileTargets
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace
from tests.written_files import write_files

FILES = {
    "WORKSPACE": "",
    ".bazelignore": "lib/old\n",
    "lib/gpu/BUILD": 'exports_files(["solver.cc", "both.cc"])\n',
    "lib/cuda/BUILD": 'cc_library(name = "cuda", srcs = ["//lib/gpu:solver.cc"])\n',
    "lib/rocm/BUILD": 'cc_library(name = "rocm", srcs = ["//lib/gpu:solver.cc"])\n',
    "lib/old/BUILD": 'cc_library(name = "old", srcs = ["//lib/gpu:solver.cc"])\n',
    "lib/BUILD": 'cc_library(name = "lib", srcs = ["//lib/gpu:both.cc", "grouped.cc", "//lib/gpu:kept.cc"])\n',
    "lib/core/BUILD": (
        'filegroup(name = "files", srcs = ["a.cc"])\n'
        'cc_library(name = "users", srcs = select({"//:x": [":files"], "//conditions:default": []}))\n'
        'filegroup(name = "unused", srcs = ["b.cc"])\n'
        'cc_binary(name = "tool", srcs = ["c.cc"])\n'
        'cc_library(name = "c", srcs = ["c.cc"])\n'
        '[genrule(name = "d_" + i, srcs = ["d.cc"], outs = ["d.%s.cc" % i], cmd = "cp $< $@") for i in ["x", "y"]]\n'
        '[cc_library(name = "lib_" + each, srcs = ["d.%s.cc" % each]) for each in ["x", "y"]]\n'
        'genrule(name = "made", srcs = ["e.cc"], outs = ["e.h"], cmd = "sed s/a/b/ $< > $@")\n'
        'cc_library(name = "other", srcs = ["e.h"])\n'
    ),
    "lib/mobile/BUILD": (
        'load("@absent//:rules.bzl", "kernel_library", "thing")\n'
        'cc_library(name = "a_mobile", srcs = select({"//:mobile": glob(["*.cc"]), "//conditions:default": []}))\n'
        'thing(name = "thing", srcs = ["thing.cc"], gpu_srcs = ["gpu.cc", "no // label"], kind = ["kernel.cc"])\n'
        'cc_test(name = "a_test", srcs = ["tested.cc", "thing.cc"])\n'
        'cc_binary(name = "tool", srcs = ["tool.cc"])\n'
        'kernel_library(name = "kernel", prefix = "kernel")\n'
        'cc_library(name = "desktop", srcs = select({"//:mobile": [], "//conditions:default": ["desktop.cc"]}))\n'
        'cc_library(name = "sure", srcs = ["sure.cc"])\n'
    ),
    **{f"lib/mobile/{name}.cc": "" for name in ("thing", "gpu", "tested", "tool", "kernel", "desktop", "sure")},
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_files(tmp_path, FILES)


def built(tree: Path, path: str, *deleted: str) -> list[str]:
    options = Options(deleted_packages=frozenset(("", each) for each in deleted))
    found = FileTargets(Loader(open_workspace(tree, options))).of(path)
    return [f"{each.label} {each.condition}".strip() for each in found]


@pytest.mark.parametrize(
    ("path", "targets"),
    [
        ("lib/core/a.cc", ["//lib/core:users //:x"]),
        ("lib/core/b.cc", ["//lib/core:unused"]),
        ("lib/core/d.cc", ["//lib/core:lib_x", "//lib/core:lib_y"]),  # copied, once for each
        ("lib/core/e.cc", ["//lib/core:made"]),  # what is made of it is another file
        ("lib/core/c.cc", ["//lib/core:c", "//lib/core:tool"]),
        ("lib/gpu/both.cc", ["//lib:lib"]),
        ("lib/gpu/solver.cc", ["//lib/cuda:cuda", "//lib/rocm:rocm"]),
        ("lib/gpu/nobodys.cc", []),
        ("nobodys.cc", []),
        ("lib/mobile/sure.cc", ["//lib/mobile:sure", "//lib/mobile:a_mobile //:mobile"]),
        ("lib/mobile/tool.cc", ["//lib/mobile:tool", "//lib/mobile:a_mobile //:mobile"]),
        ("lib/mobile/tested.cc", ["//lib/mobile:a_mobile //:mobile", "//lib/mobile:a_test"]),
        ("lib/mobile/desktop.cc", ["//lib/mobile:desktop //conditions:default", "//lib/mobile:a_mobile //:mobile"]),
        (
            "lib/mobile/thing.cc",
            ["//lib/mobile:thing", "//lib/mobile:a_mobile //:mobile", "//lib/mobile:a_test"],
        ),
        ("lib/mobile/gpu.cc", ["//lib/mobile:thing", "//lib/mobile:a_mobile //:mobile"]),
    ],
)
def test_the_targets_of_a_file(tree: Path, path: str, targets: list[str]) -> None:
    assert built(tree, path) == targets


def test_a_deleted_package_builds_nothing(tree: Path) -> None:
    assert built(tree, "lib/gpu/solver.cc", "lib/rocm") == ["//lib/cuda:cuda"]


def test_files_of_a_target(tree: Path) -> None:
    targets = FileTargets(Loader(open_workspace(tree)))
    assert targets.files_of("//lib/core:c") == ("lib/core/c.cc",)
    assert targets.files_of("//no:such") == targets.files_of("!bad") == ()


@pytest.mark.parametrize(
    ("path", "unknown"),
    [
        ("lib/mobile/sure.cc", []),
        ("lib/mobile/desktop.cc", []),
        ("lib/mobile/thing.cc", ["thing"]),
        ("lib/mobile/gpu.cc", ["thing"]),
        ("lib/mobile/kernel.cc", ["kernel_library", "thing"]),
        ("lib/gpu/solver.cc", []),
    ],
)
def test_what_may_hide_a_files_library_is_a_gap(tree: Path, path: str, unknown: list[str]) -> None:
    targets = FileTargets(Loader(open_workspace(tree)))
    targets.of(path)
    assert sorted(gap.what.split()[5] for gap in targets.gaps) == unknown
