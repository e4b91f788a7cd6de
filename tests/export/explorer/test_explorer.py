"""What a reader does in the explorer, done in a real browser on the bundled workspace."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Callable
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import networkx
import pytest

from tests.export.conftest import drawn_path
from tests.export.explorer.page import INTERNAL, PIP, SWIG, box, labels_of, names, search, toggle

Opened = Callable[..., Any]


def test_it_starts_with_groups_that_open_and_close(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page)  # the folder that holds most of all is open
    assert {"folder //tensorflow/...", "package //tensorflow", "folder //tensorflow/python/..."} <= names(tab)
    assert box(tab, "folder //tensorflow/...").get_attribute("aria-expanded") == "true"
    toggle(tab, "folder //tensorflow/python/...")
    toggle(tab, "package //tensorflow/python")
    assert "macro //tensorflow/python#pywrap_tensorflow_internal" in names(tab)
    toggle(tab, "macro //tensorflow/python#pywrap_tensorflow_internal")
    assert INTERNAL in names(tab)
    toggle(tab, "folder //tensorflow/...")
    assert "folder //tensorflow/python/..." not in names(tab)


def test_no_box_covers_another_unless_it_holds_it(opened: Opened, mini_page: Path) -> None:
    tab = opened(
        mini_page, "open=//tensorflow/...&open=//tensorflow/python/...&open=//tensorflow/python&open=//tensorflow"
    )
    boxes = tab.locator(".box").evaluate_all(
        "all => all.map(e => { const b = e.querySelector('rect').getBoundingClientRect();"
        "return [b.left, b.top, b.right, b.bottom]; })"
    )
    assert len(boxes) > 30
    for number, (left, top, right, bottom) in enumerate(boxes):
        for a, b, c, d in boxes[number + 1 :]:
            apart = c <= left or right <= a or d <= top or bottom <= b
            holds = (left <= a and top <= b and c <= right and d <= bottom) or (
                a <= left and b <= top and right <= c and bottom <= d
            )
            assert apart or holds


def test_search_completes_and_expanding_leads_to_swig(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page)
    assert search(tab, "pywrap_tensorflow_internal")[0] == INTERNAL
    assert search(tab, "python internal.cc")[0] == f"{INTERNAL}.cc"
    assert search(tab, "no such thing") == ["nothing matches"]
    search(tab, "pywrap_tensorflow_internal")
    tab.keyboard.press("Enter")
    assert INTERNAL in names(tab)
    assert SWIG not in names(tab)
    toggle(tab, f"{INTERNAL}_py_wrap")
    assert SWIG in names(tab)


def test_a_search_that_is_left_and_taken_up_again_stays_open(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page)
    tab.evaluate("""() => {
        const input = document.querySelector("#search");
        input.focus();
        input.blur();
        input.focus();
        input.value = "pywrap_tensorflow_internal";
        input.dispatchEvent(new Event("input"));
    }""")
    tab.wait_for_timeout(400)
    tab.keyboard.press("Enter")
    tab.locator("#panel h2.label", has_text=INTERNAL).wait_for(timeout=5_000)


def test_the_panel_tells_reasons_places_macros_and_conditions(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page, f"focus={INTERNAL}&selected={INTERNAL}")
    said = tab.inner_text("#panel")
    assert "py_library rule" in said
    assert "tensorflow/python/BUILD:" in said
    assert "tf_py_wrap_cc" in said
    assert "when //tensorflow:windows" in said
    assert "PY2AND3" in said
    tab.locator(f'[data-jump="{INTERNAL}.py"]').first.click()
    assert f"{INTERNAL}.py" in tab.inner_text("#panel h2")


def test_a_template_makes_places_links_but_never_scripts(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page, f"focus={INTERNAL}&selected={INTERNAL}")
    tab.locator("summary", has_text="More").click()
    tab.fill("#links", "vscode://file/src/{path}:{line}")
    tab.locator("#links").blur()
    assert tab.locator("#panel a").first.get_attribute("href").startswith("vscode://file/src/tensorflow/")
    tab.fill("#links", "javascript:alert(1)//{path}")
    tab.locator("#links").blur()
    assert tab.locator("#panel a").count() == 0


def test_why_draws_the_path_from_the_pip_package(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page)
    for label, button in ((PIP, "Why from here"), (SWIG, "Why to here")):
        tab.fill("#search", label)
        tab.keyboard.press("Enter")
        tab.locator("#panel h2.label", has_text=label).wait_for()
        tab.locator("#panel button", has_text=button).click()
    tab.keyboard.press("Escape")
    drawn_path(tab, PIP, SWIG)


@pytest.fixture(scope="module")
def as_networkx(mini_page: Path) -> networkx.DiGraph:
    """The edges that the page counts at its start, of the data that it holds (test_columns.py compares that)."""
    held = re.search(rb'id="data">([^<]*)<', mini_page.read_bytes())
    assert held is not None
    data = json.loads(gzip.decompress(base64.b64decode(held[1])))
    labels, edges = labels_of(data), data["edges"]
    unseen, ends = data["flags"]["NODEP"] | data["flags"]["VISIBILITY"], [0, *accumulate(edges["count"])]
    graph = networkx.DiGraph()
    for source, label in enumerate(labels):
        for edge in range(ends[source], ends[source + 1]):
            if not edges["flags"][edge] & unseen:
                graph.add_edge(label, labels[edges["target"][edge]])
    return graph


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (PIP, SWIG),
        (INTERNAL, SWIG),
        ("//tensorflow:tensorflow_py", SWIG),
        (PIP, "//tensorflow/core:protos_all_cc"),
        ("//tensorflow/python:no_contrib", "//tensorflow/core:lib"),
    ],
)
def test_why_agrees_with_networkx(
    opened: Opened, mini_page: Path, as_networkx: networkx.DiGraph, start: str, end: str
) -> None:
    tab = opened(mini_page, f"from={start}&to={end}")
    if end not in as_networkx or not networkx.has_path(as_networkx, start, end):
        assert "does not depend on" in tab.inner_text("#why")
        return
    path = tab.locator(".path .jump").all_inner_texts()
    assert path[0] == start
    assert path[-1] == end
    assert len(path) - 1 == networkx.shortest_path_length(as_networkx, start, end)
    assert all(as_networkx.has_edge(*step) for step in pairwise(path))
    above = networkx.immediate_dominators(as_networkx, start)
    dominators, at = set(), above[end]
    while at != start:
        dominators.add(at)
        at = above[at]
    listed = tab.locator("details", has_text="every path goes through").locator(".jump").all_inner_texts()
    assert set(listed) == dominators
    cut = tab.locator("details", has_text="the smallest cut").locator(".jump").all_inner_texts()
    pairs = list(zip(cut[::2], cut[1::2], strict=True))
    assert len(pairs) == len(networkx.minimum_edge_cut(as_networkx, start, end))
    without = as_networkx.copy()
    without.remove_edges_from(pairs)
    assert not networkx.has_path(without, start, end)
    lines = tab.locator(".lines path:not([data-extra])").count()
    drawn = networkx.DiGraph(as_networkx.subgraph(names(tab)))
    assert lines == drawn.number_of_edges() - networkx.number_of_selfloops(drawn)
    for source, target in pairs:  # no box hangs in the air
        assert networkx.has_path(drawn, start, source)
        assert networkx.has_path(drawn, target, end)


def test_undo_redo_and_the_address_bring_a_state_back(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page)
    start = names(tab)
    toggle(tab, "folder //tensorflow/python/...")
    wide = names(tab)
    assert wide > start
    tab.keyboard.press("Control+z")
    assert names(tab) == start
    tab.keyboard.press("Control+Shift+Z")
    assert names(tab) == wide
    again = opened(mini_page, tab.url.partition("#")[2])
    assert names(again) == wide


def test_kinds_repositories_and_conditions_can_be_hidden(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page, f"focus={INTERNAL}&down={INTERNAL}&up={INTERNAL}")
    everything = names(tab)
    assert {"@bazel_tools//tools/python:2to3", "//tensorflow:windows"} <= everything
    tab.locator("#filters summary").click()
    tab.locator('[data-kind="implicit"]').uncheck()
    assert names(tab) == everything - {"@bazel_tools//tools/python:2to3"}
    tab.locator('[data-kind="implicit"]').check()
    tab.locator('[data-kind="repo:bazel_tools"]').uncheck()
    assert names(tab) == everything - {"@bazel_tools//tools/python:2to3"}
    tab.locator('[data-kind="repo:bazel_tools"]').check()
    tab.locator('[data-kind="when://tensorflow:windows"]').uncheck()
    assert f"{INTERNAL[: INTERNAL.index(':')]}:_pywrap_tensorflow_internal.pyd" not in names(tab)
    tab.locator('[data-kind="tests"]').uncheck()
    tab.locator("button", has_text="Map").click()
    assert not any("_test rule" in name for name in names(tab))


def test_the_keyboard_goes_everywhere(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page)
    tab.keyboard.press("/")
    tab.keyboard.type("//tensorflow/...")
    tab.keyboard.press("Enter")
    tab.locator("#stage").focus()
    tab.keyboard.press("ArrowDown")
    chosen = tab.evaluate("document.activeElement.ariaLabel")
    assert chosen
    assert tab.locator(".box.selected").get_attribute("aria-label") == chosen
    tab.keyboard.press("Escape")
    assert tab.locator(".box.selected").count() == 0


def test_everything_that_acts_has_a_name_for_screen_readers(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page, "open=//tensorflow/...")
    nameless = tab.evaluate(
        """() => [...document.querySelectorAll('button, input, select, [role=button], main, aside')]
        .filter(e => !(e.ariaLabel || e.labels?.[0]?.textContent || e.textContent).trim()).map(e => e.outerHTML)"""
    )
    assert nameless == []
