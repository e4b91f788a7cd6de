"""Where the grammars are: the one function that finds ``grammars/*.lark``.

name -> text. In a wheel the grammars are package data (``bzlgraph/grammars``); in a checkout or an editable install
they stand at the top of the repository, where a reader finds them.

>>> text("starlark").splitlines()[0][:11]
'// Starlark'
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def text(name: str) -> str:
    """The text of ``grammars/<name>.lark``."""
    for folder in (PACKAGE / "grammars", PACKAGE.parent / "grammars"):
        found = folder / f"{name}.lark"
        if found.is_file():
            return found.read_text(encoding="utf-8")
    raise FileNotFoundError(f"grammars/{name}.lark is part of bzlgraph and is missing from this installation")
