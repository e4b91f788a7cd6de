"""The imports of a Python file read from its lines, where parsing all of it would take a hundred times longer.

>>> text = "from a.b import c as d  # e\\nimport f.g\\nimport h as i\\nlinalg = d.k\\n"
>>> imported(text)
{'d': 'a.b.c', 'f': 'f', 'i': 'h', 'linalg': 'a.b.c.k'}
>>> imported_once(text + "import j as i\\nfrom a import (\\n  z)\\n")
{'d': 'a.b.c', 'f': 'f', 'z': 'a.z'}
>>> imported("from a import \\\\\\n  b as c, d\\nimport e, f as g\\nfrom h import *\\n")
{'c': 'a.b', 'd': 'a.d', 'e': 'e', 'g': 'f'}
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?import[ \t]+(?:\(([^)]*)\)|([^\n(]*))", re.MULTILINE)
_COMMENT = re.compile(r"#[^\n]*")
_NAME = re.compile(r"([\w.]+)(?:\s+as\s+(\w+))?")
_ALIAS = re.compile(r"^(\w+)[ \t]*=[ \t]*(\w+)((?:\.\w+)*)[ \t]*(?:#.*)?$", re.MULTILINE)
"""``linalg = linalg_lib``, at the top level."""


def imported(text: str) -> dict[str, str]:
    """Name -> what it stands for, of the import lines of a file, and of aliases of these."""
    names = dict(_lines(text))
    for alias, name, rest in _ALIAS.findall(text):
        if name in names:
            names.setdefault(alias, names[name] + rest)
    return names


def imported_once(text: str) -> dict[str, str]:
    """The same, without aliases, of names that no two lines import from different places."""
    names: dict[str, set[str]] = {}
    for name, meant in _lines(text):
        names.setdefault(name, set()).add(meant)
    return {name: meant.pop() for name, meant in names.items() if len(meant) == 1}


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for package, listed, others in _IMPORT.findall(text.replace("\\\n", " ")):
        for each in _COMMENT.sub("", listed or others).split(","):
            found = _NAME.fullmatch(each.strip())
            name, as_name = found.groups() if found is not None else ("", "")
            top = name if package else name.partition(".")[0]
            if name:
                yield as_name or top, f"{package}.{name}" if package else (name if as_name else top)
