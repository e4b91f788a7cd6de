"""Where a repository comes from, as data: the calls that lead to it, from the root; and those of a WORKSPACE file."""

from __future__ import annotations

from bzlgraph.base.record import Record
from bzlgraph.base.span import Location

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bzlgraph.bazel.context.contexts import RepositoryCall

LOCAL_MODULE = "local_path_override"
"""The rule of a module in a folder of this machine; unlike a ``local_repository`` of WORKSPACE it may lie in the
workspace, and its packages belong to the main repository as well."""
MODULE = "bazel_dep"
"""The rule of a module of which nobody knows where its files come from."""
EXTENSION = "use_repo"
"""The rule of a repository that an extension makes which was not run."""


class OriginStep(Record):
    """A call that leads on: ``word`` names its function, ``what`` what it is about, ``note`` what there is to know."""

    word: str
    what: str
    location: Location | None = None
    note: str = ""


class Origin(Record):
    """``name`` is what it is asked as, ``kind`` says in words what it is; ``steps`` lead to it from the root.

    ``others``: who asks for the same, too.
    """

    name: str
    kind: str
    steps: tuple[OriginStep, ...] = ()
    others: tuple[OriginStep, ...] = ()


def of_call(name: str, call: RepositoryCall) -> Origin:
    """The origin of a repository that a call of a rule makes."""
    rule_text = f"{call.rule} of {call.bzl}" if call.bzl is not None else call.rule
    return Origin(name, f"made by {rule_text}", tuple(_calls(call)))


def _calls(call: RepositoryCall) -> Iterator[OriginStep]:
    """The calls that lead to a repository rule, the outermost first."""
    called = [call.rule, *(frame.function for frame in call.stack)]
    for name, frame in reversed([*zip(called, call.stack, strict=False)]):
        yield OriginStep(name, "", frame.location)
    if not call.stack:
        yield OriginStep(call.rule, "", call.location)
