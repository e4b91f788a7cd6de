"""The names that modules of a tree are imported by.

A tree's own Python and documentation say what a short name stands for: ``tfio`` -> ``tensorflow_io``. That is read from
the texts of lines: it is only looked for where nothing else knows the name, in files that may be examples in a page, a
notebook or a docstring.

>>> files = {"a.md": b">>> import tensorflow_io as tfio", "b.py": b"from torch.nn import functional as F, init"}
>>> of = lambda name: [each.module for each in meanings(name, {"": (sorted(files), [])}.__getitem__, files.__getitem__)]
>>> of("tfio"), of("F"), of("functional"), of("init")
(['tensorflow_io'], ['torch.nn.functional'], [], ['torch.nn.init'])
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

Entries = Callable[[str], tuple[list[str], list[str]]]
"""The (files, folders) of a folder of a tree, "" the tree's own."""
PYTHON = ".py"
ENDINGS = (".py", ".md", ".rst", ".ipynb")
"""What the names of files with examples of Python end with."""


class Meaning(NamedTuple):
    """A module that a name is imported for, the first place that does, and how many places do."""

    module: str
    path: str
    line: int
    uses: int


def meanings(name: str, entries: Entries, read: Callable[[str], bytes]) -> list[Meaning]:
    """The modules that a name is imported for, what most files import first.

    ``entries`` gives the (files, folders) of a folder, ``read`` the bytes of a file, or raises OSError.
    """
    mark, found = name.encode(), dict[str, Meaning]()
    pattern = re.compile(
        rf"\bimport[ \t]+(?P<whole>[A-Za-z_][\w.]*)[ \t]+as[ \t]+{name}\b"
        rf"|\bfrom[ \t]+(?P<home>[A-Za-z_][\w.]*)[ \t]+import[ \t(]+(?:[\w, \t]*,[ \t]*)?"
        rf"(?:(?P<part>\w+)[ \t]+as[ \t]+{name}\b|(?P<own>{name})\b(?![ \t]+as\b))"
    )
    for path in files_ending(entries, ENDINGS):
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


def files_ending(entries: Entries, endings: str | tuple[str, ...] = PYTHON) -> Iterator[str]:
    """The paths of all files of a tree whose names end so; hidden folders are left out."""
    waiting = [""]
    while waiting:
        here = waiting.pop()
        files, folders = entries(here)
        lead = f"{here}/" if here else ""
        yield from (lead + each for each in files if each.endswith(endings))
        waiting += [lead + each for each in folders if not each.startswith(".")]


def package_roots(paths: Iterable[str]) -> tuple[str, ...]:
    """The folders of packages (which have an ``__init__.py``) that are in no package: ``src``, ``python``. The tree's
    own folder ("") comes first, then those nearest to it. ``paths`` are the Python files of a tree.

    >>> package_roots(["setup.py", "src/mine/__init__.py", "src/mine/sub/__init__.py", "tools/gen.py"])
    ('', 'src')
    """
    packages = {posixpath.dirname(path) for path in paths if posixpath.basename(path) == "__init__.py"}
    roots = {posixpath.dirname(each) for each in packages} - packages
    return ("", *sorted(roots - {""}, key=lambda each: (each.count("/"), each)))
