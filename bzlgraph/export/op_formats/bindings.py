"""Names that C++ gives to Python, for people: where each is bound, what runs, who builds and who uses it."""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.ops.binding import LAMBDA, Binding
from bzlgraph.ops.tracer import Answer

SHOWN_USES = 3
SHOWN_NAMES = 12

Line = tuple[str, str]


def binding_lines(answer: Answer, everything: bool) -> Iterator[Line]:
    """Each name with its function; the targets and the Python once where they are the same for all."""
    names = answer.bindings
    shown = names if everything else names[:SHOWN_NAMES]
    targets = {each.targets for each in names}
    for each in shown:
        yield each.full_name, _bound(each)
        yield from _function(each)
        if len(targets) > 1:
            yield from _built(each)
    if len(names) > len(shown):
        yield "", f"{len(names) - len(shown)} more names  (--all)"
    if len(targets) == 1:
        yield from _built(names[0])
    yield from _used(answer, everything)


def _bound(each: Binding) -> str:
    key = f" for {each.key}" if each.key else ""
    when = f"  when {each.condition}" if each.condition else ""
    made = each.how if "(" in each.how else f"{each.how}({each.module})"  # a name that the build gives
    return f"{each.location.short}  {each.kind} of {made}{key}{when}"


def _function(each: Binding) -> Iterator[Line]:
    if not each.function:
        return
    what = " C++ class" if each.kind in ("class", "enum", "exception") else " C++ function"
    if each.function == LAMBDA and each.defined is not None:
        yield what, f"a lambda at {each.defined.short}"
    elif each.defined is not None:
        yield what, f"{each.function} at {each.defined.short}"
    else:
        known = each.kind in ("class", "enum", "exception", "value", "field") or each.function.startswith(
            "constructor "
        )
        yield what, each.function if known else f"{each.function}, whose definition was not found"
    for call in each.calls:
        yield "  calls", call.replace(" ", " at ")


def _built(each: Binding) -> Iterator[Line]:
    yield " built by", " ".join(each.targets) or "no known target"


def _used(answer: Answer, everything: bool) -> Iterator[Line]:
    uses = answer.python_uses
    for each in uses if everything else uses[:SHOWN_USES]:
        yield " used by", f"{each.location.short}  {each.text}"
    if len(uses) > SHOWN_USES and not everything:
        yield "", f"{len(uses) - SHOWN_USES} more lines  (--all)"
