"""``--incompatible_autoload_externally``: which names a tree has loaded from their rule sets, and which it has not.

``with_autoloads(facts, ["+@rules_python", "-sh_test"])`` -> the facts of that Bazel for such a tree. An item names a
symbol of ``rule_sets.json`` or, with ``@``, all those of one repository: ``+x`` and ``x`` are loaded, but not in the
rule sets themselves; ``-x`` is taken away everywhere. What is not named is as Bazel has it.
Doc: https://github.com/bazelbuild/bazel/issues/23043; sources: AutoloadSymbols.java (``rule_sets.json``).

>>> from bzlgraph.facts.behaviour import for_version
>>> chosen = with_autoloads(for_version("9.0.0"), ["+@rules_shell"])
>>> chosen.autoloaded_rules, sorted(for_version("9.0.0").absent_names("build") - chosen.absent_names("build"))
(('sh_binary', 'sh_library', 'sh_test'), ['sh_binary', 'sh_library', 'sh_test'])
>>> "sh_test" in with_autoloads(for_version("8.7.0"), []).absent_names("native")
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from bzlgraph.facts.facts import Facts
from bzlgraph.facts.options import options_for
from bzlgraph.facts.versioned import table

OPTION = "incompatible_autoload_externally"


def with_autoloads(facts: Facts, items: Sequence[str]) -> Facts:
    """The facts with the option set to a list. Raises ValueError, in Bazel's words, for what it does not take."""
    chosen = [name for item in dict.fromkeys(items) for name in _expanded(item)]
    plain = [name.lstrip("+-") for name in chosen]
    for name in plain:
        if plain.count(name) > 1:
            raise ValueError(f"Duplicated symbol '{name}' in --{OPTION}")
        if name not in _places():
            raise ValueError(f"Undefined symbol in --{OPTION}: '{name}'")
    loaded = tuple(name.lstrip("+") for name in chosen if not name.startswith("-"))
    return _changed(facts, loaded, tuple(name[1:] for name in chosen if name.startswith("-")))


def _expanded(item: str) -> Iterator[str]:
    """The symbols that an item names, each with its sign."""
    sign = item[:1] if item[:1] in ("+", "-") else ""
    name = item.removeprefix(sign)
    if not name.startswith("@"):
        yield item
        return
    aliases: dict[str, str] = table("rule_sets")["modules"]
    same = {alias for alias, module in aliases.items() if module == name[1:]}
    for symbol, bzl in _places().items():
        if bzl.partition("//")[0][1:] in {name[1:], *same}:
            yield f"{sign}{symbol}"


def _changed(facts: Facts, loaded: tuple[str, ...], gone: tuple[str, ...]) -> Facts:
    """The facts where these symbols are loaded and those are gone. A rule that this Bazel loads by itself is not in it:
    nothing but its name is left of Java's."""
    left = _by_default(facts) - set(loaded)
    return replace(
        facts,
        autoloaded_rules=tuple(name for name in loaded if name in _rules()),
        removed_rules=tuple(name for name in facts.removed_rules if name not in loaded),
        emptied_rules=(*facts.emptied_rules, *sorted(left & _rules().keys() & _husks())),
        given_names=frozenset(loaded),
        taken_names=frozenset(gone) | (left - _husks()),
    )


def _by_default(facts: Facts) -> set[str]:
    """The symbols that a Bazel loads when the option is not set."""
    fact = options_for(facts.version).find(OPTION)
    default = fact.default if fact is not None and not fact.foreign else None
    return {name.lstrip("+") for item in (default or "").split(",") if item for name in _expanded(item)}


def _husks() -> set[str]:
    """The symbols of which Bazel 8 has the names: those of Java. Its rules have no attributes of their own."""
    return {name for name, bzl in _places().items() if bzl.startswith("@rules_java//")}


def _places() -> dict[str, str]:
    """Where each symbol is defined."""
    return {**_rules(), **cast("dict[str, str]", table("rule_sets")["symbols"])}


def _rules() -> dict[str, str]:
    return cast("dict[str, str]", table("rule_sets")["bzl"])
