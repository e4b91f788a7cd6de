"""What tests of the kept graph share: caches of their own, and fixtures of recorded answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.cache import looks


@pytest.fixture
def private_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Caches of the test's own, in which what was changed just now counts, too: its copies of stubs were."""
    monkeypatch.setattr(looks, "TICK", 0)
    monkeypatch.setattr(looks, "COARSE_TICK", 0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
