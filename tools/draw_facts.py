"""Draws facts about Bazels that were read from sources, at random: each with the source to check it against.

    python tools/draw_facts.py --seed 11 --count 200

A fact is what a table of ``bzlgraph/facts`` says changes in Bazel 8 or 9: an option (``options.json``), a name
(``names.json``), a behaviour (``behaviour.json``), an attribute that only newer Bazels have
(``accepted_attributes.json``), or where a rule is defined (``rule_sets.json``). The same seed draws the same facts of
the same tables.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from typing import NamedTuple

from bzlgraph.facts.behaviour import behaviours
from bzlgraph.facts.versioned import table, version_key

FIRST = "8.0"
"""The first version of which everything was read."""


class Fact(NamedTuple):
    """What a table says, and where that was read."""

    table: str
    says: str
    source: str


def facts() -> list[Fact]:
    """All facts that were read, in the order of their words."""
    return sorted((*_options(), *_names(), *_behaviours(), *_attributes(), *_rule_sets()))


def _read(version: str) -> bool:
    return version_key(version) >= version_key(FIRST)


def _options() -> Iterator[Fact]:
    data = table("options")
    page = data["_sources"]["from 8.0.1 on"].partition(" (")[0]
    for name, entry in data["options"].items():
        for version, row in entry.items():
            if _read(version):
                words = "is named no more" if row is None else _option_words(row, data["commands"])
                yield Fact("options", f"{version}: --{name} {words}", page.replace("VERSION", version))


def _option_words(row: list[object], commands: list[list[str]]) -> str:
    kind, default, bits, group, *more = row
    assert isinstance(bits, int)
    assert isinstance(group, int)
    words = [f"is a {kind}", f"default {json.dumps(default)}", *(["collects"] if bits & 1 else [])]
    names = commands[group]
    shown = names if len(names) < 5 else [*names[:4], f"{len(names) - 4} more"]
    return ", ".join([*words, *(json.dumps(each) for each in more if each), f"of {' '.join(shown)}"])


def _names() -> Iterator[Fact]:
    data = table("names")
    for place in ("native", "bzl", "build"):
        for name, versions in data[place].items():
            for position, version in enumerate(versions):
                if _read(version):
                    event = "goes" if position % 2 else "comes"
                    yield Fact("names", f"{version}: {place} {name} {event}", _source_of(name, event, data["_sources"]))


def _source_of(name: str, event: str, sources: dict[str, str]) -> str:
    """The source whose key lists the name, else that of all rules that went."""
    for key, source in sources.items():
        listed = key.rpartition(":")[2].replace(",", " ").split()
        if name in listed and (event == "goes") == key.startswith("gone"):
            return source
    return sources["gone in 9.0: rules"] if event == "goes" else "no source"


def _behaviours() -> Iterator[Fact]:
    for name, fact in behaviours().items():
        for version, change in fact["changes"].items():
            if _read(version):
                value = json.dumps(fact["values"][version])
                source = change.get("notes") or f"the default of {change.get('flag')} in options.json"
                yield Fact("behaviour", f"{version}: {name} is {value}", source)


def _attributes() -> Iterator[Fact]:
    data = table("accepted_attributes")
    for rule, attributes in data.items():
        if rule != "_sources":
            for name, kind in attributes.items():
                yield Fact("accepted_attributes", f"{rule} has {name}, a {kind}", _source_of_attribute(rule, name))


def _source_of_attribute(rule: str, name: str) -> str:
    sources: dict[str, str] = table("accepted_attributes")["_sources"]
    listed = (text for key, text in sources.items() if {rule, name} & {*key.replace(",", " ").split()} and name in key)
    of_rule = (text for key, text in sources.items() if rule in key.replace(",", " ").split() and "_" in rule)
    return next(listed, None) or (next(of_rule, sources[""]) if rule.startswith("android") else sources[""])


def _rule_sets() -> Iterator[Fact]:
    data = table("rule_sets")
    for key in ("bzl", "symbols"):
        for name, label in data[key].items():
            yield Fact("rule_sets", f"{name} is in {label or 'no file'}", data["_sources"]["bzl, symbols"])


def main() -> None:
    """Print the facts that a seed draws."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--count", type=int, default=200)
    asked = parser.parse_args()
    every = facts()
    for number, fact in enumerate(random.Random(asked.seed).sample(every, asked.count), 1):
        print(f"{number:3} {fact.table}: {fact.says}\n      {fact.source}")
    print(f"{asked.count} of {len(every)} facts, seed {asked.seed}")


if __name__ == "__main__":
    main()
