"""The Pythons of this machine: what they read has to be the same under all of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def other_pythons() -> list[str]:
    """One of each minor version that can run this project, but for the one that runs the tests; of those on PATH and of
    those that pyenv keeps. Skips the test where there is none."""
    minors = [minor for minor in (11, 12, 13, 14) if minor != sys.version_info.minor]
    found = [path for minor in minors if (path := _of_minor(minor))]
    if not found:
        pytest.skip("there is no other Python (3.11 to 3.14) on PATH or in pyenv's folder to compare with")
    return found


def outputs(program: str, given: bytes = b"") -> dict[str, bytes]:
    """What a program prints under this Python and each of the others; none of them sees any installed package."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return {
        python: subprocess.run(
            [python, "-S", "-c", program], input=given, capture_output=True, env=environment, check=True
        ).stdout
        for python in (sys.executable, *other_pythons())
    }


def _of_minor(minor: int) -> str:
    on_path = shutil.which(f"python3.{minor}")
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    known = [on_path] if on_path else []
    known += [str(each) for each in sorted(kept.glob(f"3.{minor}.*/bin/python3.{minor}"))]
    return next((each for each in known if _runs(each)), "")


def _runs(python: str) -> bool:
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0
