"""What was expected, in the language's own words: Scene -> message. Used when the mistake is not a known one."""

from __future__ import annotations

from bzlgraph.syntax.complaints.scene import Scene
from bzlgraph.syntax.lalr.tables import DEDENT, END, INDENT, NEWLINE, STRING


def expected(scene: Scene) -> str:
    """The general wording, when the mistake is not a known one."""
    found, opening = scene.found, scene.opening
    if found.kind == END and opening:
        return f"`{opening.bracket}` is never closed: expected `{opening.closer}` to close {opening.what}"
    wanted = _wanted(scene)
    if found.kind == INDENT:
        return "unexpected indentation"
    return f"expected {wanted}, found {_described(scene)}" if wanted else f"unexpected {_described(scene)}"


def _wanted(scene: Scene) -> str:
    """What could stand here, in words; empty when nothing short is true."""
    accepts = scene.accepts
    if accepts <= {"INDENT"}:
        return "an indented block"
    if closing := _closing(scene):
        return closing
    if scene.after_operand:
        for word, meaning in _AFTER_OPERAND:
            if word in accepts:
                return meaning
    for words, meaning in _WANTED:
        if words <= accepts:
            return meaning
    return "a name" if accepts == {"NAME"} else _listed(accepts)


def _closing(scene: Scene) -> str:
    """The bracket that could be closed here, or one more item of it."""
    accepts, opening = scene.accepts, scene.opening
    if opening is None or opening.closer not in accepts or not (scene.after_operand or "," in accepts):
        return ""
    closing = f"`{opening.closer}` to close {opening.what} opened at line {scene.line_of(opening.start)}"
    return f"`,` or {closing}" if "," in accepts else closing


def _listed(accepts: frozenset[str]) -> str:
    """The words that could stand here, when they are few and nothing else could."""
    words = sorted(f"`{word}`" for word in accepts if not word.isupper() and word != "$END")
    if not 0 < len(words) <= 3 or len(words) < len(accepts):
        return ""
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


_AFTER_OPERAND = (
    ("else", "`else` and a value: a conditional expression needs both"),
    (":", "`:`"),
    ("NEWLINE", "an operator or the end of the line"),
)

_WANTED: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"STRING", "def", "$END"}), "a statement"),
    (frozenset({"STRING", "def"}), "a statement"),
    (frozenset({"STRING", "("}), "an expression"),
    (frozenset({"in"}), "`in`"),
    (frozenset({"NEWLINE", ";"}), "the end of the line"),
    (frozenset({"NAME", "*", ":"}), "`:` or a parameter"),
    (frozenset({"NAME", "*"}), "a parameter"),
    (frozenset({"NAME", "("}), "a variable"),
)


def _described(scene: Scene) -> str:
    """What was found, in words."""
    found = scene.found
    if found.kind == END:
        return "the end of the file"
    if found.kind in (NEWLINE, DEDENT):
        return "the end of the line"
    if found.kind == STRING:
        return "a string"
    shown = found.text if len(found.text) <= 40 else f"{found.text[:37]}..."
    return f"`{shown}`"
