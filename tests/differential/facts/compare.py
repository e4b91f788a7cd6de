"""Two answers -> differences, each with its cause. Order of lists counts; order of dictionaries and inputs does not.
Digests of Bazel's own are not compared; a list that Bazel has in the order of a hash table is a set.

`~name` in a cause's attribute says that nobody wrote the attribute: the two disagree about a default.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from tests.differential.facts.records import Answer, Attribute, Select, TargetFacts, Value, show, simplified

_WITHOUT_ORDER = ("$config_dependencies", "distribs")
UNORDERED = ("$implicit_tests", "_implicit_tests")
"""Bazel 0.x lists the tests of a suite that names none in the order of a hash table, 4.2 each as often as it began anew
with the package, which depends on what it had loaded before (its Package.Builder adds them each time)."""
DIGESTS = ("$rule_implementation_hash",)
"""Hashes of Bazel's own over the .bzl files of a rule: they say nothing about the build, and are not compared."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One disagreement. `cause` is the kind of fact, `subject` the rule class (or kind), `what` the attribute.

    `gap`: bzlgraph says itself that it does not know all there: of the package of the label, or in its answer. `said`:
    the errors, with their places, and the gaps that it tells of the package, one a line.
    """

    cause: str
    subject: str
    what: str
    label: str
    theirs: str
    ours: str
    gap: bool = False
    said: str = ""


LISTED = "place in a list"
"""The cause of a source file whose place is a list that names it: Bazel 0.x has those."""


class Mentions:
    """Where the rules of an answer name a file."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def hold(self, label: str, location: str) -> bool:
        """Whether a place lies inside the call of a rule that names the file in an attribute."""
        path, at = _place(location)
        starts = self._starts.get(path, [])
        return any(
            user == path and start <= at < next((each for each in starts if each > start), (sys.maxsize, 0))
            for user, start in self._users.get(label, ())
        )

    @cached_property
    def _starts(self) -> dict[str, list[tuple[int, int]]]:
        """Where the calls of a file begin, in order."""
        found: dict[str, set[tuple[int, int]]] = defaultdict(set)
        for target in self._answer.values():
            if target.kind.endswith(" rule"):
                path, at = _place(target.location)
                found[path].add(at)
        return {path: sorted(starts) for path, starts in found.items()}

    @cached_property
    def _users(self) -> dict[str, list[tuple[str, tuple[int, int]]]]:
        """File -> the places of the rules with an attribute that names it."""
        found: dict[str, list[tuple[str, tuple[int, int]]]] = defaultdict(list)
        for target in self._answer.values():
            for text in {text for attribute in target.attributes.values() for text in _texts(attribute.value)}:
                if text in self._answer and self._answer[text].kind == "source file":
                    found[text].append(_place(target.location))
        return found


def _place(location: str) -> tuple[str, tuple[int, int]]:
    path, *numbers = location.split(":")
    line, column, *_ = (*map(int, numbers), 0, 0)
    return path, (line, column)


def _texts(value: Value) -> Iterator[str]:
    """The strings of a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Select):
        for part in value.parts:
            for _, branch in part:
                yield from _texts(branch)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from (*_texts(key), *_texts(item))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)


def compare(theirs: Answer, ours: Answer) -> Iterator[Difference]:
    """All differences, by label."""
    mentions = Mentions(theirs)
    for label in sorted(theirs.keys() | ours.keys()):
        left, right = theirs.get(label), ours.get(label)
        if right is None:
            assert left is not None
            yield Difference("target missing", left.kind, "", label, left.location, "")
        elif left is None:
            yield Difference("target too many", right.kind, "", label, "", right.location)
        else:
            yield from _target(left, right, mentions)


def _target(left: TargetFacts, right: TargetFacts, mentions: Mentions) -> Iterator[Difference]:
    kind, label = left.kind, left.label
    if kind != right.kind:
        yield Difference("kind", kind, "", label, kind, right.kind)
        return
    if left.location != right.location:
        listed = kind == "source file" and mentions.hold(label, left.location)
        cause = LISTED if listed else where(left.location, right.location)
        yield Difference(cause, kind, "", label, left.location, right.location)
    if left.outputs != right.outputs:
        same = sorted(left.outputs) == sorted(right.outputs)
        cause = "order of outputs" if same else "outputs"
        yield Difference(cause, kind, "", label, show(left.outputs), show(right.outputs))
    if left.members != right.members:
        yield Difference("members or visibility", kind, "", label, show(left.members), show(right.members))
    missing, extra = left.inputs - right.inputs, right.inputs - left.inputs
    for item in sorted(missing):
        yield Difference("input missing", kind, item, label, item, "")
    for item in sorted(extra):
        yield Difference("input too many", kind, item, label, "", item)
    yield from _attributes(left, right)


PLACES = ("line", "column")
"""The causes of places in one file."""


def where(left: str, right: str) -> str:
    """How far apart two places are: in another file, on another line, in another column."""
    theirs, ours = left.split(":"), right.split(":")
    if theirs[0] != ours[0]:
        return "file of location"
    return "line" if theirs[1:2] != ours[1:2] else "column"


def _attributes(left: TargetFacts, right: TargetFacts) -> Iterator[Difference]:
    for name in sorted((left.attributes.keys() | right.attributes.keys()).difference(DIGESTS)):
        theirs, ours = left.attributes.get(name), right.attributes.get(name)
        cause = _cause(name, theirs, ours)
        if cause:
            written = (theirs is not None and theirs.explicit) or (ours is not None and ours.explicit)
            what = name if written else f"~{name}"
            yield Difference(cause, left.kind, what, left.label, _attribute_text(theirs), _attribute_text(ours))


def _attribute_text(attribute: Attribute | None) -> str:
    if attribute is None:
        return ""
    return f"{'' if attribute.explicit else '~'}{attribute.type} = {show(attribute.value)}"


def _cause(name: str, theirs: Attribute | None, ours: Attribute | None) -> str:
    if theirs is None or ours is None:
        present = theirs or ours
        assert present is not None
        if not present.explicit and present.value in ("", [], {}, None, False, 0, -1):
            return ""
        return "attribute missing" if ours is None else "attribute too many"
    if theirs.type != ours.type:
        return "type of attribute"
    if name in UNORDERED and isinstance(theirs.value, list) and isinstance(ours.value, list):
        return "" if set(map(show, theirs.value)) == set(map(show, ours.value)) else "value of attribute"
    if _normal(theirs.value) != _normal(ours.value):
        if _sorted(theirs.value) != _sorted(ours.value):
            return "value of attribute"
        return "" if name in _WITHOUT_ORDER else "order in value"
    return "explicit or default" if theirs.explicit != ours.explicit else ""


def _normal(value: Value) -> Value:
    """A form in which values are equal that mean the same: selects simplified, their keys without order."""
    value = simplified(value)
    return tuple(dict(part) for part in value.parts) if isinstance(value, Select) else value


def _sorted(value: Value) -> str:
    """The characters of a value in order: equal for two values that differ in the order of something."""
    return "".join(sorted(show(value)))
