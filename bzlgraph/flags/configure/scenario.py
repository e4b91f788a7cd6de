"""One way to answer a configure script, to tell what the answer to one question changes.

The question is asked; all others that it does not depend on are left at their defaults, variables that nobody asks for
are not set, and the machine is a 64-bit Linux PC: the same on every machine that asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bzlgraph.flags.script.guard import ENTER, LIKELY, Among, Guard
from bzlgraph.flags.script.values import MACHINE, Cases


@dataclass(frozen=True, slots=True)
class Scenario:
    """The answers to all questions but ``variable``'s, and the machine."""

    variable: str
    fixed: Mapping[str, Among]

    def allows(self, guard: Guard, states: frozenset[str]) -> bool:
        """Whether something may happen when the variable is in one of ``states``."""
        return any(all(self._fits(*atom, states) for atom in way.items()) for way in guard.ways)

    def _fits(self, symbol: str, among: Among, states: frozenset[str]) -> bool:
        if symbol == f"${self.variable}":
            return bool(among.values & states)
        value = self.fixed.get(symbol)
        if value is None and symbol in MACHINE:
            value = Among(frozenset({MACHINE[symbol]}))
        if value is None and symbol.startswith("$"):
            value = Among(frozenset({ENTER}))
        return value is None or not value.also(among).impossible

    def value(self, cases: Cases | None, states: frozenset[str]) -> object:
        """The value that a variable of the script has then, None when it has none."""
        return next((value for guard, value in cases or () if self.allows(guard, states)), None)


def scenario(variable: str, asked: Guard) -> Scenario:
    """What must be so for a question to be asked, at its most usual."""
    ways = sorted(asked.ways, key=lambda way: sum(_unusual(symbol, among) for symbol, among in way.items()))
    fixed = {}
    for symbol, among in (ways[0] if ways else {}).items():
        if symbol.startswith("$"):
            likely = next(state for state in LIKELY if state in among.values)
            fixed[symbol] = Among(frozenset({likely}))
        else:
            usual = Among(frozenset({MACHINE.get(symbol, "")}))
            fixed[symbol] = usual if not usual.also(among).impossible else among
    return Scenario(variable, fixed)


def _unusual(symbol: str, among: Among) -> bool:
    usual = ENTER if symbol.startswith("$") else MACHINE.get(symbol, "")
    return Among(frozenset({usual})).also(among).impossible
