"""A command whose stdout is a terminal -> what that shows, and what the command says on stderr."""

from __future__ import annotations

import os
import pty
import subprocess
import sys


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
