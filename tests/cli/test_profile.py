"""--profile tells which way an answer came: nothing is read again that has not changed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.written_files import write_files

ROOT = Path(__file__).parents[2]
PACKAGES = 30


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Packages that each need the next, and a macro that the last of them uses."""
    files = {"WORKSPACE": "", "macros.bzl": "def group(name):\n    native.filegroup(name = name)\n", "BUILD": ""}
    for number in range(PACKAGES - 1):
        files[f"p{number}/BUILD"] = f"filegroup(name = 'x', srcs = ['//p{number + 1}:x'])\n"
    files[f"p{PACKAGES - 1}/BUILD"] = "load('//:macros.bzl', 'group')\ngroup(name = 'x')\n"
    write_files(tmp_path / "tree", files)
    time.sleep(0.1)  # what has changed a moment ago is never kept
    return tmp_path / "tree"


def profile(checkout: Path, question: str) -> dict[str, str]:
    """What --profile tells of a question."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "XDG_CACHE_HOME": str(checkout.parent / "cache"),
        "XDG_STATE_HOME": str(checkout.parent / "state"),
    }
    command = [sys.executable, "-m", "bzlgraph", "-C", str(checkout), "--profile", "query", question]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    told = [line.removeprefix("profile: ") for line in done.stderr.splitlines() if line.startswith("profile: ")]
    way, *numbers = told
    return {"way": way, **dict(line.split(": ") for line in numbers)}


def test_nothing_is_read_again(checkout: Path) -> None:
    first = profile(checkout, "deps(//p0:x)")
    assert int(first["packages evaluated"]) == PACKAGES
    same, other = profile(checkout, "deps(//p0:x)"), profile(checkout, "somepath(//p0:x, //p7:x)")
    assert same["way"] == "the same question was answered before"
    assert other["way"] == "answered from the graph that an earlier question kept"
    for each in (same, other):
        assert (each["packages evaluated"], each["files read"]) == ("0", "0")
        assert int(each["paths looked at"]) > PACKAGES


def test_after_an_edit_one_package_is_evaluated(checkout: Path) -> None:
    profile(checkout, "deps(//p0:x)")
    time.sleep(0.1)
    (checkout / "p9" / "BUILD").write_text("filegroup(name = 'x', srcs = ['//p10:x', '//p20:x'])\n", encoding="utf-8")
    time.sleep(0.1)
    assert profile(checkout, "deps(//p0:x, 12)")["packages evaluated"] == "1"
    again = profile(checkout, "somepath(//p0:x, //p20:x)")
    assert (again["packages evaluated"], again["way"]) == ("0", "answered from the graph that an earlier question kept")


def test_after_an_edit_of_a_macro_those_that_load_it_are_evaluated(checkout: Path) -> None:
    profile(checkout, "deps(//p0:x)")
    time.sleep(0.1)
    (checkout / "macros.bzl").write_text("def group(name):\n    native.sh_library(name = name)\n", encoding="utf-8")
    time.sleep(0.1)
    assert profile(checkout, "deps(//p0:x)")["packages evaluated"] == "1"
