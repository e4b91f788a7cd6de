"""Shapes and colours as data. Colour is never the only carrier of meaning: the kind stands in the box as well.

>>> family_of("py_library"), family_of("cc_test"), family_of("_py_wrap_cc")
('Python', 'test', 'C++')
"""

from __future__ import annotations

import colorsys
import re
from dataclasses import dataclass

from bzlgraph.export.pictures.picture import ArrowStyle, Picture
from bzlgraph.graph.model import NodeKind


@dataclass(frozen=True, slots=True)
class Look:
    """Fill, border, Graphviz shape and style of a family of boxes."""

    fill: str
    border: str
    shape: str = "box"
    style: str = "rounded,filled"


INK, QUIET = "#1d2329", "#505a64"
"""The colours of text: what is said, and what is said beside it."""
FRAME = ("#d5dae0", "#f6f8fa")
"""Border and fill of the frame around boxes of one folder."""
LOOKS = {
    "test": Look("#fbe4ee", "#b03a73"),
    "C++": Look("#dfebf7", "#35669b"),
    "Python": Look("#fdf2c8", "#a17c0b"),
    "Java": Look("#fce5d3", "#b8601f"),
    "proto": Look("#ebe0f6", "#77459f"),
    "command": Look("#e3f0d9", "#568a2d"),
    "shell": Look("#e9e9e4", "#6f6f62"),
    "condition": Look("#ffffff", "#568a2d", "hexagon", "filled"),
    "alias or group": Look("#ffffff", "#35669b"),
    "other rule": Look("#eef1f4", "#5b6570"),
    "source file": Look("#ffffff", "#7d848c", "note", "filled"),
    "generated file": Look("#ffffff", "#7d848c", "note", "filled,dashed"),
    "package group": Look("#ffffff", "#7d848c", "folder", "filled"),
    "not on disk": Look("#f7f7f7", "#7d848c", "box", "rounded,filled,dashed"),
    "missing": Look("#fde0dd", "#c0392b", "box", "rounded,filled,dashed"),
    "package": Look("#eef1f4", "#5b6570", "folder", "filled"),
    "module": Look("#dfebf7", "#35669b"),
    "replaced version": Look("#f7f7f7", "#7d848c", "box", "rounded,filled,dashed"),
    "extension": Look("#ebe0f6", "#77459f"),
    "repository": Look("#ffffff", "#77459f", "folder", "filled"),
    "repository that no module imports": Look("#ffffff", "#7d848c", "folder", "filled,dashed"),
    "added": Look("#dff3e0", "#1e7d32"),
    "possibly added": Look("#f3fbf3", "#1e7d32", "box", "rounded,filled,dashed"),
    "removed": Look("#fde0dd", "#c0392b"),
    "possibly removed": Look("#fff4f2", "#c0392b", "box", "rounded,filled,dashed"),
    "on both sides": Look("#f2f2f2", "#7d848c"),
}
"""Family -> look, in the order of the legend."""

_FAMILIES = (
    (r"(_test|test_suite)$", "test"),
    (r"^(config_setting|constraint_|platform|bool_flag|string_flag|label_flag)|_flag$|_setting$", "condition"),
    (r"^(alias|filegroup|bind|test_suite|exports_files|package_group)$|_filegroup$", "alias or group"),
    (r"proto", "proto"),
    (r"(^|_)(cc|cpp|objc|cuda|swig)(_|$)", "C++"),
    (r"(^|_)(py|python)(_|$)", "Python"),
    (r"(^|_)(java|android|scala|kt|kotlin)(_|$)", "Java"),
    (r"^(genrule|action)|gen|pkg_", "command"),
    (r"^sh_", "shell"),
)
_BY_KIND = {
    NodeKind.SOURCE: "source file",
    NodeKind.GENERATED: "generated file",
    NodeKind.GROUP: "package group",
    NodeKind.ENVIRONMENTS: "other rule",
    NodeKind.MISSING: "missing",
    NodeKind.UNLOADED: "not on disk",
    NodeKind.PENDING: "not on disk",
}


TARGETS = tuple(name for name in LOOKS if name in {"other rule", *_BY_KIND.values(), *(each for _, each in _FAMILIES)})
"""The families that a target may have."""


@dataclass(frozen=True, slots=True)
class ArrowLook:
    """Line and colour of an arrow, the shape of its head, and Mermaid's arrow: line and head alone tell it apart."""

    line: str
    color: str
    mermaid: str
    head: str = "normal"


ARROWS = {
    ArrowStyle.PLAIN: ArrowLook("solid", "#4a5560", "-->"),
    ArrowStyle.CONDITIONAL: ArrowLook("dashed", "#8a4b08", "-.->"),
    ArrowStyle.POSSIBLE: ArrowLook("dashed", "#c0392b", "-.->", "onormal"),
    ArrowStyle.IMPLICIT: ArrowLook("dotted", "#616b75", "-.->"),
    ArrowStyle.NAMED: ArrowLook("dotted", "#47741f", "-.->", "vee"),
    ArrowStyle.LOST: ArrowLook("dotted", "#75757f", "-.->", "tee"),
    ArrowStyle.INDIRECT: ArrowLook("dashed", "#616b75", "-.->", "vee"),
    ArrowStyle.ORIGIN: ArrowLook("dotted", "#77459f", "-.->", "odiamond"),
    ArrowStyle.ADDED: ArrowLook("solid", "#1e7d32", "==>", "diamond"),
    ArrowStyle.REMOVED: ArrowLook("dashed", "#c0392b", "-.-x", "tee"),
    ArrowStyle.MAYBE_ADDED: ArrowLook("dotted", "#1e7d32", "-.->", "diamond"),
    ArrowStyle.MAYBE_REMOVED: ArrowLook("dotted", "#c0392b", "-.-x", "box"),
    ArrowStyle.MUTUAL: ArrowLook("solid", "#a0286e", "<-->", "both"),
    ArrowStyle.UPWARD: ArrowLook("dashed", "#a0286e", "-.->", "dot"),
}


def dark(color: str) -> str:
    """The same colour for a dark page: what is light there becomes dark, and what is dark light.

    >>> dark("#ffffff"), dark("#1d2329")
    ('#1a1d21', '#d7dce1')
    """
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, light, strength = colorsys.rgb_to_hls(red, green, blue)
    if color == "#ffffff":
        return "#1a1d21"
    if light > _LIGHT:
        light, strength = 0.32 - 0.17 * light, strength * 0.55
    else:
        light, strength = max(1.0 - light, 0.68), strength * 0.85
    return "#" + "".join(f"{round(part * 255):02x}" for part in colorsys.hls_to_rgb(hue, light, strength))


_LIGHT = 0.8
DARK = {
    "white": "#101316",
    **{
        color: dark(color)
        for color in dict.fromkeys(
            (
                INK,
                QUIET,
                *FRAME,
                *(color for look in LOOKS.values() for color in (look.fill, look.border)),
                *(look.color for look in ARROWS.values()),
            )
        )
    },
}
"""Each colour of a picture on a dark page; ``white`` is the page itself."""


def families(picture: Picture) -> list[str]:
    """The families that a picture uses, in the order of the legend."""
    used = {box.family for box in picture.boxes}
    return [name for name in LOOKS if name in used]


def family_of(rule_class: str) -> str:
    """The family of a rule class, by its name."""
    return next((family for pattern, family in _FAMILIES if re.search(pattern, rule_class)), "other rule")


def family(kind: NodeKind, rule_class: str) -> str:
    """The family of any node."""
    return family_of(rule_class) if kind is NodeKind.RULE else _BY_KIND[kind]
