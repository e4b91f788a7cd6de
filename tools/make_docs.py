"""The pages in docs/: each ```console block is run and its output written anew; the picture of README.md is drawn.

A block is one or more lines `$ bzlgraph ...`, each followed by what it printed (stdout and stderr, as in a terminal of
100 columns). The commands run in the repository's root with an empty cache, so the pages say what a reader will see.
`python tools/make_docs.py --check` writes nothing and tells which pages are stale (tests/test_docs.py does the same).
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PICTURE = DOCS / "why_swig.svg"
_BLOCK = re.compile(r"^```console\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
_QUESTION = ("why", "@swig//:swig", "--from", "//tensorflow/tools/pip_package:build_pip_package")


def render(text: str) -> str:
    """The page with every block's output as it is now."""
    return _BLOCK.sub(lambda block: f"```console\n{_transcript(block.group(1))}```", text)


def pages() -> list[Path]:
    """The pages that have such blocks."""
    return [page for page in sorted(DOCS.glob("*.md")) if _BLOCK.search(page.read_text(encoding="utf-8"))]


def _transcript(block: str) -> str:
    commands = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    return "\n".join(f"$ {command}\n{_output(command)}" for command in commands)


def _output(command: str) -> str:
    program, *arguments = shlex.split(command)
    if program != "bzlgraph":
        raise ValueError(f"docs run bzlgraph only, not {program}")
    (ROOT / "build").mkdir(exist_ok=True)
    printed = _bzlgraph(arguments, subprocess.STDOUT).stdout.decode("utf-8")
    if "Traceback" in printed:
        raise RuntimeError(f"{command} ended in a traceback\n{printed}")
    return "".join(line.rstrip() + "\n" for line in printed.splitlines())


def _bzlgraph(arguments: list[str], stderr: int | None) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "bzlgraph", "--no_cache", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=stderr, check=False)


def main(arguments: list[str]) -> int:
    """Write the pages and the picture; with --check tell the stale pages and return 1 if there are any."""
    stale = [page for page in pages() if render(page.read_text(encoding="utf-8")) != page.read_text(encoding="utf-8")]
    for page in stale:
        print(page.relative_to(ROOT))
        if "--check" not in arguments:
            page.write_text(render(page.read_text(encoding="utf-8")), encoding="utf-8")
    if "--check" in arguments:
        return 1 if stale else 0
    picture = _bzlgraph(["-C", "examples/mini_tensorflow", *_QUESTION, "--output", "svg"], None)
    if picture.returncode:
        return picture.returncode
    PICTURE.write_bytes(picture.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
