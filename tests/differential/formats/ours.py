"""Asks bzlgraph many questions in one process: [[arguments, ...], ...] as JSON on stdin -> [[exit code, [lines that say
that the answer is incomplete]], ...] on stdout.

Each question is a whole command line with its own `--output_file`. A process of its own per workspace, since the
command line switches Python's collector of cycles off.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

from bzlgraph.cli.main import main


def ask(lines: list[list[str]]) -> Iterator[tuple[int, list[str]]]:
    """Runs the command lines; what fails is seen in its answer."""
    for line in lines:
        code: int | str | None = 0
        with redirect_stderr(StringIO()) as errors, redirect_stdout(StringIO()):
            try:
                main(line)
            except SystemExit as end:
                code = end.code
        gaps = [each for each in errors.getvalue().splitlines() if each.startswith("Incomplete:")]
        yield code if isinstance(code, int) else 0, gaps


if __name__ == "__main__":
    print(json.dumps(list(ask(json.load(sys.stdin)))))
