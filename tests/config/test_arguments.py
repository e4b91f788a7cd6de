"""From a command line and a checkout to a configuration."""

from pathlib import Path

import pytest

from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.label import Label
from bzlgraph.config.arguments import ConfigArguments, configuration_for
from bzlgraph.config.configuration import Configuration
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace


def configured(folder: Path, rc: str, *tokens: str, version: str = "", **more: object) -> Configuration | None:
    (folder / "WORKSPACE").write_text('workspace(name = "mine")')
    (folder / ".bazelrc").write_text(rc)
    workspace = open_workspace(folder, Options(bazel_version=version))
    return configuration_for(workspace, ConfigArguments(tokens, **more))  # type: ignore[arg-type]


def test_nothing_asked_is_no_configuration(tmp_path: Path) -> None:
    assert configured(tmp_path, "build -c opt") is None
    assert configured(tmp_path, "build -c opt", workspace_rc=False) is None


def test_rc_files_count_as_soon_as_something_is_asked(tmp_path: Path) -> None:
    chosen = configured(tmp_path, "build -c opt", "--define=a=b")
    assert chosen is not None
    assert chosen.given
    assert chosen.files == (".bazelrc",)
    assert chosen.value("compilation_mode").value == "opt"
    assert str(chosen.value("compilation_mode").origin) == ".bazelrc:1:7"


def test_the_workspaces_files_can_be_left_out(tmp_path: Path) -> None:
    chosen = configured(tmp_path, "build -c opt", "--define=a=b", workspace_rc=False)
    assert chosen is not None
    assert (chosen.value("compilation_mode").value, chosen.files) == ("fastbuild", ())


def test_origins_name_the_config(tmp_path: Path) -> None:
    chosen = configured(tmp_path, "build:a --config=b\nbuild:b --cpu=arm", "--config=a")
    assert chosen is not None
    assert str(chosen.value("cpu").origin) == ".bazelrc:2:9 (config a > config b)"


def test_flags_of_the_own_workspace_by_its_name(tmp_path: Path) -> None:
    chosen = configured(tmp_path, "", "--@mine//p:f=1", "--//p:f=2")
    assert chosen is not None
    assert [each.value for each in chosen.flag_values(Label("", "p", "f"))] == ["1", "2"]


def test_a_flag_that_is_no_label(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="invalid package name"):
        configured(tmp_path, "", "--//p//q:f")


def test_what_bazel_would_refuse_in_a_file_is_kept_and_told(tmp_path: Path) -> None:
    chosen = configured(tmp_path, "build --nosuch=1 --cpu=arm --stamp=maybe", "-c", "opt")
    assert chosen is not None
    assert [each.headline for each in chosen.problems] == [
        ".bazelrc:1:7: warning: --nosuch=1: Bazel has no such option",
        ".bazelrc:1:28: warning: --stamp=maybe: 'maybe' is not a boolean",
    ]
    assert [each.value for each in chosen.values("nosuch")] == ["1"]
    assert chosen.value("cpu").value == "arm"


def test_an_option_of_another_bazel_is_told_only_when_a_bazel_was_chosen(tmp_path: Path) -> None:
    rc = "build --distinct_host_configuration"
    free, chosen = (configured(tmp_path, rc, "-c", "opt", version=version) for version in ("", "7.7.1"))
    assert free is not None
    assert free.problems == ()
    assert chosen is not None
    assert [each.headline for each in chosen.problems] == [
        ".bazelrc:1:7: warning: --distinct_host_configuration: Bazel 7.7.1 has no such option (Bazel 4.2.3 does)"
    ]


@pytest.mark.parametrize(("version", "mode"), [("", "opt"), ("0.17.2", "opt"), ("4.2.3", "fastbuild")])
def test_the_old_rc_file_counts_for_old_bazels_and_when_none_was_chosen(
    tmp_path: Path, version: str, mode: str
) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools/bazel.rc").write_text("build -c opt")
    chosen = configured(tmp_path, "", "--define=a=b", version=version)
    assert chosen is not None
    assert chosen.value("compilation_mode").value == mode


def test_of_a_bazel_that_was_not_asked_its_documentation_is_quoted(tmp_path: Path) -> None:
    """As monogon, Bazel 8.1.0: --experimental_propagate_custom_flag is there, and no help text names it."""
    chosen = configured(tmp_path, "build --nosuch=1 --android_cpu=x", "-c", "opt", version="8.1.1")
    assert chosen is not None
    assert [each.headline for each in chosen.problems] == [
        ".bazelrc:1:7: warning: --nosuch=1: the documentation of Bazel 8.1.1 has no such option",
        ".bazelrc:1:18: warning: --android_cpu: the documentation of Bazel 8.1.1 has no such option (Bazel 7.7.1 does)",
    ]


def test_of_a_bazel_between_two_that_were_asked_not_more_is_said_than_is_known(tmp_path: Path) -> None:
    """--enable_bzlmod came between 4.2.3 and 7.7.1; its old name is as good."""
    rc = "build --enable_bzlmod --noexperimental_enable_bzlmod --nosuch=1 --distinct_host_configuration"
    chosen = configured(tmp_path, rc, "-c", "opt", version="6.4.0")
    assert chosen is not None
    assert [each.headline for each in chosen.problems] == [
        ".bazelrc:1:54: warning: --nosuch=1: neither Bazel 4.2.3 nor Bazel 7.7.1 has such an option"
    ]
    assert [each.value for each in chosen.values("enable_bzlmod")] == ["true", "false"]
