"""Asks bzlgraph many questions in one process: [[arguments, ...], ...] as JSON on stdin; nothing on stdout.

Each question is a whole command line with its own `--output_file`. A process of its own per workspace, since the
command line switches Python's collector of cycles off.
"""

from __future__ import annotations

import json
import sys

from bzlgraph.cli.main import main


def ask(lines: list[list[str]]) -> None:
    """Runs the command lines; what fails is seen in its answer."""
    for line in lines:
        try:
            main(line)
        except SystemExit:
            continue


if __name__ == "__main__":
    ask(json.load(sys.stdin))
