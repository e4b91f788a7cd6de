"""A part of the runs of ``damage.py``: no damage of a kept graph gives a wrong answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.cache import looks
from tests.snapshot.damage import VERSIONS, Graphs, killed


@pytest.fixture(params=VERSIONS)
def graphs(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Graphs:
    monkeypatch.setattr(looks, "TICK", 0)
    monkeypatch.setattr(looks, "COARSE_TICK", 0)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Graphs(tmp_path / "cache", request.param)


def test_no_damage_gives_a_wrong_answer(graphs: Graphs) -> None:
    assert [(seed, wrong) for seed in range(200) if (wrong := graphs.spoil(seed)[1])] == []


def test_a_process_that_is_killed_leaves_no_wrong_answer(graphs: Graphs) -> None:
    assert [(seed, wrong) for seed in range(3) if (wrong := killed(graphs, seed))] == []
