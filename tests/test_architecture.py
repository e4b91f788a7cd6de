"""ARCHITECTURE.md, CONTRIBUTING.md and the pages tell the truth: every path they name exists, every folder is named."""

from __future__ import annotations

import re
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import grimp
import networkx
import pytest

ROOT = Path(__file__).parent.parent
PAGES = (
    *("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "benchmarks/README.md"),
    *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")),
)
# `bzlgraph/syntax` and `docs/differences.md`, but not `bzlgraph why`, `*.svg` or `--flag`
_PATH = re.compile(r"`((?:bzlgraph|grammars|tests|tools|docs|notebooks|examples|benchmarks)(?:/[\w.-]+)*)/?`")
_ONLY_IN_THE_WHEEL = {"bzlgraph/grammars"}


@pytest.mark.parametrize("page", PAGES)
def test_every_named_path_exists(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(_PATH.findall(text)) - _ONLY_IN_THE_WHEEL
    if page.startswith("docs/"):  # the trees that they are about have folders of that name, too
        named = {path for path in named if not path.startswith("tools/")}
    missing = sorted(path for path in named if not (ROOT / path).exists())
    assert not missing


def test_every_folder_has_a_row() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    folders = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "bzlgraph").glob("*/__init__.py")}
    rows = set(re.findall(r"^\| `([\w/]+)`", text, flags=re.MULTILINE))
    assert folders <= rows


def test_every_stop_of_the_walk_exists() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    stops = re.findall(r"`(bzlgraph(?:\.\w+)+):([\w.]+)`", text)
    assert len(stops) > 10
    for module, name in stops:
        attrgetter(name)(import_module(module))


def test_every_folder_is_on_the_map_of_contributing() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    folders = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "bzlgraph").glob("**/__init__.py")}
    named = set(_PATH.findall(text))
    assert sorted(folders - named - {"bzlgraph"}) == []


def test_it_stays_short() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines()) <= 150


def test_no_modules_import_one_another_in_a_circle() -> None:
    """Not late, in a function, either, and not for type checkers."""
    known = grimp.build_graph("bzlgraph")
    imports = networkx.DiGraph(
        (name, other) for name in known.modules for other in known.find_modules_directly_imported_by(name)
    )
    circles = (sorted(each) for each in networkx.strongly_connected_components(imports) if len(each) > 1)
    assert list(circles) == []


def test_no_test_module_imports_another() -> None:
    """What several tests need stands in a module of its own, named after what it is."""
    imports = re.compile(r"^\s*(?:from|import) tests\.(?:\w+\.)*test_\w+", re.MULTILINE)
    texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")}
    assert not [path.name for path, text in texts.items() if imports.search(text)]
