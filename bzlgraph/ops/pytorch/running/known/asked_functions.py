"""Functions of PyTorch that are asked in conditions of C++: what these ask in their turn stands in their place.

conditions of a function, what is known there -> conditions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from bzlgraph.ops.pytorch.cpp.defined import Definition
from bzlgraph.ops.pytorch.cpp.definitions import Definitions, class_of, within
from bzlgraph.ops.pytorch.cpp.known import facts_of, is_constant, plainly, simplified
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
from bzlgraph.ops.pytorch.cpp.refusals import (
    MEMBER,
    METHOD,
    asked_name,
    called_name,
    demanded,
    given_arguments,
    made_sure,
    with_answers,
)
from bzlgraph.ops.pytorch.cpp.truth import opposite, parts_of
from bzlgraph.ops.pytorch.cpp.variables.choices import asked_choice

MAX_ANSWERED = 3000
"""Characters of a condition with what is asked in the place of functions."""
_WORD = re.compile(r"[A-Za-z_]\w*")


class AskedFunctions:
    """Those of a tree."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._answers: dict[tuple[str, str, Constants], str] = {}
        self._chosen: dict[tuple[str, str, Constants], list[tuple[str, ...]]] = {}

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

    def implied(self, conditions: tuple[str, ...], asking: Definition) -> list[str]:
        """What holds besides where conditions do that ask for a value which a function gives under some alone."""
        ways = (self._ways(part.strip(), asking) for each in conditions for part in parts_of(each, "&&"))
        return [text for each in ways if len(each) == 1 for text in each[0]]

    def not_chosen(self, asking: Definition, known: Mapping[str, str]) -> dict[str, str]:
        """The values that variables of a function never have where something is known, as what chooses them gives these
        under other conditions."""
        found: dict[str, str] = {}
        set_here = {name.rpartition(".")[2]: known.get(value, value) for name, value in asking.inside.members}
        members = {name: value for name, value in set_here.items() if is_constant(value)}
        settled = {**known, **members, **{f".{name}": value for name, value in members.items()}}
        for name, call in asking.inside.chosen:
            chooser = self._only(called_name(call), call, asking)
            for value in dict.fromkeys(each for each, _ in chooser.inside.choices) if chooser is not None else ():
                asked = f"{name} == {value}"
                if all(FALSE in (simplified(each, settled) for each in way) for way in self._ways(asked, asking)):
                    found[asked] = FALSE
        return found

    def _ways(self, condition: str, asking: Definition) -> list[tuple[str, ...]]:
        """On which ways a function gives the value that a condition asks for, each by what holds there, in the words of
        who asks; none where that is not known. Methods that do nothing but ask are told by what they ask."""
        at = asking.path, condition, asking.inside.chosen
        if at not in self._chosen:
            self._chosen[at] = []
            asked, value = asked_choice(condition)
            call = dict(asking.inside.chosen).get(asked, asked)
            named = self._only(called_name(call), call, asking) if value and called_name(call) else None
            ways = [held for given, held in named.inside.choices if given == value] if named is not None else []
            self._chosen[at] = [self._told(call, named, held, asking) for held in ways if named is not None]
        return self._chosen[at]

    def _told(self, call: str, chooser: Definition, held: tuple[str, ...], asking: Definition) -> tuple[str, ...]:
        answers = partial(self._answer, asking, True)
        told = made_sure(call, chooser.parameters, held)
        return tuple(with_answers(each, answers, pattern=METHOD) for each in told)

    def _only(self, name: str, call: str, asking: Definition) -> Definition | None:
        """The only function of that name in a file that takes what a call gives."""
        named = [each for each in self._definitions.named(name) if each.path == asking.path]
        fitting = [each for each in named if len(each.parameters) == len(given_arguments(call))]
        return fitting[0] if len(fitting) == 1 else None

    def answered(self, condition: str, asking: Definition) -> str:
        """A condition with what the functions of its file give that do nothing but ask; "" where it asks none. Of
        what is known to ask for sizes more is known (``questions.py``)."""
        at = asking.path, condition, asking.inside.borrowed
        if at not in self._answers:
            known = sized_result(condition.removeprefix("!")) or "(" not in condition or "..." in condition
            for question, made in asking.inside.borrowed:
                condition = condition.replace(question, made)
            told = condition if known else with_answers(condition, partial(self._answer, asking, False))
            self._answers[at] = plainly(told) if told != condition and len(told) < MAX_ANSWERED else ""
        return self._answers[at]

    def _answer(self, asking: Definition, method: bool, name: str, given: int) -> tuple[tuple[str, ...], str]:
        """The parameters of the only function of a name in a file, or method, or in a namespace that is named, and what
        it gives where it only asks. Where the preprocessor chooses between it and one that says no, that matters."""
        called, _, member = name.partition(MEMBER)
        qualifier, _, called = called.rpartition("::")
        named = self._definitions.named(called)
        own = [each for each in named if (within(each, qualifier) if qualifier else each.path == asking.path)]
        # what is declared elsewhere may have defaults there
        fitting = [
            each for each in own if len(each.parameters) == given or (qualifier and len(each.parameters) > given)
        ]
        saying = [each for each in fitting if not (each.condition and each.inside.answer == FALSE)]
        if len(saying) != 1 or (bool(class_of(saying[0])) != method and not member):
            return (), ""
        told = dict(saying[0].inside.prepared).get(member, "") if member else saying[0].inside.answer
        chosen = f"{saying[0].condition} && ({told})" if told and len(fitting) > 1 else told
        return saying[0].parameters, chosen


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
