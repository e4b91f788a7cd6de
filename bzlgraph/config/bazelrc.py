"""Which rc files take part, and what stands in them: files -> ``Bazelrc``, the words of each ``command[:config]``.

Order, as Bazel reads them: system, workspace, home, then those of ``--bazelrc``; ``import`` and ``try-import`` stand
for the file they name. Before 0.19 there was ``tools/bazel.rc``, which also counts when no version is chosen.
Doc: https://bazel.build/run/bazelrc
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bzlgraph.base.diagnostic import Diagnostic, Note
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.span import Location
from bzlgraph.base.spell import nearest
from bzlgraph.cache import looks
from bzlgraph.config.rc_tokens import MAX_WORDS, RcToken, rc_lines
from bzlgraph.facts.versioned import holds
from bzlgraph.workspace.sources.source import DiskSource, Source

WORKSPACE = "%workspace%"
WORKSPACE_RC = ".bazelrc"
OLD_RC = "tools/bazel.rc"
SYSTEM_RC = "/etc/bazel.bazelrc"
NO_FILE = "/dev/null"
IMPORTS = ("import", "try-import")
MAX_DEPTH = 100
MAX_FILES = 1_000
MAX_BYTES = 2 << 20
MAX_PROBLEMS = 100
"""Budgets: of imports, and of all files together; an untrusted checkout may be read."""
IMPORT_IF = "try-import-if-bazel-version"


@dataclass(frozen=True, slots=True)
class Section:
    """The words of one line ``command[:config] words``."""

    command: str
    config: str
    tokens: tuple[RcToken, ...]
    location: Location


@dataclass(frozen=True, slots=True)
class RcFile:
    """A file that was looked for. ``reason``: "workspace", "home", "system", "--bazelrc", "import of PATH"."""

    path: str
    reason: str
    read: bool = True


@dataclass(frozen=True, slots=True)
class Bazelrc:
    """What the rc files say, in order. ``problems``: lines that say nothing, where Bazel would end."""

    sections: tuple[Section, ...] = ()
    files: tuple[RcFile, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[Diagnostic, ...] = ()
    _words: dict[tuple[str, str], list[RcToken]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        for each in self.sections:
            self._words.setdefault((each.command, each.config), []).extend(each.tokens)

    def tokens(self, command: str, config: str = "") -> Sequence[RcToken]:
        """The words for a command, in the order of the files."""
        return self._words.get((command, config), ())

    def defines(self, command: str, config: str) -> bool:
        """Whether there is a line ``command:config`` with a word behind it (Bazel does not see one without)."""
        return bool(self.tokens(command, config))

    def configs(self) -> tuple[str, ...]:
        """The names of all configs, in order of appearance."""
        return tuple(dict.fromkeys(each.config for each in self.sections if each.config))


@dataclass(frozen=True, slots=True)
class RcChoice:
    """Which rc files take part."""

    named: tuple[str, ...] = ()
    workspace: bool = True
    home: bool = False
    system: bool = False
    old: str = ""
    """Whether ``tools/bazel.rc`` is one of the workspace's: "" (no), "always", or "unless imported" by ``.bazelrc``."""
    version: str = ""
    """The Bazel that conditional imports are for."""


def read_bazelrc(root: Path, source: Source, choice: RcChoice) -> Bazelrc:
    """Read the chosen files of the workspace at ``root``. Raises UsageProblem for one of --bazelrc that is not there.

    What is wrong in a file costs its line.
    """
    reader = _RcReader(root, source, choice.version)
    if choice.system:
        reader.read_if_there(SYSTEM_RC, "system")
    if choice.workspace and choice.old:
        reader.read_old_style(choice.old == "always")
    elif choice.workspace:
        reader.read_if_there(WORKSPACE_RC, "workspace")
        reader.tell_old()
    if choice.home:
        reader.read_if_there(os.path.expanduser("~/.bazelrc"), "home")
    for path in choice.named:
        if path == NO_FILE:
            break  # Bazel: "--bazelrc=/dev/null" ends the list
        reader.read_named(path)
    return Bazelrc(tuple(reader.sections), tuple(reader.files), reader.texts, tuple(reader.problems))


@dataclass(slots=True)
class _RcReader:
    """One reading; ``chain`` is the files being read, outermost first."""

    root: Path
    source: Source
    version: str
    sections: list[Section] = field(default_factory=list)
    files: list[RcFile] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    chain: list[str] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)
    size: int = 0
    words: int = 0
    """The bytes and the words of all files so far; one that is imported again counts again."""
    full: bool = False
    """Whether imports were left out because there are too many."""

    def read_if_there(self, path: str, reason: str) -> None:
        """A standard file, which need not exist. The same file is read once, as in Bazel."""
        if self._of(path).is_file(path) and path not in self.texts:
            self._read(path, reason)

    def read_old_style(self, always: bool) -> None:
        """``tools/bazel.rc`` before ``.bazelrc``, which may import it too (as what ``./configure`` writes)."""
        imported = self.source.is_file(WORKSPACE_RC) and OLD_RC in self._imports(WORKSPACE_RC)
        if always or not imported:
            self.read_if_there(OLD_RC, "workspace, old place")
        self.read_if_there(WORKSPACE_RC, "workspace")

    def tell_old(self) -> None:
        """Say that there is a file which only old Bazels read; Bazel warns of it."""
        if self.source.is_file(OLD_RC) and OLD_RC not in self.texts:
            self.files.append(RcFile(OLD_RC, "old location, which this version of Bazel does not read", read=False))

    def read_named(self, path: str) -> None:
        """A file of --bazelrc: it has to be there."""
        shown = self._shown(os.path.abspath(os.path.expanduser(path)))
        if not self._of(shown).is_file(shown):
            raise UsageProblem(f"--bazelrc={path}: no such file")
        self._read(shown, "--bazelrc")

    def _of(self, path: str) -> Source:
        """Where a file is read from: files that the user has may lie anywhere, and those that they import. What files
        of the workspace import may not."""
        users = os.path.isabs(path) and all(map(os.path.isabs, self.chain))
        return replace(self.source, reach=None) if users and isinstance(self.source, DiskSource) else self.source

    def _imports(self, path: str) -> set[str]:
        try:
            lines = list(rc_lines(self._text(path), path))
        except OSError:
            return set()  # reading it for its options tells
        return {self._target(line[1].text) for line in lines if line[0].text in IMPORTS and len(line) == 2}

    def _read(self, path: str, reason: str) -> None:
        try:
            text = self._text(path)
        except OSError as error:
            self.problems.append(Diagnostic(f"cannot read it ({reason}): {error.strerror}", Location(path, 0, 0)))
            self.files.append(RcFile(path, reason, read=False))
            return
        self.size += len(text)
        self.texts[path] = text
        self.files.append(RcFile(path, reason))
        self.chain.append(path)
        for first, *words in rc_lines(text, path):
            self.words += 1 + len(words)
            if self.words > MAX_WORDS:
                self._tell(f"more than {MAX_WORDS} words in rc files; this line and the rest are not read", first[1])
                break
            if first.text in IMPORTS:
                self._import(first, words)
            elif first.text == IMPORT_IF:
                self._import_if(first, words)
            else:
                command, _, config = first.text.partition(":")
                self.sections.append(Section(command, config, tuple(words), first.location))
        self.chain.pop()

    def _text(self, path: str) -> str:
        """The text of a file: Bazel takes bytes as they are, what is no UTF-8 is Latin-1 to us. Raises OSError."""
        data = self._of(path).read(path)
        if self.size + len(data) > MAX_BYTES:
            raise OSError(errno.EFBIG, f"more than {MAX_BYTES >> 20} MB of rc files")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return data.decode("latin-1")

    def _import(self, first: RcToken, words: list[RcToken]) -> None:
        if len(words) != 1:
            self._tell(f"{first.text} takes one path, not {len(words)}", first.location)
            return
        if self.full:
            return
        place = words[0].location
        target = self._target(words[0].text)
        if target in self.chain:
            steps = " > ".join([*self.chain[self.chain.index(target) :], target])
            self._tell(f"rc files import each other: {steps}", place)
            return
        if len(self.chain) >= MAX_DEPTH or len(self.files) >= MAX_FILES:
            self._tell(f"too many imports: more than {MAX_DEPTH} deep, or {MAX_FILES} files in all", place)
            self.full = True
            return
        reason = f"{first.text} of {place.short}"
        if self._of(target).is_file(target):
            self._read(target, reason)
            return
        self.files.append(RcFile(target, reason, read=False))
        if looks.is_file(os.path.join(self.root, target)):
            self._tell(f"{target} is outside the checkout and is not read", place)
        elif first.text != "try-import":
            hint = "try-import ignores a missing file"
            self._tell(f"no such file: {target}", place, hint, words[0].text)

    def _import_if(self, first: RcToken, words: list[RcToken]) -> None:
        """``try-import-if-bazel-version CONDITION PATH`` of Bazel 8 and later."""
        if len(words) != 2:
            self._tell(f"{first.text} takes a condition and a path", first.location)
            return
        wanted = holds(words[0].text, self.version)
        if wanted is None:
            message = f"'{words[0].text}' is not a condition on a version"
            self._tell(message, words[0].location, "write one such as >=8.0.0")
        elif wanted:
            self._import(first._replace(text="try-import"), words[1:])
        else:
            reason = f"import for Bazel {words[0].text} of {first.location.path}:{first.location.line}"
            self.files.append(RcFile(self._target(words[1].text), reason, read=False))

    def _target(self, text: str) -> str:
        """The file that an import means: relative to the workspace's root, where Bazel is mostly started."""
        if text.startswith(f"{WORKSPACE}/"):
            text = text[len(WORKSPACE) + 1 :]
        return self._shown(os.path.normpath(os.path.join(self.root, text)))

    def _shown(self, path: str) -> str:
        """How a file is named: within the workspace from its root."""
        below = os.path.join(self.root, "")
        inside = path[len(below) :] if path.startswith(below) else os.path.relpath(path, self.root)
        return path if inside.startswith("..") else inside.replace(os.sep, "/")

    def _tell(self, message: str, place: Location, hint: str | None = None, name: str = "") -> None:
        if len(self.problems) >= MAX_PROBLEMS:
            return
        if len(self.problems) == MAX_PROBLEMS - 1:
            message, hint, name = f"more than {MAX_PROBLEMS} problems in rc files; the rest are not shown", None, ""
        if name.startswith(WORKSPACE):
            folder, _, wanted = self._target(name).rpartition("/")
            near = nearest(wanted, self.source.entries(folder)[0])
            hint = f"did you mean {name.rpartition('/')[0]}/{near}?" if near else hint
        notes = tuple(Note("imported here", Location(each, 0, 0)) for each in self.chain[:-1])
        diagnostic = Diagnostic(message, place, hint=hint, notes=notes)
        self.problems.append(diagnostic.with_source(self.texts.get(place.path, "")))
