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

from typing import Protocol

from bzlgraph.base.names import is_ordinary, package_fault, repository_fault, target_fault, target_name
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


def is_modular(canonical: str) -> bool:
    """Whether only a module or an extension gives such a canonical name; others are plain, as those of WORKSPACE."""
    return "~" in canonical or "+" in canonical


def unknown_repository(apparent: str, canonical: str, meant: str = "") -> str:
    """What a name stands for that is not visible in the repository of that canonical name, as Bazel writes it, with
    what is said of what was meant.

    >>> unknown_repository("x", "zlib~")
    "@[unknown repo 'x' requested from @@zlib~]"
    """
    return f"{UNKNOWN_REPOSITORY}{apparent}' requested from @@{canonical}{meant}]"


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


MAIN_PACKAGES = frozenset({"conditions", "external", "visibility"})
"""Packages that Bazel makes up itself: ``//visibility:public`` is the same label in every repository."""


def parse(
    text: str, repo: str, package: str, mapping: RepoMapping = identity_mapping, repositories: str = "canonical"
) -> Label:
    """Resolve ``text`` in package ``package`` of repository ``repo``. ``repositories``: what they may be called
    (``repository_fault``).

    Raises LabelError with Bazel's wording when the text is no label.
    """
    first = text[:1]
    if first == "@":
        at = text.find("//")
        written = text if at < 0 else text[:at]
        if fault := repository_fault(written, repositories):
            raise LabelError(f"invalid label '{text}': {fault}")
        canonical = text.startswith("@@")
        called = written[2 if canonical else 1 :]
        repo = "" if not called else mapping.of_canonical(called) if canonical else mapping(repo, called)
        if at < 0:
            return Label(repo, "", _checked(called or repo.lstrip("@"), text))
        package, name = _split_package(text[at:], text)
    elif text.startswith("//"):
        package, name = _split_package(text, text)
        if package in MAIN_PACKAGES:
            repo = ""
    else:
        name = text[1:] if first == ":" else text
        if ":" in name and name is text and first != "/":
            raise LabelError(f"invalid label '{text}': absolute label must begin with '@' or '//'")
    return Label(repo, package, _checked(name, text))


def _split_package(rest: str, text: str) -> tuple[str, str]:
    """``//p:n`` or ``//p`` -> (p, n)."""
    package, colon, name = rest[2:].partition(":")
    if not colon:
        name = package.rpartition("/")[2]
    if not is_ordinary(package):
        check_package(package, text, name)
    return package, name


def check_package(package: str, text: str, name: str | None = None) -> None:
    """Refuse what Bazel refuses in the name of a package, in a label or a pattern. Raises LabelError; it says what else
    may be meant if the label has the target ``name`` at its end."""
    if fault := package_fault(package):
        meant = f' (perhaps you meant ":{name}"?)' if name is not None and package.endswith(name) else ""
        raise LabelError(f"invalid label '{text}': invalid package name '{package}': {fault}{meant}")


def _checked(name: str, text: str) -> str:
    """A name that a target may have."""
    if is_ordinary(name):
        return name
    if fault := target_fault(name):
        raise LabelError(f"invalid label '{text}': invalid target name '{name}': {fault}")
    return target_name(name)


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
