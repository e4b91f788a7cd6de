"""Mark the tool dependencies in ``bzlgraph/facts/native_rules.json``: which attributes `--notool_deps` leaves out.

No Bazel prints that in ``bazel info build-language``. So each attribute of a native rule that holds labels and can be
set is set in a package of its own, and `query --output=graph` is asked twice. An attribute that nobody can set
(`:host_jdk`, `$plmerge`) is one where the edges to its default are gone: where another attribute of the rule has the
same default and keeps them, nothing is learned. Versions of the table that are not asked are as the next newer one
that is.

    python tools/record/tool_attributes.py 0.19.1 0.24.1 1.2.0 2.1.0 4.2.3 7.7.1
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from bzlgraph.facts.native import MANDATORY, NODEP, TOOL, AttributeFact, RuleFact, known_versions, rule, rule_names
from bzlgraph.facts.versioned import version_key
from tests.differential.real.bazel import Bazel
from tests.differential.real.stubs import read_stubs, write_stubs
from tools.table_text import table_text

_TABLE = Path("bzlgraph/facts/native_rules.json")
_TARGET = "//:target"
_SAMPLES = {
    "BOOLEAN": "True",
    "INTEGER": "1",
    "LABEL": f'"{_TARGET}"',
    "LABEL_DICT_UNARY": f'{{"a": "{_TARGET}"}}',
    "LABEL_KEYED_STRING_DICT": f'{{"{_TARGET}": "a"}}',
    "LABEL_LIST": f'["{_TARGET}"]',
    "LICENSE": '["notice"]',
    "OUTPUT": '"output.txt"',
    "OUTPUT_LIST": '["output.txt"]',
    "STRING": '"text"',
    "STRING_DICT": '{"a": "text"}',
    "STRING_LIST": '["text"]',
    "STRING_LIST_DICT": '{"a": ["text"]}',
    "TRISTATE": "1",
}
_STUBS, _WITH_STUBS = "bazel_rules", ("1.2.0", "2.1.0", "4.2.3")
"""What their own @bazel_tools loads."""
_WHOLE = ("--graph:node_limit=-1",)
_LABELS = ("LABEL", "LABEL_DICT_UNARY", "LABEL_KEYED_STRING_DICT", "LABEL_LIST")

Edges = frozenset[tuple[str, str]]
"""Package, label."""


class Probe(NamedTuple):
    """An attribute of a rule."""

    rule: str
    attribute: str


def main() -> None:
    """Asks each version that is named, and rewrites the table."""
    table = json.loads(_TABLE.read_text(encoding="utf-8"))
    asked = sorted(sys.argv[1:], key=version_key)
    tools = {version: record(version) for version in asked}
    specs: dict[str, int] = {}
    for name, entry in table["rules"].items():
        of_versions: dict[str, list[list[object]]] = {}
        for version in known_versions():
            listed = [entry["attributes"][known] for known in entry["attributes"] if not _newer(known, version)]
            teller = next((each for each in asked if not _newer(version, each)), asked[-1])
            of_versions[version] = [
                _marked(name, table["attributes"][at], tools[teller]) for at in (listed or [[]])[-1]
            ]
        entry["attributes"] = _compact(of_versions, specs)
    table["attributes"] = [json.loads(text) for text in specs]
    _TABLE.write_text(table_text(table), encoding="utf-8")


def record(version: str) -> dict[Probe, bool]:
    """Each attribute that makes an edge in this Bazel, and whether that is to a tool."""
    without_tools = "--nohost_deps" if version_key(version) < (1,) else "--notool_deps"
    with tempfile.TemporaryDirectory(prefix="tool-attributes-") as folder:
        tree = Path(folder) / "tree"
        packages = dict(_write(tree, version))
        stubs = write_stubs(read_stubs(_STUBS, tree), Path(folder) / "stubs") if version in _WITH_STUBS else {}
        with Bazel(version, tree, stubs) as bazel:
            every, without = (_ask(bazel, *options) for options in ((), (without_tools,)))
    settable = {
        probe: (package, _TARGET) not in without for package, probe in packages.items() if (package, _TARGET) in every
    }
    return settable | dict(_implicit(version, packages, every, without))


def _implicit(
    version: str, packages: Mapping[str, Probe], every: Edges, without: Edges
) -> Iterator[tuple[Probe, bool]]:
    """What nobody can set."""
    for name, package in {probe.rule: package for package, probe in packages.items()}.items():
        fact = rule(version, name)
        assert fact is not None
        defaults = {each.name: _labels(each) for each in fact.attributes if each.name[0] in "$:"}
        times = Counter(label for labels in defaults.values() for label in labels)
        for attribute, labels in defaults.items():
            made = {label for label in labels if (package, label) in every}
            kept = {label for label in made if (package, label) in without}
            if made and (not kept or all(times[label] == 1 for label in kept)):
                yield Probe(name, attribute), not kept


def _labels(attribute: AttributeFact) -> list[str]:
    """The labels of a default."""
    if attribute.type not in _LABELS or attribute.flags & NODEP:
        return []
    listed = attribute.default if isinstance(attribute.default, list) else [attribute.default]
    return [each for each in listed if isinstance(each, str) and each]


def _write(folder: Path, version: str) -> Iterator[tuple[str, Probe]]:
    """Packages and the attribute that each sets."""
    folder.mkdir()
    (folder / "WORKSPACE").touch()
    (folder / "BUILD").write_text('genrule(name = "target", outs = ["made"], cmd = "")\n')
    facts = [fact for name in rule_names() if (fact := rule(version, name)) is not None and not fact.foreign]
    probes = [Probe(fact.name, attribute) for fact in facts for attribute in _settable(fact)]
    for number, probe in enumerate(probes):
        package = folder / f"p{number}"
        package.mkdir()
        (package / "BUILD").write_text(_call(next(fact for fact in facts if fact.name == probe.rule), probe.attribute))
        yield package.name, probe


def _settable(fact: RuleFact) -> list[str]:
    return [
        each.name
        for each in fact.attributes
        if each.type in _LABELS and not (each.foreign or each.flags & NODEP or each.name[0] in "$:")
    ]


def _call(fact: RuleFact, attribute: str) -> str:
    """Only the attribute leads to the target: the labels of mandatory ones lead to a file."""
    given = {
        each.name: _SAMPLES.get(each.type, '""').replace(_TARGET, "file.txt")
        for each in fact.attributes
        if each.flags & MANDATORY and each.name != "name" and not each.foreign
    }
    given |= {each.name: _SAMPLES[each.type] for each in fact.attributes if each.name == attribute}
    return f'{fact.name}(name = "x", ' + ", ".join(f"{name} = {value}" for name, value in given.items()) + ")\n"


def _ask(bazel: Bazel, *options: str) -> Edges:
    """The edges of the packages, to labels."""
    text = bazel.query("deps(//..., 1)", "--output=graph", "--nograph:factored", *_WHOLE, *options).output.decode()
    return frozenset(re.findall(r'"//(p\d+):\w+" -> "([^"]+)"', text))


def _newer(one: str, other: str) -> bool:
    return version_key(one) > version_key(other)


def _marked(rule_name: str, spec: list[object], tools: dict[Probe, bool]) -> list[object]:
    name, kind, flags, default = spec
    assert isinstance(flags, int)
    tool = tools.get(Probe(rule_name, str(name)), bool(flags & TOOL))
    return [name, kind, flags | TOOL if tool else flags & ~TOOL, default]


def _compact(of_versions: dict[str, list[list[object]]], specs: dict[str, int]) -> dict[str, list[int]]:
    """The attributes by number, without versions that are as the one before."""
    found: dict[str, list[int]] = {}
    before: list[int] | None = None
    for version, attributes in of_versions.items():
        numbers = [specs.setdefault(json.dumps(each), len(specs)) for each in attributes]
        if numbers != before:
            found[version] = before = numbers
    return found


if __name__ == "__main__":
    main()
