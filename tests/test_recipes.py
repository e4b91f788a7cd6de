"""The recipes of docs/api.md run on the example and say what is so."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "mini_tensorflow"
RECIPES = ROOT / "docs" / "recipes"
PIP = "//tensorflow/tools/pip_package:build_pip_package"


def run(name: str, *arguments: str) -> tuple[int, str]:
    command = [sys.executable, str(RECIPES / name), str(EXAMPLE), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout


def test_who_forces_a_dependency_on_everybody() -> None:
    code, printed = run("forced.py", "@swig//:swig", PIP)
    assert code == 1
    assert f"targets are on the way from {PIP} to @swig//:swig" in printed
    assert "cut: _swig of" in printed
    assert run("forced.py", PIP, "@swig//:swig") == (0, f"@swig//:swig does not need {PIP}\n")


def test_differences_by_package() -> None:
    code, printed = run("by_package.py", "//tensorflow/core:lib", "--vs", "-c", "dbg")
    assert code == 0
    assert printed.split(" differences in ")[0].isdigit()


def test_a_report(tmp_path: Path) -> None:
    code, printed = run("report.py", str(tmp_path / "graph.sqlite"))
    assert code == 0
    assert "com_google_absl" in printed
    with closing(sqlite3.connect(tmp_path / "graph.sqlite")) as graph:
        assert graph.execute("SELECT count(*) FROM edges").fetchone()[0] > 100


@pytest.mark.parametrize("recipe", sorted(RECIPES.glob("*.py")), ids=lambda path: path.name)
def test_every_recipe_is_named_on_the_page_of_the_library(recipe: Path) -> None:
    assert f"recipes/{recipe.name}" in (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
