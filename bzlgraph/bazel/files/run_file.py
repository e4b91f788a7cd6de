"""Running a file that may use unknown values: their failures are gaps, and the file goes on.

A tree that people build does not fail. So where an error follows from a choice that an unknown value made (it was
taken as false, as empty, as its name), the other choice would have been right: the statement ends, a gap says so, and
the next statement of the file runs. Names that the statement should have bound are Unknown.
``fail()`` reached by such a choice is no failure either: the code behind it runs, as if it had not been reached.
"""

from __future__ import annotations

from bzlgraph.base.errors import EvalProblem
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.bazel.files.context import Context
from bzlgraph.bazel.files.scope import add_gap, guessing, is_guess
from bzlgraph.bazel.values.unknown import Unknown
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.evaluation.module import Module
from bzlgraph.starlark.evaluation.problems import INTERNAL
from bzlgraph.starlark.evaluation.thread import Thread
from bzlgraph.starlark.printing import to_str
from bzlgraph.starlark.universe import fail_


def run_file(module: Module, thread: Thread, context: Context) -> None:
    """Run a file to its end. Raises EvalProblem for a failure that nothing unknown has led to."""
    path = module.program.path
    while True:
        try:
            module.run(thread)
        except EvalProblem as problem:
            message = problem.diagnostic.message
            expected = thread.steps_left >= 0 and not message.startswith(INTERNAL)
            if not expected or not is_guess(thread, _paths(problem)):
                raise
            what = f"an unknown value led to this: {message}"
            hides = "what the rest of the statement makes"
            context.add_gap(Gap(GapKind.CHOICE.value, what, hides, problem.diagnostic.location))
            module.skip(lambda name: Unknown(name, path))
        else:
            return


def _paths(problem: EvalProblem) -> list[str]:
    return [frame.location.path for frame in problem.diagnostic.stack]


@builtin("fail")
def fail_function(*args: object, **kwargs: object) -> None:
    """``fail(...)``; a gap where only an unknown value has led to it."""
    if not guessing():
        fail_(*args, **kwargs)
    said = " ".join(to_str(each) for each in (*args, *kwargs.values()))
    add_gap(f"an unknown value led to fail(): {said}", "what the code does when it is not reached", GapKind.CHOICE)
