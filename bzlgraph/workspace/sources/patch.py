"""Unified diffs, applied in memory: (bytes of a diff, a tree of files) -> the tree, changed.

Rules
- As Bazel's own patcher (PatchUtil.java, used when ``patch_args`` has only ``-pN``): a hunk must match exactly, at its
  line or at the nearest other place (forwards first); git's headers create, delete and rename files; lines end with
  ``\\n`` afterwards, the last one too.
- As GNU ``patch`` (``gnu``; for any other argument, a ``patch_tool``, and ``tf_http_archive``): up to two lines of
  context at either end of a hunk that matches nowhere are left out, and hunks are looked for one after the other.
- A name outside of the tree is an error, whatever is to be done with it.

The packages unidiff and whatthepatch were tried. Both parse; unidiff applies nothing; whatthepatch applies a hunk at
its own line only, without offset, and sees no renames without hunks. What is left to write is the larger part.
https://github.com/bazelbuild/bazel/blob/master/src/main/java/com/google/devtools/build/lib/bazel/repository/PatchUtil.java
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.span import Location

GNU_FUZZ = 2
"""How many lines of context GNU ``patch`` may ignore at either end of a hunk."""
MAX_STEPS = 5_000_000
"""How many lines may be read, compared and written for one diff."""

_HUNK = re.compile(r"@@\s+-(\d+)(?:,(\d+))?\s+\+(\d+)(?:,(\d+))?\s+@@")
_NO_FILE = "/dev/null"


class WritableTree(Protocol):
    """What a diff is applied to. ``VirtualTree`` is one."""

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises OSError."""

    def is_file(self, path: str) -> bool:
        """Whether ``path`` is a file."""

    def write(self, path: str, data: bytes) -> None:
        """Make a file, replacing what is there. Raises OSError."""

    def delete(self, path: str) -> bool:
        """Remove a file; whether there was something."""


class Hunk(NamedTuple):
    """``old`` lines that are looked for, and ``new`` ones that take their place; ``line`` is where the diff has it.

    ``place``: where the old ones begin, counted from 0. ``lead``, ``trail``: lines of context before and after.
    """

    place: int
    old: list[str]
    new: list[str]
    lead: int
    trail: int
    line: int


@dataclass(slots=True)
class FileDiff:
    """What a diff does with one file, from its line ``line`` on. A path is None for ``/dev/null``.

    ``mode``: git tells one; ``deletes``: git says so.
    """

    line: int
    old: str | None = None
    new: str | None = None
    hunks: list[Hunk] = field(default_factory=list)
    renames: bool = False
    mode: bool = False
    deletes: bool = False


def apply_patch(
    data: bytes,
    tree: WritableTree,
    strip: int = 0,
    *,
    gnu: bool = False,
    path: str = "patch",
    budget: int = MAX_STEPS,
    single: str = "",
) -> int:
    """Apply a unified diff; ``strip`` is the N of ``patch -pN``, ``path`` what messages call the diff, ``single`` the
    one file whose changes count, where not all do. What is left of the budget of steps.

    Raises LoadProblem, with the line of the diff, for one that is broken, does not fit, takes more than its budget or
    leads out of the tree; what came before in the diff has been done.
    """
    lines = _lines(data)
    patcher = _Patcher(tree, gnu, _Complaint(path), budget - len(lines))
    for diff in _Parser(lines, strip, patcher.complaint).files():
        if single and diff.renames and single in (diff.old, diff.new):
            message = f"Renaming {single} while applying patches to it as a single file is not supported."
            raise patcher.complaint.of(message, diff.line)
        if single and not diff.old == diff.new == single:
            continue
        try:
            patcher.apply(diff)
        except OSError as error:
            message = f"cannot patch {diff.new or diff.old}: {error.strerror or error}"
            raise patcher.complaint.of(message, diff.line) from error
    return patcher.left


@dataclass(frozen=True, slots=True)
class _Complaint:
    """Makes the problems of the diff called ``path``."""

    path: str

    def of(self, message: str, line: int, source: str | None = None) -> LoadProblem:
        return LoadProblem(Diagnostic(message, Location(self.path, line, 1), source_line=source))


@dataclass(slots=True)
class _Parser:
    """Goes through the lines of a diff once."""

    lines: Sequence[str]
    strip: int
    complaint: _Complaint
    _at: int = 0

    def files(self) -> Iterator[FileDiff]:
        """What the diff does, file by file."""
        diff, git = FileDiff(1), False
        while self._at < len(self.lines):
            line = self.lines[self._at]
            self._at += 1
            if line.startswith("diff --git "):
                yield diff
                diff, git = self._git_header(line), True
            elif line.startswith("--- ") and self._next().startswith("+++ "):
                if diff.hunks:
                    yield diff
                    diff, git = FileDiff(self._at), False
                self._at += 1
                diff.old, diff.new = self._name(line, self._at - 1), self._name(self.lines[self._at - 1], self._at)
            elif line.startswith("@@") and (header := _HUNK.match(line)):
                diff.hunks.append(self._hunk(header))
            elif git:
                _read_git_line(line, diff)
            elif diff.hunks and not line.startswith("\\ "):
                yield diff
                diff = FileDiff(self._at + 1)
        yield diff

    def _next(self) -> str:
        return self.lines[self._at] if self._at < len(self.lines) else ""

    def _git_header(self, line: str) -> FileDiff:
        """The names in ``diff --git a/X b/Y``: all there is for a file that is only renamed."""
        words = line.split(" ")
        old, new = (words[2], words[3]) if len(words) >= 4 else ("", "")
        return FileDiff(self._at, self._stripped(old) or None, self._stripped(new) or None)

    def _name(self, line: str, number: int) -> str | None:
        """The path after ``---`` or ``+++``, None for ``/dev/null``."""
        written = line[4:].partition("\t")[0].strip()
        if written == _NO_FILE:
            return None
        path = self._stripped(written)
        if not path:
            raise self.complaint.of(
                f"nothing is left of the file name after stripping {self.strip} folders", number, line
            )
        return path

    def _stripped(self, path: str) -> str:
        for _ in range(self.strip):
            path = path.partition("/")[2]
        return path

    def _hunk(self, header: re.Match[str]) -> Hunk:
        """The hunk whose header was just read."""
        first = self._at
        place, old_count, new_count = int(header[1]), int(header[2] or 1), int(header[4] or 1)
        old: list[str] = []
        new: list[str] = []
        signs = ""
        while len(old) < old_count or len(new) < new_count:
            line = self._next() if self._at < len(self.lines) else "end"
            sign, rest = line[:1] or " ", line[1:]
            self._at += 1
            if sign not in " +-\\":
                raise self.complaint.of("the diff ends in the middle of a hunk", self._at, line)
            if sign == "\\":  # "\ No newline at end of file"
                continue
            signs += sign
            old += [rest] if sign != "+" else []
            new += [rest] if sign != "-" else []
            if len(old) > old_count or len(new) > new_count:
                raise self.complaint.of("the hunk has more lines than its header says", self._at, line)
        lead = len(signs) - len(signs.lstrip(" "))
        return Hunk(place, old, new, lead, len(signs) - len(signs.rstrip(" ")), first)


def _read_git_line(line: str, diff: FileDiff) -> None:
    """Note what git says about a file beside its lines."""
    if line.startswith("rename to "):
        diff.renames = True
    elif line.startswith(("new mode ", "new file mode ")):
        diff.mode = True
    elif line.startswith("deleted file mode "):
        diff.deletes = True


@dataclass(slots=True)
class _Patcher:
    """Changes the files of a tree, one diff after the other. ``left``: how many steps it may still take."""

    tree: WritableTree
    gnu: bool
    complaint: _Complaint
    left: int

    def apply(self, diff: FileDiff) -> None:
        """Do what the diff does with one file. Raises OSError and LoadProblem."""
        if not (diff.hunks or diff.renames or diff.mode or (diff.deletes and self.gnu)):
            return
        old, new = (_inside(path, diff, self.complaint) for path in (diff.old, diff.new))
        if refusal := self._refusal(diff, old, new):
            raise self.complaint.of(refusal, diff.line)
        source = next((path for path in (old, new) if self._is_file(path)), None)
        lines = _lines(self.tree.read(source)) if source is not None else []
        self.left -= len(lines)
        if self.left < 0:
            raise self.complaint.of("it changes too much: the limit of lines is reached", diff.line)
        if self.gnu:
            self._fit(diff, lines)
        else:
            self._match(diff, lines)
        target = old if self._is_file(old) and not diff.renames else new
        if old is not None:
            self.tree.delete(old)
        if target is not None and (lines or not (new is None or diff.deletes)):
            text = "\n".join(lines) + "\n" if lines else ""
            self.tree.write(target, text.encode("utf-8", "surrogateescape"))

    def _is_file(self, path: str | None) -> bool:
        return path is not None and self.tree.is_file(path)

    def _refusal(self, diff: FileDiff, old: str | None, new: str | None) -> str:
        """Why the diff fits none of the files that it names, "" when it may."""
        if old is None and new is None:
            return "no file is named before this"
        if diff.renames and (not self._is_file(old) or self._is_file(new)):
            return f"cannot rename {old} to {new}: {old} must exist and {new} must not"
        creates = (len(diff.hunks) == 1 and not diff.hunks[0].old) or (self.gnu and diff.mode)
        if not (self._is_file(old) or self._is_file(new) or creates):
            return f"there is no file to patch: neither {old or _NO_FILE} nor {new or _NO_FILE}"
        return ""

    def _match(self, diff: FileDiff, lines: list[str]) -> None:
        """Bazel's way: from the last hunk to the first, each exactly, at its place or the nearest other."""
        for hunk in sorted(diff.hunks, key=lambda each: each.place, reverse=True):
            place = self._find(hunk.old, lines, max(hunk.place - 1, 0), range(len(lines) + 1))
            if place is None:
                raise self._misfit(diff, hunk)
            lines[place : place + len(hunk.old)] = hunk.new

    def _fit(self, diff: FileDiff, lines: list[str]) -> None:
        """GNU's way: from the first hunk to the last, each after the one before, with less and less of its context."""
        shift = frozen = 0  # how far the last hunk was from its place; where what it made ends
        for hunk in diff.hunks:
            guess = max(hunk.place - bool(hunk.old) + shift, 0)
            context = max(hunk.lead, hunk.trail)
            for fuzz in range(min(GNU_FUZZ, context) + 1):
                head, tail = fuzz + hunk.lead - context, fuzz + hunk.trail - context
                places = _places(hunk, lines, frozen, at_start=head < 0 and hunk.place <= 1, at_end=tail < 0)
                head, tail = max(0, head), max(0, tail)
                old, new = hunk.old[head : len(hunk.old) - tail], hunk.new[head : len(hunk.new) - tail]
                place = self._find(old, lines, guess + head, range(places.start + head, places.stop + head))
                if place is not None:
                    break
            else:
                raise self._misfit(diff, hunk)
            lines[place : place + len(old)] = new
            frozen = place + len(new)
            shift += place - (guess + head) + len(new) - len(old)

    def _find(self, old: list[str], lines: list[str], guess: int, places: range) -> int | None:
        """The one of the places where ``old`` stands that is nearest to ``guess``; None, too, when nothing is left."""
        last = len(lines) - len(old)
        guess = min(max(guess, 0), len(lines))  # a line number may be anything
        for offset in range(len(lines) + 1):
            for place in dict.fromkeys((guess + offset, guess - offset)):
                if place in places and place <= last:
                    self.left -= 1
                    if not old or lines[place] == old[0]:
                        self.left -= len(old)
                        if lines[place : place + len(old)] == old:
                            return place
            if self.left < 0:
                break
        return None

    def _misfit(self, diff: FileDiff, hunk: Hunk) -> LoadProblem:
        fits = "does not apply to" if self.left >= 0 else "may apply in too many places of"
        message = f"this hunk {fits} {diff.old or diff.new}"
        return self.complaint.of(message, hunk.line, hunk.old[0] if hunk.old else None)


def _inside(path: str | None, diff: FileDiff, complaint: _Complaint) -> str | None:
    """A path from the root of the tree."""
    if path is None:
        return None
    normal = posixpath.normpath(path)
    if normal.startswith(("/", "../")) or normal in ("..", "."):
        raise complaint.of(f"cannot patch a file outside of the repository: '{path}'", diff.line)
    return normal


def _places(hunk: Hunk, lines: list[str], frozen: int, *, at_start: bool, at_end: bool) -> range:
    """Where a hunk may be: one with less context before than after stands at the start of the file, or at the end."""
    end = len(lines) - len(hunk.old)
    if at_start:
        return range(1 if frozen <= hunk.lead and (not at_end or end == 0) else 0)
    if at_end:
        return range(max(end, frozen), end + 1)
    return range(frozen, len(lines) + 1)


def _lines(data: bytes) -> list[str]:
    lines = data.decode("utf-8", "surrogateescape").replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines
