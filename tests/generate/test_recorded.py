"""bzlgraph on generated workspaces, against what real Bazel said about them: no Bazel is needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generate.recorded import VERSIONS, differences


@pytest.mark.parametrize("version", VERSIONS)
def test_as_bazel(version: str, tmp_path: Path) -> None:
    found = [f"{question}: {each}" for question, each in differences(version, tmp_path)]
    assert not found, f"{len(found)} differences to Bazel {version}:\n" + "\n".join(found[:10])
