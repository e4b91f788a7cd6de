"""Which characters the classes of Java's regular expressions hold, each as the inside of a set of Python's.

>>> inside_of_class("Upper", in_braces=True), inside_of_class("Greek", in_braces=True)
('A-Z', None)

Language: https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/regex/Pattern.html
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

ENDS = r"\n\r\x85\u2028\u2029"
"""What ends a line."""
INSIDE = {
    "d": "0-9",
    "w": "A-Za-z0-9_",
    "s": r" \t\n\x0b\f\r",
    "h": r" \t\xa0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000",
    "v": r"\n\x0b\f\r\x85\u2028\u2029",
}
"""What the classes of one letter hold; with a capital all else."""
_NAMED = {
    "ASCII": r"\x00-\x7f",
    "Alnum": "A-Za-z0-9",
    "Alpha": "A-Za-z",
    "Blank": r" \t",
    "Cntrl": r"\x00-\x1f\x7f",
    "Digit": "0-9",
    "Graph": "!-~",
    "Lower": "a-z",
    "Print": " -~",
    "Punct": r"!-/:-@\[-`{-~",
    "Space": INSIDE["s"],
    "Upper": "A-Z",
    "XDigit": "0-9A-Fa-f",
    "L1": r"\x00-\xff",
    "all": r"\x00-\U0010ffff",
}
_CATEGORY = re.compile(r"C[cfnos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?")


def inside_of_class(name: str, *, in_braces: bool) -> str | None:
    """What ``\\p{name}`` holds: a class that has a name, which needs its braces, or a general category (``Lu``,
    ``IsLu``); None for what is not known here."""
    inside = _NAMED.get(name) if in_braces else None
    category = name.removeprefix("Is")
    if inside is None and _CATEGORY.fullmatch(category):
        inside = _of_category(category)
    return inside


@cache
def _of_category(name: str) -> str:
    """The characters of a general category (``Lu``, ``L``), as the inside of a set."""
    ranges: list[list[int]] = []
    for code in range(0x110000):
        if unicodedata.category(chr(code)).startswith(name):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)
