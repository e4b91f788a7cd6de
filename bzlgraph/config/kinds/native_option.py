"""``values`` and ``define_values`` of a config_setting: an option of Bazel, the value that is wanted -> Comparison.

Rules
- One value: both are equal after the option's own reading (``1`` and ``true`` are one boolean).
- An option that may be repeated: all values wanted are among those set; nothing wanted matches nothing set. Values
  separated by commas are several where the option reads them so.
- From Bazel 7 on ``--features=-x`` takes away ``--features=x``.
- ``NAME=VALUE`` options such as ``--define``: the last use of NAME has this VALUE.

Mirrors ConfigSetting.optionMatches of Bazel's source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bzlgraph.base.label import RepoMapping, parse
from bzlgraph.bazel.model import Rule
from bzlgraph.config.configuration import Configuration, Setting
from bzlgraph.config.verdict import Comparison, Truth, truth_of
from bzlgraph.facts import Facts
from bzlgraph.facts.options import OptionFact

ASSIGNMENT, LABEL, LIST = "assignment", "label", "list"
"""The kinds of options whose values are NAME=VALUE, labels, and several, separated by commas."""

Wanted = tuple[str, str]


def wanted_options(rule: Rule) -> Iterator[Wanted]:
    """(option, value) for each entry of ``values`` and ``define_values``."""
    yield from _entries(rule.get("values"))
    for key, value in _entries(rule.get("define_values")):
        yield "define", f"{key}={value}"


def _entries(value: object) -> Iterable[Wanted]:
    return value.items() if isinstance(value, Mapping) else ()


def compare_option(name: str, wanted: str, configuration: Configuration, facts: Facts) -> Comparison:
    """Whether an option has the value wanted."""
    configuration.asked.add((name, wanted))
    configuration = configuration.unnoted()
    if doubt := configuration.doubt(name):
        return Comparison(f"--{name}", wanted, None, Truth.UNKNOWN, missing=doubt)
    if name == "define":
        key, assigns, text = wanted.partition("=")
        if not assigns:
            return _refused(name, wanted, f"--define={wanted}: it must be NAME=VALUE")
        return _compare_define(key, text, configuration)
    fact = configuration.table.find(name)
    if fact is None:
        return _refused(name, wanted, f"no version of Bazel has an option --{name}")
    if not fact.configures:
        return _refused(name, wanted, f"--{name} is not an option that a config_setting can read")
    try:
        fact.canonical(wanted)
    except ValueError as error:
        return _refused(name, wanted, f"--{name}={wanted}: {error}")
    if fact.kind == ASSIGNMENT:
        return _compare_assignment(name, wanted, configuration.values(name))
    if fact.multiple:
        return _compare_list(fact, wanted, _given(name, configuration, facts), configuration.mapping)
    found = configuration.value(name)
    mapping = configuration.mapping
    holds = found.value is not None and _canonical(fact, found.value, mapping) == _canonical(fact, wanted, mapping)
    return Comparison(f"--{name}", wanted, found.value, truth_of(holds), found.origin)


def _refused(name: str, wanted: str, error: str) -> Comparison:
    return Comparison(f"--{name}", wanted, None, Truth.NO, missing=error)


def _compare_define(key: str, wanted: str, configuration: Configuration) -> Comparison:
    found = configuration.define(key)
    if found is None:
        return Comparison(f"--define={key}", wanted, None, Truth.NO)
    return Comparison(f"--define={key}", wanted, found.value, truth_of(found.value == wanted), found.origin)


def _compare_assignment(name: str, wanted: str, settings: tuple[Setting, ...]) -> Comparison:
    key, _, text = wanted.partition("=")
    for setting in reversed(settings):
        known, _, value = (setting.value or "").partition("=")
        if known == key:
            return Comparison(f"--{name}={key}", text, value, truth_of(value == text), setting.origin)
    return Comparison(f"--{name}={key}", text, None, Truth.NO)


def _given(name: str, configuration: Configuration, facts: Facts) -> tuple[Setting, ...]:
    """What is given to an option that collects values; a feature that is switched off is not there."""
    settings = configuration.values(name)
    if name != "features" or not facts.features_off_win:
        return settings
    off = {each.value for each in settings}
    return tuple(each for each in settings if f"-{each.value}" not in off)


def _compare_list(fact: OptionFact, wanted: str, settings: tuple[Setting, ...], mapping: RepoMapping) -> Comparison:
    given = [(each, setting) for setting in settings for each in _elements(fact, setting.value)]
    found = {_canonical(fact, each, mapping): setting for each, setting in given}
    asked = {_canonical(fact, each, mapping) for each in _elements(fact, wanted)}
    holds = asked <= found.keys() if asked else not found
    text = " ".join(dict.fromkeys(each for each, _ in given)) if given else None
    last = next((found[each] for each in found if each in asked), settings[-1] if settings else None)
    origin = last.origin if last is not None else None
    return Comparison(f"--{fact.name}", wanted, text, truth_of(holds), origin)


def _elements(fact: OptionFact, text: str | None) -> list[str]:
    """What one use of an option adds to its values."""
    if text is None:
        return []
    return [each for each in text.split(",") if each] if fact.kind == LIST else [text]


def _canonical(fact: OptionFact, text: str, mapping: RepoMapping) -> str:
    """A value as it is compared; one that the option refuses is compared as it is."""
    try:
        return str(parse(text, "", "", mapping)) if fact.kind == LABEL and text else fact.canonical(text)
    except ValueError:
        return text
