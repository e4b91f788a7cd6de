"""What a text of options mentions: defines, configs, build settings, options of Bazel.

A line of a .bazelrc, a line that a configure script writes, and what a config_setting reads all come to the same:
``Mention``. Holes of written lines (``<CC_OPT_FLAGS>``) stay in the values.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bzlgraph.config.option_use import BAZELRC, OptionToken, OptionUse, Origin, read_uses
from bzlgraph.facts.options import OptionTable

DEFINE, CONFIG, FLAG, VARIABLE, OPTION = "define", "config", "build setting", "variable", "option"
_KEYED = {
    "define": DEFINE,
    "action_env": VARIABLE,
    "host_action_env": VARIABLE,
    "repo_env": VARIABLE,
    "test_env": VARIABLE,
}


_BOOLEANS = {**dict.fromkeys(("1", "yes", "t", "y"), "true"), **dict.fromkeys(("0", "no", "f", "n"), "false")}
"""The other words of Bazel for a boolean, and what it makes of them."""


class Mention(NamedTuple):
    """Something that can be switched: ``kind`` is one of the words above."""

    kind: str
    name: str
    value: str


def folded(mention: Mention) -> Mention:
    """The mention with the value of a build setting as Bazel compares it: it has many words for a boolean.

    >>> folded(Mention(FLAG, "//:f", "True")).value, folded(Mention(DEFINE, "f", "True")).value
    ('true', 'True')
    """
    if mention.kind != FLAG:
        return mention
    value = mention.value.lower()
    return mention._replace(value=_BOOLEANS.get(value, value))


def mention_of(use: OptionUse) -> Mention | None:
    """What a use of an option sets; None for a word that is no option."""
    if not use.name:
        return None
    if use.is_flag:
        return Mention(FLAG, use.name, use.value)
    if use.name == CONFIG:
        return Mention(CONFIG, use.value, "")
    kind = _KEYED.get(use.name)
    if kind is not None:
        key, _, value = use.value.partition("=")
        return Mention(kind, key, value)
    return Mention(OPTION, use.name, use.value)


class Line(NamedTuple):
    """``command[:config] words``."""

    command: str
    config: str
    mentions: tuple[Mention, ...]


def read_line(text: str, table: OptionTable) -> Line | None:
    """A line as a configure script writes it; None for imports and the like."""
    try:
        words = shlex.split(text)
    except ValueError:
        words = text.split()
    if len(words) < 2 or not words[1].startswith("-"):
        return None
    command, _, config = words[0].partition(":")
    return Line(command, config, tuple(mentions_of(words[1:], table)))


def mentions_of(words: Iterable[str], table: OptionTable) -> Iterator[Mention]:
    """What words of a command line set."""
    for use in read_uses((OptionToken(word, Origin(BAZELRC)) for word in words), table):
        found = mention_of(use)
        if found is not None:
            yield found
