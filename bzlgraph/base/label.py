"""Labels: ``@repo//package:name``, parsed and printed as Bazel does.

``Label`` is the resolved form. Its ``repo`` is the repository's name as the main repository sees it, which is how Bazel
prints labels: "" for the main repository itself, ``@`` and the canonical name for one that it does not see. Text is
resolved against a package with ``parse``; what the names of repositories mean is the caller's ``RepoMapping``.

>>> str(parse("//foo", "", "x"))
'//foo:foo'
>>> str(parse(":b", "", "a")), str(parse("@swig", "", "a")), str(Label("@zlib~", "", "zlib"))
('//a:b', '@swig//:swig', '@@zlib~//:zlib')

Rules: https://bazel.build/concepts/labels
"""

from __future__ import annotations

import re
from typing import Protocol

from bzlgraph.base.resolved_label import Label as Label


class RepoMapping(Protocol):
    """What names of repositories mean: apparent ones, by the repository they are written in, and canonical ones."""

    def __call__(self, current: str, apparent: str, /) -> str:
        """The repository that ``@apparent`` is in repository ``current``, as ``Label.repo`` has it."""

    def of_canonical(self, canonical: str, /) -> str:
        """The repository of that canonical name (``@@canonical``), as ``Label.repo`` has it."""

    def canonical(self, repo: str, /) -> str:
        """The canonical name of a repository that ``Label.repo`` has."""

    def of_module(self, module: str, repository: str, /) -> str | None:
        """The canonical name of a module's repository, the newest version, whoever sees it, None for none;
        without modules ``repository``."""


UNKNOWN_REPOSITORY = "@[unknown repo '"
"""What the name of a repository begins with that is not visible where it is named."""


def unknown_repository(apparent: str, canonical: str) -> str:
    """What a name stands for that is not visible in the repository of that canonical name, as Bazel writes it.

    >>> unknown_repository("x", "zlib~")
    "@[unknown repo 'x' requested from @@zlib~]"
    """
    return f"{UNKNOWN_REPOSITORY}{apparent}' requested from @@{canonical}]"


def written_repository(repo: str) -> str:
    """The name that was written where such a name stands; any other as it is.

    >>> written_repository("@[unknown repo 'x' requested from @@zlib~]"), written_repository("zlib~")
    ('x', 'zlib~')
    """
    return repo[len(UNKNOWN_REPOSITORY) :].partition("'")[0] if repo.startswith(UNKNOWN_REPOSITORY) else repo


def unknown_repository_words(repo: str) -> str:
    """Bazel's words for such a name.

    >>> unknown_repository_words("@[unknown repo 'x' requested from @@zlib~]")
    "No repository visible as '@x'"
    """
    return f"No repository visible as '@{written_repository(repo)}'"


class IdentityMapping:
    """The mapping without modules and without ``workspace(name=)``: every name is canonical."""

    def __call__(self, _current: str, apparent: str) -> str:
        return apparent

    def of_canonical(self, canonical: str) -> str:
        """The same."""
        return canonical

    def canonical(self, repo: str) -> str:
        """The same."""
        return repo

    def of_module(self, _module: str, repository: str) -> str | None:
        """The same."""
        return repository


identity_mapping = IdentityMapping()


class LabelError(ValueError):
    """A text that is no label; the message names the fault as Bazel does."""


# What Bazel refuses in target names beside empty and dotted segments; nearly every printable character is allowed.
_BAD_NAME = re.compile(r"[\x00-\x1f\x7f:\\]")
_ORDINARY = re.compile(r"[\w+=-]+(?:[./][\w+=-]+)*", re.ASCII)
"""Names that nothing is wrong with: most of all there are."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_REPOSITORY = re.compile(r"[\w.~+-]*", re.ASCII)
"""What any Bazel allows in the name of a repository."""

MAIN_PACKAGES = frozenset({"conditions", "external", "visibility"})
"""Packages that Bazel makes up itself: ``//visibility:public`` is the same label in every repository."""


def parse(text: str, repo: str, package: str, mapping: RepoMapping = identity_mapping) -> Label:
    """Resolve ``text`` in package ``package`` of repository ``repo``.

    Raises LabelError with Bazel's wording when the text is no label.
    """
    if text.startswith("@"):
        repo, rest = _split_repo(text, repo, mapping)
        if not rest:
            name = text.lstrip("@") or repo.lstrip("@")
            if not name:
                raise LabelError(f"invalid label '{text}': empty target name")
            _check_control(text, "repository")
            return Label(repo, "", name)
        package, name = _split_package(rest, text)
    elif text.startswith("//"):
        package, name = _split_package(text, text)
        if package in MAIN_PACKAGES:
            repo = ""
    else:
        name = text[1:] if text.startswith(":") else text
        if _ORDINARY.fullmatch(name):
            return Label(repo, package, name)
        if ":" in name:
            raise LabelError(f"invalid label '{text}': target names may not contain ':'")
    _check_name(name, text)
    _check_control(text, "package")
    return Label(repo, package, name)


def _split_repo(text: str, current: str, mapping: RepoMapping) -> tuple[str, str]:
    """``@r//x`` or ``@@r//x`` -> (canonical repository, ``//x``); the rest is empty for a bare ``@r``."""
    canonical = text.startswith("@@")
    at = text.find("//")
    name = text[2 if canonical else 1 : at if at >= 0 else None]
    if at < 0 and ":" in name:
        raise LabelError(f"invalid label '{text}': a repository name may not contain ':', did you mean '@repo//:name'?")
    if not _REPOSITORY.fullmatch(name):
        allowed = "repo names may contain only A-Z, a-z, 0-9, '-', '_', '.', '~' and '+'"
        raise LabelError(f"invalid label '{text}': invalid repository name '{name}': {allowed}")
    repo = "" if not name else mapping.of_canonical(name) if canonical else mapping(current, name)
    return repo, text[at:] if at >= 0 else ""


def _split_package(rest: str, text: str) -> tuple[str, str]:
    """``//p:n`` or ``//p`` -> (p, n)."""
    package, colon, name = rest[2:].partition(":")
    if not colon:
        name = package.rpartition("/")[2]
    check_package(package, text)
    return package, name


def check_package(package: str, text: str) -> None:
    """Refuse what Bazel refuses in the name of a package, in a label or a pattern. Raises LabelError."""
    if package.startswith("/") or package.endswith("/") or "//" in package:
        raise LabelError(f"invalid package name '{package}' in '{text}': segments may not be empty")
    if "\\" in package or not package.isascii():
        allowed = "package names may contain only characters of 7-bit ASCII, and no '\\'"
        raise LabelError(f"invalid label '{text}': invalid package name '{package}': {allowed}")
    if "." in package and not all(part.strip(".") for part in package.split("/")):
        what = "package name component contains only '.' characters"
        raise LabelError(f"invalid label '{text}': invalid package name '{package}': {what}")


def _check_control(text: str, what: str) -> None:
    if not text.isprintable() and _CONTROL.search(text):
        raise LabelError(f"invalid label '{text}': {what} names may not contain control characters")


def _check_name(name: str, text: str) -> None:
    """Refuse what Bazel refuses in a target name."""
    if _ORDINARY.fullmatch(name):
        return
    if not name:
        raise LabelError(f"invalid label '{text}': empty target name")
    if _BAD_NAME.search(name):
        raise LabelError(f"invalid label '{text}': target names may not contain ':', '\\' or control characters")
    if name[0] == "/" or name[-1] == "/" or "//" in name:
        raise LabelError(f"invalid label '{text}': target names may not start or end with '/' or contain '//'")
    if "." in name and any(part in (".", "..") for part in name.split("/")) and name != ".":
        raise LabelError(f"invalid label '{text}': target names may not contain '.' or '..' as a path segment")


def may_be_target(text: str) -> bool:
    """Whether a text that is written like a label may name a target: patterns, visibilities, the default of a
    ``select()`` and options of the command line never do.

    >>> may_be_target("//a:b"), may_be_target("//a/..."), may_be_target("//conditions:default")
    (True, False, False)
    """
    package, _, name = text.partition(":")
    return name not in ("__pkg__", "__subpackages__") and not package.endswith("...") and package not in _NO_PACKAGES


_NO_PACKAGES = frozenset({"//visibility", "//conditions", "//command_line_option"})
"""What Bazel itself writes like a package, and reads as something else."""
