"""What the text of a call in a BUILD file says beside its values: where it starts, and the name it writes out.

Bazel calls a macro's targets after the ``name = "..."`` of its call when that is a literal (``generator_name``), and
before version 3 a call stood at its first character, not at its parenthesis. The evaluator only knows where a call
stands, so the text is looked at, and only for calls of macros.

>>> text = 'x = 1; mac.ro (a = f(name = "no"), name = "yes")'
>>> BuildText(text).call_at(Location("BUILD", 1, text.index("(") + 1))
CallText(name='yes', start=Position(line=1, column=8))
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bzlgraph.base.span import Location, Position, line_starts

_CALLEE = re.compile(r"[A-Za-z_][\w.]*[ \t]*\Z")
_IDENTIFIER = re.compile(r"[\w.]*[ \t]*")
_TOKEN = re.compile(
    r'#[^\n]*|[rb]{0,2}("""|\'\'\')(?:\\.|(?!\1).)*\1|[rb]{0,2}"(?:\\.|[^"\\\n])*"'
    r"|[rb]{0,2}'(?:\\.|[^'\\\n])*'|\w+|[()\[\]{}]|[=!<>]=|[=,]",
    re.DOTALL,
)

_NAMED_FIRST = re.compile(r"""\s*name\s*=\s*("[^"\\\n]*"|'[^'\\\n]*')\s*[,)]""")
"""How nearly all calls begin."""
_END = re.compile(r"\s*[,)]")


class CallText(NamedTuple):
    """``name``: the literal given as ``name``, None when it is an expression or missing; ``start``: the first
    character."""

    name: str | None
    start: Position


class BuildText:
    """The text of a BUILD file with the offsets of its lines."""

    __slots__ = ("lines", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = line_starts(text)

    def call_at(self, location: Location) -> CallText:
        """The call that stands at ``location``: at its parenthesis or at its first character."""
        text = self.text
        line_start = self.lines[min(location.line, len(self.lines)) - 1]
        offset = line_start + max(location.column - 1, 0)
        if text[offset : offset + 1] != "(":
            skipped = _IDENTIFIER.match(text, offset)
            offset = skipped.end() if skipped else offset
        callee = _CALLEE.search(text, line_start, offset)
        start = callee.start() if callee else offset
        return CallText(_literal_name(text, offset + 1), Position(location.line, start - line_start + 1))


def _literal_name(text: str, start: int) -> str | None:
    """The string of ``name = "..."`` among the arguments that begin at ``start``."""
    if first := _NAMED_FIRST.match(text, start):
        return first[1][1:-1]
    depth = 1
    before: tuple[str, str] = ("", "(")
    named = False
    for match in _TOKEN.finditer(text, start):
        token = match[0]
        if token[0] == "#":
            continue
        if named:
            return _string(token) if _END.match(text, match.end()) else None
        if token in ("(", "[", "{"):
            depth += 1
        elif token in (")", "]", "}"):
            depth -= 1
            if not depth:
                return None
        named = depth == 1 and token == "=" and before[1] == "name" and before[0] in ("(", ",")
        before = (before[1], token)
    return None


def _string(token: str) -> str | None:
    """The value of a plain string literal."""
    if token[:1] not in "\"'":
        return None
    quote = token[:3] if token[:3] in ('"""', "'''") else token[:1]
    return token[len(quote) : -len(quote)]
