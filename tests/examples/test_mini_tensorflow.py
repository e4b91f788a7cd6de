"""examples/mini_tensorflow as a bare checkout: what real Bazel says with stubs, bzlgraph says without anything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "mini_tensorflow"
EXPECTED = Path(__file__).parent / "expected"
PIP_PACKAGE = "//tensorflow/tools/pip_package:build_pip_package"
CHAIN = (
    PIP_PACKAGE,
    "//tensorflow:tensorflow_py",
    "//tensorflow/python:python",
    "//tensorflow/python:no_contrib",
    "//tensorflow/python:pywrap_tensorflow",
    "//tensorflow/python:pywrap_tensorflow_internal",
    "//tensorflow/python:pywrap_tensorflow_internal.py",
    "//tensorflow/python:pywrap_tensorflow_internal_py_wrap",
    "@swig//:swig",
)


def bzlgraph(*arguments: str) -> str:
    """stdout of `bzlgraph ARGUMENTS` on the example."""
    command = [sys.executable, "-m", "bzlgraph", "--no_cache", "-C", str(EXAMPLE), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def recorded(name: str) -> set[str]:
    lines = (EXPECTED / name).read_text(encoding="utf-8").splitlines()
    return {line for line in lines if not line.startswith("#")}


@pytest.fixture(scope="module")
def why() -> str:
    return bzlgraph("why", "@swig//:swig", "--from", PIP_PACKAGE)


def test_all_targets_are_bazels() -> None:
    """Without a stub: the repository rules of the example are run."""
    assert set(bzlgraph("query", "--output=label_kind", "//...:*").splitlines()) == recorded("all_targets.txt")


def test_what_bazel_reaches_in_the_main_repository_is_reached() -> None:
    ours = bzlgraph("query", "--noimplicit_deps", "--output=label_kind", f"deps({PIP_PACKAGE})").splitlines()
    own = {line for line in recorded("deps_of_pip_package.txt") if line.split()[-1].startswith("//")}
    assert len(own) > 400
    assert {line for line in ours if line.split()[-1].startswith("//")} == own


def test_swig_is_reached_through_the_private_attribute_only() -> None:
    assert bzlgraph("query", "--noimplicit_deps", f"allpaths({PIP_PACKAGE}, @swig//:swig)") == ""
    assert "@swig//:swig" in bzlgraph("query", f"allpaths({PIP_PACKAGE}, @swig//:swig)").splitlines()


def test_why_tells_the_chain_in_order(why: str) -> None:
    places = [why.find(f" {label}") if label != PIP_PACKAGE else why.find(label) for label in CHAIN]
    assert -1 not in places, [label for label, place in zip(CHAIN, places, strict=True) if place < 0]
    assert places == sorted(places)


@pytest.mark.parametrize("reason", ["_swig", "tf_py_wrap_cc", "tensorflow/tensorflow.bzl:", "//conditions:default"])
def test_why_gives_the_reasons(why: str, reason: str) -> None:
    assert reason in why


def test_why_says_what_it_could_not_know(why: str) -> None:
    assert 'glob(["Lib/*.i"' in why


def test_the_example_is_as_large_as_promised() -> None:
    assert len(list(EXAMPLE.rglob("BUILD"))) >= 30


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(EXAMPLE.rglob("*")) if path.name == "BUILD" or path.suffix in {".bzl", ".BUILD", ".tpl"}],
    ids=lambda path: path.relative_to(EXAMPLE).as_posix(),
)
def test_every_file_says_what_it_mirrors(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith("# Mirrors ")
