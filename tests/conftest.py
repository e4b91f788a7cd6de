"""Settings of all tests. Hypothesis has no deadline: the first example pays for imports, and machines are shared.

No test sees what Bazel keeps in the home of whoever runs it.
"""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from bzlgraph.cache.folder import checked_folder
from bzlgraph.workspace.repositories import on_disk

ROOT = Path(__file__).parents[1]

settings.register_profile("shared", deadline=None)
settings.load_profile("shared")


@pytest.fixture(autouse=True, scope="session")
def _own_key(tmp_path_factory):
    """The key of the caches of all tests, which is not the user's."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))
    checked_folder(tmp_path_factory.mktemp("cache"), ROOT)


@pytest.fixture(autouse=True)
def _no_home(monkeypatch):
    monkeypatch.setattr(on_disk, "home_caches", tuple)
