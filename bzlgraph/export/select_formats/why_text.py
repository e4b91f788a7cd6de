"""``select --why``: for each branch why it holds or not, value by value, back to who set the value.

//a:lib  cc_library rule  a/BUILD:3
  copts (2 of 2)  a/BUILD:5
    no       //a:opt_alias, which is //a:opt (a/BUILD:9)
               no       --compilation_mode is fastbuild (default of Bazel 4.2.3), not opt
               -O2
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.base.span import place_text
from bzlgraph.base.words import printable
from bzlgraph.bazel.model import Rule
from bzlgraph.export.select_formats.summary import summary_text
from bzlgraph.export.select_formats.text import attribute_text, condition_text, heading, shown_value
from bzlgraph.graph.selects import Branch
from bzlgraph.selects.answer import SelectAnswer
from bzlgraph.selects.holds import Holds

_TRUTH = 7
"""``unknown`` is the longest."""


def why_text(answer: SelectAnswer) -> Iterator[str]:
    """The whole answer."""
    yield summary_text(answer.counts(), configured=answer.configured) + "\n"
    last: Rule | None = None
    for select in answer:
        if select.rule is not last:
            last = select.rule
            yield f"\n{heading(last)}\n"
        yield f"  {attribute_text(select)}  {place_text(select.location)}\n"
        for branch, holds in zip(select.branches, answer.holds(select), strict=True):
            yield from _branch(answer, branch, holds)


def _branch(answer: SelectAnswer, branch: Branch, holds: Holds) -> Iterator[str]:
    yield f"    {holds.truth:{_TRUTH}}  {condition_text(branch)}{_stands_for(answer, branch, holds)}\n"
    indent = " " * (_TRUTH + 8)
    for reason in holds.reasons:
        yield f"{indent}{reason.truth.value:{_TRUTH}}  {printable(str(reason))}\n"
    if holds.refused:
        yield f"{indent}error: {printable(holds.refused)}\n"
    for value in branch.values:
        yield f"{indent}{shown_value(value)}\n"


def _stands_for(answer: SelectAnswer, branch: Branch, holds: Holds) -> str:
    """The setting behind an alias, and where it is."""
    if holds.setting is None:
        return ""
    number = answer.graph.find(holds.setting)
    target = answer.graph.target(number) if number is not None else None
    place = f" ({place_text(target.location)})" if target is not None else ""
    named = branch.conditions[0].label
    return place if named == holds.setting else f", which is {holds.setting}{place}"
