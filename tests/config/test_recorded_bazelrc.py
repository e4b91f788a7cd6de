"""Rc files read as real Bazel does: the cases of ``rc/``, recorded by ``tools/record/bazelrc.py``."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from bzlgraph.base.errors import UsageProblem
from bzlgraph.config.bazelrc import RcChoice, read_bazelrc
from bzlgraph.config.expansion import ConfigExpander, flatten
from bzlgraph.config.option_use import OptionUse
from bzlgraph.facts.options import OptionTable, options_for
from bzlgraph.workspace.sources.source import DiskSource

CASES = Path(__file__).parent / "rc"


def _recorded() -> Iterator[tuple[str, str, str]]:
    for path in sorted(CASES.glob("*/expected-*.json")):
        version = path.stem.partition("-")[2]
        for line in json.loads(path.read_text(encoding="utf-8")):
            yield path.parent.name, version, line


@pytest.mark.parametrize(("case", "version", "line"), list(_recorded()))
def test_options_in_force_are_those_of_bazel(case: str, version: str, line: str) -> None:
    expected = json.loads((CASES / case / f"expected-{version}.json").read_text(encoding="utf-8"))[line]
    table = options_for(version)
    try:
        found: dict[str, list[str]] | str = _in_force(case, table, line)
    except UsageProblem as problem:
        found = problem.diagnostic.message
    if isinstance(expected, str):
        assert isinstance(found, str), f"Bazel says {expected}"
    else:
        assert found == {name: _canonical(table, name, values) for name, values in expected.items()}


def _in_force(case: str, table: OptionTable, line: str) -> dict[str, list[str]] | str:
    """Option -> its values, as Bazel's canonical command line has them; the first problem where Bazel would stop."""
    command, words = "build", shlex.split(line)
    if words[:1] == ["test"]:
        command, words = "test", words[1:]
    folder = CASES / case
    rc = read_bazelrc(folder, DiskSource(folder), RcChoice())
    uses = [node.use for node in flatten(ConfigExpander(rc, table, command).expand(words)) if node.use is not None]
    for use in uses:
        fact = table.find(use.name)
        if use.problem or (fact is not None and fact.foreign):
            return use.problem or f"only {fact.home} has it"
    return _by_name(uses, table)


def _by_name(uses: list[OptionUse], table: OptionTable) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for use in uses:
        fact = table.find(use.name)
        if fact is None or fact.kind == "expansion" or use.name == "announce_rc":
            continue
        if not fact.multiple:
            found.pop(use.name, None)
        found.setdefault(use.name, []).append(use.value)
    return found


def _canonical(table: OptionTable, name: str, values: list[str]) -> list[str]:
    fact = table.find(name)
    assert fact is not None, name
    return [fact.canonical(each) for each in values]
