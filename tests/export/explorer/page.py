"""The explorer's page in a browser: what tests do there, and find."""

from __future__ import annotations

from typing import Any

PIP = "//tensorflow/tools/pip_package:build_pip_package"
SWIG = "@swig//:swig"
INTERNAL = "//tensorflow/python:pywrap_tensorflow_internal"


def labels_of(data: dict[str, Any]) -> list[str]:
    """The labels of all nodes of a page."""
    homes = [each for each in data["packages"] for _ in range(each["count"])]
    before = (f"@{each['repository']}" * bool(each["repository"]) + f"//{each['name']}:" for each in homes)
    return [home + name for home, name in zip(before, data["nodes"]["name"], strict=True)]


def names(tab: Any) -> set[str]:
    """The labels or groups of all boxes, as a screen reader is told them."""
    return {each.split(",")[0] for each in tab.locator(".box").evaluate_all("all => all.map(e => e.ariaLabel)")}


def box(tab: Any, name: str) -> Any:
    """A box of the picture, by its label or group."""
    return tab.locator(f'.box[aria-label^="{name},"]')


def toggle(tab: Any, name: str) -> None:
    """Open or close a box."""
    box(tab, name).locator(".sign").dispatch_event("click")


def search(tab: Any, text: str) -> list[str]:
    """Type in the search field; what it offers."""
    tab.fill("#search", text)
    found: list[str] = tab.locator("#matches li").all_inner_texts()
    return found
