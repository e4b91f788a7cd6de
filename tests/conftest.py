"""Settings of all tests. Hypothesis has no deadline: the first example pays for imports, and machines are shared.

No test sees what Bazel keeps in the home of whoever runs it.
"""

import pytest
from hypothesis import settings

from bzlgraph.workspace.repositories import on_disk

settings.register_profile("shared", deadline=None)
settings.load_profile("shared")


@pytest.fixture(autouse=True)
def _no_home(monkeypatch):
    monkeypatch.setattr(on_disk, "home_caches", tuple)
