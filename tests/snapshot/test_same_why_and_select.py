"""``why``, ``select`` and ``expand`` of the kept graph say what the full way says, to the byte."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from bzlgraph.cache import counters
from bzlgraph.loading.codec import Encoder
from bzlgraph.snapshot.commands import why_and_expand
from tests.differential.fixtures import Fixture
from tests.snapshot.asking import FIXTURES, VERSIONS, about, agreeing, example, full, kept, labels_of

ENCODE = Encoder.encode
pytestmark = pytest.mark.usefixtures("private_cache")


def made_up(labels: list[str], seed: object, number: int) -> Iterator[list[str]]:
    """Questions about these labels."""
    choose = random.Random(str(seed)).choice
    packages = sorted({label.partition(":")[0] for label in labels if label.startswith("//")})
    sources = [*labels, *(f"{each}:{name}" for each in packages for name in ("all", "*")), "//...", "//:all"]
    sources += [f"{each}/..." for each in packages if each != "//"]
    targets = [*labels, *labels, "//:nowhere", "//nowhere", "@nowhere//:x", f"{packages[-1]}:nowhere", "//...", "x.cc"]
    ways = ([], [], ["--all"], ["--output=json"], ["--all", "--output=json"], ["-k"])
    shown = (
        [], [], ["--output=json"], ["--output=csv"], ["--output=jsonl"], ["--attribute=deps"], ["--condition=windows"],
        ["--attribute=srcs", "--attribute=copts", "--output=json"], ["--condition=("], ["-k"], ["--noimplicit_deps"],
    )  # fmt: skip
    for _ in range(number):
        if choose((True, False, False, False, False)):
            yield ["expand", *(choose(sources) for _ in range(choose((1, 1, 2)))), *choose(([], [], ["-k"]))]
        elif choose((True, True, False)):
            source = choose(sources)
            pair = f"{source} -{choose(labels)}" if choose((True, False, False)) else source
            yield ["why", choose(targets), *choose(([], [f"--from={pair}"], [f"--from={source}"])), *choose(ways)]
        else:
            text = choose(sources)
            yield ["select", *choose(([text], [f"deps({text})"], [f"{text} - {choose(labels)}"])), *choose(shown)]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_example(version: str) -> None:
    start = example(version)
    assert agreeing(start, made_up(labels_of(start), seed=f"17 {version}", number=30)) > 25


@pytest.mark.parametrize(("fixture", "version"), FIXTURES)
def test_fixtures(fixture: Fixture, version: str, tmp_path: Path) -> None:
    start = about(fixture, version, tmp_path)
    labels = labels_of(start)
    agreeing(start, made_up(labels, seed=len(labels), number=8))


def test_one_question_leaves_a_graph_to_another() -> None:
    start = example()
    lib, python = "//tensorflow/core:lib", "//tensorflow/python:all"
    assert kept([*start, "why", lib, "--from", python]) is None
    first = full([*start, "why", lib, "--from", python])
    assert kept([*start, "why", lib, "--from", python]) == first
    assert kept([*start, "query", f"deps({python})"]) is not None
    assert kept([*start, "select", lib]) is not None
    assert kept([*start, "select"]) is None  # not all packages were loaded
    everything = full([*start, "select"])
    assert kept([*start, "select"]) == everything
    assert kept([*start, "why", lib, "--from", python]) == first


def test_a_package_that_is_no_longer_kept_goes_the_full_way(tmp_path: Path) -> None:
    start = example()
    asked = [*start, "query", "//tensorflow/core:all", "--output=build"]
    full([*start, "query", "deps(//...)"])
    said = kept(asked)
    assert said is not None
    for each in (tmp_path / "cache").rglob("packages-*"):
        each.unlink()
    assert kept(asked) is None
    assert full(asked) == said
    assert kept(asked) == said


def test_a_package_that_is_kept_as_other_bytes_is_still_the_same(tmp_path: Path) -> None:
    """As when the cache was lost: how often what is packed was used elsewhere decides how marshal writes it."""
    start = example()
    asked = [*start, "query", "//tensorflow/core:all", "--output=build"]
    full([*start, "query", "deps(//...)"])
    said = kept(asked)
    assert said is not None
    graph = next((tmp_path / "cache").rglob("graphs/*"))
    before = graph.read_bytes()
    with patch.object(Encoder, "encode", lambda self, package: b"".join((ENCODE(self, package), b"\0"))):
        for each in (tmp_path / "cache").rglob("packages-*"):
            each.unlink()
        assert full([*asked, "--profile"]).out == said.out
    assert kept(asked) == said
    assert graph.read_bytes() == before


@pytest.mark.parametrize("shown", ["--output=text", "--output=json", "--all"])
def test_why_reads_no_package(shown: str) -> None:
    """How targets are written is a column."""
    start = example()
    full([*start, "query", "deps(//...)"])
    asked = [*start, "why", "//tensorflow/core:lib", shown]
    counters.start()
    said = kept(asked)
    (read,) = [line for line in counters.lines("") if counters.UNPACKED in line]
    assert said == full([*asked, "--no_cache"])
    assert int(read.rpartition(" ")[2]) == 0


def test_a_way_is_told_without_the_full_view_of_what_is_kept() -> None:
    start, top = example(), "//tensorflow/tools/pip_package:build_pip_package"
    full([*start, "query", "deps(//...)"])
    declared = kept([*start, "query", f"kind('rule|source file|generated file', deps({top}))"])
    assert declared is not None
    absent = ["@absl_py//absl/flags", "@com_google_absl//absl/base", "@com_google_absl//:LICENSE"]
    ends = [*declared.out.split()[::4], *absent]
    assert len(ends) > 10
    with patch.object(why_and_expand, "why", side_effect=AssertionError("the full view was asked")):
        said = {end: kept([*start, "why", end, "--from", top]) for end in ends}
    assert all(said.values())
    assert all(said[end] == full([*start, "why", end, "--from", top, "--no_cache"]) for end in absent)


def test_why_tells_of_a_missing_target_without_the_full_view(tmp_path: Path) -> None:
    """What is told has the place of the rule that names it before it: a graph keeps it without."""
    tree = tmp_path / "tree"
    (tree / "other").mkdir(parents=True)
    (tree / "WORKSPACE").touch()
    (tree / "other/BUILD").touch()
    (tree / "BUILD").write_text(
        "filegroup(name = 'top', srcs = [':mid', '//other:absent'])\nfilegroup(name = 'mid', srcs = [':low'])\n"
        "filegroup(name = 'low')\n"
    )
    asked = ["-C", str(tree), "--jobs=1", "why", "//:low", "--from", "//:top"]
    said = full(asked)
    assert "BUILD:1:10: error: no such target '//other:absent'" in said.told
    with patch.object(why_and_expand, "why", side_effect=AssertionError("the full view was asked")):
        assert kept(asked) == said


@pytest.mark.parametrize("shown", ["--output=text", "--output=json", "--output=csv", "--attribute=deps"])
def test_select_reads_no_package(shown: str) -> None:
    """Values that depend on the configuration are a column."""
    start = example()
    labels = labels_of(start)
    counters.start()
    said = [kept([*start, "select", label, shown]) for label in labels]
    (read,) = [line for line in counters.lines("") if counters.UNPACKED in line]
    asked = [(label, each) for label, each in zip(labels, said, strict=True) if each is not None]
    some = [(label, each) for label, each in asked if "//conditions:default" in each.out]
    assert len(some) > 5
    assert all(each == full([*start, "select", label, shown, "--no_cache"]) for label, each in some[::5])
    assert int(read.rpartition(" ")[2]) == 0


def test_one_of_two_attributes_that_no_rule_has_is_told() -> None:
    start = [*example(), "select", "//tensorflow/core:all", "--attribute=copts"]
    said = full([*start, "--attribute=nowhere"])
    assert "has an attribute `nowhere`" in said.told
    assert kept([*start, "--attribute=nowhere"]) in (None, said)
    assert kept(start) == full(start)


def test_the_selects_of_a_rule_of_an_unknown_class_are_read_from_its_package(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "other").mkdir(parents=True)
    (tree / "WORKSPACE").touch()
    (tree / "other/BUILD").touch()
    (tree / "BUILD").write_text(
        'load("@absent//:defs.bzl", "some_rule")\n'
        'some_rule(name = "a", inputs = select({":on": [":b", "text"], "//conditions:default": []}))\n'
        'some_rule(name = "b")\n'
        'config_setting(name = "on", values = {"cpu": "k8"})\n'
    )
    time.sleep(0.06)  # what was changed just now is not kept
    start = ["-C", str(tree), "--jobs=1"]
    full([*start, "query", "//..."])
    for shown in ("--output=text", "--output=json"):
        said = kept([*start, "select", "//:a", shown])
        assert said is not None
        assert said == full([*start, "select", "//:a", shown, "--no_cache"])
        assert "//:b" in said.out


def test_options_of_another_command_are_not_known() -> None:
    start = example()
    full([*start, "query", "deps(//...)"])
    for question in (["query", "--all", "//..."], ["why", "//:x", "--noimplicit_deps"], ["select", "--from=//..."]):
        assert kept([*start, *question]) is None


@pytest.mark.parametrize("target", ["//:a", "//b:b"])
def test_a_gap_of_the_workspace_is_told_with_the_others(tmp_path: Path, target: str) -> None:
    """As monogon, whose .bazelrc imports a file that is written later: two lines began with Incomplete."""
    files = {
        "WORKSPACE": "", ".bazelrc": "import %workspace%/later.rc\n", "b/BUILD": 'filegroup(name = "b")\n',
        "BUILD": 'load("@absent//:x.bzl", "x")\nx(name = "c", deps = [":a"])\nfilegroup(name = "a")\n',
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    line = ["-C", str(tmp_path), "--jobs=1", "why", target]
    said = full([*line])
    lines = [each for each in (said.out + said.told).splitlines() if each.startswith("Incomplete")]
    assert len(lines) == 1
    assert target != "//:a" or "rc files: no such file: later.rc" in lines[0]
    assert kept(line) in (None, said)
