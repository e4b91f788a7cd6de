"""Shapes and colours as data. Colour is never the only carrier of meaning: the kind stands in the box as well.

>>> family_of("py_library"), family_of("cc_test"), family_of("_py_wrap_cc")
('Python', 'test', 'C++')
"""

from __future__ import annotations

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
    "other rule": Look("#eef1f4", "#66717c"),
    "source file": Look("#ffffff", "#9a9a9a", "note", "filled"),
    "generated file": Look("#ffffff", "#9a9a9a", "note", "filled,dashed"),
    "package group": Look("#ffffff", "#9a9a9a", "folder", "filled"),
    "not on disk": Look("#f7f7f7", "#9a9a9a", "box", "rounded,filled,dashed"),
    "missing": Look("#fde0dd", "#c0392b", "box", "rounded,filled,dashed"),
    "package": Look("#eef1f4", "#66717c", "folder", "filled"),
    "module": Look("#dfebf7", "#35669b"),
    "module that lost": Look("#f7f7f7", "#9a9a9a", "box", "rounded,filled,dashed"),
    "extension": Look("#ebe0f6", "#77459f"),
    "repository": Look("#ffffff", "#77459f", "folder", "filled"),
    "repository nobody takes": Look("#ffffff", "#9a9a9a", "folder", "filled,dashed"),
    "added": Look("#dff3e0", "#1e7d32"),
    "possibly added": Look("#f3fbf3", "#1e7d32", "box", "rounded,filled,dashed"),
    "removed": Look("#fde0dd", "#c0392b"),
    "possibly removed": Look("#fff4f2", "#c0392b", "box", "rounded,filled,dashed"),
    "on both sides": Look("#f2f2f2", "#9a9a9a"),
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
    NodeKind.MISSING: "missing",
    NodeKind.UNLOADED: "not on disk",
    NodeKind.PENDING: "not on disk",
}
ARROWS = {
    ArrowStyle.PLAIN: ("solid", "#4a5560", "-->"),
    ArrowStyle.CONDITIONAL: ("dashed", "#8a4b08", "-.->"),
    ArrowStyle.POSSIBLE: ("dashed", "#c0392b", "-.->"),
    ArrowStyle.IMPLICIT: ("dotted", "#7d8791", "-.->"),
    ArrowStyle.NAMED: ("dotted", "#568a2d", "-.->"),
    ArrowStyle.LOST: ("dotted", "#9a9a9a", "-.->"),
    ArrowStyle.INDIRECT: ("dashed", "#7d8791", "-.->"),
    ArrowStyle.ORIGIN: ("dotted", "#77459f", "-.->"),
    ArrowStyle.ADDED: ("solid", "#1e7d32", "==>"),
    ArrowStyle.REMOVED: ("dashed", "#c0392b", "-.-x"),
    ArrowStyle.MAYBE_ADDED: ("dotted", "#1e7d32", "-.->"),
    ArrowStyle.MAYBE_REMOVED: ("dotted", "#c0392b", "-.-x"),
}
"""Arrow style -> (Graphviz style, colour, Mermaid's arrow)."""


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
