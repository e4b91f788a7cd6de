"""Golden files: text compared with a file kept beside the tests; ``make golden`` (UPDATE_GOLDEN=1) writes them anew."""

from __future__ import annotations

import os
from pathlib import Path

CASES = Path(__file__).parent / "cases"


def check_golden(name: str, text: str) -> None:
    """``text`` is what ``tests/cases/<name>`` holds."""
    path = CASES / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.is_file(), f"{path} is missing: make golden writes it"
    assert text == path.read_text(encoding="utf-8")
