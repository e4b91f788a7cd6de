"""Every --help ends with an example, and the example works: here in a copy of examples/mini_tensorflow."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bzlgraph.cli.group import COMMANDS

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "mini_tensorflow"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy, because examples write files."""
    folder = tmp_path_factory.mktemp("help") / "checkout"
    shutil.copytree(EXAMPLE, folder)
    (folder / "test.star").write_text("print(set([1, 2]))\n", encoding="utf-8")
    (folder / "jax").mkdir()
    (folder / "jax" / "MODULE.bazel").write_text('bazel_dep(name = "rules_cc", version = "0.1.1")\n', encoding="utf-8")
    return folder


def bzlgraph(checkout: Path, arguments: list[str]) -> str:
    command = [sys.executable, "-m", "bzlgraph", "--no_cache", *arguments]
    done = subprocess.run(command, cwd=checkout, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)], ids=lambda command: "".join(command) or "-")
def test_the_example_of_a_help_text_works(command: list[str], checkout: Path) -> None:
    help_text = bzlgraph(checkout, [*command, "--help"])
    found = re.search(r"^  Example: (.*?)\n\n", help_text, flags=re.MULTILINE | re.DOTALL)
    assert found, "no example"
    program, *arguments = shlex.split(found.group(1))
    assert program == "bzlgraph"
    bzlgraph(checkout, arguments)
