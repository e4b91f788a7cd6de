"""The words of a syntax error: a token that cannot stand where it stands -> Problem.

Token and terminal names never appear: a person is told what was expected in the language's own words, which bracket
is open, and what to write instead where the mistake is a known one (``mistakes.py``).
"""

from __future__ import annotations

from typing import Any

from bzlgraph.syntax.complaints.broken import broken
from bzlgraph.syntax.complaints.expected import expected
from bzlgraph.syntax.complaints.mistakes import known_mistake
from bzlgraph.syntax.complaints.scene import Found, scene_of
from bzlgraph.syntax.lalr.tables import BAD, END, Row, Tables
from bzlgraph.syntax.problem import Problem


def explain(found: Found, text: str, states: list[Row], values: list[Any], tables: Tables) -> Problem:
    """The problem of a token that the grammar does not take."""
    if found.kind == BAD:
        return broken(found)
    scene = scene_of(found, text, states, values, tables)
    message, hint = known_mistake(scene) or (expected(scene), None)
    notes: tuple[tuple[int, str], ...] = ()
    start, end = found.start, found.end
    if scene.opening is not None:
        if found.kind == END:
            start, end = scene.opening.start, scene.opening.start + 1
        elif f"`{scene.opening.closer}` to close" in message:
            notes = ((scene.opening.start, f"`{scene.opening.bracket}` is opened here"),)
    return Problem(start, end, message, hint, notes)
