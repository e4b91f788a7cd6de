"""A command whose stdout is a terminal -> what that shows, and what the command says on stderr."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path


def shown_on_a_terminal(*arguments: str) -> tuple[str, str]:
    """Of ``bzlgraph`` with these arguments."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "bzlgraph", *arguments]
    running = subprocess.Popen(command, stdout=theirs, stderr=subprocess.PIPE, text=True)
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:  # how a terminal ends
        pass
    os.close(ours)
    return shown.decode(), running.communicate()[1]


ROOT = Path(__file__).parents[2]


def on_a_terminal(command: list[str], **environment: str) -> tuple[str, float]:
    """What a terminal of 100 columns shows, and after how many seconds the first of it."""
    inside, outside = pty.openpty()
    process = subprocess.Popen(
        command,
        stdin=outside,
        stdout=outside,
        stderr=outside,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "100", **environment},
        close_fds=True,
    )
    os.close(outside)
    begun, first, shown = time.monotonic(), 0.0, b""
    while True:
        ready, _, _ = select.select([inside], [], [], 60)
        try:
            data = os.read(inside, 4096) if ready else b""
        except OSError:
            break
        if not data:
            break
        first = first or time.monotonic() - begun
        shown += data
    os.close(inside)
    assert process.wait() == 0
    return shown.decode(), first
