"""The one exception tree. Each problem carries diagnostics; whoever catches it decides how to show them.

``BzlgraphError`` subclasses are the user's world (files, queries, command lines). Anything else that escapes is a
bug of ours and is the only thing that may ever show a Python traceback.
"""

from __future__ import annotations

from collections.abc import Iterable

from bzlgraph.base.diagnostic import Diagnostic


class BzlgraphError(Exception):
    """A problem in the user's input, with one diagnostic or several (never none)."""

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic] | str) -> None:
        if isinstance(diagnostics, str):
            diagnostics = Diagnostic(diagnostics)
        listed = (diagnostics,) if isinstance(diagnostics, Diagnostic) else tuple(diagnostics)
        super().__init__(listed[0].headline)
        if hint := listed[0].hint:
            self.add_note(f"hint: {hint}")  # which a traceback and a notebook show
        self.diagnostics: tuple[Diagnostic, ...] = listed

    @property
    def diagnostic(self) -> Diagnostic:
        """The first (usually the only) diagnostic."""
        return self.diagnostics[0]


class SyntaxProblem(BzlgraphError):
    """A file does not parse or breaks a static rule of the language."""


class EvalProblem(BzlgraphError):
    """Starlark code failed while running."""


class LoadProblem(BzlgraphError):
    """A package, a .bzl file or a repository cannot be loaded."""


class QueryProblem(BzlgraphError):
    """A query expression or target pattern is wrong."""


class QueryFailure(BzlgraphError):
    """A query expression is well formed, but has no value: an undefined variable, a bad regular expression."""


class UsageProblem(BzlgraphError):
    """The command line or an API argument is wrong."""
