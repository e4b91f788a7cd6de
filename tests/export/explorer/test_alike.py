"""Configurations that give the same answers to all that was asked of one of them."""

from pathlib import Path

import pytest

from bzlgraph.config.configured.view import ConfiguredView
from bzlgraph.explore.scenarios import answers_like
from tests.config.workspace import ask, verdict, view

FILES = {
    "BUILD": """
config_setting(name = "fast", values = {"compilation_mode": "opt"})
config_setting(name = "gpu", values = {"define": "gpu=yes"})
config_setting(name = "checked", values = {"copt": "-DCHECKED"})
config_setting(name = "arm", values = {"cpu": "arm"})
genrule(
    name = "made",
    outs = ["made.txt"],
    cmd = "",
    srcs = select({":gpu": ["a"], ":arm": ["b"], "//conditions:default": []}),
    tools = [":tool"],
)
filegroup(name = "tool", srcs = select({":arm": ["c"], ":checked": ["d"], "//conditions:default": []}))
""",
}
EVERYTHING = "deps(//:made)"


def asked(folder: Path, *words: str, asking: str = EVERYTHING) -> ConfiguredView:
    seen = view(folder, FILES, *words)
    ask(seen, asking)
    return seen


@pytest.mark.parametrize(
    ("words", "alike", "same"),
    [
        (["-c", "opt"], True, True),  # nobody asks
        (["--define=other=1", "--copt=-O2", "--stamp"], True, True),  # :gpu and :checked hold no more than before
        (["--define=gpu=no"], True, True),
        (["--define=gpu=yes"], False, False),
        (["--copt=-DCHECKED"], False, True),  # asked of tools, whose host options count
        (["--host_copt=-DCHECKED"], False, False),
        (["--cpu=k8"], True, True),
        (["--cpu=arm"], False, False),
        (["--host_cpu=arm"], False, False),
        (["--//:flag=1"], False, True),  # another flag is set
    ],
)
def test_options_that_nobody_asks_for_make_no_difference(
    tmp_path: Path, words: list[str], alike: bool, same: bool
) -> None:
    one, other = asked(tmp_path, "-c", "dbg"), view(tmp_path, FILES, *words)
    mine, theirs = (each.configuration.configuration for each in (one, other))
    assert answers_like(mine, theirs, one.configuration.facts) is alike
    answers = [{seen.labels[node] for node in ask(seen, EVERYTHING).nodes} for seen in (one, other)]
    assert (answers[0] == answers[1]) is same


def test_what_is_asked_makes_a_difference_from_then_on(tmp_path: Path) -> None:
    one, other = asked(tmp_path, "-c", "dbg"), view(tmp_path, FILES, "-c", "opt")
    mine, theirs = (each.configuration.configuration for each in (one, other))
    assert answers_like(mine, theirs, one.configuration.facts)
    verdict(one, "//:fast")
    assert not answers_like(mine, theirs, one.configuration.facts)
