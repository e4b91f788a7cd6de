"""Functions of the language as older Bazels have them.

``old_functions(facts)`` -> name -> function, of those that differ in that Bazel; ``language_of(facts)`` -> what differs
while code runs. Names that a Bazel does not have at all are a matter of ``facts/names.json``.

>>> from bzlgraph.facts import for_version
>>> sorted(old_functions(for_version("2.1.0"))), sorted(old_functions(for_version("7.7.1")))
(['max', 'min', 'sorted', 'type'], [])
"""

from __future__ import annotations

from functools import cache
from typing import Any

from bzlgraph.facts import Facts
from bzlgraph.starlark.builtin import BoundMethod, Builtin, builtin
from bzlgraph.starlark.evaluation.thread import Language
from bzlgraph.starlark.universe import UNIVERSE, dict_, list_range
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import type_name


@cache
def old_functions(facts: Facts) -> dict[str, object]:
    """The functions that are not as in the newest Bazel."""
    narrow = {each.name: each for each in map(_narrowed, facts.narrow_functions)}
    return {
        **narrow,
        **({"range": list_range} if facts.range_makes_lists else {}),
        **({"type": old_type} if facts.builtins_are_functions else {}),
        **({"dict": old_dict} if facts.named_parameters and not facts.tolerant else {}),
    }


@cache
def language_of(facts: Facts) -> Language:
    """What the language of a Bazel is like."""
    return Language(
        dict_union=facts.dict_union,
        large_integers=facts.large_integers,
        frozen_dicts_answer=facts.frozen_dicts_answer,
        join_takes_anything=facts.join_takes_anything,
        strings_iterate=facts.strings_iterate,
        partition_at_space=facts.partition_at_space,
        pop_takes_anything=facts.pop_takes_anything,
        lacks_mutable_keys=facts.dicts_lack_mutable_keys,
        json_keys_once=facts.json_keys_once,
        percent=facts.percent_verbs,
        absent_members=facts.absent_members,
        range_is_key=facts.range_is_key,
        replace_count=facts.replace_count,
        bit_operators=facts.bit_operators,
        old_collections=facts.tolerant,
    )


def _narrowed(signature: str) -> Builtin:
    """A function that takes less than today: ``NAME FEWEST MOST NAMED...``, its name, how many positional arguments
    it takes ("-": any number), and what it takes by name."""
    name, fewest, most, *named = signature.split()
    function: Any = UNIVERSE[name]

    @builtin(name)
    def narrow(*args: object, **kwargs: object) -> object:
        if len(args) < int(fewest):
            raise EvalError(f"{name}() missing {fewest} required positional argument")
        if most != "-" and len(args) > int(most):
            raise EvalError(f"{name}() accepts no more than {most} positional argument but got {len(args)}")
        if unknown := next((each for each in kwargs if each not in named), None):
            raise EvalError(f"{name}() got unexpected keyword argument '{unknown}'")
        return function(*args, **kwargs)

    return narrow


@builtin("type")
def old_type(x: object, /) -> str:
    """``type()`` of Bazels before 4: functions of Bazel are functions as those of a file."""
    return "function" if isinstance(x, Builtin | BoundMethod) else type_name(x)


@builtin("dict")
def old_dict(args: object = (), **kwargs: object) -> object:
    """``dict()`` of Bazels before 1.0: its positional argument has a name, which no key can have. Where nobody chose a
    version it is a key, as it is today."""
    return dict_(args, **kwargs)
