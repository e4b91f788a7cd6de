"""The table explained.toml: patterns of differences that have a reason, and which of them a difference fits.

A pattern is a set of regular expressions over the fields of `Difference` (and `bazel`, `workspace`); each must match
the whole field, a field that is not named fits always.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tests.differential.compare import Difference

_TABLE = Path(__file__).with_name("explained.toml")
_FIELDS = ("cause", "subject", "what", "label", "theirs", "ours")


@dataclass(frozen=True, slots=True)
class Explanation:
    """One reason why a difference is right, or cannot be helped."""

    id: str
    reason: str
    patterns: tuple[tuple[str, re.Pattern[str]], ...]
    workspace: re.Pattern[str]
    bazel: re.Pattern[str]

    def fits(self, difference: Difference, workspace: str, bazel: str) -> bool:
        """Whether this is the reason of the difference."""
        if not self.workspace.fullmatch(workspace) or not self.bazel.fullmatch(bazel):
            return False
        return all(pattern.fullmatch(getattr(difference, field)) for field, pattern in self.patterns)


def read_explanations(path: Path = _TABLE) -> tuple[Explanation, ...]:
    """All reasons, in the order of the table; the first that fits counts."""
    return tuple(
        Explanation(
            id=entry["id"],
            reason=entry["reason"],
            patterns=tuple((field, _pattern(entry[field])) for field in _FIELDS if field in entry),
            workspace=_pattern(entry.get("workspace", ".*")),
            bazel=_pattern(entry.get("bazel", ".*")),
        )
        for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("difference", ())
    )


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.DOTALL)
