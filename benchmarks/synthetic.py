"""A workspace made for measuring: N packages in layers, each with a macro, a glob, a select() and a few plain rules.

The same N gives the same bytes, so figures of two days can be compared.
"""

from __future__ import annotations

from pathlib import Path

_MACROS = '''\
"""A macro of the usual kind: three rules, one of them conditional."""

def layered_library(name, deps = [], **kwargs):
    native.cc_library(
        name = name,
        srcs = native.glob(["*.cc"], exclude = ["*_test.cc"]),
        hdrs = [name + ".h"],
        copts = ["-Wall"] + select({
            "//:fast": ["-O3"],
            "//conditions:default": ["-O2"],
        }),
        deps = deps + select({
            "//:fast": ["//:accelerator"],
            "//conditions:default": [],
        }),
        **kwargs
    )
    native.cc_test(
        name = name + "_test",
        srcs = [name + "_test.cc"],
        deps = [":" + name],
    )
    native.genrule(
        name = name + "_header",
        outs = [name + ".h"],
        cmd = "echo '#pragma once' > $@",
    )
'''

_ROOT = """\
config_setting(
    name = "fast",
    define_values = {"fast": "true"},
    visibility = ["//visibility:public"],
)

cc_library(
    name = "accelerator",
    visibility = ["//visibility:public"],
)
"""

_PACKAGE = """\
load("//:macros.bzl", "layered_library")

package(default_visibility = ["//visibility:public"])

layered_library(
    name = "lib",
    deps = [
{deps}    ],
)

[
    filegroup(
        name = "data_%d" % number,
        srcs = ["data/%d.txt" % number],
    )
    for number in range(10)
]

py_library(
    name = "py",
    srcs = ["lib.py"],
    data = [":data_%d" % number for number in range(10)],
)
"""

WIDTH = 10  # packages in a layer; each depends on three of the layer below


def write(folder: Path, packages: int) -> Path:
    """Writes the workspace unless it is there already."""
    ready = folder / f".packages-{packages}"
    if ready.exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "WORKSPACE").write_text('workspace(name = "synthetic")\n', encoding="utf-8")
    (folder / "macros.bzl").write_text(_MACROS, encoding="utf-8")
    (folder / "BUILD").write_text(_ROOT, encoding="utf-8")
    for number in range(packages):
        package = folder / _name(number)
        package.mkdir(parents=True, exist_ok=True)
        below = range(max(0, number - WIDTH - 1), max(0, number - WIDTH + 2)) if number >= WIDTH else ()
        deps = "".join(f'        "//{_name(other)}:lib",\n' for other in below)
        (package / "BUILD").write_text(_PACKAGE.replace("{deps}", deps), encoding="utf-8")
        for name in ("lib.cc", "lib_test.cc", "lib.py"):
            (package / name).write_text("", encoding="utf-8")
    ready.touch()
    return folder


def _name(number: int) -> str:
    return f"layer_{number // WIDTH}/p{number % WIDTH}"
