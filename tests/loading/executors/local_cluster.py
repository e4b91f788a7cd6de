"""A Dask cluster in processes of its own, for tests: ``with running_cluster(workers, folder) as cluster``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[3]


@dataclass
class RunningCluster:
    """Where its scheduler is, and the processes of its workers."""

    process: subprocess.Popen[str]
    address: str
    workers: list[int] = field(default_factory=list)

    def executor(self, scheme: str = "dask") -> str:
        """The option that names it."""
        return f"--executor={scheme}://{self.address.removeprefix('tcp://')}"

    def kill_worker(self) -> None:
        """Kill one that was there from the beginning."""
        os.kill(self.workers.pop(), signal.SIGKILL)

    def end(self) -> None:
        """End all of it. The end of stdin would not do: forked processes hold the other end, too."""
        if self.process.poll() is None:
            self.process.communicate("end\n")


@contextmanager
def running_cluster(workers: int, folder: Path) -> Iterator[RunningCluster]:
    """A cluster whose workers find nothing in the home of whoever runs the tests."""
    home = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder), "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, __file__, str(workers)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={**os.environ, **home},
        text=True,
    )
    assert process.stdout is not None
    running = RunningCluster(process, *json.loads(process.stdout.readline()))
    try:
        yield running
    finally:
        running.end()


def _run(workers: int) -> None:
    """Run a cluster until somebody writes a line to stdin."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        pids = [nanny.process.pid for nanny in cluster.workers.values()]
        print(json.dumps([cluster.scheduler_address, pids]), flush=True)
        sys.stdin.readline()


if __name__ == "__main__":
    _run(int(sys.argv[1]))
