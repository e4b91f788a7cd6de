"""The explorer of what is too large for one page: parts agree with the whole, in data and in a real browser."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlencode

import pytest

import bzlgraph
from bzlgraph.config.verdict import Truth
from bzlgraph.explore.exploration import Exploration
from bzlgraph.export.explorer.asked import Asked, read
from bzlgraph.export.explorer.columns import page_data
from bzlgraph.export.explorer.outline import Outline
from bzlgraph.export.explorer.server import ExplorerServer
from bzlgraph.export.explorer.site import ExplorationSite
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.model import NodeKind
from bzlgraph.questions.exploration import ask_explore
from bzlgraph.questions.session import QueryOptions
from tests.export.conftest import MINI, PATIENCE
from tests.export.explorer.page import INTERNAL, PIP, SWIG, box, labels_of, names, search, toggle

STATES = [
    "",
    "open=//tensorflow/...",
    "open=//tensorflow/...&open=//tensorflow/python/...&open=//tensorflow/python",
    urlencode({"focus": INTERNAL, "down": INTERNAL, "up": INTERNAL, "selected": INTERNAL}),
    urlencode({"from": PIP, "to": SWIG}),
    "open=@...&open=@bazel_tools//...",
]


@pytest.fixture(scope="module")
def exploration() -> Exploration:
    session = bzlgraph.open(MINI, jobs=1, cache=False).session
    return ask_explore(session, "//...", QueryOptions(keep_going=True)).answer


@pytest.fixture(scope="module")
def outline(exploration: Exploration) -> Outline:
    return Outline(exploration)


@pytest.fixture(scope="module")
def whole(exploration: Exploration) -> dict[str, Any]:
    return json.loads(json.dumps(page_data(exploration)))  # type: ignore[no-any-return]


def test_native_rules_are_not_read_to_find_what_configurations_add(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their classes say it: of a million targets, reading each took 17 s and 1.2 GB."""
    session = bzlgraph.open(MINI, jobs=1, cache=False).session
    read_ones = set[int]()
    reads = BuildGraph.target
    monkeypatch.setattr(BuildGraph, "target", lambda graph, node: (read_ones.add(node), reads(graph, node))[1])
    graph = ask_explore(session, "//...", QueryOptions(keep_going=True)).answer.graph
    classes = [kind for node in read_ones if (kind := graph.rule_class(node))]
    native = sum(kind.native for kind in classes)
    assert native < sum(kind == NodeKind.RULE for kind in graph.kinds) / 10


def part(outline: Outline, state: str) -> dict[str, Any]:
    return json.loads(outline.part(read(state)))  # type: ignore[no-any-return]


def keys_of(data: dict[str, Any]) -> list[str]:
    """What each node is: the label of a target, the key of the group that it stands for."""
    labels, rests = labels_of(data), [each for each in data["packages"] for _ in range(each["count"])]
    found = []
    for label, home in zip(labels, rests, strict=True):
        group = label.rpartition(":")[0]
        folder = f"{group}/..." if home["name"] else f"{group}..."
        found.append({"folder": folder, "package": group}.get(home.get("rest", ""), label))
    return found


def stands_for(label: str, keys: set[str]) -> str:
    """The key that a target is told under: its own, that of its package, that of the nearest folder."""
    if label in keys:
        return label
    package = label.rpartition(":")[0]
    home, _, path = package.partition("//")
    parts = path.split("/") if path else []
    folders = [f"{home}//{'/'.join(parts[:end])}/..." for end in range(len(parts), 0, -1)]
    return next(each for each in (package, *folders, f"{home}//...") if each in keys)


def ends(data: dict[str, Any], keys: list[str]) -> Iterator[tuple[str, str, int]]:
    """Source, target and weight of each edge."""
    edges, at = data["edges"], 0
    for source, count in enumerate(edges["count"]):
        for edge in range(at, at + count):
            yield keys[source], keys[edges["target"][edge]], edges.get("weights", {edge: 1})[edge]
        at += count


@pytest.mark.parametrize("state", STATES)
def test_a_part_adds_up_to_the_whole(outline: Outline, whole: dict[str, Any], state: str) -> None:
    data, labels = part(outline, state), labels_of(whole)
    keys = keys_of(data)
    assert len(set(keys)) == len(keys) < len(labels) / 2
    told = {label: stands_for(label, set(keys)) for label in labels}
    sizes = Counter(told.values())
    assert {key: size or 1 for key, size in zip(keys, data["nodes"]["stands"], strict=True)} == sizes
    wanted = Counter[tuple[str, str]]()
    for source, target, _ in ends(whole, labels):
        if told[source] != told[target] or told[source] == source:
            wanted[told[source], told[target]] += 1
    found = Counter[tuple[str, str]]()
    for source, target, weight in ends(data, keys):
        found[source, target] += weight
    assert found == wanted
    assert data["totals"]["targets"] == len(labels)
    assert data["totals"]["edges"] == len(whole["edges"]["target"])


def test_what_is_hidden_by_kind_counts_for_nothing(outline: Outline, whole: dict[str, Any]) -> None:
    words = [whole["kinds"][kind]["words"] for kind in whole["nodes"]["kind"]]
    data = part(outline, "hide=files&hide=visibility")
    assert sum(data["nodes"]["stands"]) == len(words) - words.count("source file")


@pytest.mark.parametrize("words", ["-c opt", "--config=cuda"])
def test_what_a_configuration_needs_is_told_of_every_node(
    exploration: Exploration, outline: Outline, whole: dict[str, Any], words: str
) -> None:
    truths = next(each.truths for each in exploration.scenarios if each.words == words)
    edges, needed, at = whole["edges"], set[int](), [0]
    for count in edges["count"]:
        at.append(at[-1] + count)
    waiting = [node for node, root in enumerate(whole["nodes"]["root"]) if root]
    while waiting:
        node = waiting.pop()
        if node in needed:
            continue
        needed.add(node)
        run = range(at[node], at[node + 1])
        waiting += [edges["target"][edge] for edge in run if truths[edges["condition"][edge]] is not Truth.NO]
    data = part(outline, urlencode({"config": words, "open": "//tensorflow/..."}))
    keys, labels = keys_of(data), labels_of(whole)
    wanted = {stands_for(labels[node], set(keys)) for node in needed}
    assert {key for key, marked in zip(keys, data["needed"][words], strict=True) if marked} == wanted


def test_a_search_ranks_as_the_page_does(outline: Outline) -> None:
    found = json.loads(outline.find("pywrap_tensorflow_internal"))
    assert found[0] == [INTERNAL, False]
    assert json.loads(outline.find("//tensorflow/python/..."))[0] == ["//tensorflow/python/...", True]
    assert json.loads(outline.find("no such thing")) == json.loads(outline.find("  ")) == []


def test_a_state_is_read_as_the_page_writes_it() -> None:
    assert read("") == Asked()
    assert read("hide=") == Asked(hide=())
    asked = read("open=%2F%2Fa&open=%2F%2Fb%2F...&from=%2F%2Fa%3Ax&config=-c+opt")
    assert asked == Asked(open=("//a", "//b/..."), start="//a:x", config="-c opt")


# --------------------------------------------------------------------------------------------------- in a browser
@pytest.fixture(scope="module")
def server(exploration: Exploration) -> Iterator[ExplorerServer]:
    with ExplorerServer(ExplorationSite(lambda _: exploration, whole=100)) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def tab(browser: Any, server: ExplorerServer) -> Iterator[Any]:
    context, complaints = browser.new_context(viewport={"width": 1400, "height": 900}), list[str]()
    context.set_default_timeout(PATIENCE)
    tab = context.new_page()
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    yield tab
    context.close()
    assert [each for each in complaints if "favicon" not in each and "404" not in each] == []


def go(tab: Any, server: ExplorerServer, state: str = "") -> Any:
    tab.goto("about:blank")
    tab.goto(server.address + (f"#{state}" if state else ""))
    tab.wait_for_selector("body[data-ready]", state="attached")
    tab.wait_for_selector("#stage:not([aria-busy])")
    return tab


def settled(tab: Any, name: str) -> None:
    box(tab, name).wait_for(state="attached")
    tab.wait_for_selector("#stage:not([aria-busy])")


@pytest.mark.parametrize("state", STATES)
def test_a_state_shows_what_the_whole_page_shows(
    tab: Any, server: ExplorerServer, browser: Any, mini_page: Path, state: str
) -> None:
    other = browser.new_page()
    other.goto(mini_page.as_uri() + f"#{state}")
    other.wait_for_selector("body[data-ready]", state="attached")
    go(tab, server, state)
    wanted, found = (each.locator(".box").evaluate_all("all => all.map(e => e.ariaLabel)") for each in (other, tab))
    assert sorted(found) == sorted(wanted)
    lines = [sorted(each.locator("#why, .path, #panel h2").all_inner_texts()) for each in (other, tab)]
    assert lines[0] == lines[1]
    drawn = [each.locator(".lines path:not([data-extra])").count() for each in (other, tab)]
    assert drawn[0] == drawn[1] > 0
    other.close()


def test_what_is_opened_is_fetched(tab: Any, server: ExplorerServer, exploration: Exploration) -> None:
    go(tab, server)
    assert f"{len(exploration.nodes):,} with their dependencies" in tab.inner_text("#panel")
    settled(tab, "folder //tensorflow/python/...")  # it starts with what holds most of all, opened
    start = names(tab)
    toggle(tab, "folder //tensorflow/python/...")
    settled(tab, "package //tensorflow/python")
    toggle(tab, "package //tensorflow/python")
    settled(tab, "macro //tensorflow/python#pywrap_tensorflow_internal")
    for _ in range(2):
        tab.keyboard.press("Control+z")
    settled(tab, "folder //tensorflow/python/...")
    tab.wait_for_function("() => document.querySelectorAll('.box.frame').length === 1")
    assert names(tab) == start


def test_what_stays_in_view_is_not_drawn_anew(tab: Any, server: ExplorerServer) -> None:
    go(tab, server, "open=//tensorflow/...")
    before = names(tab)
    tab.evaluate("() => document.querySelectorAll('.box, .line').forEach(each => { each.old = true; })")
    lines = tab.locator(".line").count()
    toggle(tab, "folder //tensorflow/python/...")
    settled(tab, "package //tensorflow/python")
    kept = tab.evaluate("() => [...document.querySelectorAll('.box')].filter(each => each.old).map(e => e.ariaLabel)")
    opened = [each for each in before if each.startswith("folder //tensorflow/python/...")]
    assert len(opened) == 1
    assert len(kept) == len(before) - 2  # what was opened is a frame now, what it is in a larger one
    old, new = (tab.evaluate(f"() => [...document.querySelectorAll('.line')].filter(e => {test}).length")
                for test in ("e.old", "!e.old"))  # fmt: skip
    assert 0 < old <= lines < old + new
    items = tab.evaluate("() => [...document.querySelectorAll('.box')].map(each => each.dataset.item)")
    assert len(set(items)) == len(items)
    other = tab.locator(".box", has_text="core").first
    other.locator("rect").first.click()
    assert other.get_attribute("aria-label").split(",")[0].split(" ", 1)[1] == tab.inner_text("#panel h2")


def test_search_focus_and_why_reach_what_was_not_loaded(tab: Any, server: ExplorerServer) -> None:
    go(tab, server)
    search(tab, "pywrap_tensorflow_internal")
    tab.locator("#matches li", has_text=INTERNAL).first.wait_for()
    tab.keyboard.press("Enter")
    settled(tab, INTERNAL)
    assert "tf_py_wrap_cc" in tab.inner_text("#panel")
    toggle(tab, f"{INTERNAL}_py_wrap")
    settled(tab, SWIG)
    tab.select_option("#config", "--config=cuda")
    tab.wait_for_selector(".line.holds", state="attached")
    tab.locator("button", has_text="On the map").click()
    settled(tab, "package //tensorflow/python")
    assert INTERNAL in names(tab)


def test_a_small_tree_is_sent_as_a_whole(exploration: Exploration) -> None:
    site = ExplorationSite(lambda _: exploration)
    assert b'data-served="yes"' in site.page("")
    large = ExplorationSite(lambda _: exploration, whole=10).page("")
    assert b'data-served="parts"' in large
    assert b"connect-src &#x27;self&#x27;" in large
    assert len(large) < len(site.page(""))


def test_a_way_through_the_page_leads_to_the_picture_of_its_address(
    tab: Any, server: ExplorerServer, tmp_path: Path
) -> None:
    """What is kept from one part to the next looks as what is drawn anew."""
    go(tab, server)
    settled(tab, "folder //tensorflow/python/...")
    for name, inside in (
        ("folder //tensorflow/core/...", "package //tensorflow/core"),
        ("folder //tensorflow/python/...", "package //tensorflow/python"),
        ("package //tensorflow/python", "macro //tensorflow/python#pywrap_tensorflow_internal"),
    ):
        toggle(tab, name)
        settled(tab, inside)
    tab.keyboard.press("Control+z")
    tab.wait_for_selector('.box[aria-label^="package //tensorflow/python,"][aria-expanded="false"]')
    state = tab.url.partition("#")[2]
    walked, direct = tmp_path / "walked.png", tmp_path / "direct.png"
    picture(tab, walked)
    go(tab, server, state)
    picture(tab, direct)
    assert unlike(tab, walked, direct) == 0
    toggle(tab, "folder //tensorflow/core/...")
    box(tab, "package //tensorflow/core").wait_for(state="detached")
    other = tmp_path / "other.png"
    picture(tab, other)
    assert unlike(tab, direct, other) > 0.01


def picture(tab: Any, file: Path) -> None:
    """A screenshot of the whole drawing at rest."""
    tab.mouse.move(700, 20)
    tab.locator("button", has_text="Fit").click()
    tab.wait_for_selector("#stage:not(.moving)")
    tab.wait_for_timeout(400)
    tab.locator("#stage").screenshot(path=file)


def unlike(tab: Any, one: Path, other: Path) -> float:
    """The share of pixels that differ."""
    found: float = tab.evaluate(
        """async (pictures) => { const [a, b] = await Promise.all(pictures.map(async text => {
          const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
          const image = await createImageBitmap(new Blob([bytes], {type: 'image/png'}));
          const drawn = new OffscreenCanvas(image.width, image.height).getContext('2d');
          drawn.drawImage(image, 0, 0);
          return drawn.getImageData(0, 0, image.width, image.height); }));
        if (a.width !== b.width || a.height !== b.height) return 1;
        const one = new Uint32Array(a.data.buffer), other = new Uint32Array(b.data.buffer);
        return one.reduce((sum, pixel, at) => sum + (pixel !== other[at]), 0) / one.length; }""",
        [base64.b64encode(each.read_bytes()).decode() for each in (one, other)],
    )
    return found
