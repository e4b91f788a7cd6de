"""Names of targets, packages and repositories: what Bazel refuses, in its words. Doc: https://bazel.build/concepts/labels

Each function gives the reason, None when the name is good.

>>> target_fault("a/../b")
"target names may not contain up-level references '..'"
>>> target_fault("good-name.x/y") is None
True
>>> package_fault("a/")
"package names may not end with '/'"
>>> repository_fault("@a~b", "workspace")
"invalid repository name '@a~b': workspace names may contain only A-Z, a-z, 0-9, '-', '_' and '.'"
"""

from __future__ import annotations

import re
from dataclasses import dataclass

is_ordinary = re.compile(r"[\w+=-]+(?:[./][\w+=-]+)*", re.ASCII).fullmatch
"""Whether a look suffices to see that the name of a target or package is good: so it is with most."""
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f:\\]")
"""What Bazel refuses in target names beside empty and dotted segments; nearly every other character is allowed."""
_SIGNS = "".join(sign for sign in map(chr, range(32, 127)) if not sign.isalnum() and sign not in ":@\\")
_NO_PACKAGE = re.compile(r"[^ -9;-\[\]-~]")


def target_fault(name: str) -> str | None:
    """Why ``name`` cannot be the name of a target."""
    if is_ordinary(name):
        return None
    if not name:
        return "empty target name"
    if name[0] == "/":
        return "target names may not start with '/'"
    bad = _FORBIDDEN.search(name)
    if bad:
        shown = f"'{bad[0]}'" if bad[0].isprintable() else f"non-printable characters: '\\x{ord(bad[0]):02x}'"
        return f"target names may not contain {shown}"
    if name[-1] == "/":
        return "target names may not end with '/'"
    if "//" in name:
        return "target names may not contain '//' path separators"
    parts = name.split("/") if "." in name else ()
    if ".." in parts:
        return "target names may not contain up-level references '..'"
    if "." in parts[:-1]:
        return "target names may not contain '.' as a path segment"
    return None


def target_name(name: str) -> str:
    """The name that a target has whose good name is written so.

    >>> target_name("a/."), target_name("a/b")
    ('a', 'a/b')
    """
    return name.removesuffix("/.")


def package_fault(name: str) -> str | None:
    """Why ``name`` cannot be the name of a package."""
    if not name or is_ordinary(name):
        return None
    if name.startswith("/"):
        return "package names may not start with '/'"
    if _NO_PACKAGE.search(name):
        most = "most 7-bit ascii characters except 0-31, 127, ':', or '\\'"
        return f"package names may contain A-Z, a-z, 0-9, or any of '{_SIGNS}' ({most})"
    if name.endswith("/"):
        return "package names may not end with '/'"
    if "//" in name:
        return "package names may not contain '//' path separators"
    if "." in name and not all(part.strip(".") for part in name.split("/")):
        return "package name component contains only '.' characters"
    return None


@dataclass(frozen=True, slots=True)
class _Repositories:
    """What a Bazel lets a repository be called."""

    names: str
    pattern: re.Pattern[str]
    allowed: str
    with_mark: bool = False
    """Whether the name begins with the ``@`` of its label."""


_REPOSITORIES = {
    "workspace": _Repositories(
        "workspace names", re.compile(r"@[\w.-]*", re.ASCII), "'-', '_' and '.'", with_mark=True
    ),
    "canonical": _Repositories(
        "repo names", re.compile(r"(?!~)[\w.~+-]*", re.ASCII), "'-', '_', '.' and '~' and must not start with '~'"
    ),
}
"""As Bazel 4.2.3 and 7.7.1 have them and say it; 7.7.1 leaves out that it allows ``+``, which newer ones need."""


def repository_fault(written: str, rules: str) -> str | None:
    """Why what stands in front of ``//`` in a label, ``@a`` or ``@@a``, names no repository by ``rules``: those of
    ``workspace`` names, before there were modules, or of ``canonical`` ones.

    Before there were modules, ``@@a`` was the name ``@a``. Source: Bazel's RepositoryName.
    """
    known = _REPOSITORIES[rules]
    name = written if known.with_mark else written[2 if written.startswith("@@") else 1 :]
    if name.removeprefix("@" if known.with_mark else "") in (".", ".."):
        reason = f"{known.names} are not allowed to be '{name}'"
    elif not known.pattern.fullmatch(name):
        reason = f"{known.names} may contain only A-Z, a-z, 0-9, {known.allowed}"
    else:
        return None
    return f"invalid repository name '{name}': {reason}"


_USER_REPOSITORY = re.compile(r"[a-zA-Z][-.\w]*", re.ASCII)


def user_repository_fault(name: str) -> str | None:
    """Why ``name`` is none that people may give a repository of a module."""
    if _USER_REPOSITORY.fullmatch(name):
        return None
    return (
        f"invalid user-provided repo name '{name}': valid names may contain only A-Z, a-z, 0-9, '-', '_', '.', and "
        "must start with a letter"
    )
