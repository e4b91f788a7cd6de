"""Strongly connected parts in the explorer: groups that depend on each other become one, and open again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.export.conftest import make_page

Opened = Callable[..., Any]
PUBLIC = 'package(default_visibility = ["//visibility:public"])\n'
BUILDS = {
    "top": 'filegroup(name = "top", srcs = ["//one:a", "//alone:a"])',
    "one": 'filegroup(name = "a", srcs = ["//two:a"])\nfilegroup(name = "b")',
    "two": 'filegroup(name = "a", srcs = ["//three:a"])',
    "three": 'filegroup(name = "a", srcs = ["//one:b", "//alone:a"])',
    "alone": 'filegroup(name = "a")\nconfig_setting(name = "c", values = {"cpu": "k8"})\n'
    'filegroup(name = "round", srcs = [":about"])\nfilegroup(name = "about", srcs = [":round"])',
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("circles")
    (root / "WORKSPACE").touch()
    for name, text in BUILDS.items():
        (root / name).mkdir()
        (root / name / "BUILD").write_text(PUBLIC + text)
    return make_page(root, tmp_path_factory.mktemp("page") / "page.html")


def shown(tab: Any) -> set[str]:
    labels = tab.locator(".box").evaluate_all("all => all.map(e => e.ariaLabel)")
    return {each.rpartition(", ")[0] for each in labels}


def fold(tab: Any) -> None:
    tab.locator("#filters > summary").click()
    tab.locator("[data-kind=circles]").uncheck()
    tab.locator("#filters > summary").click()


def test_packages_that_need_each_other_become_one_box_and_open_again(opened: Opened, file: Path) -> None:
    tab = opened(file)
    before = shown(tab)
    assert before == {"package //top", "package //one", "package //two", "package //three", "package //alone"}
    fold(tab)
    assert shown(tab) == {"package //top", "circle //one and others", "package //alone"}
    tab.locator(".box", has_text="circle of 3").locator(".sign").click()
    assert shown(tab) == before | {"circle //one and others"}
    tab.keyboard.press("Control+z")
    tab.keyboard.press("Control+z")
    assert shown(tab) == before


def test_targets_that_need_each_other_too(opened: Opened, file: Path) -> None:
    tab = opened(file, urlencode({"open": "//alone", "hide": "circles"}))
    inside = {each for each in shown(tab) if each.startswith(("//alone:", "circle //alone"))}
    assert inside == {"circle //alone:about and others", "//alone:a", "//alone:c"}


def test_what_lies_in_a_circle_is_found(opened: Opened, file: Path) -> None:
    tab = opened(file, urlencode({"hide": "circles"}))
    tab.fill("#search", "//two")
    tab.locator("#matches li", has_text="//two").first.click()
    assert "package //two" in shown(tab) or "//two:a" in {each.split(",")[0] for each in shown(tab)}
