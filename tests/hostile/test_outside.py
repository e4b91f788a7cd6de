"""Nothing outside of a checkout is read because the checkout says so: each case plants one way out, and Python's own
audit events tell what a question opened and listed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.hostile.attack import write
from tests.workspace.spy import SPY

FILEGROUP = 'filegroup(name = "x", srcs = glob(["**"]))\n'
USES = 'filegroup(name = "x", srcs = ["@r//:r"])\n'
LOAD = 'load(":s.bzl", "S")\nfilegroup(name = "x", srcs = [S])\n'
OUTSIDE = {
    "BUILD": 'filegroup(name = "STOLEN")\n',
    "sub/BUILD": 'filegroup(name = "STOLEN")\n',
    "s.bzl": 'S = "STOLEN"\n',
    "rc": "build --copt=STOLEN\n",
    "MODULE.bazel": 'module(name = "m", version = "1.0")\nSTOLEN\n',
    "STOLEN.txt": "",
}
NO_LINKS: dict[str, str] = {}
REFUSED = "is outside the checkout and is not read; --override_repository=r=DIR"
QUERY = ("query", "deps(//...)", "-k")


@dataclass(frozen=True)
class Way:
    """A checkout with a way out: its files, its links (``{out}`` is the folder outside), and what must be said."""

    files: dict[str, str]
    links: dict[str, str] = field(default_factory=dict)
    said: str = "outside the checkout"
    question: tuple[str, ...] = QUERY


WAYS = {
    "a BUILD file that is a link": Way({}, {"a/BUILD": "{out}/BUILD"}),
    "a relative link": Way({}, {"a/BUILD": "../../outside/BUILD"}),
    "a link behind a link": Way({}, {"a/BUILD": "../b", "b": "{out}/BUILD"}),
    "a .bzl file that is a link": Way({"a/BUILD": LOAD}, {"a/s.bzl": "{out}/s.bzl"}),
    "a folder that is a link": Way({"BUILD": FILEGROUP}, {"link": "{out}"}, "outside the checkout"),
    "a folder in a package": Way({"a/BUILD": FILEGROUP}, {"a/link": "{out}"}, "outside the checkout"),
    "a link to the root of all": Way({"a/BUILD": FILEGROUP}, {"a/link": "/"}, "outside the checkout"),
    "a label through a link": Way(
        {"BUILD": 'filegroup(name = "x", srcs = ["//link:STOLEN"])\n'}, {"link": "{out}"}, "leads out of the checkout"
    ),
    "a load through a link": Way({"BUILD": LOAD.replace(":s", "//link:s")}, {"link": "{out}"}, "cannot load"),
    "a load with dots": Way({"BUILD": LOAD.replace(":s", "//:../outside/s")}, said=""),
    "WORKSPACE loads a link": Way({"WORKSPACE": 'load("//:s.bzl", "S")\n', "BUILD": ""}, {"s.bzl": "{out}/s.bzl"}),
    ".bazelrc is a link": Way({"BUILD": FILEGROUP}, {".bazelrc": "{out}/rc"}, question=(*QUERY, "-c", "opt")),
    "an import that an option refuses": Way(
        {"BUILD": "", ".bazelrc": "import %workspace%/../outside/rc\n", "../.git/HEAD": ""},
        question=("--stay_inside", *QUERY, "-c", "opt"),
    ),
    "an import": Way({"BUILD": "", ".bazelrc": "import {out}/rc\n"}, question=(*QUERY, "-c", "opt")),
    "a relative import": Way({"BUILD": "", ".bazelrc": "import ../outside/rc\n"}, question=(*QUERY, "-c", "opt")),
    "a try-import": Way(
        {"BUILD": "", ".bazelrc": "try-import %workspace%/../outside/rc\n"}, question=(*QUERY, "-c", "opt")
    ),
    ".bazelversion is a link": Way({"BUILD": ""}, {".bazelversion": "{out}/rc"}, ""),
    ".bazelignore is a link": Way({"BUILD": ""}, {".bazelignore": "{out}/rc"}, ""),
    "MODULE.bazel is a link": Way({"BUILD": ""}, {"MODULE.bazel": "{out}/MODULE.bazel"}, ""),
    "an include of MODULE.bazel": Way(
        {"BUILD": "", "MODULE.bazel": 'include("//:m.MODULE.bazel")\n'}, {"m.MODULE.bazel": "{out}/MODULE.bazel"}, ""
    ),
    "a local_path_override": Way(
        {
            "BUILD": "",
            "MODULE.bazel": 'bazel_dep(name = "m")\nlocal_path_override(module_name = "m", path = "../outside")\n',
        }
    ),
    "a registry": Way(
        {
            "BUILD": "",
            "MODULE.bazel": 'bazel_dep(name = "m", version = "1.0")\n'
            'single_version_override(module_name = "m", registry = "file://{out}")\n',
        },
        said="",
    ),
    "a local_repository": Way(
        {"WORKSPACE": 'local_repository(name = "r", path = "{out}")\n', "BUILD": USES}, NO_LINKS, REFUSED
    ),
    "the root of all as a repository": Way(
        {"WORKSPACE": 'local_repository(name = "r", path = "/")\n', "BUILD": USES}, NO_LINKS, REFUSED
    ),
    "a home as a repository": Way(
        {"WORKSPACE": 'local_repository(name = "r", path = "~")\n', "BUILD": USES},
        said="",
        question=("doctor", "-k"),
    ),
    "processes as a repository": Way(
        {
            "WORKSPACE": 'new_local_repository(name = "r", path = "/proc/self", build_file_content = "")\n',
            "BUILD": USES,
        },
        NO_LINKS,
        "/proc/self is outside the checkout and is not read: its files are unknown",
    ),
    "a name with dots": Way({"BUILD": 'filegroup(name = "x", srcs = ["@../../outside//:x"])\n'}, said=""),
    "an op of C++ behind a link": Way(
        {"BUILD": "", "tensorflow/core/framework/op.h": "", "tensorflow/python/ops/math_ops.py": ""},
        {"tensorflow/core/ops": "{out}", "tensorflow/core/kernels/x.cc": "{out}/rc"},
        "",
        ("op", "Blur"),
    ),
    "settings in scripts behind links": Way(
        {"BUILD": ""}, {"configure.py": "{out}/s.bzl", "configure": "{out}/rc"}, "", ("flags", "settings")
    ),
    "a link of a local repository": Way(
        {
            "WORKSPACE": 'local_repository(name = "r", path = "inner")\n',
            "BUILD": "",
            "inner/WORKSPACE": "",
            "inner/BUILD": FILEGROUP,
        },
        {"inner/link": "{out}"},
        "",
        ("query", "deps(@r//...)", "-k"),
    ),
}


@pytest.mark.parametrize("name", WAYS)
def test_nothing_outside_is_opened(tmp_path: Path, name: str) -> None:
    way, outside, root = WAYS[name], tmp_path / "outside", tmp_path / "tree"
    write(outside, OUTSIDE)
    write(root, {path: text.replace("{out}", str(outside)) for path, text in way.files.items()})
    for link, target in way.links.items():
        (root / link).parent.mkdir(parents=True, exist_ok=True)
        os.symlink(target.replace("{out}", str(outside)), root / link)
    report = tmp_path / "report.json"
    line = [sys.executable, "-c", SPY, str(report), "--no_cache", "-v", "-C", str(root), *way.question]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode in (0, 1, 2, 3, 7), done.stderr
    assert "Traceback" not in done.stderr
    assert "STOLEN" not in done.stdout.replace("//link:STOLEN", "")
    assert way.said in done.stderr + done.stdout
    touched = [Path(path) for path in json.loads(report.read_text())]
    assert [path for path in touched if path == Path("/") or path.is_relative_to(outside)] == []


def test_a_folder_that_is_allowed_is_read(tmp_path: Path) -> None:
    write(tmp_path / "outside", OUTSIDE)
    root = write(tmp_path / "tree", {"BUILD": ""})
    os.symlink("../outside", root / "link")
    command = [sys.executable, "-m", "bzlgraph", "--no_cache", "-C", str(root)]
    question = [f"--allow_outside={tmp_path / 'outside'}", "query", "//..."]
    done = subprocess.run([*command, *question], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["//link:STOLEN", "//link/sub:STOLEN"], done.stderr
    assert done.returncode == 0


def test_what_is_read_outside_is_told(tmp_path: Path) -> None:
    """A folder and files behind links."""
    write(tmp_path / "outside", OUTSIDE)
    root = write(tmp_path / "tree", {"BUILD": "", "c/BUILD": 'load(":s.bzl", "S")\n', "p/BUILD": FILEGROUP})
    for link, target in {"a": "outside", "b": "outside/BUILD", "c/s.bzl": "outside/s.bzl", "p/d": "outside/rc"}.items():
        os.symlink(tmp_path / target, root / link)
    command = [
        sys.executable,
        "-m",
        "bzlgraph",
        "--no_cache",
        "-C",
        str(root),
        f"--allow_outside={tmp_path / 'outside'}",
    ]
    done = subprocess.run([*command, "doctor", "--output=json"], capture_output=True, text=True, check=False)
    found = {each["link"]: each["target"] for each in json.loads(done.stdout)["outside"]}
    folder = os.path.realpath(tmp_path / "outside")
    assert found == {"a": folder, "c/s.bzl": f"{folder}/s.bzl", "p/d": f"{folder}/rc"}
    text = subprocess.run([*command, "doctor"], capture_output=True, text=True, check=False).stdout
    assert f"outside c/s.bzl leads to {folder}/s.bzl" in text
