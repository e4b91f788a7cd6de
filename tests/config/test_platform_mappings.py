"""The file of --platform_mappings. Beside real Bazel: tests/workspaces/configured/platform_mappings."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.label import identity_mapping
from bzlgraph.config.platform_mappings import read_mappings
from bzlgraph.facts.options import options_for
from tests.config.workspace import ask, view

FILES = {
    "BUILD": """
platform(name = "phone")
config_setting(name = "arm", values = {"cpu": "armeabi-v7a"})
filegroup(name = "A")
filegroup(name = "B")
filegroup(name = "by_cpu", srcs = select({":arm": [":A"], "//conditions:default": [":B"]}))
""",
    "platform_mappings": "platforms:\n  //:phone\n    --cpu=armeabi-v7a\nflags:\n  --cpu=ppc\n    //:phone\n",
}


@pytest.mark.parametrize(
    ("words", "name"), [(("-c", "opt"), "B"), (("--platforms=//:phone",), "A"), (("--cpu=ppc",), "A")]
)
def test_a_platform_stands_for_options_and_options_for_a_platform(tmp_path: Path, words, name: str) -> None:
    answer = ask(view(tmp_path, FILES, *words), "deps(//:by_cpu)")
    assert {"//:A", "//:B"} & {str(label) for label in answer} == {f"//:{name}"}
    assert answer.gaps == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("//:phone\n", "m:1: error: expected 'platforms:' or 'flags:', got //:phone"),
        ("platforms:\n//:phone\n", "m:2: error: expected an option that begins with --, got the end of the file"),
        ("# why\nflags:\n--cpu=x\n--cpu=y\n", "m:4: error: expected the label of a platform, got the end of the file"),
        ("flags:\n--cpu=x\n//a b:\n", "m:3: error: expected the label of a platform, got //a b:"),
        ("platforms:\n//:a\n--cpu=x\n//:a\n--cpu=y\n", "m:1: error: //:a has two entries"),
        ("flags:\n--cpu=x\n--copt=y\n//:a\n--copt=y\n--cpu=x\n//:b\n", "m:1: error: --copt=y --cpu=x has two entries"),
        ("platforms:\n//:a\n--cpuu=x\n", "m:3: error: --cpuu=x: Bazel has no such option"),
    ],
)
def test_faults_are_told_with_their_line(text: str, told: str) -> None:
    with pytest.raises(UsageProblem) as refused:
        read_mappings(text, "m", options_for("7.7.1"), identity_mapping)
    assert str(refused.value).startswith(told)


def test_a_file_that_only_an_rc_file_names_is_a_gap(tmp_path: Path) -> None:
    """It may be in a submodule that is not checked out."""
    rc = {".bazelrc": "build --platform_mappings=third_party/mappings\n"}
    answer = ask(view(tmp_path, {**FILES, **rc}, "-c", "opt"), "deps(//:by_cpu)")
    assert {str(label) for label in answer} >= {"//:by_cpu", "//:B"}
    (gap,) = map(str, answer.gaps)
    assert gap.startswith("third_party/mappings of --platform_mappings is not on disk: ")
    assert gap.endswith("(.bazelrc:1:7)")
    with pytest.raises(UsageProblem, match="no such file"):
        view(tmp_path, FILES, "--platform_mappings=nowhere")
