"""``op NAME --why``: how the targets behind an op get into what people install, as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bzlgraph.base.words import counted
from bzlgraph.export.why_formats.text import path_lines, short
from bzlgraph.why.answer import WhyAnswer

INDENT = "   "


def built_into_text(answers: Iterable[WhyAnswer]) -> str:
    """For each target a line with the number of edges, then the path; for one that is not built in, that."""
    return "".join(f"{line}\n" for answer in answers for line in _lines(answer))


def _lines(answer: WhyAnswer) -> Iterator[str]:
    target = answer.target.label
    product = " ".join(str(each.label) for each in answer.sources[:1])
    if answer.no_way is not None:
        yield f" not built into {product}: {target}  (bzlgraph why {target} --from {product})"
        return
    edges = counted(len(answer.steps) - 1, "edge")
    yield f" built into {short(answer.steps[0].node.label)} through {edges}: {target}"
    yield from (f"{INDENT}{line}" for line in path_lines(answer.steps))
