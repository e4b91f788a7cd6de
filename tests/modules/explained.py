"""Where bzlgraph's answer may differ from Bazel's, for a reason that shows in both answers.

- Bazel stops at a repository that it cannot fetch (it has no network). To bzlgraph that is a gap, which must name that
  repository; what Bazel leaves out because of it bzlgraph may name as ``unloaded``. Where Bazel answers nothing at all,
  the main repository may be answered without a gap: nothing of it depends on what is missing.
- Bazel drops a package with a load() that fails; bzlgraph keeps its targets, and must say that it is broken
  (``load-that-fails`` in docs/differences.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.modules.cases import Answer

_FETCH = re.compile(r"An error occurred during the fetch of repository '([^']+)'")
_PACKAGE = re.compile(r"error loading package '([^']*)'")
_UNLOADED = re.compile(r"unloaded target @+([^/]+)//")
_LABEL = re.compile(r"(?:^|\s)(@*[^\s@/]*//[^\s:]*):\S+$")


@dataclass(frozen=True, slots=True)
class Explained:
    """What may differ: whether the answer may be one that Bazel does not give, and lines that it may have beside."""

    fetched: bool = False
    lines: frozenset[str] = frozenset()


def explained(theirs: Answer, ours: Answer) -> Explained:
    """What of a difference has a reason."""
    missing = {_name(canonical) for canonical in _FETCH.findall("\n".join(theirs.messages))}
    told = [line for line in ours.messages if line.startswith(("  ", "Incomplete: "))]
    fetched = bool(missing) and (all(_is_told(name, told) for name in missing) or _is_apart(theirs, ours))
    dropped = {f"//{name}" for name in _PACKAGE.findall("\n".join(theirs.messages))}
    broken = {name for name in dropped if any(f"package {name} is broken" in line for line in told)}
    return Explained(fetched, frozenset(_lines(ours, missing if fetched else set(), broken)))


def _lines(ours: Answer, missing: set[str], broken: set[str]) -> Iterator[str]:
    for line in ours.output:
        unloaded, label = _UNLOADED.match(line), _LABEL.search(line)
        if (unloaded is not None and _name(unloaded[1]) in missing) or (label is not None and label[1] in broken):
            yield line


def _name(canonical: str) -> str:
    """What whoever names a repository calls it: ``remote`` for ``_main~_repo_rules~remote``, ``leaf`` for ``leaf~``."""
    return re.split("[~+]", canonical.rstrip("~+"))[-1]


def _is_told(name: str, gaps: list[str]) -> bool:
    """Whether a gap names a repository, or the MODULE.bazel of a module."""
    return any(f"@{name}//" in gap or f"MODULE.bazel of {name}@" in gap for gap in gaps)


def _is_apart(theirs: Answer, ours: Answer) -> bool:
    """Whether Bazel answers nothing, and bzlgraph with labels of the main repository only."""
    labels = [_LABEL.search(line) for line in ours.output]
    return not theirs.output and all(label is not None and label[1].startswith("//") for label in labels)
