"""Labels as Bazel prints them when MODULE.bazel counts (`@seen//:x`, `@@unseen~//:y`) -> as bzlgraph's facts have them
(`@seen//:x`, `@unseen~//:y`).

>>> short("//:x"), short("@seen//:x"), short("@@unseen~//:y"), short("@@[unknown repo 'z' requested from @@]//:z")
('//:x', '@seen//:x', '@unseen~//:y', "@@[unknown repo 'z' requested from @@]//:z")
"""

from __future__ import annotations

from dataclasses import replace

from tests.differential.facts.records import Answer, Attribute, Select, TargetFacts, Value

_LABELS = ("label", "label_list", "output", "output_list", "label_list_dict", "label_dict_unary")
_KEYS = "label_keyed_string_dict"


def short(label: str) -> str:
    """A canonical label with one at-sign; what nobody knows is the same to both."""
    return label if label.startswith("@@[") else label.replace("@@", "@", 1) if label.startswith("@@") else label


def with_short_labels(answer: Answer) -> Answer:
    """All that is a label, in every target."""
    targets = (_target(target) for target in answer.values())
    return {target.label: target for target in targets}


def _target(target: TargetFacts) -> TargetFacts:
    return replace(
        target,
        label=short(target.label),
        inputs=frozenset(map(short, target.inputs)),
        outputs=tuple(map(short, target.outputs)),
        members=tuple(map(short, target.members)),
        attributes={name: _attribute(name, attribute) for name, attribute in target.attributes.items()},
    )


def _attribute(name: str, attribute: Attribute) -> Attribute:
    type_name = "label_list" if name == "visibility" else attribute.type  # a list of strings, says Bazel
    return replace(attribute, value=_value(attribute.value, type_name))


def _value(value: Value, type_name: str) -> Value:
    if isinstance(value, Select):
        parts = (tuple((short(key), _value(each, type_name)) for key, each in part) for part in value.parts)
        return Select(tuple(parts))
    if type_name == _KEYS and isinstance(value, dict):
        return {short(key): each for key, each in value.items()}
    return _labels(value) if type_name in _LABELS else value


def _labels(value: Value) -> Value:
    if isinstance(value, str):
        return short(value)
    if isinstance(value, list):
        return [_labels(each) for each in value]
    if isinstance(value, dict):
        return {key: _labels(each) for key, each in value.items()}
    return value
