"""Functions of PyTorch that are asked in conditions of C++: what these ask in their turn stands in their place.

conditions of a function, what is known there -> conditions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from bzlgraph.ops.pytorch.cpp.defined import Definition
from bzlgraph.ops.pytorch.cpp.definitions import Definitions, class_of
from bzlgraph.ops.pytorch.cpp.known import facts_of, plainly, simplified
from bzlgraph.ops.pytorch.cpp.questions import (
    FALSE,
    TRUE,
    Constants,
    compares_devices,
    counted,
    is_device_of,
    is_of_all,
    sized_result,
)
from bzlgraph.ops.pytorch.cpp.refusals import asked_name, called_name, demanded, made_sure, with_answers
from bzlgraph.ops.pytorch.cpp.truth import opposite

MAX_ANSWERED = 1500
"""Characters of a condition with what is asked in the place of functions."""
_WORD = re.compile(r"[A-Za-z_]\w*")


class AskedFunctions:
    """Those of a tree."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._answers: dict[tuple[str, str, Constants], str] = {}

    def with_demands(
        self, conditions: tuple[str, ...], asking: Definition, known: Mapping[str, str]
    ) -> tuple[str, ...]:
        """Conditions, each that asks a function of the file behind what it says no without: where that does not hold,
        or is about the devices of tensors, of which callers may know more, or that of all. Variables that are such
        devices are told as these."""
        devices = {name: text for name, text in asking.inside.locals if is_device_of(text)}
        found: dict[str, None] = {}
        for each in conditions:
            answered = self.answered(each, asking)
            left = simplified(answered, known) if answered else ""
            if left in (TRUE, FALSE) or (left and _JOINT.search(left) is None and _JOINT.search(each) is None):
                found[_bare(left)] = None
                continue
            each = _with(each, devices)
            name = asked_name(each)
            named = self._definitions.named(name) if name else ()
            asked = [made for made in named if made.path == asking.path and not class_of(made)]
            refused = asked[0].inside.refused if len(asked) == 1 else ()
            told = demanded(each, asked[0].parameters, refused) if refused else []
            found.update((text, None) for text in told if compares_devices(text) or simplified(text, known) == FALSE)
            found.update((text, None) for text, holds in facts_of(told).items() if holds == TRUE and is_of_all(text))
            found[each] = None
        return tuple(found)

    def made_sure(self, checked: tuple[str, ...], asking: Definition, depth: int = 2) -> tuple[str, ...]:
        """What is made sure of, with that in the place of functions which are called for it: of the file, or of the
        only file that has one; numbers of elements by the name that lasts."""
        found: list[str] = []
        for each in checked:
            named = self._definitions.named(called_name(each))
            own = [made for made in named if made.path == asking.path] or named
            told = made_sure(each, own[0].parameters, own[0].inside.demands) if len(own) == 1 else []
            found += self.made_sure(tuple(told), own[0], depth - 1) if told and depth else [each]
        made = dict(asking.inside.locals) if found else {}
        devices = {name: text for name, text in made.items() if is_device_of(text)}
        return tuple(_with(counted(each, made), devices) for each in found)

    def answered(self, condition: str, asking: Definition) -> str:
        """A condition with what the functions of its file give that do nothing but ask; "" where it asks none. Of
        what is known to ask for sizes more is known (``questions.py``)."""
        at = asking.path, condition, asking.inside.borrowed
        if at not in self._answers:

            def answers(name: str, given: int) -> tuple[tuple[str, ...], str]:
                named = [each for each in self._definitions.named(name) if each.path == asking.path]
                (only,) = named if len(named) == 1 else (None,)
                fits = only is not None and not class_of(only) and len(only.parameters) == given
                return (only.parameters, only.inside.answer) if only is not None and fits else ((), "")

            known = sized_result(condition.removeprefix("!")) or "(" not in condition or "..." in condition
            for question, made in asking.inside.borrowed:
                condition = condition.replace(question, made)
            told = condition if known else with_answers(condition, answers)
            self._answers[at] = plainly(told) if told != condition and len(told) < MAX_ANSWERED else ""
        return self._answers[at]


def _with(condition: str, values: Mapping[str, str]) -> str:
    """A condition with what variables are in their place."""
    if not values or condition.endswith(" ..."):
        return condition
    return _WORD.sub(lambda word: values.get(word.group(), word.group()), condition)


def _bare(condition: str) -> str:
    """A condition that joins no others without brackets around it.

    >>> _bare("!(((a == b)))"), _bare("(a.b())")
    ('a != b', 'a.b()')
    """
    if condition.startswith("(") and condition.endswith(")"):
        return _bare(condition[1:-1])
    return opposite(_bare(condition[1:])) if condition.startswith("!(") else condition


_JOINT = re.compile(r"&&|\|\|")
