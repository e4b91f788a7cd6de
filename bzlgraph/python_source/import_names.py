"""The names that a tree's own Python and documentation import modules by: ``tfio`` -> ``tensorflow_io``.

Read from the texts of lines: what is meant by a name is only looked for where nothing else knows it, in files that may
be examples in a page, a notebook or a docstring.

>>> files = {"a.md": b">>> import tensorflow_io as tfio", "b.py": b"from torch.nn import functional as F, init"}
>>> of = lambda name: [each.module for each in meanings(name, {"": (sorted(files), [])}.__getitem__, files.__getitem__)]
>>> of("tfio"), of("F"), of("functional"), of("init")
(['tensorflow_io'], ['torch.nn.functional'], [], ['torch.nn.init'])
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

ENDINGS = (".py", ".md", ".rst", ".ipynb")
"""What the names of files with examples of Python end with."""


class Meaning(NamedTuple):
    """A module that a name is imported for, the first place that does, and how many places do."""

    module: str
    path: str
    line: int
    uses: int


def meanings(
    name: str, entries: Callable[[str], tuple[list[str], list[str]]], read: Callable[[str], bytes]
) -> list[Meaning]:
    """The modules that a name is imported for, what most files import first.

    ``entries`` gives the (files, folders) of a folder, ``read`` the bytes of a file, or raises OSError.
    """
    mark, found = name.encode(), dict[str, Meaning]()
    pattern = re.compile(
        rf"\bimport[ \t]+(?P<whole>[A-Za-z_][\w.]*)[ \t]+as[ \t]+{name}\b"
        rf"|\bfrom[ \t]+(?P<home>[A-Za-z_][\w.]*)[ \t]+import[ \t(]+(?:[\w, \t]*,[ \t]*)?"
        rf"(?:(?P<part>\w+)[ \t]+as[ \t]+{name}\b|(?P<own>{name})\b(?![ \t]+as\b))"
    )
    for path in _files("", entries):
        try:
            data = read(path)
        except OSError:
            continue
        if mark not in data:
            continue
        text = data.decode("utf-8", "replace")
        for each in pattern.finditer(text):
            module = each["whole"] or f"{each['home']}.{each['part'] or each['own']}"
            known = found.get(module) or Meaning(module, path, text.count("\n", 0, each.start()) + 1, 0)
            found[module] = known._replace(uses=known.uses + 1)
    return sorted(found.values(), key=lambda each: (-each.uses, each.module))


def _files(folder: str, entries: Callable[[str], tuple[list[str], list[str]]]) -> Iterator[str]:
    files, folders = entries(folder)
    lead = f"{folder}/" if folder else ""
    yield from (lead + each for each in files if each.endswith(ENDINGS))
    for each in folders:
        yield from _files(lead + each, entries)
