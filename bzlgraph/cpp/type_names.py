"""Other names of types: ``using A = B<C>;`` and ``typedef B<C> A;``.

>>> aliases_of("template <typename T> using A = B<T>; typedef Eigen::GpuDevice D;")
{'A': 'B<T>', 'D': 'Eigen::GpuDevice'}
"""

from __future__ import annotations

import re

_USING = re.compile(r"using\s+(\w+)\s*=\s*([^;]+);")
_TYPEDEF = re.compile(r"typedef\s+([^;{}]+?)\s+(\w+)\s*;")
"""Expressions that begin with plain text are found faster: what stands before is looked at afterwards."""


def aliases_of(text: str) -> dict[str, str]:
    """What the names stand for that ``using`` and ``typedef`` give, the first of each."""
    usings = ((found.start(), found.group(1), found.group(2)) for found in _USING.finditer(text))
    typedefs = ((found.start(), found.group(2), found.group(1)) for found in _TYPEDEF.finditer(text))
    aliases: dict[str, str] = {}
    for start, name, meaning in sorted([*usings, *typedefs]):
        if not (start and (text[start - 1].isalnum() or text[start - 1] == "_")):
            aliases.setdefault(name, meaning)
    return aliases
