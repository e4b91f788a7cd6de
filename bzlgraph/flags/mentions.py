"""What a text of options mentions: defines, configs, build settings, options of Bazel.

A line of a .bazelrc, a line that a configure script writes, and what a config_setting reads all come to the same:
``Mention``. Holes of written lines (``<CC_OPT_FLAGS>``) stay in the values.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from bzlgraph.base.label import LabelError, is_modular, parse
from bzlgraph.config.option_use import BAZELRC, OptionToken, OptionUse, Origin, read_uses
from bzlgraph.facts.options import OptionTable

DEFINE, CONFIG, FLAG, VARIABLE, OPTION = "define", "config", "build setting", "variable", "option"
PLATFORMS = "platforms"
"""The option that chooses a platform: of several the first one."""
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


@dataclass(frozen=True, slots=True)
class SettingNames:
    """How build settings may be called: ``own`` is what the main repository calls itself, ``seen`` what it calls others
    of a canonical name, ``others`` are the short names of ``--flag_alias`` and the aliases, each with the label that it
    stands for.

    >>> names = SettingNames(("mine",), {"lib+": "library"}, {"short": "//a:b", "//:old": "//a:b"})
    >>> names.label("@mine//a:b"), names.label("short"), names.label("//:old"), names.label("@other//a")
    ('//a:b', '//a:b', '//a:b', '@other//a:a')
    >>> names.label("@@lib+//a"), names.label("@@far+//a")
    ('@library//a:a', '@@far+//a:a')
    """

    own: tuple[str, ...] = ()
    seen: Mapping[str, str] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)

    def label(self, written: str) -> str:
        """The label of a build setting, from any way to write it; a text that is no label as it is."""
        text = self.others.get(written, written)
        try:
            label = parse(text, "", "")
        except LabelError:
            return text
        repo = "" if label.repo in self.own else label.repo
        if text.startswith("@@") and repo:
            repo = self.seen.get(repo, f"@{repo}" if is_modular(repo) else repo)
        found = str(label._replace(repo=repo))
        return self.others.get(found, found)


def renamed(mention: Mention, names: SettingNames) -> Mention:
    """The mention with the label of a build setting for any name of it."""
    return mention._replace(name=names.label(mention.name)) if mention.kind == FLAG else mention


def mention_of(use: OptionUse, names: SettingNames) -> Mention | None:
    """What a use of an option sets; None for a word that is no option."""
    if not use.name:
        return None
    if use.is_flag:
        return Mention(FLAG, names.label(use.name), use.value)
    if use.name == CONFIG:
        return Mention(CONFIG, use.value, "")
    kind = _KEYED.get(use.name)
    if kind is not None:
        key, _, value = use.value.partition("=")
        return Mention(kind, key, value)
    if use.name == PLATFORMS:
        return Mention(OPTION, PLATFORMS, names.label(use.value.partition(",")[0].strip()))
    return Mention(OPTION, use.name, use.value)


class Line(NamedTuple):
    """``command[:config] words``."""

    command: str
    config: str
    mentions: tuple[Mention, ...]


def read_line(text: str, table: OptionTable, names: SettingNames) -> Line | None:
    """A line as a configure script writes it; None for imports and the like."""
    try:
        words = shlex.split(text)
    except ValueError:
        words = text.split()
    if len(words) < 2 or not words[1].startswith("-"):
        return None
    command, _, config = words[0].partition(":")
    return Line(command, config, tuple(mentions_of(words[1:], table, names)))


def mentions_of(words: Iterable[str], table: OptionTable, names: SettingNames) -> Iterator[Mention]:
    """What words of a command line set."""
    tokens = (OptionToken(word, Origin(BAZELRC)) for word in words)
    for use in read_uses(tokens, table, dict(names.others)):
        found = mention_of(use, names)
        if found is not None:
            yield found
