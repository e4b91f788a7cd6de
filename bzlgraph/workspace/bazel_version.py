"""Which Bazel a checkout is read as, why, and how sure that is: ``reading(source, "")`` -> ``Reading``.

What was asked for counts most, then ``USE_BAZEL_VERSION`` of ``.bazeliskrc``, then ``.bazelversion``
(https://github.com/bazelbuild/bazelisk#how-does-bazelisk-know-which-bazel-version-to-run), then which files there are:
MODULE.bazel means a Bazel that reads it by default, its lock file perhaps a newer one that wrote it, and a tree that
has none was written for WORKSPACE. A fork may be another program that starts Bazel (``aspect/2024.34.43``): a number of
it that no Bazel has leaves it to the next file. A word such as ``latest`` meant another Bazel when the tree was
written: with a WORKSPACE that today's would not read, it counts less.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.facts.versions import Evidence, Release, compared, is_moving, known, newest, release
from bzlgraph.workspace.sources.source import Source

BEFORE_MODULES = "4.2.3"
"""The newest Bazel that reads WORKSPACE without being asked to and that our answers are compared with."""
WITH_MODULES = compared()[-1]
"""The newest Bazel that our answers are compared with."""

_NAMED = re.compile(r"\s*([\w.-]+/)?([\w.*+-]+)", re.ASCII)
_DECLARING = re.compile(r"^(?:load|bind|\w+_archive|\w+_repository|\w+_repositories)\(", re.MULTILINE)
_LOCK_VERSION = re.compile(r"\"lockFileVersion\"\s*:\s*(\d{1,6})\b", re.ASCII)
_LONGEST = 4_000
"""Bytes of a file that are looked at."""
_SURE = {
    Evidence.COMPARED: "answers tested against this Bazel",
    Evidence.RECORDED: "facts recorded from this Bazel",
    Evidence.READ: "based on its sources and documentation, not tested against it",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """A Bazel, and what names it: an option, a file or the lack of one."""

    release: Release
    reason: str
    chosen: bool
    """Whether an option names it: then it is read strictly, else tolerantly."""
    guessed: bool = False
    """Whether nothing names it."""

    @property
    def version(self) -> str:
        """Its number, as full as it was told."""
        return self.release.version

    @property
    def sureness(self) -> str:
        """How sure we are of what it does, in words."""
        nearest = self.release.nearest
        if nearest == self.version:
            return _SURE[self.release.evidence]
        return f"as Bazel {nearest}: {_SURE[self.release.evidence]}"

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """That a Bazel newer than all known ones, or older, was asked for."""
        if self.release.before:
            hides = f"read as {self.release.nearest}, the oldest known; how earlier versions differ is unknown"
            return (Gap(GapKind.VERSION.value, f"Bazel {self.version}", hides),)
        if not self.release.beyond:
            return ()
        of = "" if self.release.nearest == newest() else f" of {self.release.nearest.partition('.')[0]}"
        hides = f"read as {self.release.nearest}, the newest known{of}; what later versions changed is unknown"
        return (Gap(GapKind.VERSION.value, f"Bazel {self.version}", hides),)


def reading(source: Source, asked: str) -> Reading:
    """The Bazel that a checkout is read as; ``asked``: what an option names, "" for none.

    Raises UsageProblem when that is no version.
    """
    if asked:
        return Reading(asked_release(asked), f"--bazel_version={asked}", True)
    for file, naming in _FILES.items():
        named = _in_file(source, file, naming)
        if named is None:
            continue
        release_named, word = named
        if is_moving(word) and _needs_workspace(source, release_named):
            reason = f"{file} says {word}, which no longer reads WORKSPACE; this checkout has one"
            return Reading(release(WITH_MODULES), reason, False)
        return Reading(release_named, file, False)
    if source.is_file(".bazelversion"):
        return Reading(release(WITH_MODULES), ".bazelversion, which names none", False)
    if source.is_file("MODULE.bazel"):
        return _by_lock_file(source) or Reading(release(WITH_MODULES), "MODULE.bazel", False, guessed=True)
    return Reading(release(BEFORE_MODULES), "no MODULE.bazel", False, guessed=True)


def asked_release(text: str) -> Release:
    """The Bazel that an option names. Raises UsageProblem for what is no version."""
    try:
        return release(text)
    except ValueError as error:
        hint = f"a number such as {WITH_MODULES}, a line such as 8.x, or latest"
        raise UsageProblem(Diagnostic(f"--bazel_version={text}: {error}", hint=hint)) from None


def _by_lock_file(source: Source) -> Reading | None:
    """The Bazel of a lock file that ``WITH_MODULES`` would not read, since a later one has written it."""
    from bzlgraph.bzlmod.lockfile import LOCK_FILE  # what reads modules is imported where there are some
    from bzlgraph.facts.modules import module_facts

    found = _LOCK_VERSION.search(_head(source, LOCK_FILE)) if source.is_file(LOCK_FILE) else None
    version = int(found[1]) if found is not None else 0
    if version <= module_facts(WITH_MODULES).lock_versions[1]:
        return None
    ranges = {each: module_facts(each).lock_versions for each in reversed(known())}
    reader = next((each for each, (first, last) in ranges.items() if first <= version <= last), None)
    return Reading(release(reader), f"{LOCK_FILE} of version {version}", False) if reader is not None else None


def _needs_workspace(source: Source, named: Release) -> bool:
    """Whether a checkout declares repositories in a WORKSPACE that a Bazel does not read by itself."""
    from bzlgraph.facts import for_version

    if for_version(named.nearest).workspace_file == "counts":
        return False
    texts = (_head(source, each) for each in ("WORKSPACE.bazel", "WORKSPACE") if source.is_file(each))
    return any(_DECLARING.search(text) for text in texts)


def _head(source: Source, path: str) -> str:
    try:
        return source.read(path)[:_LONGEST].decode("utf-8", "replace")
    except OSError:
        return ""


def _in_file(source: Source, file: str, naming: Callable[[str], str]) -> tuple[Release, str] | None:
    """The Bazel that a file names, and its word; None when there is no such file, or it names none."""
    if not source.is_file(file):
        return None
    try:
        match = _NAMED.match(naming(source.read(file)[:_LONGEST].decode("utf-8", "replace")))
        named = release(match[2]) if match else None
    except (OSError, ValueError):
        return None
    if match is None or named is None:
        return None
    is_starter = match[1] and named.beyond and file != ".bazelversion" and source.is_file(".bazelversion")
    return None if is_starter else (named, match[2])


def _assigned(text: str) -> str:
    """What the last line of ``.bazeliskrc`` that assigns ``USE_BAZEL_VERSION`` says."""
    assignments = (line.partition("=") for line in text.splitlines())
    return next((value for name, _, value in reversed(list(assignments)) if name.strip() == "USE_BAZEL_VERSION"), "")


_FILES: dict[str, Callable[[str], str]] = {".bazeliskrc": _assigned, ".bazelversion": str}
"""The files that name a Bazel, the one that counts first, and what of their text names it."""
