"""Configurations that differ in nothing that anybody asked for: what was found in one holds in the other.

A checkout may name a hundred of them in its rc files, and most of their options are for compilers or for machines that
build, which no select(), transition or toolchain asks about.
"""

from __future__ import annotations

from bzlgraph.base.label import Label
from bzlgraph.config.configuration import Asked, Configuration
from bzlgraph.config.kinds.native_option import compare_option
from bzlgraph.facts import Facts


def answers_like(one: Configuration, other: Configuration, facts: Facts) -> bool:
    """Whether another configuration gives the same answers to all that was asked of one, and of those that it led to:
    each of these has options of the one, those that tools get for them, or what was found out of such options."""
    if one.own() != other.own() or set(one.flags()) != set(other.flags()):
        return False
    pairs = [(one, other)] if one.is_exec else [(one, other), (one.exec(), other.exec())]
    questions = list(one.asked)
    return all(
        _answer(first, each, facts) == _answer(second, each, facts) for first, second in pairs for each in questions
    )


def _answer(configuration: Configuration, question: Asked, facts: Facts) -> object:
    unnoted = configuration.unnoted()
    if isinstance(question, Label):
        return tuple(setting.value for setting in unnoted.flag_values(question))
    if isinstance(question, tuple):
        return compare_option(*question, unnoted, facts).truth
    return tuple(setting.value for setting in unnoted.values(question)) or unnoted.value(question).value
