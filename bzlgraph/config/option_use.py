"""One use of an option, and words -> uses: how Bazel reads ``--name=value``, ``--name value``, ``--noname``, ``-c x``.

A Starlark flag is a use whose name is its label as written (``//pkg:flag``, ``@repo//pkg:flag``); a word that is no
option (a target pattern) is a use without a name. Words that Bazel would refuse are kept, with what is wrong with them:
nothing of an rc file is dropped.
Doc: https://bazel.build/reference/command-line-reference#option-syntax and OptionsParserImpl of Bazel.

>>> from bzlgraph.config.origin import ON_COMMAND_LINE
>>> from bzlgraph.facts.options import options_for
>>> [str(use) for use in parse_options(["-c", "opt", "--nostamp", "--//a:b=c"], options_for(), ON_COMMAND_LINE)]
['--compilation_mode=opt', '--stamp=false', '--//a:b=c']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.spell import nearest
from bzlgraph.config.origin import Origin
from bzlgraph.facts.options import OptionFact, OptionTable

FLAG_STARTS = ("--//", "--@", "--no//", "--no@")
"""How uses of Starlark flags begin."""

_BOOLEAN = ("false", "true")


class Token(NamedTuple):
    """A word, and where it stands."""

    text: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class OptionUse:
    """``name`` set to ``value`` by ``origin``.

    ``value`` is in canonical form: "true"/"false" for booleans, "auto"/"yes"/"no" for tristates, the spelling of Bazel
    for enumerations, else as written; "" for an option that stands for others.
    ``problem``: what is wrong with it, "" when nothing is. ``written``: the words, as they were.
    """

    name: str
    value: str
    origin: Origin
    problem: str = ""
    written: str = ""

    @property
    def known(self) -> bool:
        """Whether Bazel has such an option (a Starlark flag is taken to be there) and takes this value."""
        return not self.problem

    @property
    def is_flag(self) -> bool:
        """Whether this is a Starlark flag, not an option of Bazel."""
        return self.name.startswith(("//", "@"))

    def __str__(self) -> str:
        if not self.name:
            return self.value
        return f"--{self.name}={self.value}" if self.value else f"--{self.name}"


def parse_options(tokens: Iterable[str], table: OptionTable, origin: Origin) -> list[OptionUse]:
    """The uses that words make, in order; --config stays a use. Raises UsageProblem for what Bazel refuses."""
    words = list(tokens)
    uses = list(read_uses((Token(each, origin) for each in words), table))
    for use in uses:
        if use.problem:
            raise UsageProblem(refusal(use, table))
    return uses


def refusal(use: OptionUse, table: OptionTable) -> Diagnostic:
    """What is wrong with a use, with the option that may be meant."""
    written = use.written or str(use)
    near = nearest(use.name, table.options) if table.find(use.name) is None and use.name else None
    hint = f"did you mean --{near}?" if near else None
    return Diagnostic(f"{written}: {use.problem}", use.origin.location, hint=hint)


def read_uses(tokens: Iterable[Token], table: OptionTable) -> Iterator[OptionUse]:
    """The uses that words make, in order; what is wrong with one stands in ``problem``."""
    waiting = iter(tokens)
    aliases: dict[str, str] = {}
    unfinished: OptionUse | None = None  # an unknown option without value: a word behind it that is none is its value
    for token in waiting:
        if unfinished is not None and not token.text.startswith("-"):
            written = f"{unfinished.written} {token.text}"
            yield OptionUse(unfinished.name, token.text, unfinished.origin, unfinished.problem, written)
            unfinished = None
            continue
        if unfinished is not None:
            yield unfinished
            unfinished = None
        if token.text == "--":
            yield from (OptionUse("", each.text, each.origin, "", each.text) for each in waiting)
            return
        use = _use(token, waiting, table, aliases)
        if use.name == "flag_alias":
            short, _, label = use.value.partition("=")
            aliases[short] = label
        if use.problem == UNKNOWN and "=" not in token.text:
            unfinished = use
        else:
            yield use
    if unfinished is not None:
        yield unfinished


UNKNOWN = "Bazel has no such option"


def _use(token: Token, waiting: Iterator[Token], table: OptionTable, aliases: dict[str, str]) -> OptionUse:
    """The use that begins with ``token``; takes its value from ``waiting`` when that is another word."""
    text, origin = token
    if text.startswith(FLAG_STARTS):
        return _flag_use(text, origin)
    if not text.startswith("-") or text == "-":
        return OptionUse("", text, origin, "", text)
    name, equals, value = text.lstrip("-").partition("=") if text.startswith("--") else (text[1:], "", "")
    if name.removeprefix("no") in aliases or name in aliases:
        plain = name if name in aliases else name.removeprefix("no")
        value = value if equals else _BOOLEAN[plain == name]
        return OptionUse(aliases[plain], value, origin.through(f"--{plain}"), "", text)
    fact, on = _find(text, name, table)
    if fact is None:
        return OptionUse(name, value, origin, UNKNOWN, text)
    if not on and equals:
        return OptionUse(fact.name, value, origin, f"--no{fact.name} takes no value", text)
    if fact.kind == "expansion":
        return OptionUse(fact.name, "", origin, "", text)
    if equals:
        return _valued(fact, value, origin, text)
    if fact.has_no:
        return _valued(fact, "true" if on else "false", origin, text)
    follower = next(waiting, None)
    if follower is None:
        return OptionUse(fact.name, "", origin, "it needs a value", text)
    return _valued(fact, follower.text, origin, f"{text} {follower.text}")


def _find(text: str, name: str, table: OptionTable) -> tuple[OptionFact | None, bool]:
    """The option that a word names, and whether it is switched on (False: by ``--noname``, or ``-x-``)."""
    if not text.startswith("--"):
        on = not (len(name) == 2 and name[1] == "-")
        return table.find(table.abbreviations.get(name if on else name[0], "")), on
    fact = table.find(name)
    if fact is not None:
        return fact, True
    plain = table.find(name[2:]) if name.startswith("no") else None
    return (plain, False) if plain is not None and plain.has_no else (None, True)


def _valued(fact: OptionFact, text: str, origin: Origin, written: str) -> OptionUse:
    try:
        return OptionUse(fact.name, fact.canonical(text), origin, "", written)
    except ValueError as error:
        return OptionUse(fact.name, text, origin, str(error), written)


def _flag_use(text: str, origin: Origin) -> OptionUse:
    """``--//p:f=v``, ``--//p:f`` (true), ``--no//p:f`` (false): the value is never another word."""
    label, equals, value = text[2:].partition("=")
    on = not label.startswith("no")
    if equals and not on:
        return OptionUse(label.removeprefix("no"), value, origin, "a flag that is switched off takes no value", text)
    return OptionUse(label.removeprefix("no"), value if equals else _BOOLEAN[on], origin, "", text)
