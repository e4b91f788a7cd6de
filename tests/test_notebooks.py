"""Notebooks are kept small and without outputs; `make notebooks` runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_small_and_has_no_outputs(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert 0 < len(cells) <= 20
    assert [cell for cell in code if cell["outputs"] or cell["execution_count"] is not None] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_uses_the_public_api_only(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "import bzlgraph" in text
    assert "bzlgraph." not in text.replace("bzlgraph.open(", "")
    assert "from bzlgraph" not in text


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS
