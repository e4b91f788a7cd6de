"""Differences -> lines for people: the first says how much, then a block for each sort, ``+`` added, ``-`` removed.

``+?`` and ``-?`` are differences that a fact is missing for. What many targets get alike is told once. Edges out of
targets that are added or removed themselves are counted, not listed: the tables have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bzlgraph.base.span import place_text
from bzlgraph.base.words import column_width, counted, printable
from bzlgraph.config.assumed import OPTION
from bzlgraph.diff.changes import WITHOUT
from bzlgraph.diff.model import Change, DiffAnswer, Difference, OptionChange, What

SHOWN = 40
"""The most lines of one sort that are listed without ``--all``."""
SETS_SHOWN = 12
NAMED = 4
"""The most targets that are named for one thing that they have in common."""
SIGNS = {Change.ADDED: "+ ", Change.REMOVED: "- ", Change.MAYBE_ADDED: "+?", Change.MAYBE_REMOVED: "-?"}
_NAMES = {
    What.TARGET: ("target", "targets"),
    What.SOURCE: ("source file", "source files"),
    What.EDGE: ("edge", "edges"),
    What.COPTS: ("copt", "copts"),
    What.DEFINES: ("define", "defines"),
    What.LINKOPTS: ("linkopt", "linkopts"),
    What.ATTRIBUTE: ("value of another attribute", "values of other attributes"),
}
_WIDEST = 64


def text(answer: DiffAnswer, *, everything: bool = False) -> Iterator[str]:
    """The whole answer."""
    yield f"{_headline(answer)}\n"
    yield f"left   {answer.left.words}  ({answer.targets[0]:,} targets)\n"
    yield f"right  {answer.right.words}  ({answer.targets[1]:,} targets)\n"
    if answer.unknown:
        yield f"{counted(answer.unknown, 'edge or value', 'edges and values')} unresolved on both sides (see gaps)\n"
    yield from _changes(answer)
    for what in What:
        found = answer.of(what)
        if found:
            yield f"\n{_counted(found, what)}\n"
            listed = [each for each in found if not each.inside]
            yield from (
                _targets(listed, everything) if what in (What.TARGET, What.SOURCE) else _values(listed, everything)
            )
            if len(listed) < len(found):
                yield f"  and {len(found) - len(listed):,} of targets that are added or removed themselves\n"


def _changes(answer: DiffAnswer) -> Iterator[str]:
    """What each option does by itself: what it changes, whom it is passed to, what it stands for."""
    if not answer.changes:
        return
    yield f"\n{counted(len(answer.changes), 'change')}{', each by itself' if len(answer.changes) > 1 else ''}\n"
    width = column_width((each.words for each in answer.changes), _WIDEST)
    for each in answer.changes:
        made = [_counted(some, what) for what in What if (some := [d for d in each.differences if d.what is what])]
        yield f"  {each.words:{width}}  {'; '.join(made) or _nothing(each)}\n"
        for reach in (one for one in each.reaches if one.targets):
            yield f"  {'':{width}}  {reach.option} applies to {counted(reach.targets, reach.what)}\n"
        if each.sets and each.sets != (each.words,):
            yield f"  {'':{width}}  sets {_some(each.sets)}\n"


def _nothing(change: OptionChange) -> str:
    """Why an option changes nothing."""
    already = f" ({', '.join(change.already)})" if change.already else ""
    if change.words.removeprefix(WITHOUT).startswith(OPTION):
        return "nothing in these targets depends on it"
    if change.words.startswith(WITHOUT) and already:
        return f"set without it, too{already}"
    if change.words.startswith(WITHOUT) or change.sets:
        return "no select() of these targets depends on it"
    return f"the left side has it already{already}"


def _some(words: Sequence[str]) -> str:
    shown = " ".join(words[:SETS_SHOWN])
    return shown if len(words) <= SETS_SHOWN else f"{shown} and {len(words) - SETS_SHOWN:,} more"


def _headline(answer: DiffAnswer) -> str:
    there = f"{counted(answer.same, 'target')} {'is' if answer.same == 1 else 'are'} on both sides."
    if not answer.differences and answer.unknown:
        return f"No known difference: {there}"
    if not answer.differences:
        whose = "its" if answer.same == 1 else "their"
        same = f"{counted(answer.same, 'target')}, and all {whose} edges and values, are the same on both sides."
        return f"No difference: {same}"
    words = [_counted(found, what) for what in What if (found := answer.of(what))]
    return f"{'; '.join(words)}. {there}"


def _counted(found: Sequence[Difference], what: What) -> str:
    """``3 targets added, 1 removed``"""
    counts = {change: sum(each.change is change for each in found) for change in Change}
    shown = {change: count for change, count in counts.items() if count}
    first = next(iter(shown))
    one, many = _NAMES[what]
    return ", ".join(
        f"{count:,} {f'{one if count == 1 else many} ' if change is first else ''}{change.value}"
        for change, count in shown.items()
    )


def _targets(found: Sequence[Difference], everything: bool) -> Iterator[str]:
    width = column_width((str(each.target) for each in found), _WIDEST)
    for each in found if everything else found[:SHOWN]:
        place = place_text(each.location)
        yield f"  {SIGNS[each.change]} {each.target!s:{width}}  {each.kind}  {place}".rstrip() + "\n"
    yield from _rest(found, everything)


def _values(found: Sequence[Difference], everything: bool) -> Iterator[str]:
    """What is the same in many targets stands once, above them; what most targets have comes first."""
    groups: dict[tuple[object, ...], list[Difference]] = {}
    for each in found:
        same = (each.change, each.attribute, each.value, each.condition, each.reason, each.location)
        groups.setdefault(same, []).append(each)
    listed = sorted(groups.values(), key=lambda group: -len(group))
    shown = listed if everything else listed[:SHOWN]
    width = column_width((f"{group[0].attribute}  {group[0].value}" for group in shown), _WIDEST)
    for group in shown:
        each = group[0]
        what = printable(f"{each.attribute}  {each.value}")
        when = f"when {each.condition}" if each.condition else ""
        place = place_text(each.location)
        tail = "  ".join(filter(None, (when, printable(each.reason), place)))
        yield f"  {SIGNS[each.change]} {what:{width}}  {tail}".rstrip() + "\n"
        yield from _having(group, everything)
    yield from _rest(listed, everything)


def _having(group: Sequence[Difference], everything: bool) -> Iterator[str]:
    """The targets below what they have: their number when they are many."""
    few = group if everything or len(group) <= NAMED else group[: NAMED - 1]
    yield from (f"       {each.target}\n" for each in few)
    if len(few) < len(group):
        yield f"       and {len(group) - len(few):,} more targets\n"


def _rest(found: Sequence[object], everything: bool) -> Iterator[str]:
    if not everything and len(found) > SHOWN:
        yield f"  ... and {len(found) - SHOWN:,} more (--all, or --output=csv)\n"
