"""What the explorer does with 2,000 boxes in view and 50,000 targets loaded: counted, as seconds depend on the machine.

Moving changes where the whole drawing stands and touches no box; opening a group makes what is new, moves what has to
give way, and has the page laid out once. What that costs in milliseconds is measured by ``benchmarks.explorer``.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.export.conftest import make_page

Opened = Callable[..., Any]
PACKAGES, TARGETS, BOXES = 500, 50_000, 2_000
WATCH = """() => {
    window.seen = { made: 0, removed: 0, changed: new Set() };
    const nodes = list => [...list].reduce((sum, e) => sum + 1 + (e.querySelectorAll?.("*").length ?? 0), 0);
    window.watch = new MutationObserver(records => {
        for (const each of records) {
            if (each.type === "attributes") seen.changed.add(each.target);
            seen.made += nodes(each.addedNodes);
            seen.removed += nodes(each.removedNodes);
        }
    });
    watch.observe(document.documentElement, { subtree: true, childList: true, attributes: true });
}"""
SEEN = """() => new Promise(done => setTimeout(() => {
    watch.disconnect();
    done({ made: seen.made, removed: seen.removed, changed: seen.changed.size });
}, 300))"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def page(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made where there is a browser to show it."""
    root = tmp_path_factory.mktemp("synthetic")
    command = [sys.executable, "-m", "benchmarks.synthetic", str(root / "tree"), "--packages", str(PACKAGES)]
    subprocess.run(command, check=True, capture_output=True, cwd=Path(__file__).parents[3])
    return make_page(root / "tree", root / "page.html")


def watched(tab: Any, deed: Callable[[], Any]) -> dict[str, int]:
    """How many nodes of the page a deed makes, removes and changes, and how often it has the page laid out."""
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.enable")

    def layouts() -> int:
        metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
        return int(metrics["LayoutCount"])

    tab.wait_for_timeout(300)  # until what came before is drawn
    before = layouts()
    tab.evaluate(WATCH)
    deed()
    counts = tab.evaluate(SEEN)
    return {**counts, "layouts": layouts() - before}


def test_moving_and_opening_touch_little(opened: Opened, page: Path) -> None:
    tab = opened(page)
    from benchmarks.explorer import clicked, drag, packages_for, turn

    said = tab.inner_text("#status")
    assert int(said.rpartition(" ")[2].replace(",", "")) > TARGETS
    packages_for(tab, page, BOXES)
    boxes = tab.locator(".box").count()
    assert boxes >= BOXES
    for deed in (drag, turn):
        counts = watched(tab, lambda deed=deed: deed(tab))
        assert (counts["made"], counts["removed"]) == (0, 0)
        assert 1 <= counts["changed"] <= 4, counts  # the drawing, and what shows how large it is
    group = tab.locator('.box[aria-expanded="false"]').last
    for _ in range(4):  # opens, closes, opens, closes
        counts = watched(tab, lambda: clicked(tab, group))
        assert 0 < counts["made"] < boxes / 8, counts
        assert 0 < counts["removed"] < boxes / 8, counts
        assert counts["changed"] < boxes / 2, counts
        assert counts["layouts"] <= 2, counts
