"""An answer about an op for people: the function that was asked for, then each op from its wrapper to its kernels.

Two columns: what it is, and the evidence. Everything that is not shown is counted, with the option that shows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from bzlgraph.base.words import counted
from bzlgraph.export.op_formats.bindings import binding_lines
from bzlgraph.export.op_formats.kernels import (
    class_name,
    computed_at,
    grouped,
    kernel_text,
    some,
    when_text,
    works_text,
)
from bzlgraph.export.op_formats.rows import carried_by
from bzlgraph.export.why_formats.text import path_lines, short
from bzlgraph.ops.model import (
    ApiName,
    Condition,
    GradientRegistration,
    KernelRegistration,
    OpRegistration,
    OpUse,
    PythonRule,
    Run,
)
from bzlgraph.ops.pytorch.cpp.truth import brief
from bzlgraph.ops.tracer import Answer, OpTrace
from bzlgraph.why.answer import WhyAnswer

MIN_WIDTH, MAX_WIDTH = 24, 44
SHOWN_KERNELS = 8
SHOWN_NAMES = 6
SHOWN_RUNS = 20
SHOWN_POSSIBLE = 4
SHOWN_OPS = 16
SHOWN_BRANCHES = 8
SHOWN_CONDITIONS, MAX_CONDITION = 2, 80
MAY = '"may" marks branches of the sources; whether a call can ever reach one is not always known'
_INDENT = "   "

Line = tuple[str, str]


def answer_text(answer: Answer, everything: bool = False) -> str:
    """The whole answer; ``everything`` shows what is only counted otherwise."""
    lines = list(_lines(answer, everything))
    width = min(MAX_WIDTH, max([MIN_WIDTH, *(len(left) + 2 for left, right in lines if right)]))
    return "".join(_row(left, right, width) for left, right in lines)


def _row(left: str, right: str, width: int) -> str:
    return f"{left:<{width}}{'' if len(left) < width else ' '}{right}".rstrip() + "\n"


def _lines(answer: Answer, everything: bool) -> Iterator[Line]:
    yield from _summary(answer.stories)
    if answer.symbol is not None:
        how = f"  ({answer.symbol.how})" if answer.symbol.how else ""
        yield answer.asked, f"{answer.symbol.location.short}  {answer.symbol.name}{how}"
        yield from _other_names(answer)
    for rule in answer.python_rules:
        yield _python_rule(rule, f"{rule.function} of {rule.op}", everything)
    uses = {use.op: use for use in answer.uses}
    alike = Counter(use.generated for use in answer.uses)
    for story in answer.stories:
        use = uses.get(story.op)
        yield from _story(story, use, everything, alike[use.generated] if use is not None else 0)
    shown = {story.op for story in answer.stories}
    rest = [use for use in answer.uses if use.op not in shown and not use.possible]
    yield from map(_further, rest) if everything else _also(rest)
    yield from _possible([use for use in answer.uses if use.possible], everything)
    if answer.symbol is not None and not answer.uses and not answer.stories and not answer.bindings:
        yield _without_ops(answer, everything)
    if answer.bindings:
        yield from binding_lines(answer, everything)
    remarks = (*answer.remarks, MAY) if _has_branches(answer) else answer.remarks
    yield from ((f" note: {remark}", "") for remark in remarks)


def _has_branches(answer: Answer) -> bool:
    """Whether an answer tells what only branches do."""
    runs = (run for story in answer.stories for run in story.runs)
    return not (all(use.certain for use in answer.uses) and all(run.certain for run in runs))


def _summary(stories: Sequence[OpTrace]) -> Iterator[Line]:
    """Where each op is computed first of all, a line for each: ``CPU: FILE:LINE (A::Compute -> B) in TARGET``."""
    for story in stories:
        groups = grouped(story.kernels)
        if not groups or (place := groups[0][0].compute) is None:
            continue
        of_op = f"{story.op} on " if len(stories) > 1 else ""
        yield f"{of_op}{groups[0][0].device}: {computed_at(groups[0], place)}", ""


def _without_ops(answer: Answer, everything: bool) -> Line:
    """That there is no op is said only when all was followed."""
    if not answer.not_followed:
        return " creates no op", "nothing that it calls creates one"
    return " no op found", f"not followed: {some(answer.not_followed, 99 if everything else SHOWN_NAMES)}"


def _other_names(answer: Answer) -> Iterator[Line]:
    others = [_name(each) for each in answer.api_names if each.name != answer.asked]
    if others:
        yield " is also", some(others, SHOWN_NAMES)


def _story(story: OpTrace, use: OpUse | None, everything: bool, overloads: int) -> Iterator[Line]:
    if use is not None:
        yield from _use(use, story, overloads, everything)
    elif story.wrappers:
        yield f" wrapper {story.generated_name}", _generated_by(story)
    registered = story.registrations
    yield f" op {story.op}", _registration(registered[0]) if registered else "no registration found in the C++ sources"
    yield from (("", _registration(each)) for each in registered[1:] if everything)
    groups = grouped(story.kernels)
    for kernels in groups if everything else groups[:SHOWN_KERNELS]:
        first = kernels[0]
        yield f" kernel {first.device}  {class_name(kernels)}", kernel_text(kernels, everything)
        if works := works_text(kernels, everything):
            yield "  continues in", works
    if len(groups) > SHOWN_KERNELS and not everything:
        yield "", f"{len(groups) - SHOWN_KERNELS} more kernel classes  (--all)"
    yield from _runs(story.runs, everything)
    for gradient in story.gradients:
        yield from _gradient(gradient, everything)
    yield from (_python_rule(rule, rule.function, everything) for rule in story.python_rules)
    if use is None and story.api_names:
        names = [_name(each) for each in story.api_names]
        yield " public names", ", ".join(names) if everything else some(names, SHOWN_NAMES)
    for remark in story.remarks:
        yield f" note: {remark}", ""


def _python_rule(rule: PythonRule, what: str, everything: bool) -> Line:
    ops = _calls(rule.ops, rule.possible, (), 99 if everything else SHOWN_NAMES)
    return f" {rule.kind} in Python", f"{rule.location.short}  {what}{ops}"


def _calls(ops: Sequence[str], possible: Sequence[str], uses: Iterable[OpUse], most: int) -> str:
    """The ops that a function calls, then those that it calls in a branch, with what decides where that is known."""
    sure, unsure = [each for each in ops if each not in possible], [each for each in ops if each in possible]
    told = [f"ops {some(sure, most)}"] if sure else []
    branches = _by_condition(use for use in uses if use.op in unsure)
    told += [f"{some(names, most)} {when}" for when, names in branches.items()]
    unknown = [each for each in unsure if not any(each in names for names in branches.values())]
    told += [f"in a branch {some(unknown, most)}"] if unknown else []
    return f"  ({'; '.join(told)})" if told else ""


def _by_condition(uses: Iterable[OpUse]) -> dict[str, list[str]]:
    """What decides -> the ops that it decides of."""
    found: dict[str, list[str]] = {}
    for use in uses:
        found.setdefault(_decided(use), []).append(use.op)
    return found


def _decided(use: OpUse, everything: bool = False) -> str:
    """What decides whether an op is created: the conditions that are nearest to it, and how many others there are."""
    if not use.conditions:
        return "" if use.certain else "in a branch"
    conditions = use.conditions if everything else use.conditions[:SHOWN_CONDITIONS]
    told = [
        " and ".join(_condition(each, everything) for each in together) + f" in {function}"
        for function, together in groupby(conditions, key=lambda each: each.function)
    ]
    more = len(use.conditions) - len(conditions)
    text = " and ".join(told) + (f", and {counted(more, 'more condition')}" if more else "")
    return text + _other_ways(use)


def _other_ways(use: OpUse) -> str:
    """On how many other ways an op is created, where that is known."""
    if not use.other_ways:
        return ", or perhaps in other ways" if use.more_ways else ""
    return f", or in {'at least ' if use.more_ways else ''}{counted(use.other_ways, 'other way')}"


def _condition(each: Condition, everything: bool) -> str:
    if everything:
        return f"{each.text} ({each.location.short})"
    return each.text if len(each.text) <= MAX_CONDITION else f"{each.text[: MAX_CONDITION - 4]} ..."


def _use(use: OpUse, story: OpTrace, overloads: int, everything: bool) -> Iterator[Line]:
    """``overloads`` are the ops that one wrapper may create, of which the arguments choose."""
    verb, named = ("call", use.generated) if use.generated else ("create", use.op)
    what = f" {verb}s {named}" if use.certain else f" may {verb} {named}"
    through = f"  through {' > '.join(step.name for step in use.steps)}" if use.steps else ""
    chosen = use.generated and overloads > 1 and not use.certain
    when = f"if the arguments choose it among {overloads} overloads" if chosen else _decided(use, everything)
    yield what, f"{use.location.short}{through}{f'  ({when})' if when else ''}"
    if story.wrappers:
        yield "", _generated_by(story)


def _generated_by(story: OpTrace) -> str:
    wrapper = story.wrappers[0]
    where = f", {wrapper.location.short}" if wrapper.location else ""
    return f"generated by {wrapper.label}  ({wrapper.macro}{where})"


def _also(uses: Sequence[OpUse]) -> Iterator[Line]:
    """The ops that are created besides, and those that may be, a line for each condition."""
    if sure := [use.op for use in uses if use.certain]:
        yield " also creates", f"{some(sure, SHOWN_OPS)}  (--all shows where)"
    branches = _by_condition(use for use in uses if not use.certain)
    for at, (when, names) in enumerate(list(branches.items())[:SHOWN_BRANCHES]):
        yield "" if at else " may also create", f"{some(names, SHOWN_OPS)}  {when}"
    if rest := [name for names in list(branches.values())[SHOWN_BRANCHES:] for name in names]:
        yield "", f"{some(rest, SHOWN_OPS)} under other conditions  (--all)"


def _further(use: OpUse) -> Line:
    through = f"  through {' > '.join(step.name for step in use.steps)}" if use.steps else ""
    when = _decided(use, everything=True)
    what = "creates" if use.certain else "may create"
    return f" {what} {use.op}", f"{use.location.short}{through}{f'  ({when})' if when else ''}"


def _possible(uses: Sequence[OpUse], everything: bool) -> Iterator[Line]:
    """Operators of which nobody knows whether they work on tensors: no part of what is created otherwise."""
    if everything:
        for use in uses:
            yield f" possible: {use.op}", _further(use)[1]
    elif uses:
        named = [f"{use.op} {use.conditions[0].text}{_other_ways(use)}" for use in uses]
        yield " possible, not known", f"{some(named, SHOWN_POSSIBLE)}  (--all shows where)"


def _registration(each: OpRegistration) -> str:
    shape = f"  shape function {each.shape_function.short}" if each.shape_function else ""
    through = f"  through {' > '.join(each.through)}" if each.through else ""
    targets = f"  {' '.join(each.targets)}" if each.targets else ""
    return f"registered {each.location.short}{targets}{through}{shape}{when_text(each.condition)}"


def _runs(runs: Sequence[Run], everything: bool) -> Iterator[Line]:
    """The operators inside of one, as a tree: who is called where and when, and the first of its kernels. Those that
    only move data, and what is inside of them, are counted."""
    shown = runs if everything else _computing(runs)
    for each in shown:
        kernel = _run_kernel(each)
        through = f"  through {' > '.join(each.through)}" if each.through else ""
        when = when_text(each.condition if everything else brief(each.condition))
        when += ", or under others" if each.otherwise else ""
        on = f"  on {each.device}" if each.device else ""
        what = "runs" if each.certain else "may run"
        yield f"  {' ' * each.depth}{what} {each.op}", f"{each.location.short}{through}{kernel}{on}{when}"
    if len(runs) > len(shown):
        yield "", f"{len(runs) - len(shown)} more operators inside  (--all)"


def _computing(runs: Sequence[Run]) -> list[Run]:
    """The nearest that compute, in their order."""
    found: list[Run] = []
    hidden = 0
    for each in runs:
        if hidden and each.depth > hidden:
            continue
        hidden = each.depth if each.moves else 0
        if not each.moves:
            found.append(each)
    deepest = sorted(each.depth for each in found)[:SHOWN_RUNS][-1:]
    near = [each for each in found if each.depth < max(deepest, default=0)]
    rest = [each for each in found if each.depth == max(deepest, default=0)][: SHOWN_RUNS - len(near)]
    return [each for each in found if each in near or each in rest]


def _run_kernel(run: Run) -> str:
    """The kernel of an operator inside: its own function, for its device (else CPUs) or for every backend; none of the
    other device where there is another."""
    device = run.device or "CPU"
    usual, other = (device, "Composite"), "CUDA" if device == "CPU" else "CPU"
    ranked = sorted(
        run.kernels,
        key=lambda each: (not each.device.startswith(usual), _is_stub(each), each.device.endswith(other)),
    )
    if not ranked:
        return ""
    first = ranked[0]
    said = not first.condition or first.condition in run.condition
    compiled = "" if said else f" (compiled when {brief(first.condition)})"
    return f"  kernel {first.device} {first.kernel_class} at {first.location.short}{compiled}"


def _is_stub(kernel: KernelRegistration) -> bool:
    return any(each.startswith("stub ") for each in kernel.through)


def _gradient(each: GradientRegistration, everything: bool) -> Iterator[Line]:
    """The function, then a line for each kernel of the ops that it makes."""
    ops = _calls(each.ops, each.possible, each.uses, len(each.ops))
    yield " gradient", f"{each.location.short}  {each.function}{ops}"
    for kernel in each.kernels if everything else each.kernels[:SHOWN_KERNELS]:
        where = computed_at([kernel], kernel.compute or kernel.location)
        yield f"  {kernel.device}  {kernel.op}", f"{where}{when_text(kernel.when)}"
    if len(each.kernels) > SHOWN_KERNELS and not everything:
        yield "", f"{len(each.kernels) - SHOWN_KERNELS} more kernels of these ops  (--all)"


def _name(each: ApiName) -> str:
    only = each.versions[0] if len(each.versions) == 1 else ""
    words = [word for word in (only, "deprecated" if each.deprecated else "") if word]
    return f"{each.name} ({', '.join(words)})" if words else each.name


def built_into_text(answers: Iterable[WhyAnswer]) -> str:
    """For each target a line with the number of edges, then the path; for one that is not built in, that."""
    return "".join(f"{line}\n" for answer in answers for line in _built_into(answer))


def _built_into(answer: WhyAnswer) -> Iterator[str]:
    target = answer.target.label
    product = " ".join(str(each.label) for each in answer.sources[:1])
    if answer.no_way is not None:
        yield f" not built into {product}: {target}  (bzlgraph why {target} --from {product})"
        return
    edges = counted(len(answer.steps) - 1, "edge")
    carried = carried_by(answer)
    yield f" built into {short(answer.steps[0].node.label)} through {edges}: {target}"
    if carried:
        yield f"  in the shared object {carried}"
    yield from (f"{_INDENT}{line}" for line in path_lines(answer.steps))
