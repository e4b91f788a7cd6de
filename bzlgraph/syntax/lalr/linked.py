"""The tables as the parser runs them: the generated file (or, while the grammar is edited, Lark) -> linked rows."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path

from bzlgraph.syntax.lalr.build_ast import Builder
from bzlgraph.syntax.lalr.tables import GENERATED, Tables, digest, generate, link


@cache
def tables() -> Tables:
    """The tables, from the generated file when it belongs to the grammar."""
    found = files("bzlgraph.syntax.lalr") / GENERATED
    generated = json.loads(found.read_text(encoding="utf-8")) if found.is_file() else None
    if generated is None or generated["grammar"] != digest():
        generated = generate()
    return link(generated, Builder)


def write() -> None:
    """Write the generated file (``make golden``)."""
    path = Path(str(files("bzlgraph.syntax.lalr") / GENERATED))
    body = generate()
    rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in body.pop("rows"))
    head = json.dumps(body, indent=None, separators=(",", ":"))
    written = path.with_suffix(".new")  # replaced in one step: other tests read the file at the same time
    written.write_text(f'{head[:-1]},\n"rows":[\n{rows}\n]}}\n', encoding="utf-8")
    written.replace(path)
