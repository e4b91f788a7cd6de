"""Outcomes of a stopped run: they are found again for the same commit, and for no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.differential import kept
from tests.differential.conformance import Outcome


def _at(monkeypatch: pytest.MonkeyPatch, commit: str, changes: str = "") -> None:
    answers = {"status": changes, "rev-parse": commit}
    monkeypatch.setattr(kept, "_git", lambda command, *_: answers[command])


def test_an_outcome_is_found_again_for_its_commit_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    outcome = Outcome("workspaces/labels", "4.2.3", targets=17, listed={"//:a"})
    outcome.explained["places"] += 3
    _at(monkeypatch, "one")
    kept.KeptOutcomes(tmp_path).keep(outcome)
    assert kept.KeptOutcomes(tmp_path).find("workspaces/labels", "4.2.3") == outcome
    assert kept.KeptOutcomes(tmp_path).find("workspaces/labels", "7.7.1") is None
    _at(monkeypatch, "two")
    assert kept.KeptOutcomes(tmp_path).find("workspaces/labels", "4.2.3") is None


def test_a_skipped_row_is_tried_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _at(monkeypatch, "one")
    outcomes = kept.KeptOutcomes(tmp_path)
    outcomes.keep(Outcome("abseil", "4.2.3", skipped="no Bazel 4.2.3 here"))
    assert outcomes.find("abseil", "4.2.3") is None


def test_a_checkout_with_changes_keeps_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _at(monkeypatch, "one", changes=" M bzlgraph/base/lang.py")
    with pytest.raises(RuntimeError, match="commit the changes"):
        kept.KeptOutcomes(tmp_path)
