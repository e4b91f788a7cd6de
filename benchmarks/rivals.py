"""The two that are compared: bzlgraph as whole processes, real Bazel as a server and the clients that ask it.

Both get the same tree, the same stand-ins for repositories, the same processor cores. Neither is asked a question for
which it kept the very answer: bzlgraph's command line has an option that changes nothing once more each time, so that
the answer is made from the graph that is kept.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from benchmarks import measure
from tests.differential.real import bazel as installed

ROOT = Path(__file__).parent.parent
VERSIONS = ("0.19.1", "4.2.3")
LIMIT = float(os.environ.get("LIMIT", "120"))
"""Seconds that Bazel gets for a question but the first."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question: what Bazel's query is asked and with which options; ``own``: another command of bzlgraph's that
    answers it."""

    what: str
    expression: str
    own: tuple[str, ...] = ()
    options: tuple[str, ...] = ("--output=label",)


@dataclass(frozen=True, slots=True)
class Own:
    """bzlgraph on a tree, with a cache folder of its own."""

    tree: Path
    overrides: Sequence[str]
    version: str
    cache: Path
    cores: Sequence[str]
    _asked: count[int] = field(default_factory=count)

    def cold(self, question: Question) -> measure.Run:
        """The question to nothing but the files."""
        shutil.rmtree(self.cache, ignore_errors=True)
        return self._run(question, memory=False)

    def watched(self, question: Question) -> measure.Run:
        """The same, with the memory that it takes."""
        shutil.rmtree(self.cache, ignore_errors=True)
        return self._run(question, memory=True)

    def hot(self, question: Question) -> measure.Run:
        """The question after others."""
        return self._run(question, memory=False)

    def _run(self, question: Question, memory: bool) -> measure.Run:
        options = ["-C", str(self.tree), f"--cache_dir={self.cache}", *self.overrides]
        options += [f"--bazel_version={self.version}"] if self.version else []
        asked = question.own or ("query", *question.options, "-k", question.expression)
        own = () if question.own else installed.OUR_OPTIONS.get(self.version, ())
        options += ["--color=no"] * next(self._asked)
        return measure.run([*self.cores, *_program(), *options, *asked, *own], ROOT, memory)


def _program() -> list[str]:
    """What people run: the program that is installed beside Python, else its module."""
    beside = Path(sys.executable).with_name("bzlgraph")
    return [str(beside)] if beside.exists() else [sys.executable, "-m", "bzlgraph"]


@dataclass(frozen=True, slots=True)
class Bazel:
    """One Bazel on one tree. ``version`` is what bzlgraph reads the tree as; "" where BAZEL is a path that does not
    tell it. ``program`` is that path, None for a version that is found as tests/differential finds it."""

    version: str
    program: Path | None
    tree: Path
    overrides: Sequence[str]
    cores: Sequence[str] = ()

    @property
    def name(self) -> str:
        """``Bazel 0.19.1``"""
        return f"Bazel {self.version}".strip()

    def cold(self, question: Question, limit: float | None = LIMIT) -> measure.Run:
        """The question to a server that does not run yet."""
        self.shutdown()
        return self.hot(question, limit)

    def hot(self, question: Question, limit: float | None = LIMIT) -> measure.Run:
        """The question to whatever server runs."""
        options = [*question.options, *installed.WORKSPACE_OPTIONS.get(self.version, ()), *self.overrides]
        line = self._line("query", "--noshow_progress", "--keep_going", *options, "--", question.expression)
        return measure.run([*self.cores, *line], self.tree, memory=False, limit=limit)

    def server(self) -> tuple[int, float]:
        """The memory of the server that runs, and the processor time that it has taken."""
        asked = self._line("info", "server_pid")
        pid = int(subprocess.run(asked, cwd=self.tree, capture_output=True, text=True, check=False).stdout or 0)
        return measure.memory_of(pid), measure.processor_seconds_of(pid)

    def on(self, cores: Sequence[str]) -> Bazel:
        """The same on these cores."""
        return replace(self, cores=cores)

    def shutdown(self) -> None:
        """End the server."""
        subprocess.run(self._line("shutdown"), cwd=self.tree, capture_output=True, check=False)

    def _line(self, *words: str) -> list[str]:
        root = installed.cache_folder() / "output" / "benchmarks"
        options = [f"--output_user_root={root}", "--nohome_rc", "--nosystem_rc", "--noworkspace_rc"]
        options += ["--max_idle_secs=600", f"--host_jvm_args=-Xmx{os.environ.get('HEAP', '2500')}m", *words]
        if self.program is not None:
            return [str(self.program), *options]
        folders = [Path(each.rpartition("=")[2]) for each in self.overrides]
        return installed.command_line(self.version, self.tree, [installed.cache_folder(), *folders], options)


def find(tree: Path, overrides: Sequence[str]) -> Bazel | None:
    """The Bazel that BAZEL names (a path or a version), else the first known one that this machine has."""
    wanted = os.environ.get("BAZEL", "")
    if os.sep in wanted:
        number = re.search(r"\d+(\.\d+)+", Path(wanted).name)
        return Bazel(number.group() if number else "", Path(wanted), tree, overrides)
    found = (each for each in ([wanted] if wanted else VERSIONS) if installed.program(each) is not None)
    return next((Bazel(each, None, tree, overrides) for each in found), None)
