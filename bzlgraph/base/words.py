"""Words for people: counts with their nouns, and text of a checkout that a terminal can bear.

>>> counted(1, "branch"), counted(1200, "branch"), counted(2, "library", "libraries")
('1 branch', '1,200 branches', '2 libraries')
>>> printable("a\\x1b[31mred")
'a\\\\x1b[31mred'
"""

from __future__ import annotations


def counted(number: int, noun: str, nouns: str = "") -> str:
    """``1 select``, ``12 selects``; ``nouns`` is the plural where it is not regular."""
    return f"{number:,} {plural(number, noun, nouns)}"


def plural(number: int, noun: str, nouns: str = "") -> str:
    """The noun as it stands after a number."""
    return noun if number == 1 else nouns or noun + ("es" if noun.endswith(("ch", "s", "x")) else "s")


def printable(text: str) -> str:
    """The text on one line, line breaks and control characters as escapes: whoever writes a BUILD file chooses names,
    and must not choose what a terminal does."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)
