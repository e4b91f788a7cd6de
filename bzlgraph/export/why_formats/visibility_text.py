"""Which visibility lets the steps of a path in, or would refuse one, as text."""

from __future__ import annotations

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bzlgraph.why.answer import StepVisibility

_MOST = 3
"""The most names that are listed of one kind."""


def visibility_lines(found: Sequence[StepVisibility]) -> Iterator[str]:
    """A line for each way in, with the targets that have it; one for each step that is refused."""
    alike: dict[tuple[str, ...], list[StepVisibility]] = {}
    for each in found:
        if each.admitted:
            alike.setdefault(each.chain, []).append(each)
    for chain, steps in alike.items():
        verb = "admits" if len(steps) == 1 else "admit"
        targets, packages = _some(str(each.target.label) for each in steps), _some(each.package for each in steps)
        yield f"Visibility: {targets} {verb} {packages} by {' > '.join(chain)}{_written(steps)}."
    yield from refused_lines(found)


def refused_lines(found: Sequence[StepVisibility]) -> Iterator[str]:
    """What Bazel refuses, or may."""
    for each in found:
        target = each.target.label
        if each.admitted:
            continue
        items = _some(item for item in each.items if item != "//visibility:private") or "its own package only"
        if each.known:
            yield f"Visibility: {target} does not admit {each.package}: it is visible to {items}{_written([each])}."
        else:
            yield f"Visibility: whether {target} admits {each.package} is not known: it is visible to {items}."


def _some(names: Iterator[str]) -> str:
    listed = list(dict.fromkeys(names))
    more = f" and {len(listed) - _MOST} more" if len(listed) > _MOST else ""
    return ", ".join(listed[:_MOST]) + more


def _written(steps: Sequence[StepVisibility]) -> str:
    """Where the visibility is written, when it is that of one target."""
    if all(each.by_default for each in steps):
        return ", the default of the package" if len(steps) == 1 else ", the default of their packages"
    where = steps[0].target.location
    return f" ({where.short})" if where is not None and len(steps) == 1 else ""
