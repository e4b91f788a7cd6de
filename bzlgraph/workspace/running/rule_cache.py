"""What repository rules made, kept: a rule is not run again while all that it looked at is as it was.

(a call, all that its runs are given, what they asked and did) -> the same repository without running its rule

Rules
- What a run does follows from the code of the rule, its arguments, what names mean, the options, and what it is told of
  files. All but the last is in the key of what is kept; of code that is the bytes of every .bzl file behind the rule.
- A rule sees files through ``RepositoryFiles`` alone. ``Journal`` notes each question with its answer (of bytes a
  digest) and each change with what became of it, in order. The same steps taken again on the files of today make the
  same tree, or some answer is another: then the rule is run.
- An outcome may follow from several runs, which take what is unknown in different ways: the steps of all have to hold.
- Nothing is kept of a rule that fails, that a limit ended, whose repositories need each other or whose arguments are
  unknown; nor of one that has done little, for that is run as fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from bzlgraph.base.codec import Codec
from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.base.words import utf8
from bzlgraph.bazel.context.contexts import DeclaringContext
from bzlgraph.bazel.repository.files import Download, Kind, RepositoryFiles
from bzlgraph.bazel.rules.repository_rule import RuleCall
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.cache.freshness import key_of
from bzlgraph.cache.looks import limits_broken
from bzlgraph.cache.store import Store
from bzlgraph.workspace.repositories.provision import Provision
from bzlgraph.workspace.running.nominal_files import NominalFiles

T = TypeVar("T")
MAX_DEPTH = 100
"""How deep what is in arguments may be nested."""
MIN_STEPS = 200_000
"""A rule whose runs took fewer steps of evaluation is run again: that takes some 10 ms."""
MAX_BYTES = 8 << 20
MAX_JOURNAL = 50_000
"""Bytes that are written by runs, and steps that they take with files, of which no more is kept."""


class Step(NamedTuple):
    """What a run asked of files or did with them, and the answer; of an error (number, text)."""

    method: str
    arguments: tuple[object, ...]
    answer: object
    failed: bool = False


Prints = tuple[tuple[str, Location], ...]


class KeptRuns(NamedTuple):
    """The steps of all runs, and what was said of the repository that the one ``chosen`` has made."""

    journals: tuple[tuple[Step, ...], ...]
    chosen: int
    known: bool
    gaps: tuple[Gap, ...]
    assumptions: tuple[str, ...]
    lacks: str
    prints: Prints


_CODEC = Codec(KeptRuns, records=(Label, Download))


class Journal:
    """``RepositoryFiles`` that notes all steps."""

    def __init__(self, files: NominalFiles) -> None:
        self.files = files
        self.steps: list[Step] = []
        self.keeps = True
        """Whether the steps can be taken again."""
        self.number = 0
        """Which of the runs of its rule it belongs to."""
        self.bytes = 0

    @property
    def root(self) -> str:
        """As of the files."""
        return self.files.root

    @property
    def workspace_root(self) -> str:
        """As of the files."""
        return self.files.workspace_root

    def kind(self, path: str) -> Kind:
        """A question."""
        return self._noted(self.files.kind, path)

    def read(self, path: str) -> bytes | None:
        """A question."""
        return self._noted(self.files.read, path)

    def names(self, path: str) -> list[str] | None:
        """A question."""
        return self._noted(self.files.names, path)

    def real(self, path: str) -> str:
        """A question."""
        return self._noted(self.files.real, path)

    def locate(self, label: Label, regular: bool) -> str | None:
        """A question."""
        return self._noted(self.files.locate, label, regular)

    def write(self, path: str, data: bytes) -> None:
        """A change."""
        self.bytes += len(data)
        self._noted(self.files.write, path, data)

    def put_opaque(self, path: str, why: str) -> None:
        """A change."""
        self._noted(self.files.put_opaque, path, why)

    def link(self, path: str, target: str) -> None:
        """A change."""
        self._noted(self.files.link, path, target)

    def overlay(self, source: str, overlay: str, path: str) -> None:
        """A change."""
        self._noted(self.files.overlay, source, overlay, path)

    def make_folder(self, path: str) -> None:
        """A change."""
        self._noted(self.files.make_folder, path)

    def delete(self, path: str) -> bool:
        """A change."""
        return self._noted(self.files.delete, path)

    def rename(self, old: str, new: str) -> None:
        """A change."""
        self._noted(self.files.rename, old, new)

    def patch(self, data: bytes, strip: int, gnu: bool = False) -> None:
        """A change that has its price in steps of evaluation: whoever takes the steps again has none to pay with."""
        self.keeps = False
        self.files.patch(data, strip, gnu)

    def put_download(self, download: Download, path: str) -> bool:
        """A change."""
        return self._noted(self.files.put_download, download, path)

    def unpack_download(self, download: Download, path: str, strip_prefix: str) -> bool:
        """A change."""
        return self._noted(self.files.unpack_download, download, path, strip_prefix)

    def unpack(self, archive: str, path: str, strip_prefix: str) -> bool:
        """A change."""
        return self._noted(self.files.unpack, archive, path, strip_prefix)

    def _noted(self, method: Callable[..., T], *arguments: object) -> T:
        if len(self.steps) >= MAX_JOURNAL or self.bytes > MAX_BYTES:
            self.keeps = False
        if not self.keeps:
            return method(*arguments)
        try:
            answer = method(*arguments)
        except OSError as error:
            self.steps.append(Step(method.__name__, arguments, _of_error(error), failed=True))
            raise
        self.steps.append(Step(method.__name__, arguments, _told(answer)))
        return answer


class Journals:
    """The steps of all runs of one rule, as long as they can be kept: many runs that each write much would take more
    memory than the rule may."""

    def __init__(self) -> None:
        self.runs: list[tuple[Step, ...]] = []
        self.keeps = True
        self.steps = 0
        """Of evaluation, in all of them."""
        self._bytes = self._entries = 0

    def add(self, journal: Journal, steps: int) -> None:
        """Add a run that took so many steps of evaluation."""
        self.steps += steps
        self._bytes += journal.bytes
        self._entries += len(journal.steps)
        self.keeps = self.keeps and journal.keeps and self._bytes <= MAX_BYTES and self._entries <= MAX_JOURNAL
        journal.number = len(self.runs)
        self.runs = [*self.runs, tuple(journal.steps)] if self.keeps else []
        journal.steps.clear()


def _told(answer: object) -> object:
    """An answer as it is noted."""
    if isinstance(answer, bytes):
        return key_of("content", (answer,))
    if isinstance(answer, Kind):
        return answer.value
    return tuple(answer) if isinstance(answer, list) else answer


def _of_error(error: OSError) -> tuple[object, ...]:
    return error.errno, error.strerror


def taken_again(steps: Iterable[Step], files: RepositoryFiles) -> bool:
    """Take the steps with other files; whether each has the same answer."""
    for step in steps:
        try:
            answer, failed = _told(getattr(files, step.method)(*step.arguments)), False
        except OSError as error:
            answer, failed = _of_error(error), True
        if (answer, failed) != (step.answer, step.failed):
            return False
    return True


@dataclass(slots=True)
class RunKeeper:
    """Keeps what the rules of one workspace made. ``state``: all that runs are given beside their own call;
    ``code``: digests of every .bzl file behind one, None where it is not known what some of them do."""

    store: Store
    state: Callable[[], str]
    code: Callable[[Label], Mapping[str, bytes] | None]
    _broken_before: int = field(default_factory=limits_broken)
    _codes: dict[Label, bytes | None] = field(default_factory=dict)

    def key(self, name: str, call: RuleCall) -> bytes | None:
        """The key of what the rule of a call makes, None when that is not kept."""
        rule, home = call.definition, call.home
        if self.store.folder is None or rule.bzl is None:
            return None
        code, arguments = self._code(rule.bzl), _text(dict(call.arguments))
        if code is None or arguments is None:
            return None
        place = (type(home).__name__, home.repo, home.package) if home is not None else ()
        beside = sorted(home.repositories) if isinstance(home, DeclaringContext) else ()  # what names mean there
        parts = (name, call.name, call.rule, str(rule.bzl), rule.name, str(call.location), *place, *beside, arguments)
        return key_of("repository rule", (code, *map(utf8, (*parts, self.state()))))

    def _code(self, bzl: Label) -> bytes | None:
        if bzl not in self._codes:
            files = self.code(bzl)
            parts = (part for path, data in files.items() for part in (utf8(path), data)) if files is not None else ()
            self._codes[bzl] = key_of("code", parts) if files is not None else None
        return self._codes[bzl]

    def again(self, key: bytes, files: Callable[[], NominalFiles]) -> tuple[Provision, Prints] | None:
        """What is kept under a key, if all that was looked at for it is as it was, and what was printed."""
        kept = self.store.get(key, _CODEC)
        if kept is None:
            return None
        taken = [files() for _ in kept.journals]
        if not all(map(taken_again, kept.journals, taken)):
            return None
        tree, gaps, assumptions = taken[kept.chosen].tree, kept.gaps, kept.assumptions
        return Provision(tree, kept.known, gaps=gaps, assumptions=assumptions, lacks=kept.lacks), kept.prints

    def keep(self, key: bytes, journals: Journals, chosen: RepositoryFiles, found: Provision, prints: Prints) -> None:
        """Keep what a rule made, where that pays; ``chosen``: the files of the run that counts, which printed that."""
        if not journals.keeps or not isinstance(chosen, Journal) or found.problems:
            return
        if journals.steps < MIN_STEPS or limits_broken() > self._broken_before:
            return
        said = (found.known, found.gaps, found.assumptions, found.lacks)
        runs = KeptRuns(tuple(journals.runs), chosen.number, *said, prints)
        with suppress(ValueError, TypeError):  # what has no plain form
            self.store.put([(key, runs)], _CODEC)


def _text(value: object, depth: int = 0) -> str | None:
    """What tells arguments apart, None where they hold something unknown."""
    if depth > MAX_DEPTH:
        return None
    if value is None or type(value) in (bool, int, float, str, bytes):
        return repr(value)
    if isinstance(value, LabelValue | Label):
        return repr(value.label) if isinstance(value, LabelValue) else repr(value)
    if isinstance(value, dict):
        value = [part for pair in value.items() for part in pair]
        mark = "{}"
    elif isinstance(value, list | tuple):
        mark = "[]" if isinstance(value, list) else "()"
    else:
        return None
    texts = [_text(each, depth + 1) for each in value]
    return mark + ",".join(each for each in texts if each is not None) + ";" if None not in texts else None
