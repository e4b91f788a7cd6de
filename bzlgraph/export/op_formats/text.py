"""An answer about an op for people: the function that was asked for, then each op from its wrapper to its kernels.

Two columns: what it is, and the evidence. Everything that is not shown is counted, with the option that shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bzlgraph.ops.model import ApiName, GradientRegistration, KernelRegistration, OpRegistration, OpUse
from bzlgraph.ops.tracer import Answer, OpStory

MIN_WIDTH, MAX_WIDTH = 24, 44
SHOWN_KERNELS = 8
SHOWN_NAMES = 6

Line = tuple[str, str]


def answer_text(answer: Answer, everything: bool = False) -> str:
    """The whole answer; ``everything`` shows what is only counted otherwise."""
    lines = list(_lines(answer, everything))
    width = min(MAX_WIDTH, max([MIN_WIDTH, *(len(left) + 2 for left, right in lines if right)]))
    return "".join(_row(left, right, width) for left, right in lines)


def _row(left: str, right: str, width: int) -> str:
    return f"{left:<{width}}{'' if len(left) < width else ' '}{right}".rstrip() + "\n"


def _lines(answer: Answer, everything: bool) -> Iterator[Line]:
    if answer.symbol is not None:
        how = f"  ({answer.symbol.how})" if answer.symbol.how else ""
        yield answer.asked, f"{answer.symbol.location.short}  {answer.symbol.name}{how}"
        yield from _other_names(answer)
    uses = {use.op: use for use in answer.uses}
    for story in answer.stories:
        yield from _story(story, uses.get(story.op), everything)
    told = {story.op for story in answer.stories}
    rest = [use for use in answer.uses if use.op not in told]
    if rest and everything:
        yield from (_further(use) for use in rest)
    elif rest:
        yield " may also create", f"{_some([use.op for use in rest], 16)}  (--all shows where)"
    if answer.symbol is not None and not answer.uses and not answer.stories:
        yield " makes no op", "none is found in what it calls"
    for remark in answer.remarks:
        yield f" note: {remark}", ""


def _other_names(answer: Answer) -> Iterator[Line]:
    others = [_name(each) for each in answer.api_names if each.name != answer.asked]
    if others:
        yield " is also", _some(others, SHOWN_NAMES)


def _story(story: OpStory, use: OpUse | None, everything: bool) -> Iterator[Line]:
    if use is not None:
        yield from _use(use, story)
    elif story.wrappers:
        yield f" wrapper {story.generated_name}", _made_by(story)
    registered = story.registrations
    yield f" op {story.op}", _registration(registered[0]) if registered else "no registration found in the C++ sources"
    yield from (("", _registration(each)) for each in registered[1:] if everything)
    groups = _grouped(story.kernels)
    for kernels in groups if everything else groups[:SHOWN_KERNELS]:
        first = kernels[0]
        yield f" kernel {first.device}  {_plain_class(first.kernel_class)}", _kernel(kernels, everything)
    if len(groups) > SHOWN_KERNELS and not everything:
        yield "", f"{len(groups) - SHOWN_KERNELS} kernel classes more  (--all)"
    yield from (_gradient(each) for each in story.gradients)
    if use is None and story.api_names:
        names = [_name(each) for each in story.api_names]
        yield " public names", ", ".join(names) if everything else _some(names, SHOWN_NAMES)
    for remark in story.remarks:
        yield f" note: {remark}", ""


def _use(use: OpUse, story: OpStory) -> Iterator[Line]:
    what = f" calls {use.generated}" if use.generated else f" makes {use.op}"
    through = f"  through {' > '.join(step.name for step in use.steps)}" if use.steps else ""
    yield what, f"{use.location.short}{through}{'' if use.certain else '  (in a branch)'}"
    if story.wrappers:
        yield "", _made_by(story)


def _made_by(story: OpStory) -> str:
    wrapper = story.wrappers[0]
    where = f", {wrapper.location.short}" if wrapper.location else ""
    return f"made by {wrapper.label}  ({wrapper.macro}{where})"


def _further(use: OpUse) -> Line:
    through = f"  through {' > '.join(step.name for step in use.steps)}" if use.steps else ""
    return f" may make {use.op}", f"{use.location.short}{through}"


def _registration(each: OpRegistration) -> str:
    shape = f"  shape function {each.shape_function.short}" if each.shape_function else ""
    through = f"  through {' > '.join(each.through)}" if each.through else ""
    targets = f"  {' '.join(each.targets)}" if each.targets else ""
    return f"registered {each.location.short}{targets}{through}{shape}{_when(each.condition)}"


def _grouped(kernels: Iterable[KernelRegistration]) -> list[list[KernelRegistration]]:
    """Registrations that differ only in their types, together."""
    groups: dict[tuple[object, ...], list[KernelRegistration]] = {}
    for each in kernels:
        key = (each.device, _plain_class(each.kernel_class), each.location.path, each.compute, each.targets, each.when)
        groups.setdefault(key, []).append(each)
    return list(groups.values())


def _plain_class(name: str) -> str:
    """Without template arguments."""
    return name.partition("<")[0]


def _kernel(kernels: list[KernelRegistration], everything: bool) -> str:
    first = kernels[0]
    parts = [first.location.short]
    if len(kernels) > 1:
        parts[0] += f" and {len(kernels) - 1} more"
    if first.compute is not None:
        owner = f" of {first.compute_class}" if first.compute_class else ""
        parts.append(f"Compute{owner} at {first.compute.short}")
    if first.targets:
        parts.append(" ".join(first.targets) if everything else first.targets[0])
    if first.through:
        parts.append(f"through {' > '.join(first.through)}")
    types = list(dict.fromkeys(text for each in kernels for text in each.constraints))
    if types:
        parts.append(f"for {', '.join(types) if everything else _some(types, 4)}")
    if first.device_files:
        parts.append(f"device code {_some(first.device_files, 99 if everything else 2)}")
    return "  ".join(parts) + _when(first.when)


def _gradient(each: GradientRegistration) -> Line:
    ops = f"  (ops {', '.join(each.ops)})" if each.ops else ""
    return " gradient", f"{each.location.short}  {each.function}{ops}"


def _name(each: ApiName) -> str:
    only = each.versions[0] if len(each.versions) == 1 else ""
    words = [word for word in (only, "deprecated" if each.deprecated else "") if word]
    return f"{each.name} ({', '.join(words)})" if words else each.name


def _some(names: Iterable[str], most: int) -> str:
    listed = list(names)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more


def _when(condition: str) -> str:
    return f"  when {condition}" if condition else ""
