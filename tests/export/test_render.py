"""Layout: with a program, without one, and when it takes too long."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from bzlgraph.base.errors import UsageProblem
from bzlgraph.export.pictures.render import render

SMALL = 'digraph { label=<<b>title</b>>; "//a:b" -> "//c:d" [style=dashed, label="when x"]; }'


def program(folder: Path, body: str) -> str:
    """A stand-in for ``dot``."""
    path = folder / "dot"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.mark.parametrize("output", ["svg", "png"])
def test_without_a_program_the_bundled_graphviz_draws(output: str) -> None:
    rendered = render(SMALL, output, program="")
    assert rendered.engine == "dot"
    assert (b"<svg" in rendered.data) if output == "svg" else rendered.data.startswith(b"\x89PNG")


def test_a_slow_layout_falls_back_to_forces_and_says_so(tmp_path: Path) -> None:
    slow = program(tmp_path, 'case "$1" in -Kdot) exec sleep 30;; *) echo "<svg/>";; esac')
    rendered = render(SMALL, "svg", time_limit=0.5, program=slow)
    assert (rendered.engine, rendered.data) == ("sfdp", b"<svg/>\n")
    assert rendered.note == "dot: no layout after 0 s; laid out with sfdp (force-directed) instead"


def test_when_nothing_draws_the_user_is_told(tmp_path: Path) -> None:
    broken = program(tmp_path, "echo 'Error: out of ink' >&2; exit 1")
    with pytest.raises(UsageProblem) as caught:
        render(SMALL, "svg", program=broken)
    assert "out of ink" in caught.value.diagnostic.message
    with pytest.raises(UsageProblem) as caught:
        render(SMALL, "svg", program=str(tmp_path / "nothing"))
    assert "cannot be run" in caught.value.diagnostic.message


def test_forces_draw_without_a_program() -> None:
    """What follows a time-out on a machine without Graphviz."""
    from bzlgraph.export.pictures.render import _BUNDLED_FORCES, _command, _run

    data, fault = _run(_command("", "sfdp", "svg", _BUNDLED_FORCES), SMALL, 20)
    assert fault == ""
    assert data is not None
    assert b"<svg" in data
