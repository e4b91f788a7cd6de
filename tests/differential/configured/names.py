"""Which configuration a target is in, for a comparison: Bazel names them by checksums, bzlgraph by numbers.

dep    that of the command line, or none (files)
tool   one of tools
other  one that a transition leads to: `other 2` is the second, by the targets of the own repository that are in it

  >>> sorted(named([("//:a", "x"), ("//:b", "y"), ("//:b", "z"), ("//:c", "z"), ("//:t", "e")], {"x"}, {"e"}))
  ['dep //:a', 'other 1 //:b', 'other 2 //:b', 'other 2 //:c', 'tool //:t']
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from tests.differential.facts import wire

_RESULTS, _CONFIGURATIONS = 1, 2
"""Fields of CqueryResult in Bazel's analysis_v2.proto."""
_TARGET, _CONFIGURATION, _ID_IN_TARGET = 1, 2, 3
"""Fields of ConfiguredTarget. The checksum of a configuration is field 1 of it in Bazel 2, 4 in Bazel 4; 7 has a number
in its place."""
_ID, _CHECKSUM, _IS_TOOL = 1, 4, 5
"""Fields of Configuration in analysis_v2.proto."""
_LABEL_FIELD = 1


def named(found: Iterable[tuple[str, str]], here: Collection[str], tools: Collection[str]) -> Iterator[str]:
    """Lines for (label, configuration) pairs."""
    others: dict[str, set[str]] = {}
    for label, configuration in found:
        if configuration in here:
            yield f"dep {label}"
        elif configuration in tools:
            yield f"tool {label}"
        else:
            others.setdefault(configuration, set()).add(label)
    for place, labels in enumerate(sorted(map(sorted, others.values())), 1):
        yield from (f"other {place} {label}" for label in labels)


def comparable(facts: Iterable[str], apart: Collection[str]) -> frozenset[str]:
    """The facts without labels that are compared elsewhere; other configurations are numbered by what is left."""
    kept = [fact for fact in facts if fact.startswith("value ") or fact.split()[-1] not in apart]
    others = [fact.split(" ", 2) for fact in kept if fact.startswith("other ")]
    plain = (fact for fact in kept if not fact.startswith("other "))
    return frozenset([*plain, *named(((label, number) for _, number, label in others), (), ())])


def read_configured(data: bytes) -> tuple[list[tuple[str, str]], set[str]]:
    """(label, checksum of its configuration) of every target of a CqueryResult, and the configurations that are tools'.

    0 is no configuration at all: what a file has.
    """
    result = wire.decode(data)
    names = _checksums(result)
    told = wire.messages(result, _CONFIGURATIONS)
    tools = {names[wire.number(each, _ID)] for each in told if wire.number(each, _IS_TOOL)}
    found = []
    for each in wire.messages(result, _RESULTS):
        for target in wire.messages(each, _TARGET):
            found.append((_label(target), names[wire.number(each, _ID_IN_TARGET)]))
    return found, tools


def targets_in(data: bytes, configuration: str) -> bytes:
    """A CqueryResult as a QueryResult: its targets in one configuration, whose checksum begins so."""
    out = bytearray()
    result = wire.decode(data)
    names = _checksums(result)
    for each in wire.messages(result, _RESULTS):
        known = wire.messages(each, _CONFIGURATION)
        checksums = [wire.text(known[0], field) for field in known[0]] if known else []
        checksums += [names[wire.number(each, _ID_IN_TARGET)]] if len(names) > 1 else []
        if checksums and not any(checksum.startswith(configuration) for checksum in checksums):
            continue
        for target in each.get(_TARGET, ()):
            if isinstance(target, bytes):
                out += b"\x0a" + _varint(len(target)) + target
    return bytes(out)


def _checksums(result: wire.Fields) -> dict[int, str]:
    """The configurations by the numbers that a CqueryResult gives them; earlier Bazels list none."""
    told = wire.messages(result, _CONFIGURATIONS)
    return {0: "0", **{wire.number(each, _ID): wire.text(each, _CHECKSUM) for each in told}}


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _label(target: wire.Fields) -> str:
    """The name of a Target of build.proto: the one field that stands beside its kind."""
    body: Mapping[int, list[int | bytes]] = wire.messages(target, wire.number(target, 1) + 1)[0]
    return wire.text(dict(body), _LABEL_FIELD)
