"""Conditions of the preprocessor, kept as formulas: what must be defined for a line to be compiled.

The expression of an ``#if`` -> ``Formula``; ``both`` and ``negated`` combine them, ``str`` writes one down.
``#ifdef X`` and ``#if X`` are the same question here, as they are to whoever passes ``-DX=1``. Anything that is no
``&&``, ``||``, ``!`` or ``defined`` (a comparison, a call) is an atom by its text.

>>> str(parse_condition("defined(GOOGLE_CUDA) && !(INTEL_MKL || CUDA_VERSION < 10)"))
'GOOGLE_CUDA && !INTEL_MKL && !(CUDA_VERSION < 10)'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from bzlgraph.cpp.tokens import Kind, Token, tokenize

MAX_ATOMS = 8
"""A formula over more of them is taken to be possible: deciding takes two to the power of their number."""
MAX_TOKENS = 400


@dataclass(frozen=True, slots=True)
class Formula:
    """``kind`` is ``atom`` (``text`` names it), ``not``, ``and`` or ``or`` (of ``parts``)."""

    kind: str
    text: str = ""
    parts: tuple[Formula, ...] = ()

    def __str__(self) -> str:
        if self.kind == "atom":
            return self.text
        if self.kind == "not":
            inner = self.parts[0]
            return f"!{inner.text}" if inner.kind == "atom" and inner.text.isidentifier() else f"!({inner})"
        if not self.parts:
            return "always" if self.kind == "and" else "never"
        glue = " && " if self.kind == "and" else " || "
        return glue.join(f"({each})" if each.kind == "or" and self.kind == "and" else str(each) for each in self.parts)


TRUE = Formula("and")
FALSE = Formula("or")


def condition_text(formula: Formula) -> str:
    """A condition as answers show it, "" for none."""
    return "" if formula == TRUE else str(formula)


def atom(text: str) -> Formula:
    """The formula that asks one thing."""
    return Formula("atom", text)


def negated(formula: Formula) -> Formula:
    """The opposite, with ``!`` moved to the atoms."""
    if formula.kind == "atom":
        return Formula("not", "", (formula,))
    if formula.kind == "not":
        return formula.parts[0]
    return joined("or" if formula.kind == "and" else "and", tuple(negated(each) for each in formula.parts))


def both(left: Formula, right: Formula) -> Formula:
    """The formula that holds where both do."""
    if left is TRUE or right is TRUE:  # most macros stand under no condition
        return right if left is TRUE else left
    return joined("and", (left, right))


def joined(kind: str, parts: tuple[Formula, ...]) -> Formula:
    """``and`` or ``or`` of formulas, flat and without repetitions; ``TRUE`` and ``FALSE`` are these very objects."""
    neutral, absorbing = (TRUE, FALSE) if kind == "and" else (FALSE, TRUE)
    kept: dict[Formula, None] = {}
    for part in parts:
        for each in part.parts if part.kind == kind else (part,):
            if each == absorbing:
                return absorbing
            if each != neutral:
                kept[each] = None
    if any(negated(each) in kept for each in kept if each.kind in ("atom", "not")):
        return absorbing
    if len(kept) < 2:
        return next(iter(kept), neutral)
    return Formula(kind, "", tuple(kept))


def assuming(formula: Formula, known: Mapping[str, bool]) -> Formula:
    """What is left of a formula when some atoms are known."""
    if formula is TRUE or formula is FALSE:
        return formula
    if formula.kind == "atom":
        found = known.get(formula.text)
        return formula if found is None else TRUE if found else FALSE
    if formula.kind == "not":
        return negated(assuming(formula.parts[0], known))
    return joined(formula.kind, tuple(assuming(each, known) for each in formula.parts))


@lru_cache(maxsize=1 << 14)
def possible(formula: Formula) -> bool:
    """Whether some choice of the atoms makes the formula hold (yes, when there are too many to try)."""
    names = sorted(atoms_of(formula))
    if formula in (TRUE, FALSE) or len(names) > MAX_ATOMS:
        return formula != FALSE
    return any(
        assuming(formula, dict(zip(names, values, strict=True))) == TRUE
        for values in product((True, False), repeat=len(names))
    )


def may_hold_together(one: str, other: str) -> bool:
    """Whether two conditions, as answers show them, do not exclude one another.

    >>> [may_hold_together("A && B", each) for each in ("A", "!B", "!(A && B)", "B > 1", "")]
    [True, False, False, True, True]
    """
    return not (one and other) or possible(both(parse_condition(one), parse_condition(other)))


def atoms_of(formula: Formula) -> set[str]:
    """What a formula asks."""
    if formula.kind == "atom":
        return {formula.text}
    return {name for part in formula.parts for name in atoms_of(part)}


@lru_cache(maxsize=1 << 14)
def parse_condition(text: str) -> Formula:
    """The formula of an ``#if`` expression; one atom for what cannot be read."""
    tokens = [token for token in tokenize(text) if token.kind != Kind.DIRECTIVE]
    if not tokens:
        return FALSE
    if len(tokens) > MAX_TOKENS:
        return atom(_spelled(tokens[:20]) + " ...")
    reader = _ConditionParser(tokens)
    try:
        formula = reader.any_of()
    except RecursionError:
        return atom(_spelled(tokens))
    return formula if reader.at == len(tokens) else atom(_spelled(tokens))


class _ConditionParser:
    """A reader of ``||`` over ``&&`` over ``!`` over atoms."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.at = tokens, 0

    def any_of(self) -> Formula:
        """An expression: alternatives."""
        return self._chain("||", "or", lambda: self._chain("&&", "and", self._one))

    def _chain(self, symbol: str, kind: str, read: Callable[[], Formula]) -> Formula:
        parts = [read()]
        while self._peek() == symbol:
            self.at += 1
            parts.append(read())
        return joined(kind, tuple(parts))

    def _peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead].text if self.at + ahead < len(self.tokens) else ""

    def _one(self) -> Formula:
        if self._peek() == "!":
            self.at += 1
            return negated(self._one())
        if self._peek() == "defined":
            return self._defined()
        if self._peek() == "(" and not self._compared():
            self.at += 1
            inner = self.any_of()
            self.at += self._peek() == ")"
            return inner
        return self._atom()

    def _defined(self) -> Formula:
        wide = self._peek(1) == "("
        name = self._peek(2 if wide else 1)
        self.at = min(self.at + (4 if wide else 2), len(self.tokens))
        return atom(name)

    def _compared(self) -> bool:
        """Whether the bracket here is the left side of a comparison or a sum."""
        depth = 0
        for index in range(self.at, len(self.tokens)):
            depth += {"(": 1, ")": -1}.get(self.tokens[index].text, 0)
            if depth == 0:
                after = self.tokens[index + 1].text if index + 1 < len(self.tokens) else ""
                return after not in ("", "&&", "||", ")")
        return True

    def _atom(self) -> Formula:
        start, depth = self.at, 0
        while self.at < len(self.tokens):
            text = self._peek()
            if depth == 0 and text in ("&&", "||", ")"):
                break
            depth += {"(": 1, ")": -1}.get(text, 0)
            self.at += 1
        if start == self.at:
            return FALSE
        words = self.tokens[start : self.at]
        if len(words) == 1 and words[0].text.rstrip("uUlL").isdigit():
            return TRUE if int(words[0].text.rstrip("uUlL")) else FALSE
        return atom(_spelled(words))


def _spelled(tokens: list[Token]) -> str:
    pieces: list[str] = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        close = before is None or token.text in ("(", ")", ",") or before.text in ("(", "!")
        pieces.append(token.text if close else " " + token.text)
    return "".join(pieces)
