"""Text format of protocol buffers, as far as TensorFlow's ApiDefs use it: messages, scalars, ``<<END`` texts.

>>> message = read_text_proto(b'op { name: "a" "b" endpoint { name: "x" } description: <<END\\nlong\\nEND\\n}')
>>> [(each.word("name"), len(each.messages("endpoint"))) for each in message.messages("op")]
[('ab', 1)]

Long texts (``<<END`` to a line ``END``, an extension of TensorFlow's) are skipped.
Rules: https://protobuf.dev/reference/protobuf/textformat-spec/ and tensorflow/core/lib/strings/proto_text_util.h.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

MAX_DEPTH = 50
HEREDOC = re.compile(r"<<(\w+)\n(?:.*?\n)??[ \t]*\1[ \t]*(?=\n|$)", re.DOTALL)
TOKEN = re.compile(
    r"""[ \t\r\n,;]+|\#[^\n]*"""
    r"""|(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"""|(?P<word>[\w.+-]+)|(?P<mark>[{}<>:\[\]])""",
)


class TextProtoError(ValueError):
    """The bytes are no text proto."""


@dataclass(slots=True)
class Message:
    """Field name -> scalars as text, or messages."""

    scalars: dict[str, list[str]] = field(default_factory=dict)
    parts: dict[str, list[Message]] = field(default_factory=dict)

    def word(self, name: str) -> str:
        """The last scalar of a field, "" when there is none."""
        return self.scalars.get(name, [""])[-1]

    def number(self, name: str) -> int:
        """A scalar as a number, 0 when it is none."""
        text = self.word(name)
        return int(text) if text.isascii() and text.isdecimal() else 0

    def messages(self, name: str) -> list[Message]:
        """The messages of a repeated field."""
        return self.parts.get(name, [])


def read_text_proto(data: bytes) -> Message:
    """The top message. Raises TextProtoError."""
    text = HEREDOC.sub('""', data.decode("utf-8", "replace").replace("\r\n", "\n"))
    return _message(list(_tokens(text))[::-1])


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    place = 0
    while place < len(text):
        match = TOKEN.match(text, place)
        if match is None:
            raise TextProtoError(f"line {text.count(chr(10), 0, place) + 1}: unexpected {text[place]!r}")
        if match.lastgroup:
            yield match.lastgroup, match.group()
        place = match.end()


def _message(tokens: list[tuple[str, str]], depth: int = 0) -> Message:
    """Fields up to the closing mark, or to the end for the top message; ``tokens`` are a stack, next one last."""
    if depth > MAX_DEPTH:
        raise TextProtoError("messages are nested too deep")
    made = Message()
    while tokens:
        kind, text = tokens.pop()
        if text in ("}", ">") and depth and kind == "mark":
            return made
        if kind != "word":
            raise TextProtoError(f"expected the name of a field, got {text}")
        if _mark(tokens, ":") and _mark(tokens, "["):
            while not _mark(tokens, "]"):
                _value(made, text, tokens, depth)
        else:
            _value(made, text, tokens, depth)
    if depth:
        raise TextProtoError("a message is not closed")
    return made


def _value(made: Message, name: str, tokens: list[tuple[str, str]], depth: int) -> None:
    if _mark(tokens, "{") or _mark(tokens, "<"):
        made.parts.setdefault(name, []).append(_message(tokens, depth + 1))
        return
    kind, text = tokens.pop() if tokens else ("mark", "")
    if kind == "mark":
        raise TextProtoError(f"field {name} has no value")
    if kind == "string":
        text = text[1:-1]
        while tokens and tokens[-1][0] == "string":
            text += tokens.pop()[1][1:-1]
    made.scalars.setdefault(name, []).append(text)


def _mark(tokens: list[tuple[str, str]], mark: str) -> bool:
    """Whether the next token is this mark, which is then taken."""
    found = bool(tokens) and tokens[-1] == ("mark", mark)
    if found:
        tokens.pop()
    return found
