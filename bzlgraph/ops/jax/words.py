"""What becomes of a primitive on a platform, in one sentence with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bzlgraph.ops.jax.lowering.lowerings import ANY_PLATFORM, Unread
from bzlgraph.ops.jax.lowering.outcomes import Outcome

SHOWN = 8
SENTENCES = {
    "callback": "calls back into Python on the host, no kernel of its own",
    "named by caller": "makes a custom call whose name is passed in or built at run time",
    "inner": "lowered as the computation it carries, no kernel of its own",
    "operands": "lowered to nothing: returns its operands",
    "constant": "lowered to a constant, no kernel of its own",
    "not supported": "not supported: its rule raises an error",
    "pallas": "compiled as part of the enclosing kernel",
    "unknown": "the result of its rule was not found",
}
NO_RULE = "no lowering rule in this tree: it is rewritten before a program is lowered, or never compiled"
NO_RULE_READ = "not known whether it has a lowering rule: {} registered for a primitive that could not be read  ({})"


def without_rule(unread: Sequence[Unread]) -> str:
    """What is said of a primitive for which no rule is found; ``unread`` may be registered for any primitive."""
    if not unread:
        return NO_RULE
    told = "one rule is" if len(unread) == 1 else f"{len(unread)} rules are"
    return NO_RULE_READ.format(told, _some([f"{each.path}:{each.line}" for each in unread]))


def sentences(outcomes: Sequence[Outcome], known: Callable[[str], bool], others: bool) -> Iterator[str]:
    """A sentence for each outcome, those inside kernels of Pallas together. ``known``: whether this tree registers
    custom calls of such a name; ``others``: whether other rules have platforms of their own."""
    for each in outcomes:
        if each.kind != "pallas":
            platform = ("other platforms" if others else "every platform") if each.platform == ANY_PLATFORM else ""
            asked = f", if {each.condition}" if each.condition else ""
            yield f"{platform or each.platform}{asked}: {what(each, known)}  ({each.rule} {each.path}:{each.line})"
    pallas = [each for each in outcomes if each.kind == "pallas"]
    if pallas:
        rules = ", ".join(f"{each.platform.removeprefix('pallas ')} {each.path}:{each.line}" for each in pallas)
        yield f"in kernels of Pallas: {SENTENCES['pallas']}  ({rules})"


def what(outcome: Outcome, known: Callable[[str], bool]) -> str:
    """The outcome alone."""
    if outcome.kind == "hlo":
        return f"lowered to HLO ({_some(outcome.what)}), no kernel of its own"
    if outcome.kind == "primitives":
        return f"lowered to other primitives, among them {_some(outcome.what)}"
    if outcome.kind == "traced":
        return f"lowered as the function {_some(outcome.what)} of JAX, chosen by its arguments"
    if outcome.kind == "custom call":
        names = _some(outcome.what)
        if all(known(each) for each in outcome.what):
            where = "" if outcome.platform == ANY_PLATFORM else f" for {outcome.platform}"
            return f"custom call {names}, not registered in this tree{where}"
        return f"custom call {names} is handled inside XLA, which is not in this tree"
    return SENTENCES[outcome.kind]


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
