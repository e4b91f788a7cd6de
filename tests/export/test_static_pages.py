"""Pictures and tables as pages, in a real browser: search finds what is folded, and no text of a checkout runs."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.export.conftest import MINI
from tests.export.hostile_build import BUILD

Opened = Callable[..., Any]
PIP = "//tensorflow/tools/pip_package:build_pip_package"
SVG = "#stage svg"


def write(workspace: Path, file: Path, *words: str) -> Path:
    """In a process of its own: the driver of a browser is no process to fork."""
    command = [sys.executable, "-m", "bzlgraph", "-C", str(workspace), "--no_cache", *words, "-o", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert file.exists(), done.stderr
    return file


def test_the_search_finds_targets_in_folded_boxes(opened: Opened, tmp_path: Path) -> None:
    file = write(MINI, tmp_path / "page.html", "graph", f"deps({PIP})", "--collapse=package", "--output=html")
    tab = opened(file, ready=SVG)
    tab.fill("#search", "pywrap_tensorflow_internal.py")
    listed = tab.locator("#found li").all_inner_texts()
    assert "//tensorflow/python:pywrap_tensorflow_internal.py in //tensorflow/python" in listed
    assert tab.locator(".found title").all_text_contents()[0] == "//tensorflow/python"
    assert tab.locator("g.node.dim").count() > 5
    tab.fill("#search", "")
    assert tab.locator(".found, .dim").count() == 0


def test_title_and_notes_stand_above_the_drawing_once(opened: Opened, tmp_path: Path) -> None:
    file = write(MINI, tmp_path / "page.html", "graph", f"deps({PIP})")
    tab = opened(file, ready=SVG)
    assert tab.get_by_text(f"deps({PIP})", exact=True).count() == 1
    assert tab.locator("header small", has_text="folded into").count() == 1
    assert tab.locator(SVG).get_by_text("folded into").count() == 0


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hostile")
    (root / "WORKSPACE").touch()
    (root / "BUILD").write_text(BUILD)
    return root


@pytest.mark.parametrize(
    "words",
    [
        *(["graph", "//:*", f"--collapse={each}"] for each in ("none", "package")),
        ["graph", "//:*", "--output=matrix"],
        ["why", "//:end", "--from=//:top", "--all"],
        ["query", "//:*"],
        ["select", "//..."],
        ["deps", "//:top"],
        ["diff-config", "//...", "--vs", "--define=a=b"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("ending", ["html", "svg"])
def test_a_hostile_checkout_runs_no_script(
    opened: Opened, hostile: Path, tmp_path: Path, words: list[str], ending: str
) -> None:
    if ending == "svg" and words[0] in ("query", "select", "deps"):
        pytest.skip("no picture")
    tab = opened(write(hostile, tmp_path / f"answer.{ending}", *words), ready="svg, table")
    assert tab.title() != "hurt"
    assert tab.locator("img").count() == 0
    scripts = tab.evaluate("() => [...document.querySelectorAll('script')].map(e => e.textContent)")
    assert not any(script.startswith("document.title") for script in scripts)
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", tab.content())  # what turns the direction of text is seen
    links = tab.evaluate("() => [...document.querySelectorAll('*')].map(e => e.href?.baseVal ?? e.href ?? '')")
    assert not any(str(link).lower().startswith("javascript:") for link in links)
    if ending == "html":
        policy = tab.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content")
        assert re.search("default-src 'none'.* script-src 'sha256-[^']+';", policy)  # its own script, no other


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_is_light_or_dark(opened: Opened, hostile: Path, tmp_path: Path, scheme: str) -> None:
    for words in (["query", "//:*"], ["graph", "//:*"]):
        tab = opened(write(hostile, tmp_path / f"{words[0]}.html", *words, "--output=html"), ready="svg, td")
        tab.emulate_media(color_scheme=scheme)
        front, back = tab.evaluate(
            "() => { const style = getComputedStyle(document.body); return [style.color, style.backgroundColor]; }"
        )
        bright = [sum(int(part) for part in each[4:-1].split(",")) > 380 for each in (front, back)]
        assert bright == ([False, True] if scheme == "light" else [True, False])


def test_places_in_a_table_are_links_where_the_template_says_to_what(opened: Opened, tmp_path: Path) -> None:
    template = "--link_template=https://site.example/{path}#L{line}"
    page = opened(write(MINI, tmp_path / "op.html", template, "op", "tf.nn.conv2d"), ready="tbody tr")
    found = dict(page.locator("tbody a").evaluate_all("all => all.map(a => [a.href, a.textContent])"))
    places = {address: text for address, text in found.items() if re.search(r"#L[1-9]", address)}
    assert {text.partition(":")[0] for text in places.values()} >= {"tensorflow/core/kernels/conv_ops.cc"}
    for address in places:
        path, _, line = address.removeprefix("https://site.example/").partition("#L")
        assert len((MINI / path).read_text(encoding="utf-8").splitlines()) >= int(line) >= 1
    plain = opened(write(MINI, tmp_path / "plain.html", "op", "tf.nn.conv2d"), ready="tbody tr")
    assert plain.locator("tbody a").count() == 0
    assert plain.locator("tbody tr").all_inner_texts() == page.locator("tbody tr").all_inner_texts()


def test_a_long_word_is_searched_for_places_in_a_moment(opened: Opened, tmp_path: Path) -> None:
    """At each of its letters a place may begin: twenty thousand took 15 s, a million would have taken hours."""
    (tmp_path / "WORKSPACE").touch()
    cmd = 'select({"//conditions:default": "' + "x" * 200_000 + '"})'
    (tmp_path / "BUILD").write_text(f'genrule(name = "g", outs = ["o"], cmd = {cmd})\n')
    words = ["--link_template=https://site.example/{path}#L{line}", "select", "//:g"]
    tab = opened(write(tmp_path, tmp_path / "page.html", *words), ready="tbody tr")
    assert tab.locator("tbody a").count() >= 1


def test_a_box_that_is_a_link_can_be_clicked_though_the_page_can_be_dragged(opened: Opened, tmp_path: Path) -> None:
    file = write(
        MINI,
        tmp_path / "page.html",
        "--link_template=https://site.example/{path}",
        "graph",
        f"deps({PIP}, 1)",
        "--output=html",
    )
    tab = opened(file, ready=SVG)
    tab.evaluate(
        "addEventListener('click', e => { e.preventDefault(); window.went = e.target.closest('a') !== null; })"
    )
    tab.locator("#stage g.node a[*|href] text").first.click()
    assert tab.evaluate("window.went") is True


def test_the_keyboard_moves_zooms_and_goes_to_what_was_found(opened: Opened, tmp_path: Path) -> None:
    file = write(MINI, tmp_path / "page.html", "graph", f"deps({PIP})")
    tab = opened(file, ready=SVG)
    at = f"document.querySelector('{SVG}').getBoundingClientRect()"
    tab.focus("#stage")
    before = tab.evaluate(f"({at}).x")
    tab.keyboard.press("ArrowRight")
    assert tab.evaluate(f"({at}).x") == pytest.approx(before - 60)
    wide = tab.evaluate(f"({at}).width")
    tab.keyboard.press("+")
    assert tab.evaluate(f"({at}).width") == pytest.approx(wide * 1.25)
    tab.keyboard.press("0")
    assert tab.evaluate(f"({at}).x") == pytest.approx(before)
    tab.fill("#search", "swig")
    tab.press("#search", "Enter")
    middle = (
        "(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector('.node.found').getBoundingClientRect())"
    )
    box = tab.evaluate(middle)
    assert box == pytest.approx([700, 450], abs=2)


SIZES = """
filegroup(name = "b", srcs = ["f2"])
filegroup(name = "a", srcs = ["f10"], testonly = True)
filegroup(name = "c", srcs = ["f1"])
"""


def test_a_table_is_sorted_by_its_columns(opened: Opened, tmp_path: Path) -> None:
    for name, text in {"WORKSPACE": "", "BUILD": SIZES, "f1": "", "f2": "", "f10": ""}.items():
        (tmp_path / name).write_text(text)
    tab = opened(write(tmp_path, tmp_path / "page.html", "query", "//:*"), ready="tbody tr")
    first = tab.locator("tbody td:first-child")
    head, button = tab.locator("thead th").first, tab.locator("thead button").first
    given = first.all_inner_texts()
    assert head.get_attribute("aria-sort") is None
    button.click()
    assert head.get_attribute("aria-sort") == "ascending"
    files = [each for each in first.all_inner_texts() if each.startswith("//:f")]
    assert files == ["//:f1", "//:f2", "//:f10"]  # as people count
    tab.keyboard.press("Enter")  # the button has the focus
    assert head.get_attribute("aria-sort") == "descending"
    assert [each for each in first.all_inner_texts() if each.startswith("//:f")] == files[::-1]
    tab.fill("#search", ":f")
    assert first.all_inner_texts() == files[::-1]
    tab.fill("#search", "")
    button.press("Space")
    assert head.get_attribute("aria-sort") is None
    assert first.all_inner_texts() == given
    assert tab.locator("[aria-sort]").count() == 0


def test_empty_cells_come_last_both_ways(opened: Opened, tmp_path: Path) -> None:
    tab = opened(write(MINI, tmp_path / "op.html", "op", "--table"), ready="tbody tr")
    if tab.locator("#columns").is_visible():
        tab.click("#columns")
    number = tab.locator("thead button").all_inner_texts().index("kernel_line")
    button = tab.locator("thead button").nth(number)
    for sign in (1, -1):
        button.click()
        cells = tab.locator("tbody tr").evaluate_all(f"all => all.map(row => row.cells[{number}].textContent)")
        filled = [int(each) for each in cells if each]
        assert len(filled) > 3
        assert cells == [*map(str, sorted(filled)[::sign]), *[""] * (len(cells) - len(filled))]


@pytest.mark.parametrize("width", [380, 1400])
@pytest.mark.parametrize("words", [["op", "--table"], ["query", "//..."], ["select", "//..."]], ids=" ".join)
def test_a_table_is_as_wide_as_the_window(opened: Opened, tmp_path: Path, words: list[str], width: int) -> None:
    tab = opened(write(MINI, tmp_path / "page.html", *words), ready="tbody tr")
    tab.set_viewport_size({"width": width, "height": 800})
    tab.wait_for_timeout(100)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    shown = tab.locator("tbody td:not(:empty)").evaluate_all("all => all.map(e => e.getBoundingClientRect().width)")
    assert min(shown) >= 60  # nothing is folded to a letter a line
    tab.fill("#search", "nothing has this")
    assert tab.locator("tbody tr").count() == 0
