"""How wide a text is, whatever fonts there are: Helvetica's widths, with which every text of a picture is set.

A text is drawn exactly as wide as this says (``textLength`` in SVG), so a box made for it holds it.

>>> round(text_width("//absl/base", 10), 1), text_width("", 10)
(48.4, 0.0)
"""

from __future__ import annotations

import unicodedata

# Adobe's font metrics of Helvetica, thousandths of the size, for the characters from space to tilde.
_WIDTHS = tuple(
    map(
        int,
        "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 "
        "556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 "
        "667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 "
        "556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584".split(),
    )
)
_OTHER, _WIDE = 600, 1000
_NAMED = {"\N{NO-BREAK SPACE}": 278, "·": 278, "…": 1000, "─": 600, "►": 800, "◄": 800}
BOLD = 1.07
"""Bold text is wider by about so much."""


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of one line in the unit of ``size``."""
    total = sum(map(_width, text))
    return total * size / 1000 * (BOLD if bold else 1.0)


def _width(char: str) -> int:
    number = ord(char) - 32
    if 0 <= number < len(_WIDTHS):
        return _WIDTHS[number]
    if char in _NAMED:
        return _NAMED[char]
    return _WIDE if unicodedata.east_asian_width(char) in "WF" else _OTHER


def shorten(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """Cut the middle out of a text that is too wide, its end being what tells labels apart.

    >>> shorten("//tensorflow/core/grappler/optimizers", 10, 100)
    '//tensor…r/optimizers'
    """
    if text_width(text, size, bold=bold) <= room:
        return text
    for keep in range(len(text) - 1, 1, -1):
        head = keep * 2 // 5
        short = f"{text[:head]}…{text[-(keep - head) :]}"
        if text_width(short, size, bold=bold) <= room:
            return short
    return "…"


def shorten_label(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """Leave out the outer folders of a label that is too wide: what is left is whole words, and tells it apart.

    >>> shorten_label("//tensorflow/core/common_runtime/eager", 10, 130)
    '//…/common_runtime/eager'
    >>> shorten_label("@repo//some/folder:a_target_with_a_long_name", 10, 208)
    '@repo//…/folder:a_target_with_a_long_name'
    """
    if text_width(text, size, bold=bold) <= room:
        return text
    home, _, path = text.partition("//")
    parts = path.split("/")
    for cut in range(1, len(parts) - (parts[-1] == "...")):
        short = f"{home}//…/{'/'.join(parts[cut:])}"
        if text_width(short, size, bold=bold) <= room:
            return short
    return shorten(text, size, room, bold=bold)
