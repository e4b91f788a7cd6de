"""The map draws only what is around a group that opens or closes again, and shows what a page opened there shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.export.conftest import make_page
from tests.export.explorer.page import PIP, box, search, toggle

Opened = Callable[..., Any]
FOLDER, PYTHON, CORE = "folder //tensorflow/...", "folder //tensorflow/python/...", "folder //tensorflow/core/..."
DRAWING = """() => { const place = each => { const {e, f} = each.getCTM(); return [Math.round(e), Math.round(f)]; };
  const drawing = document.querySelector('.drawing');
  const boxes = [...drawing.querySelectorAll('.box')].map(each =>
    [each.getAttribute('class'), each.ariaLabel, ...place(each), each.textContent].join());
  const lines = [...drawing.querySelectorAll('.line')].map(each =>
    [each.getAttribute('class'), each.getAttribute('stroke-width'), ...place(each), each.getAttribute('d')].join());
  const numbers = [...drawing.querySelectorAll('.numbers text')].map(each => each.outerHTML);
  return [boxes.sort(), lines.sort(), numbers.sort(), drawing.getAttribute('width'), drawing.getAttribute('height'),
    document.querySelector('#status').textContent, document.querySelector('#legend').textContent]; }"""


def test_whatever_led_there_a_state_looks_like_a_page_opened_at_it(opened: Opened, mini_page: Path) -> None:
    tab = opened(mini_page)

    def check(done: str) -> None:
        fresh = opened(mini_page, tab.evaluate("location.hash.slice(1)"))
        assert tab.evaluate(DRAWING) == fresh.evaluate(DRAWING), done
        fresh.close()

    def show(kind: str) -> None:
        tab.locator(f'[data-kind="{kind}"]').evaluate("e => e.click()")

    for name in (PYTHON, "package //tensorflow/python", CORE, PYTHON, "package //tensorflow/core", PYTHON):
        toggle(tab, name)
    check("opened, closed while something in it was open, opened again")
    toggle(tab, FOLDER)
    for _ in range(3):
        tab.keyboard.press("Control+z")
    toggle(tab, "folder //tensorflow/tools/...")
    check("closed from the outside, undone")
    box(tab, "package //tensorflow/core").dispatch_event("click")
    check("chosen: with its lines to boxes anywhere")
    toggle(tab, "package //tensorflow/cc")
    check("opened while another one is chosen")
    for kind in ("implied", "hubs", "circles", "files", "circles"):
        show(kind)
        check(f"{kind} switched")
    search(tab, PIP)
    tab.keyboard.press("Enter")
    check("one target alone")
    tab.locator("header").get_by_text("Map", exact=True).click()
    check("the map again")
    tab.select_option("#config", index=2)
    toggle(tab, PYTHON)
    check("in a configuration")


def test_what_opening_a_group_does_not_change_is_not_touched(opened: Opened, tmp_path: Path) -> None:
    """Of twelve open groups with ten boxes and nine lines each, the one above and the frames around it alone change."""
    (tmp_path / "WORKSPACE").touch()
    for at in range(12):
        package = tmp_path / f"p{at}" / "in"
        package.mkdir(parents=True)
        rules = [f'filegroup(name = "x{each}", srcs = ["x{each + 1}"])' for each in range(9)]
        (package / "BUILD").write_text("\n".join([*rules, 'filegroup(name = "x9")']), encoding="utf-8")
        (package.parent / "BUILD").write_text(
            'filegroup(name = "y", srcs = ["z"])\nfilegroup(name = "z")', encoding="utf-8"
        )
    state = "&".join(f"open=//p{at}/...&open=//p{at}/in" for at in range(12))
    tab = opened(make_page(tmp_path, tmp_path / "page.html", "//..."), state)
    assert (tab.locator(".box").count(), tab.locator(".line").count()) == (12 * 13, 12 * 9)
    tab.evaluate(
        """() => { window.touched = new Set();
        const watch = new MutationObserver(all => all.forEach(each => touched.add(each.target)));
        watch.observe(document.querySelector('.drawing'), {attributes: true, childList: true, subtree: true}); }"""
    )
    toggle(tab, "package //p5")
    assert tab.locator(".box").count() == 12 * 13 + 2
    assert tab.locator(".line").evaluate_all("all => all.filter(each => touched.has(each)).length") <= 1  # the new one
    plain = tab.locator(".box:not(.frame)").evaluate_all(
        "all => all.filter(each => touched.has(each)).map(each => each.ariaLabel.split(',')[0])"
    )
    assert set(plain) <= {"//p5:y", "//p5:z"}
