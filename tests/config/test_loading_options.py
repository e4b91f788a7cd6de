"""Options that say what is loaded: on the command line of every command, and in lines of rc files."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bzlgraph.base.errors import UsageProblem
from bzlgraph.cli.main import main
from bzlgraph.config.arguments import ConfigArguments
from bzlgraph.config.loading_options import LoadingOptions, loading_options
from bzlgraph.facts import for_version
from bzlgraph.questions.session import open_session
from tests.written_files import write_files


def read(root: Path, text: str, *typed: str, version: str = "7.7.1", tokens: tuple[str, ...] = ()) -> LoadingOptions:
    (root / ".bazelrc").write_text(text, encoding="utf-8")
    return loading_options(root, for_version(version), ConfigArguments(tokens, loading=typed))


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("common --deleted_packages=a", True),
        ("always --deleted_packages=a", True),
        ("query --deleted_packages=//a", True),
        ("build --deleted_packages=a", False),
        ("test --deleted_packages=a", False),
        ("common:x --deleted_packages=a", False),
    ],
)
def test_the_lines_of_bazel_query_count(tmp_path: Path, line: str, counts: bool) -> None:
    assert read(tmp_path, line).deleted_packages == (frozenset({("", "a")}) if counts else frozenset())


@pytest.mark.parametrize(
    ("version", "line", "typed", "refused"),
    [
        ("8.7.0", "", (), True),
        ("8.7.0", "common --incompatible_disallow_empty_glob=false", (), False),
        ("7.7.1", "", (), False),
        ("7.7.1", "", ("--incompatible_disallow_empty_glob",), True),
        ("8.7.0", "common --noincompatible_disallow_empty_glob", ("--incompatible_disallow_empty_glob",), True),
    ],
)
def test_a_tree_chooses_what_another_bazel_does(
    version: str, line: str, typed: tuple[str, ...], refused: bool, tmp_path: Path
) -> None:
    """XLS allows globs that match nothing by a line of its .bazelrc."""
    (tmp_path / ".bazelversion").write_text(version)
    (tmp_path / ".bazelrc").write_text(line)
    (tmp_path / "MODULE.bazel").touch()
    (tmp_path / "BUILD").write_text("filegroup(name = 'a', srcs = glob(['*.none']))")
    with CliRunner().isolation() as (_, err, _mixed):
        with pytest.raises(SystemExit):
            main(["-C", str(tmp_path), "--no_cache", "--jobs=1", "query", *typed, "//:a"])
        assert ("allow_empty" in err.getvalue().decode()) == refused


def test_with_a_configuration_those_of_bazel_build_count(tmp_path: Path) -> None:
    lines = "build --deleted_packages=a\nquery --deleted_packages=b\nbuild:x --enable_bzlmod\n"
    found = read(tmp_path, lines, tokens=("--config=x",))
    assert found == LoadingOptions(frozenset({("", "a")}), enable_bzlmod=True)


def test_the_command_line_comes_last(tmp_path: Path) -> None:
    lines = "common --noenable_bzlmod --enable_workspace --deleted_packages=a,@r//b/c\n"
    found = read(tmp_path, lines, "--enable_bzlmod", "--deleted_packages=d", version="4.2.3")
    assert found == LoadingOptions(frozenset({("", "d")}), True, True)
    assert read(tmp_path, lines).deleted_packages == {("", "a"), ("r", "b/c")}


@pytest.mark.parametrize(
    ("value", "other"),
    [("%workspace%", ""), ("", ""), ("%workspace%:%workspace%/more:/far", "%workspace%/more, /far")],
)
def test_other_roots_of_packages_are_a_gap(value: str, other: str, tmp_path: Path) -> None:
    gaps = read(tmp_path, f"common --package_path={value}").gaps
    assert [gap.hides for gap in gaps] == ([f"packages in {other} are unknown"] if other else [])


def test_a_broken_rc_file_is_a_gap_and_a_wrong_word_an_error(tmp_path: Path) -> None:
    (gap,) = read(tmp_path, "import %workspace%/none.rc\n").gaps
    assert "none.rc" in gap.what
    with pytest.raises(UsageProblem, match="not a boolean"):
        read(tmp_path, "", "--enable_bzlmod=perhaps")


def test_an_old_name_of_an_option_counts(tmp_path: Path) -> None:
    """As Bazel 7.7.1 takes it; of 6.4 nothing else is known."""
    for version in ("6.4.0", "7.7.1"):
        for line in ("common --experimental_enable_bzlmod", "common --enable_bzlmod"):
            assert read(tmp_path, line, version=version).enable_bzlmod
            assert read(tmp_path, line.replace("--", "--no"), version=version).enable_bzlmod is False


def test_which_of_the_workspace_files_count(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").write_text('local_repository(name = "w", path = "w")\n', encoding="utf-8")
    (tmp_path / "MODULE.bazel").write_text('bazel_dep(name = "m", version = "1")\n', encoding="utf-8")

    def known(line: str) -> set[str]:
        (tmp_path / ".bazelrc").write_text(line, encoding="utf-8")
        return {"w", "m"} & set(open_session(tmp_path).loader.workspace.repositories.calls)

    assert known("") == {"w", "m"}
    assert known("common --noenable_bzlmod") == {"w"}
    assert known("common --noenable_workspace") == {"m"}


@pytest.mark.parametrize(
    "question",
    [
        ("query", "//a"),
        ("select", "//a"),
        ("diff-config", "//a", "--vs", "-c", "opt"),
        ("why", "//a", "--from=//b"),
        ("graph", "//a"),
        ("expand", "//a"),
        ("doctor", "//a"),
    ],
    ids=lambda question: question[0],
)
@pytest.mark.parametrize("typed", [True, False], ids=["typed", "in .bazelrc"])
def test_every_command_leaves_deleted_packages_out(question: tuple[str, ...], typed: bool, tmp_path: Path) -> None:
    option = "--deleted_packages=a"
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / ".bazelrc").write_text("" if typed else f"common {option}\n", encoding="utf-8")
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "BUILD").write_text(f'filegroup(name = "{name}")\n', encoding="utf-8")
    words = (question[0], *([option] if typed else []), *question[1:])
    with CliRunner().isolation() as (_, err, _mixed):
        with pytest.raises(SystemExit) as stop:
            main(["-C", str(tmp_path), "--no_cache", "--jobs=1", *words])
        assert stop.value.code == 7
        assert "deleted by --deleted_packages" in err.getvalue().decode()


def test_repository_rules_see_the_environment_that_rc_lines_and_options_set(tmp_path: Path) -> None:
    lines = "build:cuda --repo_env TF_NEED_CUDA=1\nbuild --action_env=PYTHON=/a --action_env=X=1\n"
    assert read(tmp_path, lines, "--repo_env=A=b").repositories.environment == {"A": "b"}
    found = read(tmp_path, lines, "--repo_env=X=2", tokens=("--config=cuda",))
    assert found.repositories.environment == {"PYTHON": "/a", "X": "2", "TF_NEED_CUDA": "1"}


def test_the_process_s_environment_is_read_only_where_the_command_line_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "s")
    assert read(tmp_path, "common --repo_env=SECRET\n").repositories.environment == {}
    assert read(tmp_path, "", "--repo_env=SECRET").repositories.environment == {"SECRET": "s"}
    assert read(tmp_path, "", "--repo_env=SECRET", "--repo_env==SECRET").repositories.environment == {}


def test_a_line_of_a_checkout_cannot_name_a_folder_outside(tmp_path: Path) -> None:
    root = tmp_path / "checkout"
    root.mkdir()
    lines = "common --registry=file:///etc --registry=file://%workspace%/r --override_module=m=../m --distdir=d\n"
    found = read(root, lines)
    assert found.repositories.registries == ((root / "r").as_uri(),)
    assert found.repositories.distdirs == (root / "d",)
    assert found.repositories.override_modules == ()
    assert {gap.what.split(" ")[0] for gap in found.gaps} == {"--override_module=m=../m", "--registry=file:///etc"}
    typed = read(root, "", f"--override_module=m={tmp_path}", "--registry=https://r")
    assert typed.repositories.override_modules == (("m", tmp_path),)
    assert typed.repositories.registries == ("https://r",)


RULE_SET = {
    "MODULE.bazel": 'bazel_dep(name = "rules_shell", version = "1")\n'
    'local_path_override(module_name = "rules_shell", path = "rs")\n',
    "BUILD": 'sh_library(name = "a")\n',
    "rs/MODULE.bazel": 'module(name = "rules_shell", version = "1")\n',
    "rs/shell/BUILD": "",
    "rs/shell/sh_library.bzl": "def sh_library(name):\n    native.filegroup(name = name + '_loaded')\n",
}
LOADED, INSIDE, NEITHER = ["//:a_loaded"], ["//:a"], "name 'sh_library' is not defined"


@pytest.mark.parametrize(
    ("version", "line", "typed", "expected"),
    [
        ("7.7.1", "", [], INSIDE),
        ("7.7.1", "common --incompatible_autoload_externally=+@rules_shell", [], LOADED),
        ("7.7.1", "common --incompatible_autoload_externally=@rules_shell", ["-sh_library"], NEITHER),
        ("8.7.0", "", [], LOADED),
        ("8.7.0", "", [""], NEITHER),
        ("8.7.0", "common --repositories_without_autoloads=other", ["sh_library"], LOADED),
        ("8.7.0", "common --incompatible_disable_autoloads_in_main_repo", [], NEITHER),
        ("9.0.0", "", [], NEITHER),
        ("9.0.0", "", ["+sh_library"], NEITHER),
        ("9.0.0", "common --noincompatible_disable_autoloads_in_main_repo", ["+sh_library"], LOADED),
    ],
)
def test_rules_are_loaded_by_themselves_as_the_option_says(
    tmp_path: Path, version: str, line: str, typed: list[str], expected: list[str] | str
) -> None:
    write_files(tmp_path, {**RULE_SET, ".bazelrc": line + "\n"})
    options = [f"--incompatible_autoload_externally={value}" for value in typed]
    common = ["--no_cache", "-C", str(tmp_path), f"--bazel_version={version}"]
    with CliRunner().isolation() as (out, err, _mixed):
        with pytest.raises(SystemExit):
            main([*common, "query", "//:all", *options])
        if isinstance(expected, str):
            assert expected in err.getvalue().decode()
        else:
            assert out.getvalue().decode().split() == expected


def test_a_name_that_bazel_does_not_know_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="Undefined symbol"):
        read(tmp_path, "", "--incompatible_autoload_externally=nonsense")
    found = read(tmp_path, "common --incompatible_autoload_externally=nonsense")
    assert found.autoloads is None
    assert "Undefined symbol" in found.gaps[0].what


@pytest.mark.parametrize(
    ("version", "line", "expected"),
    [
        ("7.7.1", "", {"A": "1", "R": "2"}),
        ("8.7.0", "", {"A": "1", "R": "2"}),
        ("8.7.0", "common --incompatible_repo_env_ignores_action_env", {"R": "2"}),
        ("9.0.0", "", {"R": "2"}),
        ("9.0.0", "common --noincompatible_repo_env_ignores_action_env", {"A": "1", "R": "2"}),
    ],
)
def test_repository_rules_of_bazel_9_do_not_see_the_variables_of_actions(
    tmp_path: Path, version: str, line: str, expected: dict[str, str]
) -> None:
    found = read(tmp_path, f"common --action_env=A=1 --repo_env=R=2\n{line}\n", version=version)
    assert dict(found.repositories.repo_env) == expected
