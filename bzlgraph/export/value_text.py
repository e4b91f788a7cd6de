"""Attribute values -> text and JSON, in one place: selects stay selects, and nothing a value holds is lost.

>>> from bzlgraph.base.label import Label
>>> value = {"k": [Label("", "a", "b"), 1], "n": None}
>>> expression(value)
'{"k": ["//a:b", 1], "n": None}'
>>> plain_text("-O2"), plain_text([Label("", "a", "b"), "x"]), as_json(value)
('-O2', '["//a:b", "x"]', {'k': ['//a:b', 1], 'n': None})

This module is imported before anything heavy is.
"""

from __future__ import annotations

from _collections_abc import Iterable, Mapping
from math import isfinite

from bzlgraph.base.record import Record
from bzlgraph.base.resolved_label import Label
from bzlgraph.base.words import printable
from bzlgraph.bazel.condition import Selector
from bzlgraph.bazel.conditional import is_conditional, parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bzlgraph.bazel.condition import Condition

INDENT = "    "
_ESCAPES = str.maketrans(
    {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    | {chr(code): f"\\x{code:02x}" for code in range(32) if chr(code) not in "\n\r\t"}
)


def quoted(text: str) -> str:
    """A string literal of Starlark, escaped as Bazel does."""
    return f'"{text.translate(_ESCAPES)}"'


class Notation(Record):
    """How values are written: labels, conditions and None as text, strings with ``quote``, all on one line or not.

    ``no_match_errors`` writes the ``no_match_error`` of a select too; Bazel's ``--output=build`` leaves it out.
    """

    label: Callable[[Label], str] = str
    condition: Callable[[Condition], str] = str
    quote: Callable[[str], str] = quoted
    null: str = "None"
    on_one_line: bool = True
    no_match_errors: bool = True


ONE_LINE = Notation()
UNQUOTED = Notation(quote=lambda text: text or '""')
"""As people read values: strings without quotes, but for the empty one."""


def local_notation(base: Label) -> Notation:
    """buildifier's layout, labels as people write them in the package of ``base``."""

    def label_text(label: Label) -> str:
        same = (label.repo, label.package) == (base.repo, base.package)
        return f":{label.name}" if same else label.shorthand

    def condition(each: Condition) -> str:
        return branch_key(each, label_text)

    return Notation(label_text, condition, lambda text: printable(quoted(text)), on_one_line=False)


def branch_key(condition: Condition, label_text: Callable[[Label], str] = str) -> str:
    """The key of a branch; that of a call which could not be evaluated is no label, and says so."""
    return label_text(condition.label) if condition.label else f"unknown: {condition.unknown}"


def expression(value: object, notation: Notation = ONE_LINE, indent: str = "") -> str:
    """The value as Starlark code; ``indent`` is that of the line it starts on."""
    inner = indent + INDENT
    if is_conditional(value):
        return " + ".join(_select(part, notation, indent) for part in parts(value))
    if isinstance(value, str):
        return notation.quote(value)
    if isinstance(value, Label):
        return notation.quote(notation.label(value))
    if isinstance(value, Mapping):
        entries = (f"{expression(k, notation, inner)}: {expression(v, notation, inner)}" for k, v in value.items())
        return _block("{}", entries, notation, indent)
    if isinstance(value, Iterable):
        return _block("[]", (expression(item, notation, inner) for item in value), notation, indent)
    return notation.null if value is None else str(value)


def _select(part: object, notation: Notation, indent: str) -> str:
    """``select({...})``; a call that could not be evaluated is the only key of its own."""
    if not isinstance(part, Selector):
        return expression(part, notation, indent)
    inner = indent + INDENT
    entries = (
        f"{notation.quote(notation.condition(condition))}: {expression(branch, notation, inner)}"
        for condition, branch in part.branches
    )
    told = notation.no_match_errors and part.no_match_error
    message = f", no_match_error = {notation.quote(part.no_match_error)}" if told else ""
    return f"select({_block('{}', entries, notation, indent)}{message})"


def _block(brackets: str, entries: Iterable[str], notation: Notation, indent: str) -> str:
    """One entry per line, a lone short one of a list and none at all on the same line."""
    listed = list(entries)
    short = len(listed) == 1 and "\n" not in listed[0] and brackets == "[]"
    if notation.on_one_line or short or not listed:
        return f"{brackets[0]}{', '.join(listed)}{brackets[1]}"
    lines = "".join(f"{indent}{INDENT}{entry},\n" for entry in listed)
    return f"{brackets[0]}\n{lines}{indent}{brackets[1]}"


def plain_text(value: object) -> str:
    """Where a format has place for a text only: a string or label as it is, anything else as Starlark code."""
    return value if isinstance(value, str) else str(value) if isinstance(value, Label) else expression(value)


def as_json(value: object) -> object:
    """The value as JSON: labels are texts, one with conditions is ``{"sum": [plain value or {"select": [...]}, ...]}``.

    Keys are texts; where two would have the same text, as ``1`` and ``"1"``, the later one is written as in Starlark.
    """
    if isinstance(value, Selector):
        branches = [{"when": str(key), "value": as_json(branch)} for key, branch in value.branches]
        return {"select": branches, "no_match_error": value.no_match_error}
    if is_conditional(value):
        return {"sum": [as_json(part) for part in parts(value)]}
    if isinstance(value, Mapping):
        shown: dict[str, object] = {}
        for key, item in value.items():
            text = plain_text(key)
            shown[text if text not in shown else expression(key)] = as_json(item)
        return shown
    if isinstance(value, (list, tuple)) and not isinstance(value, Label):
        return [as_json(item) for item in value]
    if value is None or isinstance(value, (str, int)) or (isinstance(value, float) and isfinite(value)):
        return value
    return str(value)
