"""Graphviz's SVG -> the same for every reader: texts as wide as their boxes were made for, px, light and dark.

Fonts differ from machine to machine: ``textLength`` makes a text exactly as wide as the layout took it to be. Colours
are attributes, which the rules of a style sheet override where a reader wants the page dark; on paper it stays light.
"""

from __future__ import annotations

import re
from functools import cache
from html import unescape

from bzlgraph.export.pictures.palette import DARK, INK
from bzlgraph.export.pictures.text_width import text_width

_SIZE = re.compile(r'<svg width="(\d+)pt" height="(\d+)pt"')
_ELEMENT = re.compile(r'<g id="[^"]*" class="(?:node|edge|cluster)[^>]*>.*?(?=<!--|<g id="[^"]*" class=|$)', re.DOTALL)
_TEXT = re.compile(r"<text ([^>]*)>([^<]*)</text>")
_SHAPE = re.compile(r'<(?:polygon|path|ellipse)[^>]*? (?:points|d)="([^"]+)"')
_X = re.compile(r"(-?[\d.]+)[, ]-?[\d.]+")
_FONT_SIZE = re.compile(r'font-size="([\d.]+)"')
HALO = "#ffffff"


def finish_svg(svg: str) -> str:
    """The SVG, finished."""
    svg = _SIZE.sub(r'<svg width="\1" height="\2"', svg, count=1)
    svg = svg.replace('xml:space="preserve" ', "")
    svg = _ELEMENT.sub(_with_fitted_texts, svg)
    at = svg.index(">", svg.index("<svg")) + 1
    return f"{svg[:at]}\n{style()}{svg[at:]}"


def _with_fitted_texts(element: re.Match[str]) -> str:
    """A box, a line or a frame with its texts; those of a box stand in its middle."""
    text = element.group()
    shape = _SHAPE.search(text) if 'class="node' in text else None
    places = [float(x) for x in _X.findall(shape[1])] if shape else []
    middle = (min(places) + max(places)) / 2 if places else None
    return _TEXT.sub(lambda found: _fitted(found, middle), text)


def _fitted(found: re.Match[str], middle: float | None) -> str:
    attributes, text = found.groups()
    size = _FONT_SIZE.search(attributes)
    plain = unescape(text)
    if size is None or not plain.strip():
        return found.group()
    if middle is not None:
        attributes = re.sub(r' x="[^"]*"', f' x="{middle:.2f}"', attributes)
        attributes = attributes.replace('text-anchor="start"', 'text-anchor="middle"')
    width = text_width(plain, float(size[1]), bold='font-weight="bold"' in attributes)
    return f'<text {attributes} textLength="{width:.2f}" lengthAdjust="spacingAndGlyphs">{text}</text>'


@cache
def style() -> str:
    """The style sheet: a halo for words on lines, and the colours in the dark."""
    dark = "".join(
        f'[fill="{light}"] {{ fill: {other} }} [stroke="{light}"] {{ stroke: {other} }}\n'
        for light, other in DARK.items()
    )
    return (
        "<style>\n"
        f".edge text, .caption text {{ paint-order: stroke; stroke: {HALO}; stroke-width: 3px }}\n"
        "@media screen and (prefers-color-scheme: dark) {\n"
        f"{dark}text:not([fill]) {{ fill: {DARK[INK]} }} .edge text, .caption text {{ stroke: {DARK['white']} }}\n"
        "}\n</style>"
    )
