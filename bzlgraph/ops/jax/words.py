"""What becomes of a primitive on a platform, in one sentence with its evidence."""

from __future__ import annotations

from collections.abc import Sequence

from bzlgraph.ops.jax.lowerings import ANY_PLATFORM
from bzlgraph.ops.jax.outcomes import Outcome

SHOWN = 8
SENTENCES = {
    "callback": "calls back into Python on the host, no kernel of its own",
    "named by caller": "makes a custom call whose name is given or put together while it runs",
    "inner": "lowered as the computation that it carries, no kernel of its own",
    "operands": "lowered to nothing: it gives its operands back",
    "constant": "lowered to a constant, no kernel of its own",
    "not supported": "not supported: its rule raises an error",
    "pallas": "compiled as a part of the kernel that it stands in",
    "unknown": "what its rule makes is not found",
}
NO_RULE = "no lowering rule in this tree: it is rewritten before a program is lowered, or never compiled"


def sentence(outcome: Outcome, others: bool) -> str:
    """``others``: whether other rules have platforms of their own."""
    platform = outcome.platform
    if platform == ANY_PLATFORM:
        platform = "other platforms" if others else "every platform"
    return f"{platform}: {what(outcome)}  ({outcome.rule} {outcome.path}:{outcome.line})"


def what(outcome: Outcome) -> str:
    """The outcome alone."""
    if outcome.kind == "hlo":
        return f"lowered to HLO ({_some(outcome.what)}), no kernel of its own"
    if outcome.kind == "primitives":
        return f"lowered to other primitives: {_some(outcome.what)}"
    if outcome.kind == "traced":
        return f"lowered as the function {_some(outcome.what)} of JAX, which its arguments decide"
    if outcome.kind == "custom call":
        return f"custom call {_some(outcome.what)} is handled inside XLA, which is not in this tree"
    return SENTENCES[outcome.kind]


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
