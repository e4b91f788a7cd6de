"""The table explained.toml: patterns of differences that have a reason, and which of them a difference fits.

An entry names the workspaces (`workspaces/*`: any fixture) and the Bazels it holds for, the cause (the kind of fact),
and at least one of `subject` (rule class or kind), `what` (attribute, or question) and `label`. Those and `theirs` and
`ours` are regular expressions over the fields of `Difference`; each must match the whole field, a field that is not
named fits always. `gap = true` fits only where bzlgraph says that its answer is incomplete, `said` only where it
tells such errors of the package. The loader refuses an entry without a scope, and a pattern that fits everything. The
first entry that fits a difference counts.

`[[difference]]` is what `make conformance` meets: each workspace and each Bazel that an entry names must have needed
it, or the run fails. `[[question]]` is what only the recorded questions of the fixtures meet; `test_fixtures.py` checks
that every pair of a workspace and a Bazel needs it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.differential.facts.compare import Difference

_TABLE = Path(__file__).with_name("explained.toml")
_PATTERNS = ("cause", "subject", "what", "label", "theirs", "ours", "said")
_KEYS = {"id", "reason", "workspace", "bazel", "gap", *_PATTERNS}
GENERATED = "generated"
"""The name of the workspaces that tests/generate makes and compares: no row of a conformance run."""
_FIXTURES = "workspaces/*"
_ANYTHING = "\0 nothing is called this"
Row = tuple[str, str]
"""A workspace and a Bazel."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One reason why a difference is right, or cannot be helped; `recorded`: an entry for the recorded questions."""

    id: str
    reason: str
    patterns: tuple[tuple[str, re.Pattern[str]], ...]
    workspaces: tuple[str, ...]
    bazels: tuple[str, ...]
    recorded: bool = False
    gap: bool = False

    def fits(self, difference: Difference, workspace: str, bazel: str) -> bool:
        """Whether this is the reason of the difference."""
        if not self.concerns(workspace, bazel) or (self.gap and not difference.gap):
            return False
        return all(pattern.fullmatch(getattr(difference, field)) for field, pattern in self.patterns)

    def concerns(self, workspace: str, bazel: str) -> bool:
        """Whether a row is in its scope."""
        return bazel in self.bazels and any(_is_called(workspace, name) for name in self.workspaces)

    @property
    def about_formats(self) -> bool:
        """Whether only a comparison of output formats can need it: their causes begin with the format's name."""
        return ": " in dict(self.patterns)["cause"].pattern

    def not_needed(self, known: Collection[Row], needed: Mapping[Row, Collection[str]]) -> Iterator[str]:
        """The workspaces and Bazels of its scope that do not need it.

        `known` are the rows that could need it, `needed` those that were compared, with the reasons each needed. A
        workspace (or a Bazel) is judged only when all its rows were compared: a run may leave some out.
        """
        scope = [row for row in known if self.concerns(*row)]
        by_name = {name: [row for row in scope if _is_called(row[0], name)] for name in self.workspaces}
        by_name |= {bazel: [row for row in scope if row[1] == bazel] for bazel in self.bazels}
        for name, rows in by_name.items():
            if all(row in needed for row in rows) and not any(self.id in needed[row] for row in rows):
                yield name


def _is_called(workspace: str, name: str) -> bool:
    return workspace == name or (name == _FIXTURES and workspace.startswith(_FIXTURES.removesuffix("*")))


def read_explanations(path: Path = _TABLE) -> tuple[Explanation, ...]:
    """All reasons, in the order of the table. ValueError for an entry that is not scoped."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    entries = [(entry, False) for entry in table.get("difference", ())]
    entries += [(entry, True) for entry in table.get("question", ())]
    return tuple(_explanation(entry, recorded) for entry, recorded in entries)


def _explanation(entry: dict[str, str | list[str] | bool], recorded: bool) -> Explanation:
    name, reason, workspaces, bazels = (entry.get(key) for key in ("id", "reason", "workspace", "bazel"))
    if not isinstance(name, str) or not isinstance(reason, str):
        raise ValueError(f"explained.toml: an entry needs an id and a reason: {entry}")
    if not isinstance(workspaces, list) or not isinstance(bazels, list) or not workspaces or not bazels:
        raise ValueError(f"explained.toml: {name}: `workspace` and `bazel` are lists of those that it holds for")
    if unknown := entry.keys() - _KEYS:
        raise ValueError(f"explained.toml: {name}: unknown key {sorted(unknown)[0]}")
    patterns = {field: re.compile(str(entry[field]), re.DOTALL) for field in _PATTERNS if field in entry}
    if "cause" not in patterns or not patterns.keys() & {"subject", "what", "label", "said"}:
        raise ValueError(f"explained.toml: {name}: `cause` and one of `subject`, `what`, `label`, `said` must be given")
    for field, pattern in patterns.items():
        if pattern.fullmatch(_ANYTHING):
            raise ValueError(f"explained.toml: {name}: `{field}` fits everything")
    scope = tuple(workspaces), tuple(bazels)
    return Explanation(name, reason, tuple(patterns.items()), *scope, recorded, entry.get("gap") is True)


def assert_explained(differences: Iterable[Difference], workspace: str, version: str) -> set[str]:
    """Fails for a difference without a reason; the reasons that were needed."""
    explanations = read_explanations()
    reasons = [
        (each, next((e.id for e in explanations if e.fits(each, workspace, version)), "")) for each in differences
    ]
    left = [each for each, reason in reasons if not reason]
    shown = "\n".join(
        f"{each.cause}: {each.subject} {each.what} {each.label}\n    Bazel: {each.theirs}\n    ours:  {each.ours}"
        for each in left
    )
    assert not left, f"{len(left)} differences to Bazel {version}:\n{shown}"
    return {reason for _, reason in reasons}
