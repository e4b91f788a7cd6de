"""Notebooks are kept small and without outputs; `make notebooks` runs them."""

from __future__ import annotations

import json
import re
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


NAME = r"[\w.]+"
LABEL = r"(?:@[\w.+~-]+)?//[\w./+-]*(?::[\w./+-]+)?"
PLACE = r"[\w./+-]+:\d+"
HELD = re.compile(rf"{NAME}|@[\w.+~-]+|the checkout|(?:{LABEL})(?: {LABEL})*|{PLACE}(?: > {PLACE})*")


@pytest.mark.parametrize("path", sorted(NOTEBOOKS[0].parent.glob("recorded/*.json")), ids=lambda path: path.name)
def test_what_is_recorded_of_a_tree_is_labels_counts_and_places(path: Path) -> None:
    recorded = json.loads(path.read_text(encoding="utf-8"))
    assert recorded
    for name, table in recorded.items():
        assert table["data"], name
        for cell in (cell for row in table["data"] for cell in row):
            assert cell is None or isinstance(cell, int) or HELD.fullmatch(cell), (name, cell)
    (notebook,) = (each for each in NOTEBOOKS if f"recorded/{path.name}" in each.read_text(encoding="utf-8"))
    assert set(re.findall(r'answer\(\\"(\w+)\\"', notebook.read_text(encoding="utf-8"))) == set(recorded)


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS
