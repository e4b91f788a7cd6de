"""``glob()`` and ``subpackages()``: patterns against the files of one package, as Bazel matches them.

Rules
- A pattern is a path of segments. ``*`` stands for any run of characters inside a segment; a segment ``**`` for any
  number of folders, also none, and at the end for everything below. No ``?``, ``.``, ``..``, empty segments or
  leading ``/``.
- A name that begins with a dot is matched by ``*`` alone, by ``**``, and by segments that begin with a dot; not by
  ``*.txt``.
- Only files of the package: never those of a package below. With ``exclude_directories = 0`` folders count too,
  ``x/**`` then includes ``x``.
- ``exclude`` patterns see whole paths; there ``?`` is one character, and a pattern without wildcards is not checked.
- Bazel drops ``(`` and ``)`` where it makes a regular expression: of segments with a star inside, and in ``exclude``
  of those without one in a pattern with wildcards. ``exclude = ["app/(main)/*"]`` means the files of ``app/main``.
- The result is sorted and has no duplicates.

Theory of operation
An include pattern is walked down the folder tree, so literal segments cost one lookup and only ``**`` looks at whole
subtrees. Exclude patterns are matched with whole paths. Both are compiled once per pattern: to regular expressions, but
where there is one star, which is nearly always, to something that takes less time to make.
Doc: https://bazel.build/reference/be/functions#glob (checked against Bazel 0.19.1 and 4.2.3).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.bazel.context.contexts import EVERYWHERE, PackageContext, PackageFiles
from bzlgraph.bazel.package.glob_loops import RECURSIVE, report_loops
from bzlgraph.bazel.targets.macros import build_file_context
from bzlgraph.bazel.values.arguments import strings
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.checks import want_bool, want_int
from bzlgraph.starlark.evaluation.budget import LOOK, charge, charge_items
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import List

STEPS_OF_A_FOLDER = 100
"""What it costs to look into one, beside the names in it."""
STEPS_OF_A_PATTERN = 10 * LOOK
"""What it costs to take one with a star apart."""
STEPS_OF_A_CHARACTER = 2 * LOOK
"""What it costs to compile a pattern that needs a regular expression, for each of its characters."""
_PARENTHESES = frozenset("()")
_PARENTHESIS = re.compile("[()]")
_ENDS = re.compile(r"([^*?]*)\*\*/\*([^*?]*)", re.DOTALL)
Matcher = Callable[[str], object]
"""Says whether a name or path is meant."""


class Wildcards(NamedTuple):
    """A segment with stars."""

    begins: str
    """What stands before the first."""
    matches: Matcher


Segment = str | Wildcards
"""A literal name, ``**``, or a segment with stars."""


@dataclass(slots=True)
class FolderTree:
    """The files and folders of a package, sorted, and the names in each folder, sorted."""

    paths: Sequence[str]
    folders: Sequence[str]
    names: dict[str, list[str]] = field(default_factory=dict)
    subfolders: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, files: PackageFiles) -> FolderTree:
        """List the package once."""
        tree = cls(files.files(), files.directories())
        for table, paths in ((tree.names, tree.paths), (tree.subfolders, tree.folders)):
            for path in paths:
                folder, _, name = path.rpartition("/")
                table.setdefault(folder, []).append(name)
        return tree

    def below(self, paths: Sequence[str], folder: str) -> Sequence[str]:
        """The part of the sorted ``paths`` that lies below ``folder``."""
        if not folder:
            return paths
        # "/" is followed by "0", so every path below "x" sorts between "x/" and "x0".
        return paths[bisect_left(paths, folder + "/") : bisect_left(paths, folder + "0")]


def match_glob(
    tree: FolderTree,
    include: Iterable[str],
    exclude: Collection[str] = (),
    directories: bool = False,
    allow_empty: bool = True,
    exclude_by_ending: bool = True,
) -> list[str]:
    """The sorted paths that ``glob()`` gives. Raises EvalError for a bad pattern, or an empty result where
    forbidden."""
    found: set[str] = set()
    include = list(include)
    for pattern in include:
        charge(_price(pattern, pattern.split("/")))
    for pattern in exclude:
        charge(_price(pattern, [pattern]))
    for pattern in include:
        matched: set[str] = set()
        _walk(tree, "", include_segments(pattern), 0, directories, matched, set())
        if not matched and not allow_empty:
            raise EvalError(
                f"glob pattern '{pattern}' didn't match anything, but allow_empty is set to False",
                "remove the pattern, or set allow_empty = True",
            )
        found |= matched
    result = sorted(without(found, exclude, exclude_by_ending))
    if not result and not allow_empty:
        raise EvalError("all files in the glob have been excluded, but allow_empty is set to False")
    return result


def _price(pattern: str, matched_alone: Iterable[str]) -> int:
    """The steps that compiling a pattern takes; `matched_alone` are the parts that one matcher each is made for."""
    if "*" not in pattern and "?" not in pattern:
        return LOOK
    needing = (part for part in matched_alone if "?" in part or (part.count("*") > 1 and part != RECURSIVE))
    return STEPS_OF_A_PATTERN + STEPS_OF_A_CHARACTER * sum(map(len, needing))


@lru_cache(maxsize=4096)
def include_segments(pattern: str) -> tuple[Segment, ...]:
    """Compile an include pattern. Raises EvalError with Bazel's words."""
    fault = _pattern_fault(pattern)
    if fault:
        raise EvalError(f"{fault} in glob pattern {to_repr(pattern)}")
    segments: list[Segment] = []
    for text in pattern.split("/"):
        if text != RECURSIVE:
            segments.append(_wildcards(text) if "*" in text else text)
        elif not segments or segments[-1] != RECURSIVE:
            segments.append(RECURSIVE)
    return tuple(segments)


def _pattern_fault(pattern: str, question_marks: bool = False) -> str | None:
    if not pattern:
        return "pattern cannot be empty"
    if pattern[0] == "/":
        return "pattern cannot be absolute"
    for text in pattern.split("/"):
        if not text:
            return "empty segment not permitted"
        if text in (".", ".."):
            return f"segment '{text}' not permitted"
        if RECURSIVE in text and text != RECURSIVE:
            return "recursive wildcard must be its own segment"
    return "wildcard ? forbidden" if "?" in pattern and not question_marks else None


@lru_cache(maxsize=4096)
def _wildcards(text: str) -> Wildcards:
    one = text.count("*") == 1 and _PARENTHESES.isdisjoint(text)
    matches = around_a_star(text) if one else re.compile(_segment_expression(text)).fullmatch
    return Wildcards(_PARENTHESIS.split(text.partition("*")[0])[0], matches)


def around_a_star(pattern: str) -> Matcher:
    """Matches what a pattern with one star, and no other wildcard, stands for."""
    before, _, after = pattern.partition("*")
    begins = before[-1:] in ("", "/")
    alone = begins and after[:1] in ("", "/")
    shown_only = begins and not alone
    start, least = len(before), len(before) + len(after) + alone

    def matches(path: str) -> bool:
        return (
            path.startswith(before)
            and path.endswith(after)
            and len(path) >= least
            and "/" not in path[start : len(path) - len(after)]
            and not (shown_only and path[start] == ".")
        )

    return matches


def _segment_expression(text: str) -> str:
    """One segment as a regular expression for a file name."""
    if text == "*":
        return "[^/]+"
    starts = text[:1]
    if not (text.count("*") == 1 and "*" in (starts, text[-1])):
        text = _PARENTHESIS.sub("", text)
    first, *rest = (_literal(part) for part in re.sub(r"\*+", "*", text).split("*"))
    expression = first
    if rest:
        # What stands between two stars may be taken where it is found first: no need to come back to it, and so no
        # pattern takes more than linear time.
        expression += "".join(f"(?>[^/]*?{part})" for part in rest[:-1]) + f"[^/]*{rest[-1]}"
    return expression if starts not in "*?()" else rf"(?!\.){expression}"


def _literal(text: str) -> str:
    return "".join("[^/]" if char == "?" else re.escape(char) for char in text)


def _walk(
    tree: FolderTree,
    folder: str,
    segments: tuple[Segment, ...],
    at: int,
    directories: bool,
    found: set[str],
    seen: set[tuple[str, int]],
) -> None:
    """Add what ``segments[at:]`` matches below ``folder``; ``seen`` keeps several ``**`` from walking twice."""
    if (folder, at) in seen:
        return
    seen.add((folder, at))
    charge(STEPS_OF_A_FOLDER)
    segment = segments[at]
    last = at + 1 == len(segments)
    if segment == RECURSIVE:
        if not last:
            for inner in (folder, *tree.below(tree.folders, folder)):
                _walk(tree, inner, segments, at + 1, directories, found, seen)
            return
        below = tree.below(tree.paths, folder)
        charge_items(len(below))
        found.update(below)
        if directories:
            found.update(tree.below(tree.folders, folder), [folder] if folder else ())
        return
    prefix = f"{folder}/" if folder else ""
    if last:
        found.update(prefix + name for name in _matching(tree.names.get(folder, ()), segment))
    if directories or not last:
        for name in _matching(tree.subfolders.get(folder, ()), segment):
            if last:
                found.add(prefix + name)
            else:
                _walk(tree, prefix + name, segments, at + 1, directories, found, seen)


def _matching(names: Sequence[str], segment: Segment) -> Iterable[str]:
    if isinstance(segment, str):
        charge(len(names) >> 2)
        return (segment,) if segment in names else ()
    # Macros ask a folder of a thousand files for `name*` a thousand times; the names are sorted.
    begins = segment.begins
    first = bisect_left(names, begins)
    last = bisect_right(names, begins, first, key=lambda name: name[: len(begins)])
    charge(LOOK + 2 * (last - first))
    return filter(segment.matches, names[first:last])


def without(paths: set[str], patterns: Collection[str], by_ending: bool) -> set[str]:
    """The paths that no exclude pattern matches. Most patterns are plain names: those cost nothing."""
    wild = [pattern for pattern in patterns if "*" in pattern or "?" in pattern]
    left = paths.difference(patterns)
    for pattern in wild:
        matches = path_matcher(pattern, by_ending)
        charge(2 * len(left))
        left = {path for path in left if not matches(path)}
    return left


@lru_cache(maxsize=4096)
def path_matcher(pattern: str, by_ending: bool = False) -> Matcher:
    """Says which whole paths a pattern with wildcards stands for. Raises EvalError with Bazel's words.

    `by_ending`: with ``**/*`` and no other wildcard it is what stands before and behind that, whatever it is.
    """
    if by_ending and (ends := _ENDS.fullmatch(pattern)):
        begins, ending = ends.groups()
        return lambda path: path.startswith(begins) and path.endswith(ending)
    fault = _pattern_fault(pattern, question_marks=True)
    if fault:
        raise EvalError(f"{fault} (in glob pattern '{pattern}')")
    if pattern.count("*") == 1 and "?" not in pattern and _PARENTHESES.isdisjoint(pattern):
        return around_a_star(pattern)
    return re.compile(path_expression(pattern), re.DOTALL).fullmatch


def path_expression(pattern: str) -> str:
    """The regular expression for the whole paths that an exclude pattern stands for."""
    texts = re.sub(r"(?<![^/])\*\*(/\*\*)+(?![^/])", RECURSIVE, pattern).split("/")
    expression, inside = "", False
    for at, text in enumerate(texts):
        last = at + 1 == len(texts)
        if text != RECURSIVE:
            expression += _segment_expression(text) + ("" if last else "/")
        elif not last:
            # As with stars in a segment: what stands between two `**` is taken where it is found first.
            again = RECURSIVE in texts[at + 1 : -1]
            expression += (")" if inside else "") + ("(?>(?:[^/]+/)*?" if again else "(?:[^/]+/)*")
            inside = again
        elif expression.endswith("/"):
            expression = f"{expression[:-1]}(?:/.*)?"
        else:
            expression += ".*"
    return expression


# --------------------------------------------------------------------------------------------- the functions


@builtin("glob")
def glob_function(
    include: object = (), exclude: object = (), exclude_directories: object = 1, allow_empty: object = ...
) -> List:
    """``glob(include, exclude = [], exclude_directories = 1, allow_empty = ...)`` of the package being evaluated."""
    context = build_file_context("glob()", in_finalizer=True)
    included = strings(include, "include", "glob")
    excluded = strings(exclude, "exclude", "glob")
    directories = not want_int(exclude_directories, "glob", "exclude_directories")
    if allow_empty is ...:
        allow_empty = context.facts.glob_allow_empty
    elif not isinstance(allow_empty, bool):
        raise EvalError(f"expected boolean for argument `allow_empty`, got `{to_repr(allow_empty)}`")
    if not context.files.known:
        for pattern in included:
            include_segments(pattern)
        _note_gap(context, included)
        return List()
    by_ending = context.facts.glob_exclude_by_ending
    found = match_glob(_tree(context), included, excluded, directories, allow_empty, by_ending)
    if context.files.loops():
        report_loops(context, [include_segments(pattern) for pattern in included])
    if any(path.startswith("@") for path in found):
        found = sorted(f":{path}" if path.startswith("@") else path for path in found)  # "@" would begin a repository
    return List(found)


@builtin("glob")
def old_glob_function(include: object = (), *, exclude: object = (), **more: object) -> object:
    """The ``glob`` of a BUILD file of old Bazels: all but ``include`` is given by name. ``native.glob`` is not so."""
    return glob_function(include, exclude, **more)


@builtin("subpackages")
def subpackages_function(*, include: object, exclude: object = (), allow_empty: object = False) -> List:
    """``subpackages(include, exclude = [], allow_empty = False)``: the nearest packages below this one."""
    context = build_file_context("subpackages()", in_finalizer=True)
    included = strings(include, "include", "subpackages")
    excluded = strings(exclude, "exclude", "subpackages")
    may_be_empty = want_bool(allow_empty, "subpackages", "allow_empty")
    if not context.files.known:
        _note_gap(context, included)
        return List()
    for pattern in included:
        if fault := _pattern_fault(pattern):
            raise EvalError(fault)
    packages = context.files.subpackages()
    found: set[str] = set()
    for pattern in included:
        matched = set(filter(path_matcher(pattern), packages))
        if not matched and not may_be_empty:
            raise EvalError(
                f"subpackages pattern '{pattern}' didn't match anything, but allow_empty is set to False (the default "
                "value)"
            )
        found |= matched
    result = sorted(without(found, excluded, False))
    if not result and not may_be_empty:
        raise EvalError("all subpackages in subpackages() have been excluded, but allow_empty is set to False")
    return List(result)


def _tree(context: PackageContext) -> FolderTree:
    """The listing of the package, made once."""
    tree: FolderTree | None = context.state.get(__name__)
    if tree is None:
        tree = context.state[__name__] = FolderTree.of(context.files)
    return tree


def _note_gap(context: PackageContext, patterns: Sequence[str]) -> None:
    """That there is no result. What fails later on may do so for want of it."""
    context.choices.add(EVERYWHERE)
    shown = ", ".join(to_repr(pattern) for pattern in patterns[:3]) + (", ..." if len(patterns) > 3 else "")
    where = f"@{context.repo}" if context.repo else "this package"
    context.add_gap(
        Gap(
            GapKind.GLOB.value,
            f"glob([{shown}]) in {where}//{context.package}",
            "its matches are unknown: the sources are not on disk",
            current_thread().innermost_location(),
            context.repo,
        )
    )
