"""A place in a file of the checkout -> its address in an editor or on a site, by the template of ``--link_template``.

>>> links = Links("vscode://file/{root}/{path}:{line}:{column}", "/home/me/tree")
>>> links.address("lib/BUILD", 3)
'vscode://file/home/me/tree/lib/BUILD:3:1'
>>> in_page(links)
'vscode://file/home/me/tree/{path}:{line}:{column}'

Whoever shows places asks ``current()``, which the command line sets once: a template is the user's own, never that of a
checkout. Linked is what is a file of the checkout alone: what else looks like a place (``12:30``) stays text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem

PLACE = re.compile(r"""(?<![^\s:"'(),;<>\[\]])([^\s:"'(),;<>\[\]]+):(\d+)(?::(\d+))?""")
"""What may be a place in a text: path, line, column. A path is looked for where a word begins: at each letter of a long
one it would take the square of its length. ``export/pages/table.html`` reads the same."""
_FIELD = re.compile(r"\{([^{}]*)\}")
_FIELDS = ("root", "path", "line", "column")
_SCHEME = re.compile(r"(?!(?:javascript|vbscript|data|blob):)[a-z][a-z0-9+.-]*:/[!-~]*", re.IGNORECASE)
"""Addresses that lead somewhere; none of them runs a script."""
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/:._-~+@")


@dataclass(frozen=True, slots=True)
class Links:
    """``template`` has the fields {root}, {path}, {line}, {column}, and is "" where nothing is linked; ``root`` is the
    absolute folder of the checkout, which stands in addresses without the slash that it begins with."""

    template: str = ""
    root: str = ""

    def address(self, path: str, line: int = 0, column: int = 0) -> str:
        """The address of a place; of a file as a whole that of its beginning."""
        said = {"path": _quoted(path), "line": str(line or 1), "column": str(column or 1)}
        return _FIELD.sub(lambda field: said.get(field[1], field[0]), in_page(self))

    def address_of(self, place: str) -> str:
        """The address of the ``path:line`` that a text begins with, "" where there is none in the checkout."""
        found = PLACE.match(place) if self.template else None
        if found is None or not self.files([found[1]]):
            return ""
        return self.address(found[1], int(found[2]), int(found[3] or 0))

    def files(self, paths: Iterable[str]) -> set[str]:
        """Those of the paths that are files of the checkout; none where nothing is linked."""
        return {path for path in set(paths) if self._is_file(path)} if self.template else set()

    def _is_file(self, path: str) -> bool:
        inside = bool(path) and not path.startswith("/") and "\0" not in path and ".." not in path.split("/")
        return inside and os.path.isfile(os.path.join(self.root, path))


def in_page(links: Links) -> str:
    """The template with the folder of the checkout in it: what a page needs."""
    return links.template.replace("{root}", _quoted(links.root.replace(os.sep, "/").lstrip("/")))


def _quoted(path: str) -> str:
    """A path in an address; what means something there, and all that is not ASCII, as the bytes of the file's name.

    >>> _quoted("a b/ü#1.cc")
    'a%20b/%C3%BC%231.cc'
    """
    return "".join(chr(byte) if chr(byte) in _SAFE else f"%{byte:02X}" for byte in os.fsencode(path))


def template_of(text: str) -> str:
    """A template as typed. Raises UsageProblem for one that gives no addresses of places."""
    hint = (
        "such as vscode://file/{root}/{path}:{line}:{column} or https://github.com/OWNER/NAME/blob/main/{path}#L{line}"
    )
    unknown = [field for field in _FIELD.findall(text) if field not in _FIELDS]
    if unknown:
        known = ", ".join(f"{{{field}}}" for field in _FIELDS)
        raise UsageProblem(Diagnostic(f"--link_template={text}: '{{{unknown[0]}}}' is not one of {known}", hint=hint))
    if not is_template(text):
        raise UsageProblem(Diagnostic(f"--link_template={text}: expected a URL that contains {{path}}", hint=hint))
    return text


def is_template(text: str) -> bool:
    """Whether a text gives addresses of places; none at all is one, too."""
    known = all(field in _FIELDS for field in _FIELD.findall(text))
    return not text or (known and "{path}" in text and _SCHEME.fullmatch(text) is not None)


_CURRENT: ContextVar[Links] = ContextVar("links", default=Links())  # noqa: B039 - frozen


def current() -> Links:
    """How this run links places."""
    return _CURRENT.get()


def use(links: Links) -> None:
    """Link places like that from now on."""
    _CURRENT.set(links)
