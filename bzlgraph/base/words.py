"""Words for people: counts with their nouns, and text of a checkout that a terminal can bear.

>>> counted(1, "branch"), counted(1200, "branch"), counted(2, "library", "libraries")
('1 branch', '1,200 branches', '2 libraries')
>>> printable("a\\x1b[31mred\\n")
'a\\\\x1b[31mred\\\\n'
>>> visible("a\\x1b[31mred\\n")
'a\\\\u001b[31mred\\n'
"""

from __future__ import annotations

from itertools import islice

TYPE_CHECKING = False  # this module is imported before anything heavy is
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_HARMFUL = {
    code: f"\\u{code:04x}"
    for first, last in ((0, 8), (11, 31), (0x7F, 0x9F), (0x61C, 0x61C), (0x200E, 0x200F), (0x2028, 0x202E),
                        (0x2066, 0x2069), (0xD800, 0xDFFF), (0xFFFE, 0xFFFF))
    for code in range(first, last + 1)
}  # fmt: skip
"""What makes a terminal do or show something else than the text says: control characters, line separators, what turns
the direction of writing; and what is no UTF-8."""
_AT_ONCE = 512


def counted(number: int, noun: str, nouns: str = "") -> str:
    """``1 select``, ``12 selects``; ``nouns`` is the plural where it is not regular."""
    return f"{number:,} {plural(number, noun, nouns)}"


def counted_targets(nodes: int, missing: int) -> str:
    """``4 targets, 1 missing``: of ``nodes`` labels those that there is no target of are counted apart."""
    return counted(nodes - missing, "target") + (f", {missing:,} missing" if missing else "")


def location_text(path: str, line: int, column: int) -> str:
    """``path:line:column``, as far as it is known; line 0 is the file itself."""
    if not line:
        return path
    return f"{path}:{line}:{column}" if column else f"{path}:{line}"


def override_option(repository: str) -> str:
    """The option that gives the content of a repository of that canonical name.

    >>> override_option("rules_go~")
    '--override_repository=rules_go~=DIR'
    """
    return f"--override_repository={repository}=DIR"


def attribute_words(name: str) -> str:
    """An attribute as people read it: that of a subrule without its file.

    >>> attribute_words("srcs"), attribute_words("_//a:b.bzl%compile%_tool")
    ('srcs', '_tool (subrule compile)')
    """
    _, *names = name.rsplit("%", 2)
    return f"{names[1]} (subrule {names[0]})" if len(names) == 2 else name


def plural(number: int, noun: str, nouns: str = "") -> str:
    """The noun as it stands after a number."""
    return noun if number == 1 else nouns or noun + ("es" if noun.endswith(("ch", "s", "x")) else "s")


def enumerated(lead: str, words: Sequence[str], width: int) -> str:
    """A list behind its lead: as many whole words as the width has room for, and how many more there are.

    >>> enumerated("found: ", ["@alpha", "@beta", "@gamma"], 28), enumerated("", ["@alpha", "@beta", "@gamma"], 16)
    ('found: @alpha, @beta, @gamma', '@alpha ... 2 more')
    """
    line = f"{lead}{', '.join(words)}"
    if len(line) <= width:
        return line
    shown, room = 1, width - len(lead) - len(f" ... {len(words):,} more")
    while len(", ".join(words[: shown + 1])) <= room:
        shown += 1
    return f"{lead}{', '.join(words[:shown])} ... {len(words) - shown:,} more" if shown < len(words) else line


def shortened(text: str, width: int) -> str:
    """The text, or as many whole words of it as the width has room for.

    >>> shortened("read as 9.1.0, the newest known", 24), shortened("a" * 9, 8), shortened("as it is", 8)
    ('read as 9.1.0, the...', 'aaaaa...', 'as it is')
    """
    if len(text) <= width:
        return text
    kept = text[: width - 3]
    whole = kept if text[width - 3 : width - 2] == " " else kept.rpartition(" ")[0] or kept
    return f"{whole.rstrip(' ,;:')}..."


def either(words: Sequence[str]) -> str:
    """
    >>> either(["a"]), either(["a", "b", "c"])
    ('a', 'a, b or c')
    """
    return listed(words, "or")


def listed(words: Sequence[str], last: str = "and") -> str:
    """
    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def column_width(cells: Iterable[str], widest: int) -> int:
    """A column as wide as its cells, but no wider than a line can bear: longer cells stick out."""
    return max((len(cell) for cell in cells if len(cell) <= widest), default=0)


def in_columns(cells: Iterable[str], widths: Iterable[int]) -> str:
    """A line of cells, each as wide as its column, two blanks between them, nothing after the last one.

    >>> in_columns(["a", "bcd", "e"], [3, 2, 2])
    'a    bcd  e'
    """
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=False)).rstrip()


def printable(text: str) -> str:
    """The text on one line, line breaks and control characters as escapes: whoever writes a BUILD file chooses names,
    and must not choose what a terminal does."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def utf8(text: str) -> bytes:
    r"""Any text as bytes, another for each: names on disk that are no UTF-8, and lone surrogates of programs, too.

    >>> utf8("ä\udcff")
    b'\xc3\xa4\xed\xb3\xbf'
    """
    return text.encode("utf-8", "surrogatepass")


class Visible(bytes):
    """Text that a terminal can bear."""

    __slots__ = ()


class Prose(Visible):
    """Whole lines for people, which ``cli.terminal.layout`` may lay out for their terminal."""

    __slots__ = ()


def visible(text: str, keep: str = "") -> str:
    """The text, of many lines maybe, with everything harmful as an escape (as in JSON, so that JSON stays what it is).

    Line breaks, tabs and what is in ``keep`` stay: where a name must not break a line it is ``printable``.
    """
    harmful = dict(_HARMFUL) if keep else _HARMFUL  # which has thousands
    for each in keep:
        harmful.pop(ord(each), None)
    return text.translate(harmful)


def visible_bytes(pieces: Iterable[str], keep: str = "", kind: type[Visible] = Visible) -> Iterator[Visible]:
    """Pieces of text as UTF-8, many at a time, with everything harmful as an escape."""
    waiting = iter(pieces)
    while some := list(islice(waiting, _AT_ONCE)):
        yield kind(visible("".join(some), keep).encode())
