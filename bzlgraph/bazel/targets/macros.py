"""The symbolic macros that a package has called: which one is running, and what that means for names, visibility and
functions.

``running(context)`` -> the innermost one. ``note_call`` takes a new one in, which runs ``inside``.

Rules
- A name is a target's or a macro's. The target or one submacro of a macro may have the macro's own name.
- Submacros are called as their macro, with ``_``, ``-`` or ``.`` and more behind it; targets of other names are kept,
  but nobody can build them.
- To visibility counts, where a macro runs, the package of its .bzl file and not that of the BUILD file.
Mirrors TargetRecorder and MacroInstance of Bazel's source (bazelbuild/bazel@1133aec7).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from bzlgraph.base.label import Label
from bzlgraph.base.span import Frame
from bzlgraph.bazel.context.contexts import PackageContext
from bzlgraph.bazel.context.scope import package_context
from bzlgraph.bazel.model import Target
from bzlgraph.bazel.values.exported import ExportedValue
from bzlgraph.starlark.value import EvalError

_SEPARATORS = ("_", "-", ".")


@dataclass(slots=True, eq=False)
class MacroInstance:
    """One call of a symbolic macro."""

    name: str
    macro: ExportedValue
    finalizer: bool
    parent: MacroInstance | None
    stack: tuple[Frame, ...]
    """The calls that led to it, innermost first."""
    labels: tuple[Label, ...] = ()
    """What the outermost one is given in attributes that are dependencies."""
    has_main_submacro: bool = False
    waited: bool = False
    """Whether it runs when the BUILD file has ended, without the calls that led to it."""

    @property
    def package(self) -> Label:
        """The package of its .bzl file, as an item of a visibility."""
        home = self.macro.bzl or Label("", "", "")
        return Label(home.repo, home.package, "__pkg__")

    def chain(self) -> Iterator[MacroInstance]:
        """Itself and those around it, the innermost first."""
        here: MacroInstance | None = self
        while here is not None:
            yield here
            here = here.parent


@dataclass(slots=True)
class _Macros:
    """Of one package."""

    running: MacroInstance | None = None
    called: dict[str, MacroInstance] = field(default_factory=dict)
    """The first one of each name."""
    before_finalizers: Mapping[str, Target] | None = None
    """The targets that there were before the first finalizer ran."""


def _macros(context: PackageContext) -> _Macros:
    found: _Macros | None = context.state.get(__name__)
    if found is None:
        found = context.state[__name__] = _Macros()
    return found


def running(context: PackageContext) -> MacroInstance | None:
    """The innermost symbolic macro that is running."""
    found: _Macros | None = context.state.get(__name__)
    return found.running if found is not None else None


def outermost(context: PackageContext) -> Iterator[MacroInstance]:
    """Those that no other one has called."""
    return (each for each in _macros(context).called.values() if each.parent is None)


def targets_so_far(context: PackageContext) -> Mapping[str, Target]:
    """The targets that macros may ask for: finalizers see none of each other."""
    found: _Macros | None = context.state.get(__name__)
    before = found.before_finalizers if found is not None else None
    return context.building.targets if before is None else before


def begin_finalizers(context: PackageContext) -> None:
    """The BUILD file has ended."""
    _macros(context).before_finalizers = dict(context.building.targets)


@contextmanager
def inside(instance: MacroInstance, context: PackageContext) -> Iterator[None]:
    """While it runs."""
    macros = _macros(context)
    outer, macros.running = macros.running, instance
    try:
        yield
    finally:
        macros.running = outer


def note_call(instance: MacroInstance, context: PackageContext) -> None:
    """Take note of a call. Raises EvalError for a name that another target or macro has, or that the macro around it
    may not give."""
    name, outer = instance.name, instance.parent
    if name in context.building.targets:
        raise EvalError(f"macro '{name}' conflicts with an existing target.", "rename one of them")
    _check_macros(name, "macro", context)
    if outer is not None and not in_namespace(name, outer.name):
        raise EvalError(
            f"macro '{outer.name}' cannot declare submacro named '{name}'.",
            f"call it '{outer.name}', or let its name begin with '{outer.name}_'",
        )
    _macros(context).called.setdefault(name, instance)
    if outer is not None and outer.name == name:
        outer.has_main_submacro = True


def check_target_name(name: str, context: PackageContext) -> None:
    """Raise EvalError where a macro that is not making the target has its name."""
    if __name__ in context.state:
        _check_macros(name, "target", context)


def _check_macros(name: str, what: str, context: PackageContext) -> None:
    macros = _macros(context)
    if name not in macros.called:
        return
    outer = macros.running
    if outer is None or outer.name != name or outer.has_main_submacro:
        raise EvalError(
            f"{what} '{name}' conflicts with an existing macro (and was not created by it)", "rename one of them"
        )


def has_macro(name: str, context: PackageContext) -> bool:
    """Whether a symbolic macro has been called by this name."""
    return name in _macros(context).called


def in_namespace(name: str, macro: str) -> bool:
    """Whether a macro may call what it makes so.

    >>> [in_namespace(name, "lib") for name in ("lib", "lib_test", "lib_", "library")]
    [True, True, False, False]
    """
    return name == macro or (
        name.startswith(tuple(macro + each for each in _SEPARATORS)) and len(name) > len(macro) + 1
    )


def build_file_context(what: str, *, in_finalizer: bool = False) -> PackageContext:
    """The package being evaluated; EvalError when ``what`` is used anywhere else, or in a symbolic macro that is no
    finalizer."""
    context = package_context(what)
    refuse_in_macro(what, context, in_finalizer=in_finalizer)
    return context


def refuse_in_macro(what: str, context: PackageContext, *, in_finalizer: bool, used: str = "used") -> None:
    """Raise EvalError where a symbolic macro runs; ``in_finalizer``: but for one that runs at the end of the file."""
    macro = running(context)
    if macro is not None and not (in_finalizer and macro.finalizer):
        others = ", a legacy macro, or a rule finalizer" if in_finalizer else " or a legacy macro"
        raise EvalError(
            f"{what} can only be {used} while evaluating a BUILD file{others}",
            f"the symbolic macro '{macro.name}' is running: let its caller pass what it needs as an attribute",
        )
