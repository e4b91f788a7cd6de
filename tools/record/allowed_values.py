"""Ask real Bazels which values the attributes of native rules are limited to: ``facts/allowed_values.json``.

A Bazel that is given another value names those that it takes. Each attribute of numbers or strings is asked for in a
package of its own. Recorded is ``{rule: {attribute: {version: values}}}``, no values where a version has no limit;
a version stands there where it differs from the one before.

    python tools/record/allowed_values.py 0.19.1 0.24.1 1.0.0 1.2.0 2.1.0 4.2.3 7.7.1
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bzlgraph.facts.native import MANDATORY, WORKSPACE_RULES, RuleFact, rule_names, rule_of
from tools.record.native_rules import SAMPLES, said_of
from tools.table_text import table_text

TABLE = Path(__file__).parents[2] / "bzlgraph/facts/allowed_values.json"
_REFUSED = re.compile(r"/p(\d+)/BUILD:.*in '(\w+)' attribute: has to be one of (.*) instead of ")
_STRANGE = {"STRING": '"none of them"', "INTEGER": "77", "STRING_LIST": '["none of them"]', "INTEGER_LIST": "[77]"}
"""By type, a value that no attribute is limited to."""
_NO_RULE = re.compile(r"/p(\d+)/BUILD:.*name '\w+' is not defined")
"""Then nothing is known: Debian's Bazel has no rules for Android."""
Values = list[str] | list[int]


class _Asked(NamedTuple):
    rule: str
    attribute: str
    type: str
    call: str


def main() -> None:
    """Ask the versions that the command line names, oldest first; the table is written anew."""
    found: dict[str, dict[str, dict[str, Values]]] = {}
    for version in sys.argv[1:]:
        for each, values in limits(version):
            known = found.setdefault(each.rule, {}).setdefault(each.attribute, {})
            if values != next(reversed(known.values()), []):
                known[version] = values
    limited = {
        rule: {name: values for name, values in attributes.items() if values} for rule, attributes in found.items()
    }
    TABLE.write_text(table_text({rule: each for rule, each in limited.items() if each}), encoding="utf-8")


def limits(version: str) -> Iterator[tuple[_Asked, Values]]:
    """Each attribute of this Bazel's rules that could be limited, and to what it is."""
    asked = [each for name in rule_names() if name not in WORKSPACE_RULES for each in _asked(rule_of(version, name))]
    told = said_of(version, [each.call for each in asked])
    said = {int(number): (name, words) for number, name, words in _REFUSED.findall(told)}
    unknown = set(map(int, _NO_RULE.findall(told)))
    for number, each in enumerate(asked):
        if number in unknown:
            continue
        name, words = said.get(number, ("", ""))
        if not words or name != each.attribute:
            yield each, []
            continue
        values = re.findall("'([^']*)'", words)
        yield each, [int(value) for value in values] if each.type.startswith("INTEGER") else values


def _asked(fact: RuleFact | None) -> Iterator[_Asked]:
    """A call for each attribute that BUILD files may set and that this Bazel has."""
    written = [each for each in (fact.attributes if fact is not None else ()) if each.name[0] not in "$:"]
    needed = {each.name: SAMPLES[each.type] for each in written if each.flags & MANDATORY and each.name != "name"}
    for each in written:
        if fact is not None and each.name not in ("name", "visibility") and not each.foreign and each.type in _STRANGE:
            given = {"name": '"t"', **needed, each.name: _STRANGE[each.type]}
            call = f"{fact.name}({', '.join(f'{key} = {value}' for key, value in given.items())})"
            yield _Asked(fact.name, each.name, each.type, call.replace("RULE", fact.name))


if __name__ == "__main__":
    main()
