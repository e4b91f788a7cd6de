"""Outcomes of a run that was stopped: a full run takes an hour or two, and what it has compared is not compared again.

They hold for one commit of a checkout without changes, because every line of bzlgraph may change an answer.
"""

from __future__ import annotations

import pickle
import subprocess
from pathlib import Path

from tests.differential.conformance import Outcome
from tests.differential.trees import REPOSITORY


class KeptOutcomes:
    """A folder of outcomes, one file each, below the commit that they were made with."""

    def __init__(self, folder: Path) -> None:
        """Raises RuntimeError where the checkout has changes that are not committed."""
        if _git("status", "--porcelain"):
            raise RuntimeError("outcomes are kept for a commit: commit the changes of this checkout first")
        self._folder = folder / _git("rev-parse", "HEAD")
        self._folder.mkdir(parents=True, exist_ok=True)

    def find(self, workspace: str, version: str) -> Outcome | None:
        """The outcome of a row of an earlier run; None when there is none, or when the row was skipped."""
        path = self._path(workspace, version)
        return pickle.loads(path.read_bytes()) if path.exists() else None

    def keep(self, outcome: Outcome) -> None:
        """Skipped rows are not kept: what was missing may be there the next time."""
        if outcome.skipped:
            return
        path = self._path(outcome.workspace, outcome.bazel)
        written = path.with_suffix(".part")
        written.write_bytes(pickle.dumps(outcome))
        written.replace(path)

    def _path(self, workspace: str, version: str) -> Path:
        return self._folder / f"{workspace.replace('/', '+')}@{version}.pickle"


def _git(*arguments: str) -> str:
    command = ("git", "-C", str(REPOSITORY), *arguments)
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
