"""why in a configuration: the toolchain on the way with its candidates, and why a toolchain is not chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.config.arguments import ConfigArguments
from bzlgraph.export.why_formats.as_json import to_dict
from bzlgraph.export.why_formats.text import render
from bzlgraph.questions.paths import ask_why
from bzlgraph.questions.session import open_session
from bzlgraph.workspace.options import Options

WORKSPACE = Path(__file__).parents[1] / "workspaces" / "configured" / "toolchains_types"
LINUX = ConfigArguments(("--platforms=//platforms:target_linux",))


def ask(target: str, from_: str = "//:b", arguments: ConfigArguments = LINUX):
    """The answer to why in the fixture."""
    session = open_session(WORKSPACE, Options(bazel_version="4.2.3", jobs=1))
    return ask_why(session, target, from_, arguments)


def toolchains(target: str, from_: str = "//:b") -> list[str]:
    """The lines about toolchains."""
    lines = render(ask(target, from_).answer).splitlines()
    first = next((at for at, line in enumerate(lines) if line.startswith("Toolchain of")), len(lines))
    return lines[first:-1]


def test_the_chain_leads_through_the_toolchain() -> None:
    lines = render(ask("//tc:gcc", "//:a").answer).splitlines()
    assert [line.split()[:3] for line in lines[2:5]] == [
        ["//:a", "one", "BUILD:3"],
        ["├", "toolchain", "//tc:linux_compiler"],
        ["└", "compiler", "//tc:gcc"],
    ]
    assert "(toolchain resolution, //:rules.bzl)" in lines[3]


def test_each_candidate_of_the_toolchain_on_the_way_is_told() -> None:
    assert toolchains("//tc/more:gold") == [
        "Toolchain of //:b, type //tc:linker, for //platforms:target_linux, run on //platforms:large_machine:",
        (
            "  no      //tc/more:a_never  execution platform //platforms:large_machine is //platforms:linux, "
            "not //platforms:windows"
        ),
        (
            "  chosen  //tc/more:b_large  the first one for //platforms:target_linux "
            "that runs on //platforms:large_machine"
        ),
    ]


@pytest.mark.parametrize("target", ["//tc:for_windows", "//tc:windows_compiler"])
def test_why_a_toolchain_is_not_chosen(target: str) -> None:
    told = toolchains(target, "//:a")
    assert "no      //tc:for_windows  target platform //platforms:target_linux is //platforms:linux, not" in told[1]


def test_without_a_configuration_there_is_a_hint() -> None:
    reply = ask("//tc:linux_compiler", arguments=ConfigArguments())
    assert not reply.answer.found
    assert any("toolchains depend on the configuration" in note for note in reply.notes)
    assert not ask("//platforms:fast", arguments=ConfigArguments()).notes


def test_the_candidates_are_data() -> None:
    data = to_dict(ask("//tc:gcc", "//:a").answer)
    (found,) = data["toolchains"]
    (kind,) = found["resolution"]["types"]
    assert found["resolution"]["platforms"] == ["//platforms:fast_machine"]
    assert {each["toolchain"]["label"]: each["chosen"] for each in kind["candidates"]} == {
        "//tc:for_windows": "no",
        "//tc:for_linux": "yes",
    }
