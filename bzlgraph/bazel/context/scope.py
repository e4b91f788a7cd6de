"""Where the running Starlark code stands: the context of its evaluation and of the file it was written in.

Two contexts matter. The *evaluation's* (``thread.host``) says what is being made: a .bzl module, a package, a
workspace. The *file's* says where labels resolve that ``Label()``, ``rule()`` or ``attr.label(default = ...)`` are
given: the file whose code is running now, which for a macro is the .bzl it was written in and not the BUILD file that
calls it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label, LabelError, parse
from bzlgraph.bazel.context.contexts import EVERYWHERE, BzlContext, Context, PackageContext
from bzlgraph.facts import Facts, for_version
from bzlgraph.starlark.evaluation.thread import Statement, current_thread
from bzlgraph.starlark.value import EvalError

C = TypeVar("C", bound=Context)


def want_context(kind: type[C], refusal: str, hint: str | None = None) -> C:
    """What is being evaluated, which must be of this kind; EvalError with these words when it is not."""
    host = current_thread().host
    if not isinstance(host, kind):
        raise EvalError(refusal, hint)
    return host


def evaluation_context() -> Context:
    """The context of the running evaluation."""
    return want_context(Context, "this function needs a Bazel workspace")


def package_context(what: str) -> PackageContext:
    """The package being evaluated; EvalError when ``what`` is used anywhere else."""
    refusal = f"{what} can only be used while a BUILD file is evaluated (possibly inside a macro)"
    context = want_context(PackageContext, refusal, "call it from a macro that a BUILD file calls")
    if context.initializers and what not in _FOR_INITIALIZERS:
        words = "a rule can only be instantiated while evaluating a BUILD file or a legacy or symbolic macro"
        rule = what.startswith("the rule ")
        raise EvalError(words if rule else f"{what} can only be used while evaluating a BUILD file or a legacy macro")
    return context


_FOR_INITIALIZERS = ("package_relative_label()", "package_default_visibility()")
"""What the initializer of a rule may call. Asked of 7.7.1; the words are those of
bazelbuild/bazel@008b27fbed6763c9af4e2ab371c4c00b0cf56e74 StarlarkRuleClassFunctionsTest.java."""


def bzl_context(what: str) -> BzlContext:
    """The .bzl file being loaded; EvalError when ``what`` is used anywhere else."""
    return want_context(BzlContext, f"{what} can only be used during .bzl initialization (top-level evaluation)")


def file_context() -> Context:
    """The context of the file whose code is running now."""
    return _contexts()[1]


def _contexts() -> tuple[Context, Context]:
    """The context of the running evaluation, and that of the file whose code is running now."""
    thread = current_thread()
    host = thread.host if isinstance(thread.host, Context) else evaluation_context()
    path = thread.innermost_path()
    return host, host if path is None else host.context_of(path)


def in_stand_in() -> bool:
    """Whether the code that is running now is ours, in the place of a file that is not on disk."""
    thread = current_thread()
    path = thread.innermost_path()
    context = thread.host.context_of(path) if isinstance(thread.host, Context) and path is not None else thread.host
    return isinstance(context, BzlContext) and context.stand_in


def file_label(context: Context) -> Label:
    """The label of a .bzl file; of the BUILD file's package for anything else."""
    if not isinstance(context, BzlContext):
        return Label(context.repo, context.package, "BUILD")
    home = f"external/{context.mapping.canonical(context.repo)}/"
    path = context.path.removeprefix(home) if context.repo else context.path
    return Label(context.repo, context.package, path.removeprefix(f"{context.package}/") if context.package else path)


def resolve(text: str, context: Context | None = None) -> Label:
    """Resolve label text in ``context``, by default the file whose code is running. EvalError for what is no label."""
    try:
        return context.label(text) if context is not None else _resolve_here(text)
    except LabelError as error:
        raise EvalError(str(error)) from None


def _resolve_here(text: str) -> Label:
    """Resolve label text in the file whose code is running. What runs for WORKSPACE, and repository rules, call
    repositories as WORKSPACE does, wherever their code was written."""
    host, place = _contexts()
    if host.mapping is place.mapping:
        return place.label(text)
    return parse(text, place.repo, place.package, host.mapping, host.facts.repository_names)


def add_gap(what: str, hides: str, kind: GapKind = GapKind.CALL, repository: str = "") -> None:
    """Note that something could not be known, at the place where the running code stands."""
    thread = current_thread()
    if isinstance(thread.host, Context):
        thread.host.add_gap(Gap(kind.value, what, hides, thread.innermost_location(), repository))
        if kind is GapKind.CHOICE:
            note_choice()


def choose(what: str, hides: str, operand: object = None, repository: str = "") -> bool:
    """Whether something unknown is other than assumed, where it decides what happens: no, and a gap is noted, unless
    the evaluation is one that tries both (``Context.decide``)."""
    thread = current_thread()
    gap = Gap(GapKind.CHOICE.value, what, hides, thread.innermost_location(), repository)
    return isinstance(thread.host, Context) and thread.host.decide(gap, thread.statement(), operand)


def evaluating() -> bool:
    """Whether Starlark code is running; what our own code asks of an unknown value hides nothing."""
    try:
        current_thread()
    except EvalError:
        return False
    return True


def note_choice() -> None:
    """Remember that something unknown has decided what the running statement does."""
    thread = current_thread()
    if isinstance(thread.host, Context):
        thread.host.choices.add(thread.statement())


def is_guess(host: object, statement: Statement, paths: Iterable[str]) -> bool:
    """Whether what a top-level statement makes or refuses follows from something unknown.

    So it is when an unknown value has decided in the statement, or while one of the files was loaded whose code runs
    in it (``paths``).
    """
    if not isinstance(host, Context):
        return False
    if statement in host.choices or EVERYWHERE in host.choices:
        return True
    return any(host.loaded[path].choices for path in paths if path in host.loaded)


def guessing() -> bool:
    """``is_guess`` of the statement that is running."""
    thread = current_thread()
    paths = (frame.location.path for frame in thread.call_stack().frames())
    return is_guess(thread.host, thread.statement(), paths)


def report(problem: Diagnostic, context: PackageContext) -> None:
    """Note a problem of a target with its package; a gap when something unknown led to it: it may not be there."""
    if guessing():
        what = f"caused by an unknown value: {problem.message}"
        context.add_gap(
            Gap(GapKind.CHOICE.value, what, "the actual value is unknown and may be valid", problem.location)
        )
    else:
        context.building.diagnostics.append(problem)


def facts() -> Facts:
    """What the Bazel version at hand does; outside a workspace the newest, tolerantly."""
    host = current_thread().host
    return host.facts if isinstance(host, Context) else for_version()
