"""Canonical labels of Bazel become those of the facts, in everything that holds labels."""

from tests.differential.facts.canonical import with_short_labels
from tests.differential.facts.records import Attribute, Select, TargetFacts


def test_all_labels_of_a_target_are_shortened() -> None:
    select = Select(((("@@dep~//:on", ["@@b~//:b"]), ("//conditions:default", ["@@dep~//:c"])),))
    attributes = {
        "deps": Attribute("label_list", select, True),
        "env": Attribute("string_dict", {"A": "@@b~//:b"}, True),
        "keyed": Attribute("label_keyed_string_dict", {"@@b~//:b": "@@b~//:b"}, True),
        "visibility": Attribute("string_list", ["@@b~//:__pkg__"], True),
    }
    target = TargetFacts("//:a", "x rule", "", attributes, frozenset({"@@b~//:b"}), ("//:o",))
    found = with_short_labels({target.label: target})["//:a"]
    assert (found.inputs, found.outputs) == ({"@b~//:b"}, ("//:o",))
    assert {name: attribute.value for name, attribute in found.attributes.items()} == {
        "deps": Select(((("@dep~//:on", ["@b~//:b"]), ("//conditions:default", ["@dep~//:c"])),)),
        "env": {"A": "@@b~//:b"},
        "keyed": {"@b~//:b": "@@b~//:b"},
        "visibility": ["@b~//:__pkg__"],
    }
