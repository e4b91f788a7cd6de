"""How words become uses of options."""

import pytest

from bzlgraph.base.errors import UsageProblem
from bzlgraph.config.option_use import ON_COMMAND_LINE, OptionToken, parse_options, read_uses
from bzlgraph.facts.options import options_for

TABLE = options_for("4.2.3")


def uses(*words: str) -> list[str]:
    return [str(each) for each in parse_options(words, TABLE, ON_COMMAND_LINE)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--cpu=arm"], ["--cpu=arm"]),
        (["--cpu", "arm"], ["--cpu=arm"]),
        (["-c", "opt"], ["--compilation_mode=opt"]),
        (["--compilation_mode=OPT"], ["--compilation_mode=opt"]),
        (["--stamp"], ["--stamp=true"]),
        (["--nostamp"], ["--stamp=false"]),
        (["--stamp=yes", "--stamp=0"], ["--stamp=true", "--stamp=false"]),
        (["-k"], ["--keep_going=true"]),
        (["-k-"], ["--keep_going=false"]),
        (["--enable_runfiles=1"], ["--enable_runfiles=yes"]),
        (["--noenable_runfiles"], ["--enable_runfiles=no"]),
        (["--define", "a=b=c"], ["--define=a=b=c"]),
        (["--copt", "--cpu=x"], ["--copt=--cpu=x"]),
        (["--//p:f=v", "--@r//p:f"], ["--//p:f=v", "--@r//p:f=true"]),
        (["--no//p:f", "--no@r//p"], ["--//p:f=false", "--@r//p=false"]),
        (["//a:b", "-", "--", "--cpu=x"], ["//a:b", "-", "--cpu=x"]),
    ],
)  # fmt: skip
def test_what_words_mean(words: list[str], expected: list[str]) -> None:
    assert uses(*words) == expected


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--cpuu=x"], "error: --cpuu=x: Bazel has no such option"),
        (["--stamp=maybe"], "error: --stamp=maybe: 'maybe' is not a boolean"),
        (["-c", "fast"], "error: -c fast: 'fast' is not one of fastbuild, dbg, opt"),
        (["--cpu"], "error: --cpu: missing value"),
        (["--nostamp=1"], "error: --nostamp=1: --nostamp takes no value"),
        (["--nocopt"], "error: --nocopt: Bazel has no such option"),
        (["-Q"], "error: -Q: Bazel has no such option"),
        (["--no//p:f=1"], "error: --no//p:f=1: a negated flag takes no value"),
    ],
)
def test_what_bazel_refuses(words: list[str], message: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        uses(*words)
    assert caught.value.diagnostic.render().splitlines()[0] == message


def test_a_hint_names_the_option_that_is_meant() -> None:
    with pytest.raises(UsageProblem) as caught:
        uses("--compilation_mod=opt")
    assert caught.value.diagnostic.hint == "did you mean --compilation_mode?"


def test_an_alias_of_a_flag_counts_from_its_definition_on() -> None:
    words = ["--mine=1", "--flag_alias=mine=//p:f", "--mine=2", "--nomine"]
    found = list(read_uses((OptionToken(each, ON_COMMAND_LINE) for each in words), TABLE))
    assert [(each.name, each.value, not each.problem) for each in found if each.name != "flag_alias"] == [
        ("mine", "1", False),
        ("//p:f", "2", True),
        ("//p:f", "false", True),
    ]


def test_an_unknown_option_takes_the_word_behind_it_that_is_none() -> None:
    words = ["--nosuch", "value", "--nosuch", "--stamp", "--nosuch=x", "y"]
    found = list(read_uses((OptionToken(each, ON_COMMAND_LINE) for each in words), TABLE))
    assert [(each.name, each.value, each.written) for each in found] == [
        ("nosuch", "value", "--nosuch value"),
        ("nosuch", "", "--nosuch"),
        ("stamp", "true", "--stamp"),
        ("nosuch", "x", "--nosuch=x"),
        ("", "y", "y"),
    ]
