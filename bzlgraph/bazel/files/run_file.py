"""Running a file that may use unknown values: their failures are gaps, and the file goes on.

A tree that people build does not fail. So where an error follows from a choice that an unknown value made (it was
taken as false, as empty, as its name), the other choice would have been right: the statement ends, a gap says so, and
the next statement of the file runs. Names that the statement should have bound are Unknown.
``fail()`` reached by such a choice is no failure either: the code behind it runs, as if it had not been reached.
"""

from __future__ import annotations

from collections.abc import Callable

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import EvalProblem
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.bazel.context.contexts import Context
from bzlgraph.bazel.context.scope import add_gap, guessing, is_guess
from bzlgraph.bazel.files.unknown import Unknown
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.evaluation.problems import is_bug
from bzlgraph.starlark.evaluation.program import Program
from bzlgraph.starlark.evaluation.thread import Thread, current_thread
from bzlgraph.starlark.module import Module
from bzlgraph.starlark.printing import to_str
from bzlgraph.starlark.universe import fail_

MAX_PROBLEMS = 100
"""A file with more is not gone on with: each costs a compilation of its rest."""


def run_file(
    module: Module,
    thread: Thread,
    context: Context,
    rest: Callable[[int], Program],
    problems: list[Diagnostic] | None = None,
    unbound: bool = False,
) -> None:
    """Run a file to its end; ``rest(n)`` compiles it from its statement ``n`` on.

    A failure that nothing unknown has led to goes into ``problems``, and costs its statement too; what it should have
    bound has an unknown value, or stays ``unbound``. Raises EvalProblem for one where there is no such list, or nothing
    can go on.
    """
    path = module.program.path
    program: Program | None = None
    while True:
        try:
            module.run(thread, program)
        except EvalProblem as problem:
            stack = problem.diagnostic.stack
            failed = module.program.statement_at(stack[-1].location.line) if stack else -1
            guess = is_guess(context, (path, failed), _paths(problem))
            collected = problems is not None and failed >= 0 and len(problems) < MAX_PROBLEMS
            if not _is_expected(problem, thread) or not (guess or collected):
                raise
            if problems is None or guess:
                what = f"caused by an unknown value: {problem.diagnostic.message}"
                hides = "what the rest of the statement creates is unknown"
                context.add_gap(Gap(GapKind.CHOICE.value, what, hides, problem.diagnostic.location))
            else:
                problems.extend(problem.diagnostics)
            if guess or not unbound:
                module.bind_missing(lambda name: Unknown(name, path))
            program = rest(failed + 1)
        else:
            return


def _is_expected(problem: EvalProblem, thread: Thread) -> bool:
    """Not so when the budget is used up, and when the bug is ours."""
    return thread.steps_left >= 0 and not is_bug(problem)


def _paths(problem: EvalProblem) -> list[str]:
    return [frame.location.path for frame in problem.diagnostic.stack]


@builtin("fail")
def fail_function(*args: object, **kwargs: object) -> None:
    """``fail(...)``; a gap where only an unknown value has led to it."""
    host = current_thread().host
    passed = host.passes_failures if isinstance(host, Context) and host.tries_both else guessing()
    if not passed:
        fail_(*args, **kwargs)
    said = " ".join(to_str(each) for each in (*args, *kwargs.values()))
    add_gap(
        f"fail() caused by an unknown value: {said}",
        "what the code does if fail() is not reached is unknown",
        GapKind.CHOICE,
    )
