"""Make ``bzlgraph/facts/native_aspects.json``: what the aspects of native rules bring along, asked of real Bazels.

Bazel prints the attributes of a rule's aspects after its own, in ``--output=proto``, and their labels after its own
inputs, in ``--output=xml``. Of each native rule one target without attributes is made; whose attributes are not sorted
throughout has aspects. Output, JSON: rule -> version -> ``{"brings": [[attribute, label], ...], "also_own": [names]}``:
attributes in the order of their labels, some of them twice; a version like the one before it is left out.

    python tools/record/native_aspects.py 0.19.1 4.2.3 > bzlgraph/facts/native_aspects.json
"""

from __future__ import annotations

import re
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from bzlgraph.export.query_formats.build_pb2 import QueryResult
from bzlgraph.facts.native import WORKSPACE_RULES, rule_names
from bzlgraph.facts.versioned import version_key
from tests.differential.real.bazel import Bazel
from tools.table_text import table_text

_PREFIX = "made_"
_NOT_RULES = WORKSPACE_RULES | {"environment_group", "package_group", "workspace"}
_DIGEST = "$rule_implementation_hash"
_LABEL, _LABEL_LIST = 3, 6
"""Types of attributes in build.proto."""


def main() -> None:
    """One question to each version."""
    table: dict[str, dict[str, Any]] = {}
    for version in sorted(sys.argv[1:], key=version_key):
        for rule, entry in record(version).items():
            before = list(table.get(rule, {}).values())
            if before[-1:] != [entry] and (before or entry["brings"]):
                table.setdefault(rule, {})[version] = entry
    sys.stdout.write(table_text(dict(sorted(table.items()))))


def record(version: str) -> dict[str, Any]:
    """Each rule that this Bazel has -> its entry."""
    with tempfile.TemporaryDirectory(prefix="native-aspects-") as folder:
        _write(Path(folder))
        with Bazel(version, Path(folder)) as bazel:
            rules = QueryResult.FromString(bazel.query("//...", "--output=proto").output).target
            xml = bazel.query("//...", "--output=xml").output.decode()
    inputs = {
        name: re.findall(r'<rule-input name="([^"]*)"', body)
        for name, body in re.findall(r'<rule [^>]*? name="([^"]*)">(.*?)</rule>', xml, re.DOTALL)
    }
    return {each.rule.rule_class: _entry(each.rule, inputs.get(each.rule.name, [])) for each in rules}


def _write(folder: Path) -> None:
    rules = [name for name in rule_names() if name not in _NOT_RULES]
    lines = [f'    if hasattr(native, "{name}"):\n        native.{name}(name = "{_PREFIX}{name}")\n' for name in rules]
    (folder / "WORKSPACE").touch()
    (folder / "rules.bzl").write_text(f"def every_rule():\n{''.join(lines)}")
    (folder / "BUILD").write_text('load(":rules.bzl", "every_rule")\n\nevery_rule()\n')


def _entry(rule: Any, inputs: list[str]) -> dict[str, Any]:
    shown = [attribute for attribute in rule.attribute if attribute.name != _DIGEST]
    breaks = [at for at, (one, other) in enumerate(pairwise(shown), 1) if other.name < one.name]
    if not breaks:
        return {"also_own": [], "brings": []}
    own, brought = shown[: breaks[0]], shown[breaks[0] :]
    of_own = {label for attribute in own for label in _labels(attribute)}
    brings = []
    for label in inputs[len(of_own.intersection(inputs)) :]:
        fresh = [each.name for each in brought if label in _labels(each) and [each.name, label] not in brings]
        known = [each.name for each in brought if label in _labels(each)]
        brings.append([(fresh or known)[0], label])
    return {"also_own": sorted({each.name for each in own} & {each.name for each in brought}), "brings": brings}


def _labels(attribute: Any) -> list[str]:
    if attribute.type == _LABEL:
        return [attribute.string_value] if attribute.string_value else []
    return list(attribute.string_list_value) if attribute.type == _LABEL_LIST and not attribute.nodep else []


if __name__ == "__main__":
    main()
