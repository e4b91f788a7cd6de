"""Real Bazel as the other runner: cold (server shut down before) and hot questions, and the server's peak memory."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks import measure
from tests.differential import bazel as installed

VERSIONS = ("0.19.1", "4.2.3")


@dataclass(frozen=True, slots=True)
class Bazel:
    """One Bazel on one tree, with the same stub repositories that bzlgraph is given.

    ``version`` is what bzlgraph reads the tree as; "" where BAZEL is a path that does not tell it.
    """

    name: str
    version: str
    program: tuple[str, ...]
    tree: Path
    overrides: Sequence[str]

    def cold(self, expression: str) -> measure.Run:
        """The question to a server that does not run yet; the peak is the server's."""
        self.shutdown()
        done = self.hot(expression)
        pid = subprocess.run(
            [*self.program, "info", "server_pid"], cwd=self.tree, capture_output=True, text=True, check=False
        )
        return replace(done, peak_bytes=measure.memory_of([int(pid.stdout or 0)]))

    def hot(self, expression: str) -> measure.Run:
        """The question to whatever server runs."""
        options = ["query", "--noshow_progress", "--keep_going", "--output=label_kind", *self.overrides]
        return measure.run([*self.program, *options, "--", expression], cwd=self.tree, memory=False)

    def shutdown(self) -> None:
        subprocess.run([*self.program, "shutdown"], cwd=self.tree, capture_output=True, check=False)


def find(tree: Path, overrides: Sequence[str]) -> Bazel | None:
    """The Bazel that BAZEL names (a path or a version), else the first known one that this machine has."""
    wanted = os.environ.get("BAZEL", "")
    if os.sep in wanted:
        number = re.search(r"\d+(\.\d+)+", Path(wanted).name)
        return _bazel(number.group() if number else "", Path(wanted), (), tree, overrides)
    for version in [wanted] if wanted else VERSIONS:
        found = installed.program(version)
        if found:
            return _bazel(version, found[0], found[1], tree, overrides)
    return None


def _bazel(version: str, program: Path, startup: Sequence[str], tree: Path, overrides: Sequence[str]) -> Bazel:
    root = Path(tempfile.gettempdir()) / "bzlgraph-bench-bazel"
    options = [f"--output_user_root={root}", "--nohome_rc", "--nosystem_rc", "--noworkspace_rc", "--max_idle_secs=120"]
    return Bazel(
        f"bazel {version}".strip(),
        version,
        (str(program), *startup, *options, "--host_jvm_args=-Xmx2500m"),
        tree,
        overrides,
    )
