"""Two answers -> differences, each with its cause. Order of lists counts; order of dictionaries and inputs does not.

`~name` in a cause's attribute says that nobody wrote the attribute: the two disagree about a default.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.differential.facts import Answer, Attribute, Select, TargetFacts, Value, show, simplified

_WITHOUT_ORDER = ("$config_dependencies", "distribs")


@dataclass(frozen=True, slots=True)
class Difference:
    """One disagreement. `cause` is the kind of fact, `subject` the rule class (or kind), `what` the attribute."""

    cause: str
    subject: str
    what: str
    label: str
    theirs: str
    ours: str


def compare(theirs: Answer, ours: Answer) -> Iterator[Difference]:
    """All differences, by label."""
    for label in sorted(theirs.keys() | ours.keys()):
        left, right = theirs.get(label), ours.get(label)
        if right is None:
            assert left is not None
            yield Difference("target missing", left.kind, "", label, left.location, "")
        elif left is None:
            yield Difference("target too many", right.kind, "", label, "", right.location)
        else:
            yield from _target(left, right)


def _target(left: TargetFacts, right: TargetFacts) -> Iterator[Difference]:
    kind, label = left.kind, left.label
    if kind != right.kind:
        yield Difference("kind", kind, "", label, kind, right.kind)
        return
    if left.location != right.location:
        yield Difference(where(left.location, right.location), kind, "", label, left.location, right.location)
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


def where(left: str, right: str) -> str:
    """How far apart two places are: in another file, on another line, in another column."""
    theirs, ours = left.split(":"), right.split(":")
    if theirs[0] != ours[0]:
        return "file of location"
    return "line" if theirs[1:2] != ours[1:2] else "column"


def _attributes(left: TargetFacts, right: TargetFacts) -> Iterator[Difference]:
    for name in sorted(left.attributes.keys() | right.attributes.keys()):
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
