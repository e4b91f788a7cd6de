"""What C++ says of custom calls, as plain values: handlers, and those that extensions give Python as capsules."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

FileLine = tuple[str, int]
NOWHERE: FileLine = ("", 0)


class Handler(NamedTuple):
    """A custom call: who handles it, where that is registered, and where defined (line 0: not found).

    ``function`` is what the handler runs, itself or another; ``platform`` as lowering rules call it.
    """

    name: str
    handler: str
    path: str
    line: int
    function: str
    defined_path: str
    defined_line: int
    platform: str
    from_python: bool
    """Whether Python registers it, or is given it."""
    condition: str = ""
    """What the preprocessor must have, "" for nothing."""


class CustomCalls(NamedTuple):
    """Custom calls in the order of files and lines, those that Python registers first; and (path, why) of the files
    that could not be read."""

    handlers: list[Handler]
    broken: list[tuple[str, str]]


class Giver(NamedTuple):
    """A function of a module of C++, "" where no literal names the module, the words of what it does, and its file."""

    module: str
    name: str
    words: frozenset[str]
    path: str


class Entry(NamedTuple):
    """A handler in a dict of C++: the function that fills the dict, those of modules around it, and the modules that
    its file makes."""

    handler: Handler
    function: str
    givers: tuple[Giver, ...]
    modules: tuple[str, ...]


class Capsules(NamedTuple):
    """Handlers by the names under which Python gets them, their own too; those of dicts by theirs."""

    named: list[Handler]
    entries: list[Entry]
    givers: list[Giver]

    def given_by(self, module: str, function: str) -> list[Handler]:
        """The handlers of the dict that a function of a module gives Python."""
        asked = [each for each in self.givers if (each.module, each.name) == (module, function)]
        meant = [each for giver in asked for each in self._filled_for(giver)]
        return [each.handler for each in self.entries if each in meant]

    def named_in(self, words: Collection[str]) -> Handler | None:
        """The one handler that an expression of Python means, by the names in it; that of a module that it names comes
        first. None where several may be meant, or none."""
        entries = [each for each in self.entries if each.handler.name in words]
        near = [each.handler for each in entries if not set(each.modules).isdisjoint(words)]
        found = near or [*(each for each in self.named if each.name in words), *(each.handler for each in entries)]
        told_apart = {(each.handler, each.defined_path): each for each in found}
        return next(iter(told_apart.values())) if len(told_apart) == 1 else None

    def _filled_for(self, giver: Giver) -> list[Entry]:
        """The entries of the dict that it fills itself, or has filled by a function: that of its own file, if any."""
        filled = [each for each in self.entries if each.function in giver.words]
        own = [each for each in filled if each.handler.path == giver.path]
        return [*(own or filled), *(each for each in self.entries if giver in each.givers)]
