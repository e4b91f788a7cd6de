"""Bazel's spellings of options."""

from bzlgraph.cli.arguments import normalise

FLAGS = {"--strict", "--no_cache"}
VALUED = {"--jobs", "--override_repository", "-C"}


def spelled(*arguments: str) -> list[str]:
    return normalise(list(arguments), FLAGS, VALUED)


def test_globals_move_to_the_front():
    assert spelled("query", "--strict", "//...", "--jobs", "2") == ["--strict", "--jobs", "2", "query", "//..."]


def test_dashes_and_underscores_are_the_same():
    assert spelled("query", "--no-cache", "--implicit-deps=x") == ["--no_cache", "query", "--implicit_deps=x"]


def test_values_are_left_alone():
    assert spelled("query", "attr(a-b, c)", "--override-repository=my-repo=/a-b") == [
        "--override_repository=my-repo=/a-b",
        "query",
        "attr(a-b, c)",
    ]


def test_build_settings_keep_their_dashes():
    assert spelled("select", "--//a-b:c-d=1", "--no//a-b:c") == ["select", "--//a-b:c-d=1", "--no//a-b:c"]


def test_after_two_dashes_nothing_is_an_option():
    assert spelled("query", "--", "--strict", "-//a") == ["query", "--", "--strict", "-//a"]


def test_a_valued_option_at_the_end_is_left_for_click_to_complain_about():
    assert spelled("query", "--jobs") == ["--jobs", "query"]
