"""Target patterns -> nodes of the kept graph, or ``Unanswered``.

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

from itertools import compress

from bzlgraph.snapshot.evaluation.run import Run
from bzlgraph.snapshot.kept import ENVIRONMENTS, LOADED, PENDING, RULE, UNLOADED, NotLoaded, Unanswered, listing_around
from bzlgraph.snapshot.nodes.walk import Many, runs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_WILDCARDS = {"all": False, "*": True, "all-targets": True}
"""The words for all targets of a package, and whether files count."""
_RULES, _DECLARED = (bytes(kind <= most for kind in range(256)) for most in (RULE, ENVIRONMENTS))
"""Of each kind of node whether it is a rule; whether its package declares it."""


def pattern(run: Run, text: str) -> set[int]:
    """The nodes of a pattern. Raises Unanswered."""
    repo, folder, name = _parts(run, text)
    if folder == "..." or folder.endswith("/..."):
        return _below(run, repo, folder[:-3].rstrip("/"), name)
    if (repo, folder, name) == ("", "external", "all"):
        raise Unanswered  # what it gives depends on the version
    number = _loaded(run, repo, folder)
    run.seen[number] = 1
    node = run.graph.node(number, name or folder.rpartition("/")[2])
    declared = node is not None and run.graph.whole("kinds")[node] <= ENVIRONMENTS
    if name in _WILDCARDS and not (declared and text.startswith(("//", "@"))):  # `//p:all` may be a target, too
        return targets_of(run, (number,), files=_WILDCARDS[name])
    if node is None or not declared:
        raise Unanswered
    return {node}


def one(run: Run, text: str) -> int:
    """The node of a label. Raises Unanswered, also for another pattern."""
    _, folder, name = _parts(run, text)
    if folder.endswith("...") or name in _WILDCARDS:
        raise Unanswered
    (node,) = pattern(run, text)
    return node


def one_named(run: Run, text: str) -> int:
    """The node of a label; of one whose package is not on disk, too, which stands for a target if something that is
    known names it. Raises Unanswered."""
    repo, folder, name = _parts(run, text)
    number = run.graph.package(repo, folder)
    if number is None or run.graph.package_status[number] != UNLOADED or name in _WILDCARDS:
        return one(run, text)
    node = run.graph.node(number, name or folder.rpartition("/")[2])
    if node is None:
        raise Unanswered
    run.touch(number)
    run.seen[number] = 1
    return node


def _parts(run: Run, text: str) -> tuple[str, str, str]:
    """Repository, folder, name of a pattern; name is "" where none is written."""
    repo = ""
    if text.startswith("@"):
        apparent, slashes, rest = text[1:].partition("//")
        if not slashes or apparent not in run.graph.apparent:
            raise Unanswered
        repo, text = run.graph.apparent[apparent], slashes + rest
    folder, colon, name = text.partition(":")
    if folder.startswith("//"):
        folder = folder[2:]
    elif colon:
        folder = "/".join(filter(None, (run.graph.facts["folder"], folder)))
    else:
        raise Unanswered  # maybe the path of a file
    *above, last = folder.split("/")
    named = not folder or last == "..." or last.strip(".")
    if (colon and not name) or not named or not all(each.strip(".") for each in above):
        raise Unanswered  # no name of a package
    return repo, folder, name


def _below(run: Run, repo: str, prefix: str, name: str) -> set[int]:
    names = listing_around(run.graph.table("listed").get(repo, {}), prefix)
    if names is None or (name and name not in _WILDCARDS):
        raise Unanswered
    inside = f"{prefix}/"
    chosen = [each for each in names if not prefix or each == prefix or each.startswith(inside)]
    if not chosen:
        raise Unanswered
    loaded, lacking = list[int](), list[tuple[str, str]]()
    for each in chosen:
        number = run.graph.package(repo, each)
        if number is None or run.graph.package_status[number] == PENDING:
            lacking.append((repo, each))
        elif run.graph.package_status[number] == LOADED:
            loaded.append(number)
    if lacking:
        raise NotLoaded(lacking)
    run.touch_all(loaded)
    for number in loaded:
        run.seen[number] = 1
    return targets_of(run, loaded, files=_WILDCARDS.get(name, False))


def _loaded(run: Run, repo: str, name: str) -> int:
    number = run.graph.package(repo, name)
    if number is None or run.graph.package_status[number] == PENDING:
        raise NotLoaded([(repo, name)])
    if run.graph.package_status[number] != LOADED:
        raise Unanswered
    run.touch(number)
    return number


def targets_of(run: Run, packages: Iterable[int], files: bool) -> set[int]:
    """The rules of packages, or all that they declare."""
    kinds, wanted = run.graph.whole("kinds"), _DECLARED if files else _RULES
    found = set[int]()
    for begin, end in runs(run.graph.package_first, sorted(packages)):
        found.update(compress(range(begin, end), bytes(kinds[begin:end]).translate(wanted)))
    return found


def everything(run: Run) -> set[int] | Many:
    """What ``//...`` reaches, whichever edges the question follows."""
    mask, packages = run.graph.whole("universe"), run.graph.whole("universe_packages")
    if not len(mask):
        return run.closure(pattern(run, "//..."), 0)
    run.told = bytearray(map(max, run.told, packages))
    return Many(run.graph, mask)
