"""Rules that left Bazel and that Bazel 8 still gives without a load, from the rule sets that define them now.

``autoloaded("java_library", context)`` -> the rule or macro of ``@rules_java//java:java_library.bzl``, None where the
running code gets none. A rule is loaded when it is called: what a package depends on is what it uses.
Doc: ``--incompatible_autoload_externally``, https://bazel.build/reference/command-line-reference
"""

from __future__ import annotations

import re
from collections.abc import Callable

from bzlgraph.base.gap import GapKind
from bzlgraph.bazel.context.contexts import PackageContext
from bzlgraph.bazel.context.scope import add_gap, file_context
from bzlgraph.facts.names import Definition, definition
from bzlgraph.starlark.builtin import Builtin
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.value import EvalError


def autoloaded(rule: str, context: PackageContext) -> Callable[..., object] | None:
    """What a call of a rule's name calls; None for the native rule. EvalError when no module has the rule."""
    defined = definition(rule)
    if defined is None or _is_without(context, rule, defined):
        return None
    canonical = context.mapping.of_module(defined.module, defined.repository)
    if canonical is None:
        _note_absent(rule, defined, context)
        return None
    thread = current_thread()
    value = thread.load(f"@@{canonical}{defined.bzl}", thread, thread.innermost_location())[rule]
    # What stands in for a rule set that is not on disk is the native rule itself.
    return value if callable(value) and not isinstance(value, Builtin) else None


def _is_without(context: PackageContext, rule: str, defined: Definition) -> bool:
    """Whether the code that runs belongs to a repository in which nothing is loaded by itself."""
    module = re.split("[~+]", context.mapping.canonical(file_context().repo), maxsplit=1)[0]
    known = context.facts
    if not (known.bzlmod or known.autoloads_without_modules):
        return True
    if module:
        return module in known.without_autoloads
    if known.main_without_autoloads:  # and Bazels that know the option have none of these rules inside
        raise EvalError(f"name '{rule}' is not defined", f'load("{defined.label}", "{rule}")')
    return False


def _note_absent(rule: str, defined: Definition, context: PackageContext) -> None:
    """No module has the rule: Bazel refuses the call."""
    if not context.facts.tolerant:
        asked = f"'bazel_dep(name = \"{defined.module}\", ...)' in your MODULE.bazel file"
        raise EvalError(
            f"Couldn't auto load '{rule}' from '{defined.label}'. Ensure that you have a {asked} or add an explicit "
            "load statement to your BUILD file."
        )
    add_gap(f"{rule} of {defined.label}", "treated as the native rule of Bazel 7", GapKind.LOAD, defined.repository)
