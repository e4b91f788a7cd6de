"""What several tests of the command line start from."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A cache that the command lines of a module share, as an option."""
    return f"--cache_dir={tmp_path_factory.mktemp('cache')}"
