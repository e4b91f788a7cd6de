"""Names of targets: what Bazel refuses, in its words. ``name_fault("a//b")`` -> the reason, None when the name is good.

>>> name_fault("a/../b")
"target names may not contain up-level references '..'"
>>> name_fault("good-name.x/y") is None
True
"""

from __future__ import annotations

import re

_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f:\\]")


def name_fault(name: str) -> str | None:
    """Why ``name`` cannot be the name of a target."""
    if not name:
        return "empty target name"
    bad = _FORBIDDEN.search(name)
    if bad:
        shown = f"'{bad[0]}'" if bad[0].isprintable() else f"non-printable characters: '\\x{ord(bad[0]):02x}'"
        return f"target names may not contain {shown}"
    if name[0] == "/":
        return "target names may not start with '/'"
    if name[-1] == "/":
        return "target names may not end with '/'"
    if "//" in name:
        return "target names may not contain '//' path separators"
    parts = name.split("/") if "." in name else ()
    if ".." in parts:
        return "target names may not contain up-level references '..'"
    if "." in parts and name != ".":
        return "target names may not contain '.' as a path segment"
    return None
