"""Picture -> Mermaid flowchart text, for Markdown files and web pages that draw it themselves."""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.base.words import printable
from bzlgraph.export.pictures.palette import ARROWS, LOOKS, families
from bzlgraph.export.pictures.picture import Box, Picture


def to_mermaid(picture: Picture) -> str:
    """The text, ending with a newline. Boxes are n0, n1, ... in the order of the picture."""
    names = {box.id: f"n{position}" for position, box in enumerate(picture.boxes)}
    lines = [f"flowchart {'TB' if picture.downwards else 'LR'}"]
    lines += [f"%% {printable(note)}" for note in (picture.title, *picture.notes) if note]
    for position, (name, boxes) in enumerate(picture.clusters()):
        inside = [f"  {line}" for line in _boxes(boxes, names)]
        lines += (
            [f"  subgraph p{position}[{_text(name)}]", *[f"  {line}" for line in inside], "  end"] if name else inside
        )
    for arrow in picture.arrows:
        text = f"|{_text(arrow.text.replace(chr(10), ', '))}|" if arrow.text else ""
        lines.append(f"  {names[arrow.source]} {ARROWS[arrow.style].mermaid}{text} {names[arrow.target]}")
    for family in families(picture):
        look = LOOKS[family]
        lines.append(f"  classDef {_class(family)} fill:{look.fill},stroke:{look.border},color:#1d2329")
    return "\n".join([*lines, ""])


def _boxes(boxes: list[Box], names: dict[str, str]) -> Iterator[str]:
    for box in boxes:
        detail = f"<br/><small>{_escape(box.detail)}</small>" if box.detail else ""
        yield f'{names[box.id]}["{_escape(box.text)}{detail}"]:::{_class(box.family)}'


def _text(text: str) -> str:
    return f'"{_escape(text)}"'


def _escape(text: str) -> str:
    """Characters that mean something to Mermaid, as its entities."""
    return printable(text).replace("&", "#amp;").replace('"', "#quot;").replace("<", "#lt;").replace(">", "#gt;")


def _class(family: str) -> str:
    """A name for CSS: ``C++`` -> ``Cpp``, ``source file`` -> ``SourceFile``."""
    return "".join(char for char in family.replace("+", "p").title() if char.isalnum())
