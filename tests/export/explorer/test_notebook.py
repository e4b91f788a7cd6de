"""The explorer in a notebook: a frame that runs the page, and can do nothing to the notebook."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import bzlgraph
from tests.export.conftest import PATIENCE

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


def test_without_scripts_there_is_a_picture(shown: dict[str, str]) -> None:
    root = ElementTree.fromstring(shown["image/svg+xml"][shown["image/svg+xml"].index("<svg") :])
    assert "//:top" in "".join(root.itertext())
