"""Pictures and pages of real trees, where there are any: BZLGRAPH_TREES=DIR names a folder that has them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import bzlgraph
from bzlgraph.export.overview.build import Shape, overview
from bzlgraph.export.overview.drawing import picture_of
from bzlgraph.export.overview.forms import graph_bytes
from bzlgraph.query.answer import QueryAnswer
from bzlgraph.questions.session import QueryOptions, ask_query
from tests.export.conftest import drawn_path, make_page
from tests.export.crossings import measure

Opened = Callable[..., Any]
PIP = "//tensorflow/tools/pip_package:build_pip_package"
LARGEST = 3_000
"""Pixels in each direction."""


@dataclass(frozen=True)
class Dense:
    """A question whose picture was a tangle; ``before``: its crossings as ``docs/graph.md`` records them."""

    tree: str
    question: str
    before: int


DENSE = (
    Dense("abseil", "deps(//absl/...)", 1_328),
    Dense("protobuf", "deps(//...)", 607),
    Dense("tf112", "deps(//tensorflow/tools/pip_package:build_pip_package)", 277),
    Dense("tf112", "//tensorflow/core/...", 140),
)


def tree(name: str) -> Path:
    found = Path(os.environ.get("BZLGRAPH_TREES", "")) / name
    if not (found / "WORKSPACE").exists() and not (found / "MODULE.bazel").exists():
        pytest.skip(f"BZLGRAPH_TREES is no folder with {name} in it")
    return found


@pytest.fixture(scope="module", params=DENSE, ids=lambda dense: f"{dense.tree} {dense.question}")
def asked(request: pytest.FixtureRequest) -> tuple[Dense, QueryAnswer]:
    dense: Dense = request.param
    session = bzlgraph.open(tree(dense.tree), jobs=1).session
    return dense, ask_query(session, dense.question, QueryOptions(keep_going=True)).answer


@pytest.mark.slow
def test_a_dense_graph_is_one_page_that_can_be_read(asked: tuple[Dense, QueryAnswer]) -> None:
    dense, answer = asked
    found = measure(graph_bytes(answer, "svg").data.decode())
    assert found.width <= LARGEST
    assert found.height <= LARGEST
    assert found.lines > 20
    assert found.merged <= 0.4 * dense.before


@pytest.mark.slow
def test_its_folded_parts_add_up(asked: tuple[Dense, QueryAnswer]) -> None:
    _, answer = asked
    made = overview(answer.graph, answer.nodes, excluded_flags=answer.excluded_flags, shape=Shape(), title=answer.text)
    placed = [member for part in (*made.parts, *(hub.part for hub in made.hubs)) for member in part.members]
    placed += [*made.hidden, *(made.tools.members if made.tools else ())]
    assert sorted(placed) == sorted(answer.nodes)
    drawn = picture_of(made, answer.graph.labels)
    assert sum(arrow.count for arrow in drawn.arrows) == made.account["drawn"]


@pytest.mark.slow
def test_the_explorer_of_tensorflow_is_a_small_file_that_opens(opened: Opened, tmp_path: Path) -> None:
    page = make_page(tree("tf112"), tmp_path / "tensorflow.html", "//tensorflow/...")
    assert page.stat().st_size < 15_000_000
    tab = opened(page)
    tab.fill("#search", "//tensorflow/python:pywrap_tensorflow_internal")
    assert tab.locator("#matches li").first.inner_text() == "//tensorflow/python:pywrap_tensorflow_internal"
    tab.keyboard.press("Enter")
    maker = '.box[aria-label^="//tensorflow/python:pywrap_tensorflow_internal_py_wrap,"] .sign'
    tab.locator(maker).dispatch_event("click")
    tab.locator('.box[aria-label^="@swig//:swig,"]').wait_for(state="attached")
    tab.select_option("#config", "--config=cuda")
    tab.locator(".line.holds").first.wait_for(state="attached")
    tab = opened(page, f"from={PIP}&to=@swig//:swig")
    assert len(drawn_path(tab, PIP, "@swig//:swig")) == 7
