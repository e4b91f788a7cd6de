"""The explorer under Chromium's own tracing: how long a page takes to open, and what a frame costs while it is moved.

    python -m benchmarks.explorer PAGE.html [BOXES]
    python -m benchmarks.explorer http://127.0.0.1:PORT/TOKEN/

The page is one of `bzlgraph explore`; so many boxes are in view, 2,000 if not told. Of one that is served, by
`explore --serve`, the time is told until what was asked of the server is drawn.
A frame of the main thread ends with its painting (PrePaint, Paint, Commit). *script and layout* is what runs of ours
and what the browser computes of style and layout for it; *all* adds painting. Rendering is in software, as it is
without a graphics card.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

SCRIPT_AND_LAYOUT = frozenset(
    {"FunctionCall", "FireAnimationFrame", "TimerFire", "UpdateLayoutTree", "Layout", "HitTest"}
)
PAINTING = frozenset({"PrePaint", "Paint", "Layerize", "Commit", "UpdateLayer"})
STEPS = 40
"""Moves of the mouse while the page is dragged, and turns of its wheel."""


@dataclass(frozen=True)
class Frames:
    """Milliseconds of each frame."""

    script_and_layout: list[float]
    everything: list[float]

    def __str__(self) -> str:
        return f"script and layout {_spread(self.script_and_layout)}, all {_spread(self.everything)}"


def _spread(values: list[float]) -> str:
    ordered = sorted(values)
    return f"{statistics.median(ordered):.1f} ms median, {ordered[int(len(ordered) * 0.95)]:.1f} ms 95th percentile"


def frames(events: Iterable[dict[str, Any]]) -> Frames:
    """The cost of frames in which something ran, from the events of a trace."""
    listed = [each for each in events if each.get("ph") == "X"]
    main = next(each["tid"] for each in listed if each["name"] == "PrePaint")
    own = sorted((each for each in listed if each["tid"] == main), key=lambda each: each["ts"])
    scripts, everything, end, painted = [0.0], [0.0], 0, False
    for each in own:
        if each["name"] not in SCRIPT_AND_LAYOUT | PAINTING or each["ts"] < end:
            continue  # what runs inside of another event is part of it
        if painted and each["name"] in SCRIPT_AND_LAYOUT:  # the next frame
            scripts.append(0.0)
            everything.append(0.0)
            painted = False
        painted |= each["name"] in PAINTING
        end = each["ts"] + each["dur"]
        everything[-1] += each["dur"] / 1000
        if each["name"] in SCRIPT_AND_LAYOUT:
            scripts[-1] += each["dur"] / 1000
    return Frames(scripts, everything)


def traced(tab: Any, deed: Callable[[], None]) -> Frames:
    """What the frames cost while something is done."""
    session, events, done = tab.context.new_cdp_session(tab), [], []
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda _: done.append(True))
    session.send(
        "Tracing.start",
        {"transferMode": "ReportEvents", "categories": "devtools.timeline,disabled-by-default-devtools.timeline"},
    )
    deed()
    session.send("Tracing.end")
    while not done:
        tab.wait_for_timeout(50)
    return frames(events)


def drag(tab: Any) -> None:
    tab.mouse.move(600, 450)
    tab.mouse.down()
    for step in range(STEPS):
        tab.mouse.move(600 + step * 6, 450 + (step % 20) * 8)
        tab.wait_for_timeout(16)
    tab.mouse.up()


def turn(tab: Any) -> None:
    tab.mouse.move(600, 450)
    for step in range(STEPS):
        tab.mouse.wheel(0, -60 if step % 20 < 10 else 60)
        tab.wait_for_timeout(16)


def packages_for(tab: Any, page: Path, boxes: int) -> str:
    """A state that has so many boxes: the largest groups are opened, several at a time while many are missing."""
    found: list[str] = []
    shown = 0
    while shown < boxes:
        tab.goto("about:blank")
        tab.goto(f"{page.as_uri()}#{urlencode([('open', key) for key in found])}")
        tab.wait_for_selector("body[data-ready]")
        shown = tab.locator(".box").count()
        closed = tab.locator('.box[aria-expanded="false"]').evaluate_all("all => all.map(e => e.ariaLabel)")
        sizes = [(int(size.replace(",", "")), name) for name, size in (_sized(each) for each in closed)]
        if not sizes:
            break
        several = max(1, min(16, (boxes - shown) // 40))
        found += [name.split(" ", 1)[1] for _, name in sorted(sizes, reverse=True)[:several]]
    return urlencode([("open", key) for key in found])


def _sized(label: str) -> tuple[str, str]:
    name, rest = label.split(", ", 1)
    return name, rest.split(" ")[0]


def served(tab: Any, address: str) -> None:
    """How long a served page takes to open, and its groups, one in another."""
    begun = time.perf_counter()
    tab.goto(address, timeout=0)
    tab.wait_for_selector("body[data-ready]", timeout=0)
    print(f"opens in {time.perf_counter() - begun:.2f} s; {tab.inner_text('#panel p').splitlines()[0]}")
    took: list[float] = []
    frames_before = tab.locator(".box.frame").count()
    while len(took) < 12:
        closed = tab.locator('.box[aria-expanded="false"]')
        if not closed.count():
            break
        group = closed.nth(len(took) * 7 % closed.count())
        begun = time.perf_counter()
        group.evaluate("e => e.querySelector('.sign').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
        tab.wait_for_selector(f".box.frame >> nth={frames_before + len(took)}", state="attached")
        took.append((time.perf_counter() - begun) * 1000)
    print(f"groups opened: {[round(each) for each in took]} ms, median {statistics.median(took):.0f} ms")


def main(arguments: list[str]) -> None:
    if arguments[0].startswith("http:"):
        with sync_playwright() as driver:
            served(_browser(driver).new_page(viewport={"width": 1600, "height": 1000}), arguments[0])
        return
    page, boxes = Path(arguments[0]).resolve(), int(arguments[1]) if arguments[1:] else 2000
    with sync_playwright() as driver:
        browser = _browser(driver)
        tab = browser.new_page(viewport={"width": 1600, "height": 1000})
        opening = []
        for _ in range(5):
            tab.goto("about:blank")
            begun = time.perf_counter()
            tab.goto(page.as_uri())
            tab.wait_for_selector("body[data-ready]")
            opening.append(time.perf_counter() - begun)
        print(f"opens in {statistics.median(opening):.2f} s (median of 5), {page.stat().st_size / 1e6:.2f} MB")
        state = packages_for(tab, page, boxes)
        print(f"{tab.locator('.box').count():,} boxes, {tab.locator('.line').count():,} lines: {state[:80]}...")
        for name, deed in (("drag", drag), ("zoom", turn)):
            print(f"{name}: {traced(tab, partial(deed, tab))}")
        group = tab.locator('.box[aria-expanded="false"]').last
        took = [clicked(tab, group) for _ in range(8)]
        print(f"expand, close, ...: {[round(each, 1) for each in took]}, median {statistics.median(took):.1f} ms")
        browser.close()


def _browser(driver: Any) -> Any:
    return driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"])


def clicked(tab: Any, group: Any) -> float:
    """Milliseconds of processor time until a group has opened or closed and the page is laid out again: script, style
    and layout of the main thread, whatever else the machine does."""
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    item = group.get_attribute("data-item")  # found before: to look for it is the driver's work, not the page's
    before = _spent(session)
    tab.evaluate(
        """item => { document.querySelector(`[data-item="${item}"] .sign`)
        .dispatchEvent(new MouseEvent('click', {bubbles: true})); document.body.getBoundingClientRect(); }""",
        item,
    )
    took = _spent(session) - before
    session.detach()
    tab.wait_for_timeout(300)
    return took


def _spent(session: Any) -> float:
    metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"]) * 1000


if __name__ == "__main__":
    main(sys.argv[1:])
