"""What a browser, Graphviz or Mermaid is given is valid: strict parsers read all pages and pictures."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import html5lib
import pygraphviz
import pytest
from lxml import etree

from bzlgraph.export.explorer.page import asking_page
from tests.cli.in_process import run

MINI = Path(__file__).parents[2] / "examples" / "mini_tensorflow"
MODULES = Path(__file__).parents[1] / "modules" / "cases" / "diamond" / "workspace"
PIP = "//tensorflow/tools/pip_package:build_pip_package"
CORE = "deps(//tensorflow/core:lib)"
QUESTIONS: dict[str, tuple[Path, list[str]]] = {
    "why": (MINI, ["why", "@swig//:swig", "--from", PIP]),
    "graph": (MINI, ["graph", f"deps({PIP})"]),
    "focus": (MINI, ["graph", f"deps({PIP})", "--focus=//tensorflow/core:lib", "--depth=2"]),
    "between": (MINI, ["graph", f"deps({PIP})", "--between", "//tensorflow/python:python", "@swig//:swig"]),
    "exclude": (MINI, ["graph", CORE, "--exclude=//third_party/..."]),
    "fold": (MINI, ["graph", CORE, "--fold=macro", "--fold=cycle"]),
    "nothing": (MINI, ["graph", "//third_party/py:all - //third_party/py:all"]),
    "diff-config": (MINI, ["diff-config", "deps(//tensorflow/core/kernels:nn)", "--vs", "--config=cuda"]),
    "mod": (MODULES, ["mod", "graph"]),
}
MATRIX = (MINI, ["graph", f"deps({PIP})", "--output=matrix"])
TABLES = {
    "query": (MINI, ["query", CORE]),
    "select": (MINI, ["select", "//tensorflow/core:lib"]),
    "deps": (MINI, ["deps", "//tensorflow/core:lib"]),
}
MERMAID = "mermaid@11.12.0"


def made(question: tuple[Path, list[str]], *more: str) -> bytes:
    folder, words = question
    code, out, err = run(folder, *words, *more)
    assert code in (0, 1), err
    return out.encode()


def saved(question: tuple[Path, list[str]], file: Path, *more: str) -> bytes:
    folder, words = question
    code, _, err = run(folder, *words, *more, "-o", str(file))
    assert code in (0, 1), err
    return file.read_bytes()


@pytest.mark.parametrize("name", QUESTIONS)
def test_graphviz_reads_every_dot(name: str) -> None:
    text = made(QUESTIONS[name], "--output=dot").decode()
    drawn = pygraphviz.AGraph(string=text)
    assert len(drawn.nodes()) > 1 or name == "nothing"


def well_formed(svg: bytes) -> None:
    root = etree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    identifiers = Counter(each.get("id") for each in root.iter() if each.get("id"))
    assert [each for each, count in identifiers.items() if count > 1] == []
    tags = {etree.QName(each).localname for each in root.iter(tag=etree.Element)}
    assert tags <= {
        "svg",
        "g",
        "title",
        "desc",
        "a",
        "text",
        "tspan",
        "rect",
        "path",
        "polygon",
        "polyline",
        "ellipse",
    } | {*("style", "defs", "marker", "line", "circle", "clipPath", "use")}
    links = {value for each in root.iter() for key, value in each.attrib.items() if key.endswith("href")}
    assert all(link.startswith(("#", "https:")) for link in links if link)


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_svg_is_well_formed(name: str, tmp_path: Path) -> None:
    well_formed(saved(QUESTIONS[name], tmp_path / "picture.svg"))


def test_a_matrix_is_valid_too(tmp_path: Path) -> None:
    well_formed(saved(MATRIX, tmp_path / "matrix.svg"))
    valid(saved(MATRIX, tmp_path / "matrix.html"))


def valid(page: bytes) -> None:
    """Read as a browser does, where each departure from the standard is an error."""
    html5lib.HTMLParser(strict=True).parse(page.decode())


@pytest.mark.parametrize("name", [*QUESTIONS, *TABLES])
def test_every_html_is_valid(name: str, tmp_path: Path) -> None:
    valid(saved((QUESTIONS | TABLES)[name], tmp_path / "page.html", "--output=html"))


def test_the_explorer_is_valid(mini_page: Path) -> None:
    valid(mini_page.read_bytes())
    valid(asking_page("deps(//a) - '<b>'"))


def test_the_parser_refuses_what_is_not_valid() -> None:
    for wrong in ("<p>no type of document", "<!doctype html><title>a</title><p><b>unclosed</p>"):
        with pytest.raises(html5lib.html5parser.ParseError):
            valid(wrong.encode())


def test_a_pdf_is_one(tmp_path: Path) -> None:
    data = saved(QUESTIONS["exclude"], tmp_path / "picture.pdf")
    assert data.startswith(b"%PDF-")
    assert data.rstrip().endswith(b"%%EOF")


@pytest.fixture(scope="module")
def mermaid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Mermaid itself, from npm, as one script."""
    if shutil.which("npm") is None:
        pytest.skip("no npm here: Mermaid cannot be had")
    folder = tmp_path_factory.mktemp("mermaid")
    command = ["npm", "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", MERMAID]
    done = subprocess.run(command, cwd=folder, env={**os.environ}, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("npm's registry is not reached")
    return folder / "node_modules" / "mermaid" / "dist" / "mermaid.min.js"


@pytest.mark.slow
def test_mermaid_draws_every_picture(mermaid: Path, browser: Any) -> None:
    tab = browser.new_page()
    tab.set_default_timeout(180_000)
    tab.set_content("<!doctype html><title>mermaid</title>")
    tab.add_script_tag(path=str(mermaid))
    tab.evaluate("mermaid.initialize({startOnLoad: false, maxTextSize: 1e6, maxEdges: 5000})")
    for name, question in QUESTIONS.items():
        text = made(question, "--output=mermaid").decode()
        drawn = tab.evaluate("async ([name, text]) => (await mermaid.render(name, text)).svg", [f"m{name}", text])
        assert "<svg" in drawn, name
        assert "Syntax error" not in drawn, name
    tab.close()
