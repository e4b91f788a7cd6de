"""Case files in the language under test: chunks between ``---`` lines, an expected error as ``### "regexp"``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

CASES = Path(__file__).parent.parent / "cases" / "starlark"


@dataclass(frozen=True, slots=True)
class Case:
    """One chunk: ``errors`` are (line within the chunk, regexp), in file order; ``name`` is FILE:LINE."""

    name: str
    text: str
    errors: tuple[tuple[int, str], ...]


def cases_of(file: str) -> list[Case]:
    """The chunks of ``tests/cases/starlark/FILE``."""
    found: list[Case] = []
    lines: list[str] = []
    errors: list[tuple[int, str]] = []
    first = 1
    for number, line in enumerate([*(CASES / file).read_text(encoding="utf-8").split("\n"), "---"], 1):
        if line == "---":
            if any(text.strip() for text in lines):
                found.append(Case(f"{file}:{first}", "\n".join(lines), tuple(errors)))
            lines, errors, first = [], [], number + 1
            continue
        code, mark, pattern = line.partition("###")
        if mark:
            match = re.fullmatch(r'\s*"(.*)"\s*', pattern)
            assert match, f"{file}:{number}: an expected error is a quoted regexp"
            errors.append((number - first + 1, match[1]))
        lines.append(code.rstrip() if mark else line)
    return found
