"""Python's own warnings are no part of an answer, whatever Python was told to do with them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("action", ["always", "error"])
def test_none_appears(tmp_path: Path, action: str) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text('filegroup(name = "a") if True else "x"("y")\nz = 1 == 1 or (2)(3)\n')
    (tmp_path / "b.py").write_text('"\\d" is 1\n1 ("a")\nassert (1, 2)\n')
    command = [sys.executable, "-m", "bzlgraph", "-C", str(tmp_path), "--no_cache"]
    for question in (["query", 'filter("[[a]|a]", //...)'], ["flags"]):
        env = {**os.environ, "PYTHONWARNINGS": action}
        ended = subprocess.run([*command, *question], capture_output=True, text=True, env=env)
        assert "Warning" not in ended.stderr
        assert ended.returncode == 0
        assert question == ["flags"] or ended.stdout == "//:a\n"
