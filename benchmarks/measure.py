"""One command as a whole process -> seconds, peak memory with all its children, exit code.

Memory is the largest sum of resident sizes (/proc/PID/statm) seen over the process and its descendants, looked at every
few milliseconds, and at least the main process's own high-water mark. Pages shared by forked children count once for
each of them, so the figure for bzlgraph is rather too high than too low.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")
_PAUSE = 0.01


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of a command cost."""

    seconds: float
    peak_bytes: int
    exit_code: int
    lines: int
    errors: str


def run(command: Sequence[str], cwd: Path | None = None, memory: bool = True) -> Run:
    """Runs the command; its stdout is counted in lines and dropped, its stderr kept for the report of a failure."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    watch = _Watch(process.pid)
    if memory:
        watch.start()
    output, errors = process.communicate()
    seconds = time.perf_counter() - start
    peak = watch.stop() if memory else 0
    return Run(seconds, peak, process.returncode, output.count(b"\n"), errors.decode("utf-8", "replace"))


def high_water_mark(pid: int) -> int:
    """VmHWM of a living process in bytes (Bazel's server, which outlives the question)."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


class _Watch(threading.Thread):
    """Looks at a process and its descendants until told to stop."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._done = threading.Event()
        self._peak = 0

    def run(self) -> None:
        while not self._done.is_set():
            together = sum(_resident(pid) for pid in _family(self._pid))
            self._peak = max(self._peak, together, high_water_mark(self._pid))
            self._done.wait(_PAUSE)

    def stop(self) -> int:
        self._done.set()
        self.join()
        return self._peak


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _family(pid: int) -> list[int]:
    found, waiting = [], [pid]
    while waiting:
        current = waiting.pop()
        found.append(current)
        for children in Path(f"/proc/{current}/task").glob("*/children"):
            try:
                waiting += [int(child) for child in children.read_text(encoding="ascii").split()]
            except OSError:
                continue
    return found
