"""The explorer of an op: it starts at what backs it, from the public name to the kernels of each device."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bzlgraph
from bzlgraph.base.errors import UsageProblem
from tests.export.conftest import MINI, make_page

Opened = Callable[..., Any]


@pytest.fixture(scope="module")
def op_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_page(MINI, tmp_path_factory.mktemp("page") / "op.html", "--op", "tf.nn.conv2d")


def shown(tab: Any) -> set[str]:
    labels = tab.locator(".box").evaluate_all("all => all.map(e => e.ariaLabel)")
    return {each.split(",")[0] for each in labels}


def test_it_starts_at_the_targets_and_files_of_the_op(opened: Opened, op_page: Path) -> None:
    tab = opened(op_page)
    kernels = "//tensorflow/core/kernels"
    assert {
        "//tensorflow/python:gen_nn_ops",
        "//tensorflow/core:nn_ops_op_lib",
        f"{kernels}:conv_ops",
        f"{kernels}:conv_ops.cc",
        "//tensorflow/core:ops/nn_ops.cc",
        f"{kernels}:nn",  # needs the kernels
    } <= shown(tab)
    roles = tab.locator(".op li b").all_inner_texts()
    assert roles[:4] == ["symbol", "use", "wrapper", "registration"]
    said = tab.inner_text(".op")
    assert "tf.nn.conv2d" in said
    assert "kernel CPU Conv2DOp<CPUDevice, float> tensorflow/core/kernels/conv_ops.cc:22" in said
    assert "when GOOGLE_CUDA" in said


def test_the_library_has_the_page_of_the_command(op_page: Path, tmp_path: Path) -> None:
    script = "import sys, bzlgraph; bzlgraph.open(sys.argv[1]).explore(ops=['tf.nn.conv2d']).save(sys.argv[2])"
    file = tmp_path / "op.html"
    subprocess.run([sys.executable, "-c", script, str(MINI), str(file)], check=True)
    assert file.read_bytes() == op_page.read_bytes()


def test_the_map_and_the_way_back(opened: Opened, op_page: Path) -> None:
    tab = opened(op_page)
    before = shown(tab)
    tab.locator("button", has_text="Map").click()
    assert "//tensorflow/core/kernels:conv_ops" not in shown(tab)
    tab.locator(".op button", has_text="Show its targets").click()
    assert shown(tab) == before
    tab.locator(".op .jump", has_text="//tensorflow/core/kernels:conv_ops.cc").first.click()
    assert "//tensorflow/core/kernels:conv_ops.cc" in tab.inner_text("#panel h2")
    assert shown(opened(op_page, "open=//tensorflow/...")) != before


def test_an_unknown_op_is_told(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    words = ["-C", str(MINI), "--no_cache", "explore", "--op", "tf.nn.conv2dd", "-o", str(file)]
    done = subprocess.run([sys.executable, "-m", "bzlgraph", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 7
    assert "'tf.nn.conv2dd' is not a public name" in done.stderr
    with pytest.raises(UsageProblem, match=r"'tf\.nn\.conv2dd' is not a public name"):
        bzlgraph.open(MINI).explore("//tensorflow:all", ops=["tf.nn.conv2dd"])
