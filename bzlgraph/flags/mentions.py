"""What a text of options mentions: defines, configs, build settings, options of Bazel.

A line of a .bazelrc, a line that a configure script writes, and what a config_setting reads all come to the same:
``Mention``. Holes of written lines (``<CC_OPT_FLAGS>``) stay in the values.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from bzlgraph.base.label import LabelError, parse
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


def setting_name(written: str, own_names: Collection[str]) -> str:
    """The label of a setting as it is told, from any way to write it; ``own_names``: what the main repository calls
    itself. A text that is no label stays as it is.

    >>> setting_name("@mine//a:b", ["mine"]), setting_name("//a", []), setting_name("@other//a", ["mine"])
    ('//a:b', '//a:a', '@other//a:a')
    """
    try:
        label = parse(written, "", "")
    except LabelError:
        return written
    return str(label._replace(repo="") if label.repo in own_names else label)


def mention_of(use: OptionUse, own_names: Collection[str]) -> Mention | None:
    """What a use of an option sets; None for a word that is no option."""
    if not use.name:
        return None
    if use.is_flag:
        return Mention(FLAG, setting_name(use.name, own_names), use.value)
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


def read_line(text: str, table: OptionTable, own_names: Collection[str]) -> Line | None:
    """A line as a configure script writes it; None for imports and the like."""
    try:
        words = shlex.split(text)
    except ValueError:
        words = text.split()
    if len(words) < 2 or not words[1].startswith("-"):
        return None
    command, _, config = words[0].partition(":")
    return Line(command, config, tuple(mentions_of(words[1:], table, own_names)))


def mentions_of(words: Iterable[str], table: OptionTable, own_names: Collection[str]) -> Iterator[Mention]:
    """What words of a command line set."""
    for use in read_uses((OptionToken(word, Origin(BAZELRC)) for word in words), table):
        found = mention_of(use, own_names)
        if found is not None:
            yield found
