"""Answers -> pictures, tables and files."""

from bzlgraph.export.dot import to_dot
from bzlgraph.export.draw import draw
from bzlgraph.export.picture import Picture
from bzlgraph.export.save import SavedPicture, graph_svg, save_graph, save_picture, why_svg
from bzlgraph.export.why_picture import why_picture

__all__ = [
    "Picture",
    "SavedPicture",
    "draw",
    "graph_svg",
    "save_graph",
    "save_picture",
    "to_dot",
    "why_picture",
    "why_svg",
]
