"""Bazel's spelling of options on top of click's: what people type for Bazel works here.

* ``--no_cache`` and ``--no-cache``, ``--override-repository`` and ``--override_repository`` are the same;
* global options may stand before or after the command: they are moved before it.

>>> normalise(["query", "--jobs=2", "//...", "--cache-dir", "x"], flags={"--strict"}, valued={"--jobs", "--cache_dir"})
['--jobs=2', '--cache_dir', 'x', 'query', '//...']
"""

from __future__ import annotations

from collections.abc import Collection, Sequence


def normalise(arguments: Sequence[str], flags: Collection[str], valued: Collection[str]) -> list[str]:
    """The arguments with option names in underscores and global options first. ``--`` ends options, as usual."""
    first, rest = apart(arguments, flags, valued)
    return first + rest


def apart(arguments: Sequence[str], flags: Collection[str], valued: Collection[str]) -> tuple[list[str], list[str]]:
    """The global options, and what is left: the command and its own arguments."""
    first: list[str] = []
    rest: list[str] = []
    waiting = iter(arguments)
    for argument in waiting:
        if argument == "--":
            rest += [argument, *waiting]
            break
        name, equals, value = _split(argument)
        if name in flags:
            first.append(name + equals + value)
        elif name in valued:
            first.append(name + equals + value)
            if not equals:
                first += [each for each in [next(waiting, None)] if each is not None]
        else:
            rest.append(name + equals + value)
    return first, rest


def _split(argument: str) -> tuple[str, str, str]:
    """(--option_name, "=", value); an argument that is no long option comes back whole.

    The option name ends at ``=``; one with a label in it is a build setting of Bazel, not a name of ours.
    """
    name, equals, value = argument.partition("=")
    if not name.startswith("--") or {"/", "@"} & set(name):
        return argument, "", ""
    return "--" + name[2:].replace("-", "_"), equals, value
