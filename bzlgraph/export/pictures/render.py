"""dot text -> SVG or PNG, within a time limit.

Who lays out: the ``dot`` program of a Graphviz installation when there is one, else the Graphviz that pygraphviz's
wheel contains (in a process of its own, so that the limit holds there too). When ``dot`` takes too long, ``sfdp``
draws the same graph by forces, and the result says so.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.export.pictures.dot import FONT
from bzlgraph.export.pictures.text_width import text_width

TIME_LIMIT = 20.0
_PROBE = "//tensorflow/core/kernels/data 1,234 targets"
FORMATS = ("svg", "png", "pdf")
_FAST = ("-Gsplines=true", "-Gnslimit=2", "-Gnslimit1=2", "-Gmclimit=0.5")
_FORCES = ("-Goverlap=prism", "-Gsplines=line", "-Gsep=+6", "-GK=0.9")
_BUNDLED_FORCES = ("-Goverlap=scale", "-Gsplines=line", "-GK=0.9")
"""The bundled Graphviz has no triangulation, hence no prism."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """The bytes of a picture; ``note`` says when it was laid out otherwise than asked."""

    data: bytes
    engine: str
    note: str = ""


def render(dot: str, output: str, *, time_limit: float = TIME_LIMIT, program: str | None = None) -> Rendered:
    """Lay out and draw. ``program`` is the Graphviz program, "" for none, None to look for one.

    Raises UsageProblem when no layout could be made at all.
    """
    found = _program() if program is None else program
    data, fault = _run(_command(found, "dot", output, _FAST), dot, time_limit)
    if data is not None:
        return Rendered(data, "dot")
    forces = _FORCES if found else _BUNDLED_FORCES
    data, second_fault = _run(_command(found, "sfdp", output, forces), dot, time_limit)
    if data is None:
        hint = "write .dot and lay it out yourself, or ask for less (--collapse package, a depth in deps(x, 2))"
        raise UsageProblem(Diagnostic(f"the picture could not be laid out: {fault}; {second_fault}", hint=hint))
    return Rendered(data, "sfdp", f"dot: {fault}; laid out with sfdp (force-directed) instead")


def render_placed(dot: str, output: str, *, time_limit: float = TIME_LIMIT) -> Rendered:
    """Draw dot text in which everything has its place. Raises UsageProblem when that fails."""
    data, fault = _run(_command(_program(), "nop2", output, ()), dot, time_limit)
    if data is None:
        raise UsageProblem(f"the picture could not be drawn: {fault}")
    return Rendered(data, "nop2")


@cache
def letters() -> float:
    """How large letters may be, of what was wanted, to be no wider than Helvetica's: 1 where there is Helvetica.

    PNG and PDF are drawn with the fonts of this machine, so one line is laid out with them and measured.
    """
    probe = (
        f'digraph {{ a [label="{_PROBE}", shape=box, margin=0, width=0, height=0, fontname="{FONT}", fontsize=72] }}'
    )
    data, _ = _run(_command(_program(), "dot", "plain", ()), probe, TIME_LIMIT)
    measured = re.search(rb"^node a \S+ \S+ (\S+) ", data or b"", re.MULTILINE)
    return min(1.0, text_width(_PROBE, 1) / float(measured[1])) if measured else 1.0


def _program() -> str:
    """The ``dot`` program on PATH, "" when there is none."""
    import graphviz.backend

    return shutil.which(str(graphviz.backend.DOT_BINARY)) or ""


def _command(program: str, engine: str, output: str, options: tuple[str, ...]) -> list[str]:
    if program:
        return [program, f"-K{engine}", f"-T{output}", *options]
    return [sys.executable, "-m", "bzlgraph.export.pictures.bundled_graphviz", engine, output, *options]


def _run(command: list[str], dot: str, time_limit: float) -> tuple[bytes | None, str]:
    """(the bytes, "") or (None, what went wrong)."""
    try:
        done = subprocess.run(command, input=dot.encode(), capture_output=True, timeout=time_limit, check=False)
    except subprocess.TimeoutExpired:
        return None, f"no layout after {time_limit:.0f} s"
    except OSError as error:
        return None, f"{command[0]} cannot be run: {error.strerror}"
    if done.returncode or not done.stdout:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        return None, lines[-1] if lines else f"exit code {done.returncode}"
    return done.stdout, ""
