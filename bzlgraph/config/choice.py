"""Which branch of a select() holds: keys -> ``Choice``.

Rules
- A key whose condition holds is the one, unless another one that holds is more special: it asks for all that the first
  asks for, and more. Of two that hold, neither more special, Bazel refuses the target (newer ones do not mind when
  both have the same value).
- A part of a value that is unknown is no select(): each of its branches is there or not, and none excludes another.
- Of two keys that are one label (":x" and "//a:x"), the later one counts.
- ``//conditions:default`` holds when no other key does.
- No key holds and there is no default: Bazel refuses the target, with the ``no_match_error`` of the select().
- A condition that is not known makes the default unknown, unless another one holds, and what it would be more special
  than: every other one when not even what it asks for is known.

Mirrors ConfiguredAttributeMapper.resolveSelector and ConfigMatchingProvider.refines of Bazel's source.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Condition
from bzlgraph.config.assumed import NOTHING, Assumptions
from bzlgraph.config.verdict import Comparison, Truth, Verdict, unknown
from bzlgraph.facts import Facts
from bzlgraph.graph.model import DEFAULT_CONDITION


@dataclass(frozen=True, slots=True)
class Choice:
    """For each key, in order, whether its branch is taken, and the verdict on its condition.

    ``error`` is what Bazel says when it refuses the select(), "" when it does not or that is unknown.
    """

    keys: tuple[Condition, ...]
    truths: tuple[Truth, ...]
    verdicts: tuple[Verdict, ...]
    error: str = ""

    @property
    def chosen(self) -> tuple[Condition, ...]:
        """The keys whose branches are taken: one, none, or several that clash."""
        return tuple(key for key, truth in zip(self.keys, self.truths, strict=True) if truth is Truth.YES)

    @property
    def possible(self) -> tuple[Condition, ...]:
        """The keys whose branches are or may be taken."""
        return tuple(key for key, truth in zip(self.keys, self.truths, strict=True) if truth is not Truth.NO)


def choose(
    keys: Sequence[Condition],
    verdict_of: Callable[[Label], Verdict],
    facts: Facts,
    *,
    values: Sequence[object] | None = None,
    no_match_error: str = "",
    assumptions: Assumptions = NOTHING,
) -> Choice:
    """Resolve a select(). With the ``values`` of its branches, two that hold and are equal do not clash."""
    last = {key: place for place, key in enumerate(keys)}
    if len(last) < len(keys) and None not in {key.label for key in keys}:
        return _choose_of_last(keys, sorted(last.values()), verdict_of, facts, values, no_match_error)
    verdicts = [_verdict(key, verdict_of, assumptions) for key in keys]
    if all(key.label is None for key in keys):
        return Choice(tuple(keys), tuple(verdict.truth for verdict in verdicts), tuple(verdicts))
    default = next((place for place, key in enumerate(keys) if key.label == DEFAULT_CONDITION), None)
    others = [place for place in range(len(keys)) if place != default]
    truths = {place: _taken(place, others, verdicts, facts) for place in others}
    winners = [place for place in others if truths[place] is Truth.YES]
    error = next((verdicts[place].error for place in others if verdicts[place].error), "")
    if len(winners) > 1 and not (facts.select_equal_values_agree and _agree(winners, values)):
        error = error or _clash([keys[place] for place in winners])
    open_ = any(truths[place] is Truth.UNKNOWN for place in others)
    if default is not None:
        holding = any(verdicts[place].truth is Truth.YES for place in others)
        truths[default] = Truth.NO if holding else Truth.UNKNOWN if open_ else Truth.YES
        verdicts[default] = _of_default(truths[default], keys, verdicts, others)
    elif not winners and not open_:
        error = error or _no_match([keys[place] for place in others], no_match_error)
    return Choice(tuple(keys), tuple(truths[place] for place in range(len(keys))), tuple(verdicts), error)


def _choose_of_last(
    keys: Sequence[Condition],
    places: Sequence[int],
    verdict_of: Callable[[Label], Verdict],
    facts: Facts,
    values: Sequence[object] | None,
    no_match_error: str,
) -> Choice:
    """Resolve a select() where keys are written again: only the branches at these places count."""
    counting = [keys[place] for place in places]
    given = [values[place] for place in places] if values is not None else None
    found = choose(counting, verdict_of, facts, values=given, no_match_error=no_match_error)
    hidden = Verdict(Truth.NO, (Comparison("", "", None, Truth.NO, missing="the same condition is written again"),))
    truths, verdicts = [Truth.NO] * len(keys), [hidden] * len(keys)
    for place, truth, verdict in zip(places, found.truths, found.verdicts, strict=True):
        truths[place], verdicts[place] = truth, verdict
    return Choice(tuple(keys), tuple(truths), tuple(verdicts), found.error)


def _verdict(key: Condition, verdict_of: Callable[[Label], Verdict], assumptions: Assumptions) -> Verdict:
    if key.label is None:
        return assumptions.of_value(key.unknown) or unknown(f"{key.unknown} cannot be evaluated")
    return verdict_of(key.label) if key.label != DEFAULT_CONDITION else Verdict(Truth.YES)


def _taken(place: int, others: Sequence[int], verdicts: Sequence[Verdict], facts: Facts) -> Truth:
    """Whether the branch of a key is taken: its condition holds and no more special one does."""
    own = verdicts[place]
    if own.truth is Truth.NO:
        return Truth.NO
    if _blank(own):
        return Truth.UNKNOWN
    same = own.label is not None and any(each > place and verdicts[each].label == own.label for each in others)
    if same and facts.select_takes_last_of_a_setting:
        return Truth.NO
    rivals = [verdicts[each] for each in others if each != place and verdicts[each].truth is not Truth.NO]
    special = {rival.truth for rival in rivals if _blank(rival) or refines(rival, own, facts)}
    if Truth.YES in special:
        return Truth.NO
    return Truth.UNKNOWN if Truth.UNKNOWN in special else own.truth


def _blank(verdict: Verdict) -> bool:
    """Whether not even what a setting asks for is known: then it may be more special than any other."""
    asks = verdict.settings or verdict.flags or verdict.constraints
    return verdict.truth is Truth.UNKNOWN and not asks


def refines(special: Verdict, general: Verdict, facts: Facts) -> bool:
    """Whether one setting asks for all that another asks for, and more."""
    pairs: list[tuple[frozenset[object], frozenset[object]]] = [
        (special.settings, general.settings),
        (special.flags, general.flags),
    ]
    if facts.select_constraints_specialize:
        pairs.append((special.constraints, general.constraints))
    contains = all(more >= less for more, less in pairs)
    return contains and any(len(more) > len(less) for more, less in pairs)


def _agree(places: Sequence[int], values: Sequence[object] | None) -> bool:
    """Whether the branches are equal; None is the empty value of the type here, too."""
    if values is None:
        return False
    found = [None if _is_empty(values[place]) else values[place] for place in places]
    return all(each == found[0] for each in found)


def _is_empty(value: object) -> bool:
    return value is False or value == "" or (isinstance(value, list | dict) and not value)


def _clash(keys: Sequence[Condition]) -> str:
    listed = ", ".join(map(str, keys))
    return f"illegal ambiguous match: {listed} hold, and none of them is more specific than the others"


def _no_match(keys: Sequence[Condition], no_match_error: str) -> str:
    if no_match_error:
        return f"no condition holds: {no_match_error}"
    listed = ", ".join(map(str, keys))
    return f"no condition holds, and there is no //conditions:default: {listed}"


def _of_default(truth: Truth, keys: Sequence[Condition], verdicts: list[Verdict], others: Sequence[int]) -> Verdict:
    """Why the default branch is taken or not: whether the other conditions hold."""
    if truth is Truth.YES:
        words = "no other condition holds" if others else "there is no other branch"
        return Verdict(truth, (Comparison("", "", None, truth, missing=words),))
    wanted = Truth.YES if truth is Truth.NO else Truth.UNKNOWN
    named = [place for place in others if verdicts[place].truth is wanted]
    word = "holds" if truth is Truth.NO else "may hold"
    return Verdict(truth, tuple(Comparison("", "", None, truth, missing=f"{keys[each]} {word}") for each in named))
