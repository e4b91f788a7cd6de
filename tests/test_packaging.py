"""What a user installs: a wheel that carries the grammars and the tables, and a command that starts quickly."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import bzlgraph

ROOT = Path(__file__).parent.parent
HEAVY = ("graphviz", "lark", "networkx", "numpy", "pandas", "pygraphviz", "scipy")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The content of a wheel, in a folder of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(folder / "content")
    return folder / "content"


def test_the_wheel_carries_every_grammar_table_and_page(unpacked: Path) -> None:
    grammars = {path.name for path in (ROOT / "grammars").iterdir()}
    assert grammars == {path.name for path in (unpacked / "bzlgraph" / "grammars").iterdir()}
    data = {
        path.relative_to(ROOT)
        for ending in ("json", "html", "toml", "js", "css", "txt")
        for path in (ROOT / "bzlgraph").rglob(f"*.{ending}")
    }
    assert [path for path in data if not (unpacked / path).is_file()] == []


def test_the_wheel_works_away_from_the_repository(unpacked: Path, tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(
        'cc_library(name = "a", deps = [":b"])\n\ncc_library(name = "b")\n', encoding="utf-8"
    )
    command = [sys.executable, "-m", "bzlgraph", "--no_cache", "query", "--noimplicit_deps", "deps(:a)"]
    # PYTHONPATH comes before an editable install: the wheel's content runs, not the checkout.
    done = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(unpacked), "PATH": ""},
    )
    assert done.stderr == ""
    assert {"//:a", "//:b"} <= set(done.stdout.splitlines())


@pytest.mark.parametrize("arguments", [["--help"], ["query", "--help"], ["why", "--help"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    script = (
        "import sys\n"
        "from bzlgraph.cli import main\n"
        f"try:\n    main({arguments!r})\n"
        "except SystemExit as stop:\n    assert not stop.code\n"
        f"print(*sorted(set(sys.modules) & set({HEAVY!r})), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr.strip() == ""


def test_a_workspace_without_modules_imports_nothing_of_modules(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text('cc_library(name = "a")\n', encoding="utf-8")
    script = (
        "import sys\n"
        "from bzlgraph.cli import main\n"
        f"try:\n    main(['-C', {str(tmp_path)!r}, '--no_cache', '--bazel_version=4.2.3', 'query', '//...'])\n"
        "except SystemExit as stop:\n    assert not stop.code\n"
        "print(*sorted(name for name in sys.modules if name.startswith('bzlgraph.bzlmod')), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["//:a"]
    assert done.stderr.strip() == ""


def test_the_version_is_that_of_the_package() -> None:
    assert bzlgraph.__version__ == importlib.metadata.version("bzlgraph")


def test_patterns_find_the_same_in_every_python() -> None:
    """Python before 3.11.5 loses matches of a group that is kept from going back by ``)*+`` (gh-106052): there each
    string in three quotes was said never to be closed. ``(?>(?: )*)`` means the same, and is right everywhere."""
    backward = re.compile(r"(?<!\\)\)(?:[*+?]|\{\d+(?:,\d*)?\})\+")
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "bzlgraph").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and backward.search(repr(node.value))
    ]
    assert found == []
