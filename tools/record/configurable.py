"""Ask real Bazels in which attributes of native rules a select() may stand: ``facts/configurable.json``.

``build-language`` tells it of rules in Java. Where a rule is written in Starlark inside of Bazel it is silent, and the
table has what an older Bazel said. Each attribute is asked for in a package of its own; only what differs from the
table is recorded, ``{version: {rule: {attribute: whether it may}}}``.

    python tools/record/configurable.py 4.2.3 7.7.1
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bzlgraph.facts.native import FIXED, MANDATORY, WORKSPACE_RULES, RuleFact, rule_names, rule_of
from bzlgraph.facts.versioned import version_key
from tools.record.native_rules import SAMPLES, said_of
from tools.table_text import table_text

TABLE = Path(__file__).parents[2] / "bzlgraph/facts/configurable.json"
_PLACE = re.compile(r"/p(\d+)/BUILD:")
_REFUSED = "is not configurable"
_NO_RULE = re.compile(r"name '\w+' is not defined|missing value for mandatory")
"""Then nothing is known."""


class _Asked(NamedTuple):
    rule: str
    attribute: str
    allowed: bool
    """What the table says."""
    call: str


def main() -> None:
    """Ask the versions that the command line names; what is recorded of others stays."""
    known = json.loads(TABLE.read_bytes()) if TABLE.exists() else {}
    for version in sys.argv[1:]:
        known.pop(version, None)
    TABLE.write_text(table_text(known), encoding="utf-8")
    known |= {version: differences(version) for version in sys.argv[1:]}
    found = {version: known[version] for version in sorted(known, key=version_key) if known[version]}
    TABLE.write_text(table_text(found), encoding="utf-8")


def differences(version: str) -> dict[str, dict[str, bool]]:
    """By rule the attributes of which this Bazel says otherwise than the table."""
    asked = [each for name in rule_names() if name not in WORKSPACE_RULES for each in _asked(rule_of(version, name))]
    told = said_of(version, [each.call for each in asked])
    said: dict[int, str] = {}
    for line in told.splitlines():
        if (place_of := _PLACE.search(line)) is not None:
            said[int(place_of[1])] = said.get(int(place_of[1]), "") + line
    found: dict[str, dict[str, bool]] = {}
    for number, each in enumerate(asked):
        allowed = _REFUSED not in said.get(number, "")
        if allowed != each.allowed and not _NO_RULE.search(said.get(number, "")):
            found.setdefault(each.rule, {})[each.attribute] = allowed
    return found


def _asked(fact: RuleFact | None) -> Iterator[_Asked]:
    """A call for each attribute that BUILD files may set."""
    written = [each for each in (fact.attributes if fact is not None else ()) if each.name[0] not in "$:"]
    needed = {each.name: SAMPLES[each.type] for each in written if each.flags & MANDATORY and each.name != "name"}
    for each in written:
        if fact is not None and each.name != "name" and not each.foreign and each.type in SAMPLES:
            select = f'select({{"//conditions:default": {SAMPLES[each.type]}}})'
            given = {"name": '"t"', **needed, each.name: select}
            call = f"{fact.name}({', '.join(f'{key} = {value}' for key, value in given.items())})"
            yield _Asked(fact.name, each.name, not each.flags & FIXED, call.replace("RULE", fact.name))


if __name__ == "__main__":
    main()
