"""A real Chromium for pages and pictures: the system's, which the tests do not download. No page reaches a network."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

MINI = Path(__file__).parents[2] / "examples" / "mini_tensorflow"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 180_000
"""Milliseconds that a page may take: a limit for what hangs, not for a machine that has other things to do."""
MISSING = "no Chromium here: 'apt-get install chromium' (Debian), or name one in BZLGRAPH_CHROMIUM"


_HUNG = pytest.StashKey[str]()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """After a page that hung no other is waited for: each would take as long."""
    hung = item.session.stash.get(_HUNG, "")
    if hung and "browser" in getattr(item, "fixturenames", ()):
        pytest.fail(f"a page hung before, in {hung}", pytrace=False)


def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    if call.excinfo is not None and call.excinfo.typename == "TimeoutError":
        item.session.stash[_HUNG] = item.nodeid


def make_page(workspace: Path, file: Path, *words: str) -> Path:
    """The page that the command writes. In a process of its own: the driver of a browser is no process to fork."""
    command = [sys.executable, "-m", "bzlgraph", "-C", str(workspace), "--no_cache", "explore", "-k", *words]
    subprocess.run([*command, "-o", str(file)], check=False, capture_output=True)
    return file


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    found = os.environ.get("BZLGRAPH_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(MISSING)
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-dev-shm-usage"], timeout=PATIENCE
        )
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def mini_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the bundled workspace."""
    return make_page(MINI, tmp_path_factory.mktemp("page") / "mini.html")


@pytest.fixture
def opened(browser: Any, request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Opens a page from disk, at a state; what it asks of a network and what its scripts complain of fails the test.

    BZLGRAPH_SCREENSHOTS=DIR keeps there how each page looked when its test was over.
    """
    context = browser.new_context(viewport={"width": 1400, "height": 900}, accept_downloads=True)
    context.set_default_timeout(PATIENCE)
    complaints: list[str] = []

    def asked(request: Any) -> None:
        if not request.url.startswith(("file:", "blob:", "data:")):
            complaints.append(f"asked for {request.url}")

    def open_page(file: Path, state: str = "", ready: str = "body[data-ready]") -> Any:
        tab = context.new_page()
        tab.on("request", asked)
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        tab.on("dialog", lambda dialog: (complaints.append(f"dialog {dialog.message}"), dialog.dismiss()))
        tab.goto(file.as_uri() + (f"#{state}" if state else ""))
        tab.wait_for_selector(ready, state="attached")
        return tab

    yield open_page
    if folder := os.environ.get("BZLGRAPH_SCREENSHOTS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        file, _, test = request.node.nodeid.partition("::")
        name = re.sub(r"\W+", "_", f"{Path(file).stem} {test}")[:150]
        for number, tab in enumerate(context.pages):
            tab.screenshot(path=Path(folder) / f"{name}{number or ''}.png")
    context.close()
    assert complaints == []


def drawn_path(tab: Any, start: str, end: str) -> list[str]:
    """The path that the panel tells, which must be drawn: a box for each target, a line for each step."""
    told: list[str] = tab.locator(".path .jump").all_inner_texts()
    assert (told[0], told[-1]) == (start, end)
    names = [each.split(",")[0] for each in tab.locator(".box").evaluate_all("all => all.map(e => e.ariaLabel)")]
    assert set(told) <= set(names)
    assert tab.locator(".box.why-end").count() == 2
    lines = tab.locator(".lines .why-step, .lines .why-cut")
    assert len(told) - 1 <= lines.count()
    tops = [tab.locator(f'.box[aria-label^="{each},"]').first.bounding_box()["y"] for each in told]
    assert tops == sorted(tops)
    return told
