"""Answers -> pictures, tables and files. What is named here is imported when it is used: most answers are text."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bzlgraph.export.pictures.dot import to_dot
    from bzlgraph.export.pictures.picture import Picture
    from bzlgraph.export.save import SavedPicture, graph_svg, save_graph, save_picture, why_svg

__all__ = ["Picture", "SavedPicture", "graph_svg", "save_graph", "save_picture", "to_dot", "why_svg"]

_HOMES = {
    "to_dot": "pictures.dot",
    "Picture": "pictures.picture",
    **dict.fromkeys(("SavedPicture", "graph_svg", "save_graph", "save_picture", "why_svg"), "save"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
