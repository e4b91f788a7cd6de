"""expected/rules-V.txt: what is written is read back; every recorded file of the fixtures is such a text."""

from __future__ import annotations

import pytest

from tests.differential.facts.records import Attribute, Select, TargetFacts
from tests.differential.facts.rules_text import read_rules, write_rules
from tests.differential.fixtures import FOLDER

RECORDED = sorted(FOLDER.glob("*/expected/rules-*.txt"))


def test_facts_are_written_and_read_back() -> None:
    choice = Select(((("//:fast", ["//c:c"]), ("//conditions:default", None)), (("//conditions:default", ["//d:d"]),)))
    rule = TargetFacts(
        label="//a:lib",
        kind="cc_library rule",
        location="a/BUILD:3:1",
        attributes={
            "deps": Attribute("label_list", choice, True),
            "name": Attribute("string", 'quote " backslash \\ line \n end', True),
            "stamp": Attribute("tristate", 1, False),
            "values": Attribute("string_dict", {"cpu": "k8"}, True),
        },
        outputs=("//a:lib.out",),
    )
    made = TargetFacts("//a:lib.out", "generated file", "a/BUILD:3:1", inputs=frozenset({"//a:lib"}))
    group = TargetFacts("//a:g", "package group", "", members=("//x/...", "includes //b:h"))
    answer = {target.label: target for target in (rule, made, group)}
    assert read_rules("# a comment\n" + "\n".join(write_rules(answer))) == answer


def test_defaults_that_say_nothing_are_left_out() -> None:
    attributes = {"srcs": Attribute("label_list", [], False), "licenses": Attribute("license", ["NONE"], False)}
    assert list(write_rules({"//:x": TargetFacts("//:x", "filegroup rule", "BUILD:1", attributes)})) == [
        "filegroup rule //:x  BUILD:1"
    ]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_every_recorded_file_is_such_a_text(path) -> None:
    text = path.read_text(encoding="utf-8")
    answer = read_rules(text)
    assert [line for line in text.splitlines() if not line.startswith("#")] == list(write_rules(answer))


def test_there_are_recorded_files() -> None:
    assert len(RECORDED) >= 2 * 10
