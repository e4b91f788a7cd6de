"""The explorer in a notebook: a frame that runs the page, and can do nothing to the notebook."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import bzlgraph
from tests.export.conftest import PATIENCE
from tests.export.hostile_build import BUILD as HOSTILE

BUILD = 'filegroup(name = "top", srcs = [":<b>low</b>"])\nfilegroup(name = "<b>low</b>")\n'


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    root = tmp_path_factory.mktemp("checkout")
    (root / "WORKSPACE").touch()
    (root / "BUILD").write_text(BUILD)
    found = bzlgraph.open(root, jobs=1, cache=False).explore("//:top")
    assert repr(found) == "<exploration of 2 targets>"
    return dict(found._repr_mimebundle_())


def test_the_frame_runs_the_page_apart_from_the_notebook(shown: dict[str, str], browser: Any, tmp_path: Path) -> None:
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!doctype html><title>notebook</title>{shown['text/html']}", encoding="utf-8")
    tab = browser.new_page()
    tab.set_default_timeout(PATIENCE)
    tab.goto(notebook.as_uri())
    frame = tab.frame_locator("iframe")
    frame.locator("body[data-ready]").wait_for()
    frame.locator("#search").fill("low")
    assert frame.locator("#matches li").all_inner_texts() == ["//:<b>low</b>"]
    frame.locator("#search").press("Enter")
    assert "//:<b>low</b>" in frame.locator("#panel").inner_text()
    inside = tab.frames[1]
    assert (
        inside.evaluate("(() => { try { return parent.document.title } catch { return 'kept out' } })()") == "kept out"
    )
    tab.close()


def test_a_hostile_checkout_runs_nothing_in_a_notebook(browser: Any, tmp_path: Path) -> None:
    """Frames and pictures of all answers that show themselves, as a notebook inserts them."""
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(HOSTILE, encoding="utf-8")
    root = bzlgraph.open(tmp_path, jobs=1, cache=False)
    frame = root.explore("//:all")._repr_mimebundle_()
    pictures = [
        root.graph("//:*")._repr_svg_(),
        root.why("//:end", from_="//:top", all_paths=True)._repr_svg_(),
        frame["image/svg+xml"],
    ]
    table = root.query("//:*")._repr_html_()
    svg = "".join(each[each.index("<svg") :] for each in pictures if each)
    file = tmp_path / "notebook.html"
    file.write_text(f"<!doctype html><title>notebook</title>{frame['text/html']}{table}{svg}", encoding="utf-8")
    tab, said = browser.new_page(), list[str]()
    tab.set_default_timeout(PATIENCE)
    tab.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    tab.goto(file.as_uri())
    inside = tab.frame_locator("iframe")
    inside.locator("body[data-ready]").wait_for()
    for text in ("onerror", "svg><script", "end"):
        inside.locator("#search").fill(text)
        inside.locator("#search").press("Enter")
        assert inside.locator("#panel h2").inner_text()
    tab.wait_for_timeout(200)
    assert (tab.title(), said) == ("notebook", [])
    assert tab.locator("script, img, object").count() == 0
    assert inside.locator("img, iframe, object").count() == 0
    assert inside.locator("script").count() == 1  # that of the page; its policy lets no other run
    assert len([each for each in tab.locator("svg").all() if "onerror" in each.inner_html()]) == len(pictures)
    assert tab.evaluate("[...document.querySelectorAll('[href]')].map(e => e.getAttribute('href'))") == []
    tab.close()


def test_without_scripts_there_is_a_picture(shown: dict[str, str]) -> None:
    root = ElementTree.fromstring(shown["image/svg+xml"][shown["image/svg+xml"].index("<svg") :])
    assert "//:top" in "".join(root.itertext())
