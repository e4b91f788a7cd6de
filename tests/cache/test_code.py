"""Which code it is does not depend on how it was started."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from bzlgraph.cache.code import _files

ROOT = Path(__file__).parents[2]
TELL = "from bzlgraph.cache.code import code_version\nprint(code_version())"


def test_it_is_the_same_however_python_was_started(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(TELL)
    commands = ([sys.executable, "-c", TELL], [sys.executable, str(script)])
    paths = (str(ROOT), f"{ROOT}{os.pathsep}{tmp_path}")
    told = {
        subprocess.run(
            command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True
        ).stdout
        for command in commands
        for path in paths
        for folder in (ROOT, tmp_path)
    }
    assert len(told) == 1


def test_what_was_edited_or_installed_is_other_code(tmp_path: Path) -> None:
    packages = tmp_path / "site-packages"
    packages.mkdir()
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{packages}"}
    command = [sys.executable, "-c", TELL]
    told = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout]
    (packages / "installed").mkdir()
    told.append(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert told[0] != told[1]


def test_what_pages_are_made_of_counts() -> None:
    """A template or script that was edited gives other pages: none that was written before is repeated."""
    counted = {entry.name for entry in _files(str(ROOT / "bzlgraph"))}
    assert {"explorer.html", "picture.html", "table.html", "explorer.css", "explorer.js", "code.py"} <= counted


def test_a_process_that_is_older_than_its_sources_shares_no_cache(tmp_path: Path) -> None:
    """What it has imported is no longer what stands there."""
    shutil.copytree(ROOT / "bzlgraph" / "cache", tmp_path / "bzlgraph" / "cache")
    (tmp_path / "bzlgraph" / "__init__.py").touch()
    time.sleep(0.05)
    edited = "import bzlgraph.cache.code, pathlib, sys\npathlib.Path(bzlgraph.cache.code.__file__).touch()\n" + TELL
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def told(text: str) -> str:
        command = [sys.executable, "-c", text]
        asked = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        return asked.stdout

    before = (ROOT / "bzlgraph" / "cache" / "code.py").stat().st_ctime_ns
    first = told(edited)
    time.sleep(0.05)
    assert told(TELL) == told(TELL) != first
    assert (ROOT / "bzlgraph" / "cache" / "code.py").stat().st_ctime_ns == before, "the copy is what is edited"
