"""Colours that can be read, on light and on dark pages, and that nobody needs to tell things apart."""

from __future__ import annotations

from itertools import combinations

import pytest

from bzlgraph.export.overview.matrix import _DARK_SHADES, CYCLE_SHADES, SHADES
from bzlgraph.export.pictures.palette import ARROWS, DARK, FRAME, INK, LOOKS, QUIET

AA_TEXT, AA_SHAPE = 4.5, 3.0
SIMULATED = {
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""How colours look to a reader without one kind of cones (Machado, Oliveira, Fernandes 2009), in linear RGB."""


def linear(color: str) -> list[float]:
    color = {"white": "#ffffff"}.get(color, color)
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(rgb: list[float]) -> float:
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


def contrast(one: str, other: str) -> float:
    """WCAG's contrast ratio."""
    dark, light = sorted((luminance(linear(one)), luminance(linear(other))))
    return (light + 0.05) / (dark + 0.05)


def modes() -> list[dict[str, str]]:
    return [{color: color for color in DARK} | {"white": "#ffffff"}, DARK]


@pytest.mark.parametrize("shown", modes(), ids=["light", "dark"])
def test_texts_are_readable(shown: dict[str, str]) -> None:
    grounds = ["white", FRAME[1], *(look.fill for look in LOOKS.values())]
    for ground in grounds:
        for text in (INK, QUIET):
            assert contrast(shown[text], shown[ground]) >= AA_TEXT, (text, ground)
    for look in ARROWS.values():
        assert contrast(shown[look.color], shown["white"]) >= AA_TEXT, look


@pytest.mark.parametrize("shown", modes(), ids=["light", "dark"])
def test_borders_and_lines_are_seen(shown: dict[str, str]) -> None:
    for name, look in LOOKS.items():
        assert contrast(shown[look.border], shown["white"]) >= AA_SHAPE, name


def test_numbers_in_a_matrix_are_readable() -> None:
    for shade in (*SHADES, *CYCLE_SHADES):
        assert contrast(INK, shade) >= AA_TEXT
        assert contrast(DARK[INK], _DARK_SHADES[shade]) >= AA_TEXT


def test_arrows_differ_without_colour() -> None:
    drawn = [(look.line, look.head) for look in ARROWS.values()]
    assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize("reader", SIMULATED)
def test_opposites_differ_for_every_reader(reader: str) -> None:
    """Added and removed, and a cycle beside what follows the levels, also differ in lightness or hue."""

    def seen(color: str) -> list[float]:
        return [sum(a * b for a, b in zip(row, linear(color), strict=True)) for row in SIMULATED[reader]]

    pairs = [
        *combinations({LOOKS[name].border for name in ("added", "removed", "on both sides")}, 2),
        *zip(SHADES, CYCLE_SHADES, strict=True),
    ]
    for one, other in pairs:
        apart = sum((a - b) ** 2 for a, b in zip(seen(one), seen(other), strict=True)) ** 0.5
        assert apart > 0.05, (one, other, apart)
