"""A command line and the defaults that hold for it -> the command line with them, as if they had been typed first.

>>> from bzlgraph.defaults.files import Defaults, Setting
>>> found = Defaults()
>>> found.settings = [Setting("", "jobs", 2, "c:1"), Setting("query", "output", "package", "c:3")]
>>> with_defaults(["-C", "x", "query", "//a"], found)
['--jobs=2', '-C', 'x', 'query', '--output=package', '//a']
>>> with_defaults(["why", "//a"], found)
['--jobs=2', 'why', '//a']

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bzlgraph.defaults.files import Defaults

GLOBAL_VALUED = frozenset(
    """allow_outside bazel_version cache_dir color directory executor host_arch host_os jobs link_template
    max_megabytes max_seconds max_steps output_base override_repository repository_folder""".split()
)
"""Global options that take a value, which may be the next word; tests/defaults asks click for them."""
_NOTHING_ASKED = frozenset({"-h", "--help", "--version"})


def command_at(arguments: Sequence[str]) -> int | None:
    """Where the name of the command is."""
    at = 0
    while at < len(arguments):
        word = arguments[at]
        if not word.startswith("-"):
            return at
        if word == "-C" or (word.startswith("--") and word[2:].replace("-", "_") in GLOBAL_VALUED):
            at += 1
        at += 1
    return None


def folder_of(arguments: Sequence[str]) -> str:
    """What ``-C`` says, wherever it stands."""
    found = "."
    for at, word in enumerate(arguments):
        if word == "--":
            break
        if word in ("-C", "--directory") and at + 1 < len(arguments):
            found = arguments[at + 1]
        elif word.startswith("--directory="):
            found = word.partition("=")[2]
        elif word.startswith("-C") and len(word) > 2:
            found = word[2:]
    return found


def with_defaults(arguments: Sequence[str], defaults: Defaults) -> list[str]:
    """The words of all settings that concern the command, in front of its own."""
    at = command_at(arguments)
    if at is None or not defaults.settings or not _NOTHING_ASKED.isdisjoint(arguments):
        return list(arguments)
    name = arguments[at].replace("_", "-")
    everywhere = [word for each in defaults.settings if not each.command for word in each.words()]
    own = [word for each in defaults.settings if each.command == name for word in each.words()]
    return [*everywhere, *arguments[: at + 1], *own, *arguments[at + 1 :]]
