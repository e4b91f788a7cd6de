"""One command as a whole process -> seconds, processor time, peak memory with all its children, exit code.

Memory is the largest sum of proportional set sizes (/proc/PID/smaps_rollup) seen over the process and its descendants:
a page that several of them share counts once for all. Looking costs time, in the kernel and of the process looked at,
so a look follows another only after twenty times as long as it took; what is not measured for memory is not looked at.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path

_PAUSE, _SHARE = 0.005, 20


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of a command cost."""

    seconds: float
    processor_seconds: float
    peak_bytes: int
    exit_code: int
    lines: int
    errors: str


def run(command: Sequence[str], cwd: Path | None = None, memory: bool = True, limit: float | None = None) -> Run:
    """Runs the command; its stdout is counted in lines and dropped, its stderr kept for the report of a failure.

    After ``limit`` seconds it is interrupted, as with Ctrl-C three times, which ends Bazel's server too: then its
    seconds are infinite.
    """
    start, before = time.perf_counter(), _of_children()
    lines = 0
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=errors) as process:
            assert process.stdout is not None, "it is a pipe"
            watch = _Watch(process.pid)
            end = threading.Timer(limit or 0, _interrupt, [process])
            if memory:
                watch.start()
            if limit is not None:
                end.start()
            while piece := os.read(process.stdout.fileno(), 1 << 16):
                lines += piece.count(b"\n")
        seconds = time.perf_counter() - start
        end.cancel()
        if limit is not None and seconds > limit:
            seconds = inf
        peak = watch.stop() if memory else 0
        errors.seek(0)
        told = errors.read().decode("utf-8", "replace")
    return Run(seconds, _of_children() - before, peak, process.returncode, lines, told)


def _interrupt(process: subprocess.Popen[bytes]) -> None:
    for _ in range(3):
        process.send_signal(signal.SIGINT)
        time.sleep(1)


def memory_of(pid: int) -> int:
    """The proportional set sizes of a process and its descendants together, in bytes."""
    return sum(map(_proportional, _family(pid)))


def processor_seconds_of(pid: int) -> float:
    """The processor time of a living process."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # utime, stime


def _of_children() -> float:
    """The processor time of all children that have ended, their children's included."""
    times = os.times()
    return times.children_user + times.children_system


class _Watch(threading.Thread):
    """Looks at a process and its descendants until told to stop."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._done = threading.Event()
        self._peak = 0

    def run(self) -> None:
        while not self._done.is_set():
            start = time.perf_counter()
            self._peak = max(self._peak, memory_of(self._pid))
            self._done.wait(max(_PAUSE, _SHARE * (time.perf_counter() - start)))

    def stop(self) -> int:
        self._done.set()
        if self.ident is not None:
            self.join()
        return self._peak


def _proportional(pid: int) -> int:
    try:
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:  # it has just ended
        return 0
    return sum(int(row.split()[1]) * 1024 for row in rows if row.startswith("Pss:"))


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
