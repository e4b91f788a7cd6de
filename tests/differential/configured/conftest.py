"""The workspaces in configurations as bzlgraph has them: each opened once for all tests of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.differential.configured.ours import Ours
from tests.differential.real.stubs import read_stubs, write_stubs


@pytest.fixture(scope="session")
def ours_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path, str], Ours]:
    """A workspace, read as a Bazel, beside stubs of the rule sets."""
    folder = tmp_path_factory.mktemp("stubs")
    overrides = write_stubs(read_stubs("bazel_rules", folder), folder / "repositories")
    return cache(lambda workspace, version: Ours(workspace, overrides, version))
