"""Writing an answer: bytes to stdout or a file, and the names of the formats of answers that are rows."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from bzlgraph.base.errors import UsageProblem

ROW_FORMATS = ("table", "csv", "markdown", "json", "jsonl", "html", "parquet")
"""The names of ``export.row_formats.formats.FORMATS``, which is not imported for --help."""


def print_bytes(pieces: Iterable[bytes], output_file: Path | None) -> None:
    """Write to stdout, or to a file. Raises UsageProblem for a file that cannot be written."""
    if output_file is None:
        stream = sys.stdout.buffer
        for piece in pieces:
            stream.write(piece)
        stream.flush()
        return
    waiting = iter(pieces)
    first = next(waiting, b"")  # an answer that cannot be written at all leaves no file behind
    try:
        with open(output_file, "wb") as file:
            file.write(first)
            file.writelines(waiting)
    except OSError as error:
        raise UsageProblem(f"--output_file={output_file}: {error.strerror}") from None
