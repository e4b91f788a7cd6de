"""What a run looks at on disk, so that a later run can tell that nothing has changed without reading anything.

``record()`` begins. Whoever opens a file or lists a folder of a checkout calls ``look`` before; whoever asks whether
there is a file, a folder or a link asks the functions here. ``Looks`` says what was seen: of each path its state when
it was first looked at, *before* anything was read. ``looks.hold()`` looks again. (An audit hook would see every file
that is opened, and cost 0.15 s of a question of 3 s: a test uses one to find what is not noted.)

Rules
- A state is size, times, inode and device: ctime counts, which no program can set. An absent path has a state, too.
- A file that was changed a moment before somebody looked may change again within the same tick of the file system's
  clock, and nobody would see it: such looks never hold (git calls it racily clean).
- Worker processes send what they saw with their results (``fresh``, ``add``).

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

import os
import time
from stat import S_IFMT, S_ISDIR, S_ISREG

State = tuple[int, ...]
"""Type, size, mtime, ctime, inode, device; () for what is not there."""
Seen = tuple[dict[str, State], dict[str, bool], dict[str, str]]
"""States by path; whether a path is a link; where a path leads when all links are followed."""

TICK, COARSE_TICK = 50_000_000, 2_000_000_000
"""Nanoseconds that two changes must be apart to be seen: of a Linux kernel (at most 10 ms) with some to spare, and of
file systems that count seconds."""
SECOND = 1_000_000_000


class Looks:
    """What was seen."""

    __slots__ = ("links", "reals", "reliable", "states")

    def __init__(self, seen: Seen | None = None) -> None:
        self.states, self.links, self.reals = seen or ({}, {}, {})
        self.reliable = True
        """Whether all that was looked at can be looked at again, and told from what it may become."""

    @property
    def seen(self) -> Seen:
        """What was seen, as plain data."""
        return self.states, self.links, self.reals

    def state(self, path: str) -> State:
        """The state of an absolute path when it was first looked at."""
        found = self.states.get(path)
        if found is None:
            self.reliable &= os.path.isabs(path)
            found = self.states[path] = state_of_path(path)
            if found and not (S_ISREG(found[0]) or S_ISDIR(found[0])):
                self.reliable = False  # a pipe gives something else each time
            elif found and is_young(found[3]):
                self.reliable = False
        return found

    def hold(self) -> bool:
        """Whether all is as it was."""
        now, folders = state_of_path, dict[str, str]()
        return (
            self.reliable
            and all(map(tuple.__eq__, map(now, self.states), self.states.values()))
            and all(os.path.islink(path) == link for path, link in self.links.items())
            and all(_real(path, folders) == real for path, real in self.reals.items())
        )

    def without_repetition(self) -> Looks:
        """The same without what another look implies: what lies in a folder by which name, links or not, stays as it is
        as long as the folder does. What is in a file is no part of its folder."""
        folders = {path for path, state in self.states.items() if state and S_ISDIR(state[0])}
        states = {
            path: each  # a link may begin to lead somewhere without a change of its folder
            for path, each in self.states.items()
            if each or os.path.dirname(path) not in folders or os.path.lexists(path)
        }
        links = {path: each for path, each in self.links.items() if os.path.dirname(path) not in folders}
        rest = Looks((states, links, self.reals))
        rest.reliable = self.reliable
        return rest

    def changed(self) -> list[str]:
        """The paths that are no longer as they were."""
        now, folders = state_of_path, dict[str, str]()
        return [
            *(path for path, state in self.states.items() if now(path) != state),
            *(path for path, link in self.links.items() if os.path.islink(path) != link),
            *(path for path, real in self.reals.items() if _real(path, folders) != real),
        ]

    def add(self, seen: Seen, reliable: bool) -> None:
        """Add what another process saw; two that saw the same path differently saw a change."""
        states, links, reals = seen
        for path, state in states.items():
            reliable &= self.states.setdefault(path, state) == state
        for path, link in links.items():
            reliable &= self.links.setdefault(path, link) == link
        for path, real in reals.items():
            reliable &= self.reals.setdefault(path, real) == real
        self.reliable &= reliable


def _real(path: str, folders: dict[str, str]) -> str:
    """``os.path.realpath`` of an absolute path. ``folders``: where folders lead, which many paths share.

    >>> _real("/nowhere/at/all", {}), _real("/nowhere/../x", {})
    ('/nowhere/at/all', '/x')
    """
    folder, _, name = path.rpartition("/")
    if not folder or name in ("", ".", "..") or os.path.islink(path):
        return os.path.realpath(path)
    if folder not in folders:
        folders[folder] = _real(folder, folders)
    return f"{folders[folder].rstrip('/')}/{name}"


_looks: Looks | None = None
_broken = [0]
_broken_before = 0
"""How many limits were broken when recording began."""


def record() -> Looks:
    """Begin to note what this process looks at."""
    global _looks, _broken_before
    _looks, _broken_before = Looks(), _broken[0]
    return _looks


def recorded() -> Looks | None:
    """What was noted so far; None when nothing is."""
    return _looks


def stop() -> None:
    """Note no more."""
    global _looks
    _looks = None


def fresh() -> tuple[Seen, bool] | None:
    """What was noted since the last call, for another process; None when nothing is noted."""
    global _looks
    if _looks is None:
        return None
    before, _looks = _looks, Looks()
    return before.seen, before.reliable


def merge(others: tuple[Seen, bool] | None) -> None:
    """Add what another process noted: the ``fresh`` of a worker."""
    if _looks is not None and others is not None:
        _looks.add(*others)


def limits_broken() -> int:
    """How many limits were broken in this process so far. What was made while one was is never kept: another time, or
    on another machine, there may be more of it."""
    return _broken[0]


def cut_short() -> bool:
    """Whether a limit was broken since recording began."""
    return _broken[0] > _broken_before


def count_broken(more: int) -> None:
    """Limits were broken, here or by a process that worked for this one."""
    _broken[0] += more


def state_of_path(path: str) -> State:
    """The state of a path, links followed."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return ()
    return S_IFMT(found.st_mode), found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev


def is_young(changed: int) -> bool:
    """Whether a change at this time (in nanoseconds) may be followed by one that bears the same time."""
    tick = TICK if changed % SECOND else COARSE_TICK
    return abs(time.time_ns() - changed) <= tick


def look(path: str) -> State:
    """The state of an absolute path, noted."""
    return state_of_path(path) if _looks is None else _looks.state(path)


def is_file(path: str) -> bool:
    """``os.path.isfile``, noted."""
    if _looks is None:
        return os.path.isfile(path)
    found = _looks.state(path)
    return bool(found) and S_ISREG(found[0])


def is_folder(path: str) -> bool:
    """``os.path.isdir``, noted."""
    if _looks is None:
        return os.path.isdir(path)
    found = _looks.state(path)
    return bool(found) and S_ISDIR(found[0])


def exists(path: str) -> bool:
    """``os.path.exists``, noted."""
    if _looks is None:
        return os.path.exists(path)
    return bool(_looks.state(path))


def is_link(path: str) -> bool:
    """``os.path.islink``, noted."""
    if _looks is None:
        return os.path.islink(path)
    found = _looks.links.get(path)
    if found is None:
        found = _looks.links[path] = os.path.islink(path)
    return found


def real_path(path: str) -> str:
    """``os.path.realpath``, noted. What is relative to the current folder now is another path in the next one."""
    if _looks is None:
        return os.path.realpath(path)
    path = os.path.join(os.getcwd(), path)
    found = _looks.reals.get(path)
    if found is None:
        found = _looks.reals[path] = os.path.realpath(path)
    return found
