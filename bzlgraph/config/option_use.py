"""One use of an option and who made it; words -> uses: ``--name=value``, ``--name value``, ``--noname``, ``-c x``.

A Starlark flag is a use whose name is its label as written (``//pkg:flag``, ``@repo//pkg:flag``); a word that is no
option (a target pattern) is a use without a name. Words that Bazel would refuse are kept, with what is wrong with them:
nothing of an rc file is dropped.
Doc: https://bazel.build/reference/command-line-reference#option-syntax and OptionsParserImpl of Bazel.

>>> from bzlgraph.facts.options import options_for
>>> [str(use) for use in parse_options(["-c", "opt", "--nostamp", "--//a:b=c"], options_for(), ON_COMMAND_LINE)]
['--compilation_mode=opt', '--stamp=false', '--//a:b=c']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.span import Location
from bzlgraph.base.spell import nearest
from bzlgraph.facts.options import OptionFact, OptionTable

COMMAND_LINE = "command line"
BAZELRC = "bazelrc"
DEFAULT = "default"
EXPANSION = "expansion"


@dataclass(frozen=True, slots=True)
class Origin:
    """Who set a value: the command line, a line of a .bazelrc, another option, Bazel's default.

    >>> str(Origin("bazelrc", Location(".bazelrc", 12, 0), ("config cuda",)))
    '.bazelrc:12 (config cuda)'
    >>> str(default_origin("4.2.3"))
    'default of Bazel 4.2.3'

    ``kind``: "command line", "bazelrc", "default" (``via`` names the Bazel), or "expansion" (of an option that stands
    for others; ``location`` is where that option stands, None for the command line).
    ``via``: what led there, outermost first: ``config cuda`` for ``--config=cuda``, ``--x`` for an expanded option.
    """

    kind: str
    location: Location | None = None
    via: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.kind == DEFAULT:
            return f"default of Bazel {self.via[0]}" if self.via else "default"
        place = str(self.location) if self.location else COMMAND_LINE
        return f"{place} ({' > '.join(self.via)})" if self.via else place

    def through(self, step: str) -> Origin:
        """The origin of what an option of this origin expands to; ``step`` names that option."""
        return replace(self, kind=EXPANSION, via=(*self.via, step))


ON_COMMAND_LINE = Origin(COMMAND_LINE)


def default_origin(version: str) -> Origin:
    """The origin of an option that nobody set."""
    return Origin(DEFAULT, None, (version,))


FLAG_STARTS = ("--//", "--@", "--no//", "--no@")
"""How uses of Starlark flags begin."""

_BOOLEAN = ("false", "true")


class OptionToken(NamedTuple):
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
    uses = list(read_uses((OptionToken(each, origin) for each in words), table))
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


def read_uses(
    tokens: Iterable[OptionToken], table: OptionTable, aliases: dict[str, str] | None = None
) -> Iterator[OptionUse]:
    """The uses that words make, in order; what is wrong with one stands in ``problem``. ``aliases``: the short names of
    flags that words before these have defined; those that these define are added."""
    waiting = iter(tokens)
    aliases = {} if aliases is None else aliases
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
            use = replace(use, problem=_alias_fault(use.value))
            if not use.problem:
                aliases[short] = label
        if use.problem and use.problem == table.lacks(use.name) and "=" not in token.text:
            unfinished = use
        else:
            yield use
    if unfinished is not None:
        yield unfinished


def _alias_fault(text: str) -> str:
    """Why ``--flag_alias`` may not have a value, "" when it may."""
    name, equals, label = text.partition("=")
    if not name or not equals:
        return "Variable definitions must be in the form of a 'name=value' assignment"
    if "=" in label:
        return "--flag_alias does not support flag value assignment."
    return "" if label.startswith(("//", "@")) else "--flag_alias only supports Starlark build settings."


class Spelling(NamedTuple):
    """One word of a command line or an rc file, taken apart.

    ``name``: as written, without dashes and the ``no`` of an option that has one; a label for a Starlark flag.
    ``fact``: the option of Bazel, None when there is none. ``value``: what stands behind ``=``, None without.
    """

    name: str
    fact: OptionFact | None
    on: bool = True
    value: str | None = None
    is_flag: bool = False

    @property
    def takes_next(self) -> bool:
        """Whether the next word is its value."""
        return self.fact is not None and self.fact.takes_value and self.value is None


def spelling(text: str, table: OptionTable) -> Spelling | None:
    """The option that a word names; None for a word that is none, such as a target pattern."""
    is_flag = text.startswith(FLAG_STARTS)
    if not text.startswith("-") or text == "-":
        return None
    if not text.startswith("--"):  # -c, -k-
        name, on = (text[1], False) if len(text) == 3 and text[2] == "-" else (text[1:], True)
        return Spelling(name, table.find(table.abbreviations.get(name, "")), on)
    name, equals, behind = text[2:].partition("=")
    value = behind if equals else None
    if is_flag:
        return Spelling(name.removeprefix("no"), None, not name.startswith("no"), value, True)
    fact = table.find(name)
    plain = table.find(name[2:]) if fact is None and name.startswith("no") else None
    if plain is not None and plain.has_no:
        return Spelling(name[2:], plain, False, value)
    return Spelling(name, fact, True, value)


def _use(token: OptionToken, waiting: Iterator[OptionToken], table: OptionTable, aliases: dict[str, str]) -> OptionUse:
    """The use that begins with ``token``; takes its value from ``waiting`` when that is another word."""
    text, origin = token
    found = spelling(text, table)
    if found is None:
        return OptionUse("", text, origin, "", text)
    name, fact, on, value, is_flag = found
    if is_flag:
        return _flag_use(found, text, origin)
    if name.removeprefix("no") in aliases or name in aliases:
        plain = name if name in aliases else name.removeprefix("no")
        behind = value if value is not None else _BOOLEAN[plain == name]
        return OptionUse(aliases[plain], behind, origin.through(f"--{plain}"), "", text)
    if fact is None:
        return OptionUse(name, value or "", origin, table.lacks(name), text)
    if not on and value is not None:
        return OptionUse(fact.name, value, origin, f"--no{fact.name} takes no value", text)
    if fact.kind == "expansion":
        return OptionUse(fact.name, "", origin, "", text)
    if value is not None:
        return _valued(fact, value, origin, text)
    if fact.has_no:
        return _valued(fact, _BOOLEAN[on], origin, text)
    follower = next(waiting, None)
    if follower is None:
        return OptionUse(fact.name, "", origin, "missing value", text)
    return _valued(fact, follower.text, origin, f"{text} {follower.text}")


def _valued(fact: OptionFact, text: str, origin: Origin, written: str) -> OptionUse:
    try:
        return OptionUse(fact.name, fact.canonical(text), origin, "", written)
    except ValueError as error:
        return OptionUse(fact.name, text, origin, str(error), written)


def _flag_use(flag: Spelling, written: str, origin: Origin) -> OptionUse:
    """``--//p:f=v``, ``--//p:f`` (true), ``--no//p:f`` (false): the value is never another word."""
    if flag.value is not None and not flag.on:
        return OptionUse(flag.name, flag.value, origin, "a negated flag takes no value", written)
    return OptionUse(flag.name, _BOOLEAN[flag.on] if flag.value is None else flag.value, origin, "", written)
