"""Kernels that differ only in their types, together: what their classes are called, where they compute and go on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from bzlgraph.base.span import Location
from bzlgraph.ops.model import KernelRegistration, Work, on_request

SHOWN_WORKS = 3
SHOWN_TYPES = 4
SHOWN_FILES = 2
SHOWN_WAYS = 1


def grouped(kernels: Iterable[KernelRegistration]) -> list[list[KernelRegistration]]:
    """Registrations that differ only in their types, together."""
    groups: dict[tuple[object, ...], list[KernelRegistration]] = {}
    for each in kernels:
        # Classes that a macro makes, one for each type, compute in one base.
        made = each.through and each.compute_class not in ("", plain_class(each.kernel_class))
        name = "" if made else plain_class(each.kernel_class)
        key = (each.device, name, each.location.path, each.compute, each.targets, each.when, each.label)
        groups.setdefault(key, []).append(each)
    return list(groups.values())


def class_name(kernels: list[KernelRegistration]) -> str:
    """The class of a group; of several what their names have in common."""
    names = sorted({plain_class(each.kernel_class) for each in kernels})
    if len(names) == 1:
        return names[0]
    shared = takewhile(lambda pair: pair[0] == pair[1], zip(names[0], names[-1], strict=False))
    return f"{''.join(left for left, _right in shared)}..."


def kernel_text(kernels: list[KernelRegistration], everything: bool) -> str:
    """Where the kernels of one group are registered, compute and are built, for which types, and when."""
    first = kernels[0]
    parts = [first.location.short]
    if len(kernels) > 1:
        parts[0] += f" and {len(kernels) - 1} more"
    if first.compute is not None:
        owner = f" of {first.compute_class}" if first.compute_class else ""
        computes = f"Compute{owner}" if first.compute_method else f"function {first.compute_class}"
        parts.append(f"{computes} at {first.compute.short}")
    if first.targets:
        parts.append(" ".join(first.targets) if everything else first.targets[0])
    ways = dict.fromkeys(each.through for each in kernels if each.through)
    told = [" > ".join(way) + _only_for([each for each in kernels if each.through == way], kernels) for way in ways]
    if told:
        parts.append(f"through {', '.join(told) if everything else some(told, SHOWN_WAYS)}")
    types = _types(kernels)
    if types:
        parts.append(f"for {', '.join(types) if everything else some(types, SHOWN_TYPES)}")
    if first.label:
        parts.append(f"only by its label, {first.label}")
    files = dict.fromkeys(file for each in kernels for file in each.device_files)
    code = [file + _only_for([each for each in kernels if file in each.device_files], kernels) for file in files]
    if code:
        parts.append(f"device code {', '.join(code) if everything else some(code, SHOWN_FILES)}")
    return "  ".join(parts) + when_text(first.when)


def computed_at(kernels: Sequence[KernelRegistration], place: Location) -> str:
    """``FILE:LINE (A::Compute -> B) in TARGET`` of the kernels of one group, whose Compute is at ``place``; with the
    condition where the target has the file under none of the usual ones."""
    first, works = kernels[0], works_of(kernels)
    begins = next((each.location for each in works if each.location is not None and not each.functor), None)
    if begins is not None and begins.path != place.path:  # Compute is of a base that many kernels share
        place = begins
    computes = (
        "::".join(filter(None, (first.compute_class, first.compute_method)))
        if first.compute_class
        else plain_class(first.kernel_class)
    )
    way = " -> ".join([computes, *_way(works, kernels)])
    target = f" in {first.targets[0]}{when_text(on_request(first.build_condition))}" if first.targets else ""
    return f"{place.short} ({way}){target}"


def works_of(kernels: Iterable[KernelRegistration]) -> list[Work]:
    """Where the kernels of one group go on."""
    return list(dict.fromkeys(work for each in kernels for work in each.work))


def works_text(kernels: Sequence[KernelRegistration], everything: bool) -> str:
    """The same with its places; of what only some of them do, for which types. "" where nothing is known."""
    most = 99 if everything else SHOWN_WORKS
    return some([_work(each, _only_for(_doing(kernels, [each]), kernels)) for each in works_of(kernels)], most)


def _way(works: Sequence[Work], kernels: Sequence[KernelRegistration]) -> list[str]:
    """What Compute calls together, then what that calls."""
    levels: dict[int, dict[str, list[Work]]] = {}
    for each in works:
        levels.setdefault(each.depth, {}).setdefault(each.name, []).append(each)
    named = (levels[level].items() for level in sorted(levels))
    of = [[name + _only_for(_doing(kernels, alike), kernels) for name, alike in each] for each in named]
    return [some(each, SHOWN_WORKS) for each in of]


def _work(each: Work, types: str) -> str:
    if each.location is None:
        return f"{each.name} (not in this tree){types}"
    generated = f" compiled by {' and '.join(each.targets)}" if each.targets else ""
    return f"{each.name} at {each.location.short}{generated}{types}"


def _doing(kernels: Sequence[KernelRegistration], works: Sequence[Work]) -> list[KernelRegistration]:
    """The kernels of one group that do one of some works."""
    return [each for each in kernels if not set(each.work).isdisjoint(works)]


def _only_for(some_of: Sequence[KernelRegistration], kernels: Sequence[KernelRegistration]) -> str:
    """Which kernels of one group something holds for, by what only they are for; "" where it is all of them."""
    chosen = set(map(id, some_of))  # of thousands of kernels each would be compared with each
    others = [each for each in kernels if id(each) not in chosen]
    if not others:
        return ""
    types, rest = _types(some_of), _types(others)
    own, left = ([each for each in one if each not in two] for one, two in ((types, rest), (rest, types)))
    if not own or not left:
        return " (for some types)"
    return f" (not {some(left, SHOWN_TYPES)})" if len(left) < len(own) else f" ({some(own, SHOWN_TYPES)})"


def _types(kernels: Iterable[KernelRegistration]) -> list[str]:
    return list(dict.fromkeys(text for each in kernels for text in each.constraints))


def plain_class(name: str) -> str:
    """Without template arguments."""
    return name.partition("<")[0]


def some(names: Iterable[str], most: int) -> str:
    """The first of some names, and how many more there are."""
    listed = list(names)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more


def when_text(condition: str) -> str:
    """A condition behind what it decides of."""
    return f"  when {condition}" if condition else ""
