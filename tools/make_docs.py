"""The pages in docs/: each ```console block is run and its output written anew; the picture of README.md is drawn, and
the tables of versions.md are those of ``bzlgraph/facts``, those of dataset.md those of its schema.

A block is one or more lines `$ bzlgraph ...`, each followed by what it printed (stdout and stderr, as in a terminal of
100 columns). The commands run in the repository's root with an empty cache, so the pages say what a reader will see.
`python tools/make_docs.py --check` writes nothing and tells which pages are stale (tests/test_docs.py does the same).
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from bzlgraph.export.dataset.schema import tables
from bzlgraph.facts import facts
from bzlgraph.facts.behaviour import Change, behaviours
from bzlgraph.facts.names import Place, history
from bzlgraph.facts.versioned import version_key
from bzlgraph.facts.versions import known, release

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
EXPLORER = DOCS / "explore.html"
"""The example of the explorer, a page that opens from the repository."""
_HEADING = "## How each Bazel is known"
_SCHEMA_HEADING = "## The tables"
_BLOCK = re.compile(r"^```console\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
_PACKAGE = "//tensorflow/tools/pip_package:build_pip_package"
_EXPLORED = {
    "from": _PACKAGE,
    "to": "@swig//:swig",
    "config": "--config=cuda",
}
_LINK_OUT = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+[^)#]+)\)")
PICTURES = {
    DOCS / "why_swig.svg": ("why", "@swig//:swig", "--from", _PACKAGE),
    DOCS / "graph_pip_package.svg": ("graph", f"deps({_PACKAGE})", "--max_nodes=30"),
}
"""Pictures of the bundled example, and the questions that they answer."""


_KNOWN = {
    "compared": "whole answers are compared with those of real Bazel ([conformance](conformance.md))",
    "recorded": "single facts were recorded from real Bazel, and since 0.18 its names",
    "read": "based on its sources, release notes and documentation; nothing was compared",
}
_WORDS = {"True": "yes", "False": "no", "": "–"}
_PLACES: dict[Place, str] = {"native": "`native.{}`", "bzl": "`{}` in .bzl files", "build": "`{}` in BUILD files"}


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


def with_versions(text: str) -> str:
    """The page with its tables as the facts have them."""
    return text.partition(_HEADING)[0] + "\n".join([*_releases(), "", *_changes(), "", *_names()]) + "\n"


def with_schema(text: str) -> str:
    """The page with the tables of a dataset as its schema has them."""
    lines = [_SCHEMA_HEADING, "`?` marks columns that may be null. Every table also has the text column `checkout`."]
    for table in tables().values():
        lines += [
            "",
            f"### {table.name}",
            f"Each row is {table.row}.",
            "",
            "| column | type | content |",
            "|---|---|---|",
        ]
        for column, words in zip(table.columns, table.words, strict=True):
            lines.append(f"| `{column.name}` | {column.type}{'?' * (column.name in table.optional)} | {words} |")
    return text.partition(_SCHEMA_HEADING)[0] + "\n".join(lines) + "\n"


TABLES = {DOCS / "dataset.md": with_schema, DOCS / "versions.md": with_versions}
"""The pages that end with tables made from data."""


def _releases() -> Iterator[str]:
    yield from (_HEADING, "| Bazel | evidence |", "|---|---|")
    for evidence, words in _KNOWN.items():
        versions = ", ".join(each for each in known() if release(each).evidence.value == evidence)
        yield f"| {versions} | {words} |"


def _changes() -> Iterator[str]:
    yield from ("## What differs in loading", "| since | what | before | since then | evidence |")
    yield "|---|---|---|---|---|"
    descriptions = _descriptions()
    rows = [
        (since, name, before, after, fact["changes"][since])
        for name, fact in behaviours().items()
        for before, (since, after) in zip(fact["values"].values(), list(fact["values"].items())[1:], strict=False)
    ]
    for since, name, before, after, change in sorted(rows, key=lambda row: (version_key(row[0]), row[1])):
        values = f"{_shown(before, after)} | {_shown(after, before)}"
        yield f"| {since} | {descriptions[name]} | {values} | {_source(change)} |"


def _names() -> Iterator[str]:
    yield from ("## Names added and removed", "| since | added | removed |", "|---|---|---|")
    moves: dict[str, tuple[list[str], list[str]]] = {}
    for place, words in _PLACES.items():
        for name, versions in history(place).items():
            for at, version in enumerate(versions):
                if version != "0":
                    moves.setdefault(version, ([], []))[at % 2].append(words.format(name))
    for version in sorted(moves, key=version_key):
        come, go = moves[version]
        yield f"| {version} | {', '.join(come)} | {', '.join(go)} |"


def _descriptions() -> dict[str, str]:
    """What the fields of ``Facts`` say of themselves; of some the name says it."""
    tree = ast.parse(Path(facts.__file__).read_text(encoding="utf-8"))
    body = next(node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Facts")
    found: dict[str, str] = {}
    for field, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            text = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            words = " ".join(str(text).split()).replace("``", "`").rstrip(".")
            found[field.target.id] = words.replace("|", "\\|") or f"`{field.target.id}`"
    return found


def _shown(value: object, other: object) -> str:
    """A value; of lists what the other one has not."""
    if isinstance(value, list) and isinstance(other, list):
        own = [each for each in value if each not in other]
        return ", ".join(map(str, own or value)) or "none"
    text = str(value)
    return f"`{text}`" if "[" in text else _WORDS.get(text, text)


def example_page() -> bytes:
    """The page of the bundled workspace."""
    return _bzlgraph(["-C", "examples/mini_tensorflow", "explore", "-k"], subprocess.DEVNULL).stdout


def _draw_explorer(page: Path, picture: Path) -> None:
    """What Chromium shows of a page at a question. Needs playwright and the system's Chromium."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print(f"{picture.name} is left as it is: 'apt-get install chromium' to draw it", file=sys.stderr)
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1400, "height": 800})
        tab.goto(f"{page.as_uri()}#{urlencode(_EXPLORED)}")
        tab.wait_for_selector("body[data-ready]")
        tab.wait_for_timeout(500)
        tab.screenshot(path=picture)
        browser.close()


def _source(change: Change) -> str:
    told = [each for each in (change.get("flag"), change.get("notes")) if each]
    if "seen" in change:
        told.append(f"tested with {change['seen'][0]} and {change['seen'][1]}")
    return "; ".join(f"`{each}`" if each.startswith("--") else each for each in told).replace("|", "\\|")


def on_page_markdown(markdown: str, page: Any, **_more: object) -> str:
    """A hook of mkdocs: links out of docs/ lead into the repository, which the site has not, and become text, if what
    they name is there. One that leads nowhere stays, and ``mkdocs build --strict`` fails."""
    folder = (DOCS / page.file.src_uri).parent

    def plain(link: re.Match[str]) -> str:
        path = (folder / link[2]).resolve()
        outside = path.is_relative_to(ROOT) and not path.is_relative_to(DOCS)
        return f"{link[1]} (`{path.relative_to(ROOT).as_posix()}`)" if outside and path.exists() else link[0]

    return _LINK_OUT.sub(plain, markdown)


def main(arguments: list[str]) -> int:
    """Write the pages and the picture; with --check tell the stale pages and return 1 if there are any."""
    if "--check" not in arguments:
        for page, with_tables in TABLES.items():
            page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")
    written = {page: page.read_text(encoding="utf-8") for page in pages()}
    stale = {page: now for page, text in written.items() if (now := render(text)) != text}
    for page, now in stale.items():
        print(page.relative_to(ROOT))
        if "--check" not in arguments:
            page.write_text(now, encoding="utf-8")
    if "--check" in arguments:
        return 1 if stale else 0
    for picture, question in PICTURES.items():
        drawn = _bzlgraph(["-C", "examples/mini_tensorflow", *question, "--output", "svg"], None)
        if drawn.returncode:
            return drawn.returncode
        picture.write_bytes(drawn.stdout)
    EXPLORER.write_bytes(example_page())
    _draw_explorer(EXPLORER, DOCS / "explore.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
