"""The site of docs/: it is built from the pages and the docstrings, and no link of it is dead."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import bzlgraph

ROOT = Path(__file__).parent.parent
BUILD = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir"]
needs_mkdocs = pytest.mark.skipif(importlib.util.find_spec("mkdocstrings") is None, reason="mkdocs is not installed")


def test_the_page_of_the_library_has_every_public_name() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8").splitlines()
    assert sorted(line[4:] for line in page if line.startswith("::: ")) == sorted(
        f"bzlgraph.{name}" for name in bzlgraph.__all__
    )


@needs_mkdocs
@pytest.mark.slow
def test_the_site_is_built_without_a_dead_link(tmp_path: Path) -> None:
    done = subprocess.run([*BUILD, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    page = (tmp_path / "api" / "index.html").read_text(encoding="utf-8")
    for name in ("Workspace.why", "Workspace.doctor", "QueryResult.to_frame", "WhyResult.completeness"):
        assert f'id="bzlgraph.{name}"' in page


@needs_mkdocs
@pytest.mark.slow
def test_a_dead_link_fails(tmp_path: Path) -> None:
    for name in ("bzlgraph", "tools"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "mkdocs.yml").write_text((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("[gone](nowhere.md)\n", encoding="utf-8")
    done = subprocess.run([*BUILD, str(tmp_path / "site")], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "nowhere.md" in done.stdout + done.stderr
