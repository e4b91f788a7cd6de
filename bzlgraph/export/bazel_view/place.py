"""Locations and call stacks as Bazel prints them: absolute, or relative to the root of the repository they are in.

The model's paths are workspace-relative, ``external/REPO/...`` for other repositories; here they get their folder back.
A BUILD file itself has line 1 in old versions and no line in newer ones.

>>> Places("/ws", lambda repo: f"/lib/{repo}")(Location("a/BUILD", 3, 1))
'/ws/a/BUILD:3:1'
>>> Places("/ws", lambda repo: f"/lib/{repo}")(Location("external/r/a/BUILD", 3, 1), relative=True)
'a/BUILD:3:1'
"""

from __future__ import annotations

from collections.abc import Callable

from bzlgraph.base.span import Frame, Location
from bzlgraph.bazel.model import Rule, SourceFile, Target
from bzlgraph.facts import Facts
from bzlgraph.facts.native import BuiltinStacks, builtin_stacks
from bzlgraph.facts.native import Frame as BuiltinFrame

_EXTERNAL = "external/"


def shown_location(target: Target, facts: Facts, canonical: Callable[[str], str] = str) -> Location:
    """The place Bazel prints for a target: newer ones print line 1 of a source file itself, older ones who named it.

    The rule that named it tells more, so it stays where nobody asked for a certain Bazel.
    """
    if not isinstance(target, SourceFile) or not facts.source_file_is_its_own_place:
        return target.location
    return Location(target.label.shown_path(canonical(target.label.repo)), 1, 1)


def repository_of(location: Location) -> str:
    """Where the model keeps the files of the repository that a place is in; "" for the main one."""
    path = location.path
    return path[: path.find("/", len(_EXTERNAL))] if path.startswith(_EXTERNAL) else ""


class Places:
    """The folders of a workspace's repositories, to print locations with."""

    def __init__(self, root: str = "", folder_of: Callable[[str], str] | None = None) -> None:
        self._root = root
        self._folder_of = folder_of
        self._folders: dict[str, str] = {}

    def __call__(self, location: Location, *, relative: bool = False) -> str:
        """The text of a location."""
        path = location.path
        if path.startswith(_EXTERNAL):
            _, repo, inside = path.split("/", 2)
            path = inside if relative else f"{self._folder(repo)}/{inside}"
        elif not relative and self._root and not path.startswith("/"):  # that is a file inside Bazel
            path = f"{self._root}/{path}"
        return str(location._replace(path=path))

    def _folder(self, repo: str) -> str:
        found = self._folders.get(repo)
        if found is None:
            found = self._folder_of(repo) if self._folder_of is not None else ""
            found = self._folders[repo] = found or f"external/{repo}"
        return found


NOT_EXECUTABLE = "_nonexec"
"""Bazel 7 has a second rule of the name java_binary, for ``create_executable = False``; so its frames are called."""


def made_at(rule: Rule, facts: Facts) -> tuple[Frame, ...]:
    """The call stack of a target, innermost first."""
    return (*map(_frame, _inside(rule, facts).made), *rule.stack)


def defined_at(rule: Rule, facts: Facts) -> tuple[Frame, ...]:
    """The call stack of the ``rule()`` behind a target, innermost first; empty where Bazel has it in Java."""
    return (*map(_frame, _inside(rule, facts).defined), *rule.rule_class.stack)


def _inside(rule: Rule, facts: Facts) -> BuiltinStacks:
    """Only for who asked for that Bazel: to everybody else its inside is noise."""
    if facts.tolerant or not rule.rule_class.native:
        return BuiltinStacks()
    apart = rule.rule_class.name == "java_binary" and rule.get("create_executable") is False
    return builtin_stacks(facts.version, rule.rule_class.name + NOT_EXECUTABLE * apart)


def _frame(frame: BuiltinFrame) -> Frame:
    function, path, line, column = frame
    return Frame(function, Location(path, line, column))
