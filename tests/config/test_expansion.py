"""--config: order, nesting, errors."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.base.errors import UsageProblem
from bzlgraph.config.bazelrc import RcChoice, read_bazelrc
from bzlgraph.config.expansion import ConfigExpander, flatten
from bzlgraph.config.rc_tokens import quote, rc_lines
from bzlgraph.facts.options import options_for
from bzlgraph.workspace.sources.source import MemorySource


def expander(text: str, command: str = "build") -> ConfigExpander:
    rc = read_bazelrc(Path("/w"), MemorySource({".bazelrc": text.encode()}), RcChoice())
    return ConfigExpander(rc, options_for("4.2.3"), command)


def copts(text: str, *tokens: str, command: str = "build") -> list[str]:
    nodes = flatten(expander(text, command).expand(tokens))
    return [node.use.value for node in nodes if node.use and node.use.name == "copt"]


def failure(text: str, *tokens: str) -> list[str]:
    with pytest.raises(UsageProblem) as caught:
        expander(text).expand(tokens)
    return caught.value.diagnostic.render().splitlines()


def test_commands_come_before_files_order() -> None:
    text = "test --copt=t\nbuild --copt=b\ncommon --copt=c"
    assert copts(text, command="test") == ["c", "b", "t"]
    assert copts(text) == ["c", "b"]


def test_an_unknown_config_on_the_command_line() -> None:
    assert failure("build:cuda --copt=x", "--copt=y", "--config=cudda") == [
        "command line:1:10: error: --config=cudda is not defined in .bazelrc",
        "  --copt=y --config=cudda",
        "           ^",
        "hint: did you mean --config=cuda?",
    ]


def test_an_unknown_config_in_a_file() -> None:
    assert failure("build --copt=a \\\n --config=cudda\nbuild:x --copt=b") == [
        ".bazelrc:2:2: error: --config=cudda is not defined in .bazelrc",
        "   --config=cudda",
        "   ^",
    ]


def test_a_config_of_another_command_only() -> None:
    assert failure("test:x --copt=a", "--config=x")[-1] == "hint: only test:x is defined, which build does not read"


def test_configs_that_go_round() -> None:
    text = "build:a --config=b\nbuild:b --copt=x --config=c\nbuild:c --config=b"
    assert failure(text, "--config=a") == [
        ".bazelrc:3:9: error: config 'b' expands to itself: b > c > b",
        "  build:c --config=b",
        "          ^",
        ".bazelrc:2:18: note: comes from",
        ".bazelrc:1:9: note: comes from",
    ]


def test_a_config_within_a_config_is_one_word() -> None:
    assert failure("build:a --config b\nbuild:b --copt=x", "--config=a")[0] == (
        ".bazelrc:1:9: error: in a config ('a'), write --config=VALUE as one word"
    )


def test_a_config_below_an_option_that_stands_for_others() -> None:
    nodes = list(flatten(expander("build:r --remote_download_minimal").expand(["--config=r"])))
    names = [node.use.name for node in nodes if node.use]
    assert names[:3] == ["config", "remote_download_minimal", "build_runfile_links"]
    origin = next(node.use.origin for node in nodes if node.use and node.use.name == "build_runfile_links")
    assert str(origin) == ".bazelrc:1:9 (config r > --remote_download_minimal)"


def test_the_platform_config_is_added_once_at_the_switch_that_counts() -> None:
    text = "build --enable_platform_specific_config --copt=a\nbuild:linux --copt=l\nbuild:p --copt=p"
    assert copts(text, "--config=p") == ["l", "a", "p"]
    assert copts(text, "--config=p", "--enable_platform_specific_config") == ["a", "p", "l"]
    assert copts(text, "--noenable_platform_specific_config") == ["a"]


CONFIGS = st.lists(st.lists(st.integers(-9, 5), max_size=4), min_size=6, max_size=6)


@given(CONFIGS, st.lists(st.integers(-9, 5), max_size=4))
def test_nested_configs_are_flattened_in_place(configs: list[list[int]], line: list[int]) -> None:
    """Config i may take in configs below i; a negative number is an option."""
    bodies = [[each for each in body if each < i] or [-1] for i, body in enumerate(configs)]

    def word(number: int) -> str:
        return f"--copt={number}" if number < 0 else f"--config=c{number}"

    def expected(numbers: list[int]) -> list[str]:
        return [v for n in numbers for v in ([str(n)] if n < 0 else expected(bodies[n]))]

    text = "\n".join(f"build:c{i} {' '.join(map(word, body))}" for i, body in enumerate(bodies))
    assert copts(text, *map(word, line)) == expected(line)


@given(st.text(alphabet="-=ab \t\"'\\#\n:c", max_size=60))
def test_every_word_of_a_file_is_in_some_use(tail: str) -> None:
    text = f"build --copt=x {tail}"
    lines = [line for line in rc_lines(text, ".bazelrc") if line[0].text == "build"]
    wanted = sorted(word.text for line in lines for word in line[1:] if word.text not in ("--", "-c"))
    nodes = flatten(expander(text).expand(()))
    written = [node.use.written for node in nodes if node.use]
    found = sorted(word for each in written for word in each.split(" ") if word not in ("--", "-c", ""))
    assert found == sorted(part for word in wanted for part in word.split(" ") if part not in ("--", "-c", ""))


def test_command_line_words_are_quoted_in_errors() -> None:
    assert failure("", "--copt=a b", "--nosuch")[1] == f"  {quote('--copt=a b')} --nosuch"


def test_configs_that_would_never_end_are_refused() -> None:
    deep = "\n".join(f"build:c{i} --config=c{i + 1}" for i in range(3000))
    assert "is too large" in failure(f"{deep}\nbuild:c3000 --copt=x", "--config=c0")[0]
    wide = "\n".join(f"build:c{i} --config=c{i + 1} --config=c{i + 1}" for i in range(60))
    assert "is too large" in failure(f"{wide}\nbuild:c60 --copt=x", "--config=c0")[0]


def test_short_names_of_flags_count_for_all_commands_behind_them() -> None:
    """7.7.1 was asked."""
    text = "build --short=1\ncommon --flag_alias=short=//p:f\nbuild:x --short=2"
    uses = [node.use for node in flatten(expander(text).expand(["--config=x", "--short=3"])) if node.use]
    assert [(each.name, each.value) for each in uses if each.is_flag] == [
        ("//p:f", "1"),
        ("//p:f", "2"),
        ("//p:f", "3"),
    ]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("short", "Variable definitions must be in the form of a 'name=value' assignment"),
        ("short=//p:f=1", "--flag_alias does not support flag value assignment."),
        ("short=f", "--flag_alias only supports Starlark build settings."),
    ],
)
def test_short_names_that_bazel_refuses(value: str, words: str) -> None:
    assert words in failure("", f"--flag_alias={value}")[0]
