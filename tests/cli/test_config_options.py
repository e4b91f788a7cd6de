"""Bazel's options among ours."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from bzlgraph.cli.config_options import BazelCommand, LoadingCommand
from bzlgraph.config.arguments import ConfigArguments, split_words
from tests.cli.in_process import ended


@click.command("x", cls=BazelCommand)
@click.argument("words", nargs=-1)
@click.option("--output", default="text")
@click.option("--define", default="mine", help="A name that Bazel has too.")
@click.option("-k", "--keep_going", is_flag=True)
def command(words: tuple[str, ...], output: str, define: str, keep_going: bool, configured: ConfigArguments) -> None:
    """A command."""
    click.echo(repr((words, output, define, keep_going, configured.tokens)))


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, list(words))
    return result.exit_code, result.output


def taken(*words: str, own: dict[str, bool] | None = None) -> tuple[list[str], ConfigArguments]:
    return split_words(words, own or {})


@pytest.mark.parametrize(
    "words",
    [
        ["-c", "opt"],
        ["--compilation_mode=opt"],
        ["--config", "cuda"],
        ["--config=cuda"],
        ["--define", "a=b"],
        ["--copt", "-O2"],
        ["--copt=--output=x"],
        ["--stamp"],
        ["--nostamp"],
        ["--platforms=//p:q"],
        ["--//p:f=v"],
        ["--@r//p:f"],
        ["--no//p:f"],
        ["--no@r//p:f"],
        ["--test_arg=x"],
        ["--enable_platform_specific_config"],
        ["--noenable_platform_specific_config"],
    ],
)
def test_options_that_configure_are_taken_with_their_value(words: list[str]) -> None:
    rest, arguments = taken("//a", *words, "//b")
    assert rest == ["//a", "//b"]
    assert arguments.tokens == tuple(words)


@pytest.mark.parametrize(
    "word", ["--jobs=3", "--verbose_failures", "--nosuch", "--keep_going", "-k", "-", "-//a", "--"]
)
def test_other_words_stay(word: str) -> None:
    rest, arguments = taken("//a", word, "//b")
    assert (rest, arguments.tokens) == (["//a", word, "//b"], ())


def test_everything_stays_behind_two_dashes() -> None:
    assert taken("-c", "opt", "--", "-c", "dbg")[0] == ["--", "-c", "dbg"]


def test_the_commands_own_options_win_and_keep_their_values() -> None:
    rest, arguments = taken("--define", "--stamp", "--stamp", own={"--define": True})
    assert (rest, arguments.tokens) == (["--define", "--stamp"], ("--stamp",))


def test_which_rc_files() -> None:
    _, arguments = taken("--bazelrc=a", "--bazelrc", "b", "--noworkspace_rc", "--home_rc", "--system_rc")
    assert arguments == ConfigArguments((), ("a", "b"), False, True, True)
    _, arguments = taken("--home_rc", "--ignore_all_rc_files")
    assert arguments == ConfigArguments((), (), False, False, False)


def test_a_command_gets_them_as_one_argument() -> None:
    code, out = run("//a", "-c", "opt", "--output", "csv", "--define=x", "--copt=-O1", "-k", "//b")
    assert (code, out) == (0, "(('//a', '//b'), 'csv', 'x', True, ('-c', 'opt', '--copt=-O1'))\n")


def test_options_about_loading_choose_no_configuration() -> None:
    rest, arguments = taken("--deleted_packages", "a,b", "//a", "--noenable_bzlmod", "--enable_workspace=false")
    assert rest == ["//a"]
    assert arguments.loading == ("--deleted_packages", "a,b", "--noenable_bzlmod", "--enable_workspace=false")
    assert not arguments.given


def test_a_command_without_configurations_refuses_what_chooses_one() -> None:
    @click.command("y", cls=LoadingCommand)
    @click.argument("words", nargs=-1)
    def loading(words: tuple[str, ...], configured: ConfigArguments) -> None:
        click.echo(repr((words, configured.tokens, configured.loading)))

    done = CliRunner().invoke(loading, ["//a", "--deleted_packages=b"])
    assert (done.exit_code, done.output) == (0, "(('//a',), (), ('--deleted_packages=b',))\n")
    for word, name in (("--config=opt", "--config"), ("-c", "-c"), ("--cpu=k8", "--cpu")):
        refused = CliRunner().invoke(loading, ["//a", word, "opt"])
        assert refused.exit_code == 2
        assert f"{name} chooses a configuration, but " in refused.output
    assert "No such option" in CliRunner().invoke(loading, ["--cpuu=k8"]).output


def test_an_option_that_nobody_has_is_clicks_error() -> None:
    code, out = run("--outptu=csv")
    assert code == 2
    assert "No such option" in out
    assert "--outptu" in out


def test_help_tells_of_bazels_options() -> None:
    code, out = run("--help")
    assert code == 0
    assert "Bazel options" in out
    assert "--noworkspace_rc" in out


def test_a_short_name_of_a_flag_is_taken_once_it_is_defined() -> None:
    words = ["--flag_alias=short=//p:f", "--short=1", "--other=2"]
    rest, arguments = taken(*words)
    assert (rest, arguments.tokens) == (["--other=2"], ("--flag_alias=short=//p:f", "--//p:f=1"))


FLAGS = {
    "p/d.bzl": "def _impl(ctx):\n    pass\n\nflag = rule(_impl, build_setting = config.int(flag = True))\n",
    "p/BUILD": """load(":d.bzl", "flag")

flag(name = "f", build_setting_default = 1)

config_setting(name = "two", flag_values = {":f": "2"})

filegroup(name = "x", srcs = select({":two": ["two"], "//conditions:default": ["one"]}))
""",
}


@pytest.mark.parametrize(
    "files",
    [
        {"WORKSPACE": "", ".bazelrc": "build --flag_alias=short=//p:f\n"},
        {"MODULE.bazel": 'flag_alias(name = "short", starlark_flag = "//p:f")\n', ".bazelversion": "9.0.0\n"},
    ],
)
def test_a_checkout_defines_short_names_of_flags(files: dict[str, str], tmp_path: Path) -> None:
    for name, text in {**FLAGS, **files}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    for value, file in (("2", "two"), ("3", "one"), ("2", "two")):
        _, out, _ = ended("--no_cache", "-C", str(tmp_path), "query", f"--short={value}", "labels(srcs, //p:x)")
        assert out.decode().split() == [f"//p:{file}"]
    assert b"No such option '--shor'" in ended("--no_cache", "-C", str(tmp_path), "query", "--shor=2", "//p:x")[2]


ALIASES = """
alias(name = "round", actual = ":again")

alias(name = "again", actual = ":round")

alias(name = "chosen", actual = select({"//conditions:default": ":f"}))

alias(name = "plain", actual = ":f")
"""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("round", b"due to a cycle in alias chain: //p:round -> //p:again -> //p:round"),
        ("chosen", b"as it resolves to an alias with an actual value that uses select(): //p:chosen"),
        ("plain", b""),
    ],
)
def test_which_flag_an_alias_names_depends_on_no_flag(name: str, words: bytes, tmp_path: Path) -> None:
    """7.7.1 was asked."""
    for file, text in {**FLAGS, "WORKSPACE": "", ".bazelversion": "7.7.1\n"}.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text + (ALIASES if file == "p/BUILD" else ""), encoding="utf-8")
    code, out, err = ended("--no_cache", "-C", str(tmp_path), "query", f"--//p:{name}=2", "labels(srcs, //p:x)")
    assert (code, words in err) == (2 if words else 0, True)
    assert out == (b"" if words else b"//p:two\n")
