"""A random lattice of settings and selects: as BUILD text, and resolved by brute force.

The resolver knows nothing of bzlgraph: conditions are predicates over what is set, and of those that hold the one wins
whose demands contain all others'.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

DEFINES = ("a", "b")
FLAGS = ("mode", "kind")
VALUES = ("1", "2")
MODES = ("fastbuild", "dbg", "opt")
REFUSED = "refused"

RULES = """
def _nothing(ctx):
    return []

string_flag = rule(implementation = _nothing, build_setting = config.string(flag = True))
"""

Demand = tuple[str, str]
"""(what is read, its value): ("compilation_mode", "opt"), ("define a", "1"), ("flag mode", "2")."""


@dataclass(frozen=True)
class Choice:
    """An alias that follows a select: the settings asked, where each leads, and the default."""

    branches: tuple[tuple[str, str], ...]
    default: str


@dataclass(frozen=True)
class Lattice:
    """Settings by name, each with what it demands, or a choice among others; selects by name, keys in order."""

    settings: dict[str, tuple[Demand, ...] | Choice]
    selects: dict[str, tuple[tuple[str, ...], bool]]


def random_lattice(seed: int, settings: int = 8, groups: int = 4, selects: int = 8) -> Lattice:
    """A lattice that depends on the seed only."""
    dice = random.Random(seed)
    reads = ["compilation_mode", *(f"define {each}" for each in DEFINES), *(f"flag {each}" for each in FLAGS)]
    found: dict[str, tuple[Demand, ...] | Choice] = {}
    for number in range(settings):
        chosen = dice.sample(reads, dice.randint(1, 3))
        found[f"s{number}"] = tuple((r, dice.choice(MODES if r == "compilation_mode" else VALUES)) for r in chosen)
    for number in range(groups):
        names = list(found)
        keys = dice.sample(names, dice.randint(1, 2))
        found[f"g{number}"] = Choice(tuple((key, dice.choice(names)) for key in keys), dice.choice(names))
    picked = {}
    for number in range(selects):
        picked[f"t{number}"] = tuple(dice.sample(list(found), dice.randint(1, 4))), dice.random() < 0.75
    return Lattice(found, picked)


def random_words(seed: int) -> list[str]:
    """A command line that depends on the seed only."""
    dice = random.Random(seed)
    words = [f"--compilation_mode={dice.choice(MODES)}"] if dice.random() < 0.7 else []
    words += [f"--define={each}={dice.choice(VALUES)}" for each in DEFINES if dice.random() < 0.7]
    return words + [f"--//:{each}={dice.choice(VALUES)}" for each in FLAGS if dice.random() < 0.7]


def build_text(lattice: Lattice) -> str:
    """The lattice as a BUILD file; each branch of a select() of ``tN`` holds a file named as its key."""
    lines = ['load(":rules.bzl", "string_flag")', ""]
    lines += [f'string_flag(name = "{name}", build_setting_default = "1")' for name in FLAGS]
    for name, setting in lattice.settings.items():
        if isinstance(setting, Choice):
            branches = [*setting.branches, ("//conditions:default", setting.default)]
            text = ", ".join(f'"{key}": "{end}"' for key, end in branches)
            lines.append(f'alias(name = "{name}", actual = select({{{text}}}))')
        else:
            lines.append(f'config_setting(name = "{name}"{_demands(setting)})')
    lines += [f'filegroup(name = "is_{name}")' for name in [*lattice.settings, "default"]]
    for name, (keys, default) in lattice.selects.items():
        branches = [f'"{key}": ["is_{key}"]' for key in keys]
        branches += ['"//conditions:default": ["is_default"]'] if default else []
        lines.append(f'filegroup(name = "{name}", srcs = select({{{", ".join(branches)}}}))')
    return "\n".join(lines) + "\n"


def _demands(demands: Sequence[Demand]) -> str:
    attributes = {"values": "compilation_mode", "define_values": "define ", "flag_values": "flag "}
    text = ""
    for attribute, start in attributes.items():
        entries = [(key, value) for key, value in demands if key.startswith(start)]
        names = [
            (":" if start == "flag " else "") + key.removeprefix(start if " " in start else "") for key, _ in entries
        ]
        pairs = ", ".join(f'"{name}": "{value}"' for name, (_, value) in zip(names, entries, strict=True))
        text += f", {attribute} = {{{pairs}}}" if pairs else ""
    return text


def resolve(lattice: Lattice, select: str, words: Sequence[str]) -> str:
    """The key whose branch is taken, "default", or REFUSED: by brute force."""
    known = {"compilation_mode": "fastbuild", **{f"flag {name}": "1" for name in FLAGS}}
    for word in words:
        name, _, value = word.lstrip("-").partition("=")
        if name == "define":
            name, _, value = value.partition("=")
            known[f"define {name}"] = value
        else:
            known[name.replace("//:", "flag ")] = value
    keys, default = lattice.selects[select]
    try:
        return _taken(lattice, keys, default, known) or REFUSED
    except RecursionError:
        return REFUSED


def _taken(lattice: Lattice, keys: Sequence[str], default: bool, known: dict[str, str]) -> str:
    """ "" when Bazel refuses."""
    behind = {key: _behind(lattice, key, known) for key in keys}
    if "" in behind.values():
        return ""
    demands = {key: set(lattice.settings[name]) for key, name in behind.items()}  # type: ignore[arg-type]
    holding = [key for key in keys if all(known.get(read) == value for read, value in demands[key])]
    if not holding:
        return "default" if default else ""
    most = [key for key in holding if not any(demands[key] < demands[other] for other in holding)]
    return most[0] if len(most) == 1 else ""


def _behind(lattice: Lattice, name: str, known: dict[str, str]) -> str:
    """The config_setting that a name stands for."""
    setting = lattice.settings[name]
    if not isinstance(setting, Choice):
        return name
    taken = _taken(lattice, [key for key, _ in setting.branches], True, known)
    if not taken:
        return ""
    end = setting.default if taken == "default" else dict(setting.branches)[taken]
    return _behind(lattice, end, known)


SAMPLE = 2026
"""The seed of the lattice in tests/workspaces/configured/lattice, about which real Bazel was asked."""
