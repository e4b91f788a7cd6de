"""Picture -> Graphviz dot text. The same picture gives the same bytes.

Names of targets become identifiers, packages with several targets become frames (clusters), the legend shows only what
the picture uses and stands, with the notes, in the label of the whole graph, where it cannot disturb the layout.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

from bzlgraph.base import links
from bzlgraph.base.words import visible
from bzlgraph.export.pictures.palette import ARROWS, FRAME, LOOKS, QUIET, ArrowLook, families
from bzlgraph.export.pictures.picture import Arrow, ArrowStyle, Box, Picture

FONT = "Helvetica,Arial,sans-serif"
MAX_TEXT = 48


def to_dot(picture: Picture) -> str:
    """The dot text, ending with a newline."""
    lines = ["digraph bzlgraph {", *_settings(picture)]
    for name, boxes in picture.clusters():
        lines += _cluster(name, boxes) if name else [f"  {_node(box)}" for box in boxes]
    lines += [f"  {_edge(arrow)}" for arrow in picture.arrows]
    return "\n".join([*lines, "}", ""])


def quote(text: str) -> str:
    """A quoted dot string, taken literally; what harms is seen as an escape."""
    escaped = visible(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _settings(picture: Picture) -> Iterator[str]:
    direction = "TB" if picture.downwards else "LR"
    yield (
        f'  graph [rankdir={direction}, bgcolor="white", fontname="{FONT}", fontsize=11, nodesep=0.18, '
        'ranksep=0.55, pad=0.25, labelloc=b, labeljust=l, newrank=true, compound=true];'
    )  # fmt: skip
    yield f'  node [fontname="{FONT}", fontsize=11, penwidth=1.1, margin="0.14,0.06", height=0.3];'
    yield f'  edge [fontname="{FONT}", fontsize=9, arrowsize=0.65, penwidth=1.0];'
    yield f"  label=<{_legend(picture)}>;"


def _cluster(name: str, boxes: list[Box]) -> Iterator[str]:
    yield f"  subgraph {quote('cluster_' + name)} {{"
    yield (
        f'    label={quote(name)}; labelloc=t; labeljust=l; fontsize=10; fontcolor="{QUIET}"; '
        f'style="rounded,filled"; color="{FRAME[0]}"; fillcolor="{FRAME[1]}"; margin=9;'
    )
    for box in boxes:
        yield f"    {_node(box)}"
    yield "  }"


def _node(box: Box) -> str:
    look = LOOKS[box.family]
    label = two_lines(shorten(box.text), box.detail, "8.5", strong=box.strong)
    return (
        f'{quote(box.id)} [label={label}, shape={look.shape}, style="{look.style}", '
        f'fillcolor="{look.fill}", color="{look.border}", tooltip={quote(box.tooltip or box.id)}{link(box)}];'
    )


def two_lines(name: str, detail: str, size: str, *, strong: bool) -> str:
    """An HTML-like label: a name, and below it, with some air between, what is said of it in letters of ``size``."""
    text = f"<b>{escaped(name)}</b>" if strong else escaped(name)
    if not detail:
        return f"<{text}>"
    small = f'<font point-size="{size}" color="{QUIET}">{escaped(detail)}</font>'
    return (
        '<<table border="0" cellborder="0" cellspacing="2" cellpadding="0">'
        f"<tr><td>{text}</td></tr><tr><td>{small}</td></tr></table>>"
    )


def link(box: Box) -> str:
    """The attribute that leads from a box to where its target is declared, where places are linked."""
    address = links.current().address_of(box.place)
    return f', URL={quote(address)}, target="_top"' if address else ""


def escaped(text: str) -> str:
    """Text in an HTML-like label."""
    return escape(visible(text))


def shorten(text: str) -> str:
    """Cut the middle out of a text that no box can bear; the tooltip has it whole."""
    keep = MAX_TEXT // 2
    return text if len(text) <= MAX_TEXT else f"{text[: keep - 1]}…{text[-keep:]}"


def _edge(arrow: Arrow) -> str:
    look = ARROWS[arrow.style]
    label = f", label={quote(_padded(arrow.text))}, fontcolor={quote(look.color)}" if arrow.text else ""
    width = f", penwidth={arrow_width(arrow):.2f}" if arrow.count > 1 else ""
    tooltip = quote(arrow.tooltip)
    drawn = f'style={look.line}, color="{look.color}"{head(look)}{label}{width}'
    return f"{quote(arrow.source)} -> {quote(arrow.target)} [{drawn}, edgetooltip={tooltip}, labeltooltip={tooltip}];"


def arrow_width(arrow: Arrow) -> float:
    """The wider the more edges an arrow stands for: 1 for one, 1.7 for ten, 2.4 for a hundred."""
    return 1 + 0.7 * math.log10(arrow.count)


def head(look: ArrowLook) -> str:
    """The attributes for the head of an arrow, none for the usual one."""
    if look.head == "both":
        return ", dir=both"
    return f", arrowhead={look.head}" if look.head != "normal" else ""


def _padded(text: str) -> str:
    """Some air between an arrow and its words."""
    return "\n".join(f"  {line}  " for line in text.split("\n"))


def _legend(picture: Picture) -> str:
    """An HTML-like table: title and notes, then the colours and arrows in use."""
    used = families(picture)
    styles = [style for style in ArrowStyle if any(arrow.style is style for arrow in picture.arrows)]
    words = [f"<b>{escaped(picture.title)}</b>"] if picture.title else []
    words += [escaped(note) for note in picture.notes]
    rows = [" &#160;·&#160; ".join(words)]
    if len(used) > 1:
        rows.append(" &#160; ".join(map(_swatch, used)))
    if styles not in ([], [ArrowStyle.PLAIN]):
        rows.append(" &#160; ".join(_sample(style) for style in styles))
    cells = "".join(f'<tr><td align="left">{row}</td></tr>' for row in rows if row)
    return f'<table border="0" cellborder="0" cellspacing="3">{cells}</table>' if cells else " "


def _swatch(name: str) -> str:
    """A square in the colour of the border, hollow for white boxes, and the name of the family."""
    look = LOOKS[name]
    square = "▫" if "dashed" in look.style else "□" if look.fill == "#ffffff" else "■"
    return f'<font point-size="9"><font color="{look.border}">{square}</font>&#160;{escape(name)}</font>'


_SAMPLES = {"solid": "──", "dashed": "- - -", "dotted": "· · ·"}
_HEADS = {
    "normal": "►",
    "onormal": "▷",
    "vee": ">",
    "tee": "┤",
    "odiamond": "◇",
    "diamond": "◆",
    "box": "■",
    "dot": "●",
}


def sample_text(style: ArrowStyle) -> str:
    """An arrow in characters, for the legend: line and head.

    >>> sample_text(ArrowStyle.POSSIBLE), sample_text(ArrowStyle.MUTUAL)
    ('- - -▷', '◄──►')
    """
    look = ARROWS[style]
    return "◄──►" if look.head == "both" else _SAMPLES[look.line] + _HEADS[look.head]


def _sample(style: ArrowStyle) -> str:
    look = ARROWS[style]
    sample = f'<font color="{look.color}">{escape(sample_text(style))}</font>'
    return f'<font point-size="9">{sample} {escape(style.value)}</font>'
