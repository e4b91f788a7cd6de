"""A monorepo made for measuring: N packages of 50 rules that a macro makes and 50 source files, a hundred targets each.

    python -m benchmarks.synthetic DIR --packages 10000     # a million targets

The same N gives the same bytes, so figures of two days can be compared. It is layered as grown repositories are: every
package depends on layers below its own only, mostly on the one next below, and some of the lowest packages are needed
by nearly all. Ten edges leave a rule on average; globs, select() and what rules need implicitly are among them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

LAYERS = 20
COMPONENTS = 10
"""Calls of the macro in a package: five rules and five source files each."""
TARGETS = 10 * COMPONENTS
"""A package's, without its BUILD file."""
SUFFIXES = (".cc", ".h", ".py", "_test.py", "_data.txt")

_MACROS = '''\
"""A macro of the usual kind: a library for two languages, with its test and its data."""

def component(name, deps = [], **kwargs):
    native.cc_library(
        name = name,
        srcs = native.glob([name + "*.cc"]),
        hdrs = [name + ".h"],
        copts = ["-Wall"] + select({
            "//config:fast": ["-O3"],
            "//conditions:default": ["-O2"],
        }),
        deps = deps + select({
            "//config:fast": ["//config:accelerator"],
            "//conditions:default": [],
        }),
        **kwargs
    )
    native.py_library(
        name = name + "_py",
        srcs = [name + ".py"],
        data = [":" + name + "_data"],
        deps = [dep + "_py" for dep in deps],
    )
    native.py_test(
        name = name + "_test",
        size = "small",
        srcs = [name + "_test.py"],
        deps = [":" + name + "_py"] + select({
            "//config:fast": ["//config:accelerator_py"],
            "//conditions:default": [],
        }),
    )
    native.filegroup(
        name = name + "_data",
        srcs = native.glob([name + "*.txt"]),
    )
    native.test_suite(
        name = name + "_tests",
        tests = [":" + name + "_test"],
    )
'''

_CONFIG = """\
package(default_visibility = ["//visibility:public"])

config_setting(
    name = "fast",
    define_values = {"fast": "true"},
)

cc_library(name = "accelerator")

py_library(name = "accelerator_py")
"""

_PACKAGE = """\
load("//config:component.bzl", "component")

package(default_visibility = ["//visibility:public"])
"""

_COMPONENT = """
component(
    name = "{name}",
    deps = [
{deps}    ],
)
"""


def write(folder: Path, packages: int) -> Path:
    """Writes the workspace unless it is there already; its folder."""
    ready = folder / f".packages-{packages}"
    if ready.exists():
        return folder
    _write(folder / "WORKSPACE", 'workspace(name = "synthetic")\n')
    _write(folder / "config" / "BUILD", _CONFIG)
    _write(folder / "config" / "component.bzl", _MACROS)
    for number in range(packages):
        package = folder / name_of(number)
        calls = (
            _COMPONENT.format(name=f"c{at}", deps="".join(_deps(number, at, packages))) for at in range(COMPONENTS)
        )
        _write(package / "BUILD", _PACKAGE + "".join(calls))
        for at in range(COMPONENTS):
            for suffix in SUFFIXES:
                (package / f"c{at}{suffix}").touch()
    ready.touch()
    return folder


def packages_in(folder: Path) -> int:
    """How many packages were written there; 0 for a folder of another kind."""
    return next((int(mark.name.rpartition("-")[2]) for mark in folder.glob(".packages-*")), 0)


def name_of(number: int) -> str:
    """The name of a package: twenty to a project, as many projects as it takes."""
    return f"project_{number // 20}/p{number % 20}"


def _deps(number: int, component: int, packages: int) -> Iterator[str]:
    """The lines of a component's dependencies: earlier ones of its package, and some of packages below."""
    for near in range(max(0, component - 2), component):
        yield f'        ":c{near}",\n'
    width = max(1, packages // LAYERS)
    layer = number // width
    below = width * min(layer, LAYERS)
    if not below:
        return
    found: dict[str, None] = {}
    for turn in range(9):
        dice = crc32(f"{number} {component} {turn}".encode())
        near = turn < 6
        first = max(0, below - width) if near else 0
        share = (dice % 9973 / 9973) ** (1 if near else 3)  # cubed: the lowest packages are needed most
        other = first + int(share * (below - first))
        found[f"//{name_of(other)}:c{dice // 9973 % COMPONENTS}"] = None
    yield from (f'        "{label}",\n' for label in sorted(found))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--packages", type=int, default=10_000, help="a hundred targets each (10000)")
    asked = parser.parse_args()
    print(write(asked.folder, asked.packages))
