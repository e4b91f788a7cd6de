"""A part of the 10,000 spoiled caches of ``corruption.py``: every answer is that of a run without a cache."""

import pytest

from tests.cache.corruption import Caches, spoiled_runs


@pytest.fixture(scope="module")
def caches(tmp_path_factory: pytest.TempPathFactory) -> Caches:
    return Caches(tmp_path_factory.mktemp("caches"))


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_no_damage_changes_an_answer(caches: Caches, start: int) -> None:
    assert [problem for _, problem in spoiled_runs(caches, range(start, start + 50)) if problem] == []
