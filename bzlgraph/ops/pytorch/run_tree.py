"""The operators inside of those that were asked for, as trees.

the steps of every operator, names -> for each name the rows of a walk through its tree: (depth, step).

Rules
1. Each operator stands where it is nearest to a name, once; when what runs on a CPU reaches it elsewhere than what runs
   on CUDA, once for each of them.
2. What runs on one device only reaches what runs there, or anywhere.
3. A branch for a special kind of tensor (sparse, quantized) matters to who asks for that very operator, not to those
   that call it, unless they are for such tensors themselves. What the function of a dispatch key for one kind of them
   calls matters to those of this kind only, and to who asks for an operator that is for no other tensors.
4. An operator that is asked for may be given tensors on several devices; those below it are given tensors on one
   device, but for what moves them (takes a device, and is given one that is not that of one of them) and what that
   calls, and the same operator in place or not (``copy`` and ``copy_``).
5. An operator that has no function for a device is not called by what runs there (``_copy_from`` is for others); on
   a CPU no branch for tensors on other devices runs.
6. A tensor of zeros without data (``_is_zerotensor``) is given data before an operator runs, unless that lets it
   through: those that are asked for may be given one, and what such a one calls.

>>> from bzlgraph.base.span import Location
>>> where = Location("a.cpp", 1, 1)
>>> def step(op, device=""): return Step(op, where, device=device)
>>> steps = {"a": (step("b"), step("c", "CUDA")), "b": (step("d", "CUDA"), step("e"))}
>>> steps["c"] = (step("e"), step("f", "CPU"))
>>> [(depth, step.op, step.device) for depth, step in run_tree(steps, ["a"], 9)["a"]]
[(1, 'b', ''), (2, 'd', 'CUDA'), (2, 'e', ''), (1, 'c', 'CUDA')]
>>> [step.op for _, step in run_tree(steps, ["a"], 9, lambda op, device: (op, device) != ("d", "CUDA"))["a"]]
['b', 'e', 'c']
>>> steps["m"] = (step("n", "CPU"),)
>>> steps["n"] = (Step("o", where, conditions=("a.is_cuda()",)), Step("p", where, conditions=("!a.is_cuda()",)))
>>> [(step.op, step.conditions) for _, step in run_tree(steps, ["m"], 9)["m"]]
[('n', ()), ('p', ())]
>>> steps = {"g": (Step("h", where, conditions=("SparseCPU",)),), "i": (step("g"),)}
>>> [[row.op for _, row in run_tree(steps, [name], 9)[name]] for name in "gi"]
[['h'], ['g']]
>>> run_tree(steps, ["g"], 9, is_ordinary=lambda op: op == "g")["g"]
[]
>>> steps = {"f": (step("copy_"),), "to": (Step("copy_", where, moves=True),)}
>>> steps["copy_"] = (Step("empty", where, conditions=("a.device() != b.device()",)), step("all"))
>>> [[row.op for _, row in run_tree(steps, [name], 9)[name]] for name in ("f", "to", "copy_")]
[['copy_', 'all'], ['copy_', 'empty', 'all'], ['empty', 'all']]
>>> steps = {"v": (step("w"),), "w": (Step("zero_", where, conditions=("a._is_zerotensor()",)),)}
>>> [[row.op for _, row in run_tree(steps, ["v"], 9, lets_zeros=names.__contains__)["v"]] for names in ("v", "")]
[['w', 'zero_'], ['w']]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from bzlgraph.ops.pytorch.cpp.known import FALSE, NO_ZEROS, ON_CPU, ON_CUDA, ONE_DEVICE, TRUE, simplified
from bzlgraph.ops.pytorch.cpp.truth import KINDS, is_key
from bzlgraph.ops.pytorch.steps import OTHERS, Step

_Node = tuple[str, str]
"""An operator, and the device that it runs on in some place: "" for any."""
_Children = Mapping[_Node, Sequence[Step]]


def run_tree(
    steps: Mapping[str, Sequence[Step]],
    roots: Sequence[str],
    most: int,
    runs_on: Callable[[str, str], bool] = lambda _op, _device: True,
    is_ordinary: Callable[[str], bool] = lambda _op: False,
    takes_device: Callable[[str], bool] = lambda _op: False,
    lets_zeros: Callable[[str], bool] = lambda _op: True,
) -> dict[str, list[tuple[int, Step]]]:
    """For each root the rows of its tree; ``most`` operators are shown in all. ``runs_on`` says whether an operator has
    a function for a device, ``is_ordinary`` whether it has one for tensors of no special kind, ``takes_device`` whether
    it takes tensors and a device, ``lets_zeros`` whether it lets tensors of zeros through (rule 6)."""
    children: dict[_Node, list[Step]] = {}
    asked = frozenset(roots)
    seen = {root: {""} for root in roots}
    waiting = [(root, "", tuple(word for word in KINDS if word in root)) for root in roots]
    reached = _reached(steps, roots, takes_device, lets_zeros)
    apart, zeros = ({name for name, *may in reached if may[each]} for each in (0, 1))
    for name, device, kinds in waiting:
        below = steps.get(name, ())
        alone = name in asked and not is_ordinary(name) and all(step.special for step in below)
        for step in _left(below, device, together=name not in apart, filled=name not in zeros):
            there = step.device or device
            known = seen.get(step.op, set())
            enough = known if there == OTHERS else {"", there} & known or (not there and len(known - {OTHERS}) > 1)
            is_reached = device in ("", there) and not enough and (not there or runs_on(step.op, there))
            told = not step.special or alone or _is_told(step.conditions[0], kinds, name in asked)
            if is_reached and told and len(waiting) < most:
                seen.setdefault(step.op, set()).add(there)
                waiting.append((step.op, there, kinds))
                children.setdefault((name, device), []).append(replace(step, device=there))
    return {root: list(_walk(children, root)) for root in roots}


def _reached(
    steps: Mapping[str, Sequence[Step]],
    roots: Sequence[str],
    takes_device: Callable[[str], bool],
    lets_zeros: Callable[[str], bool],
) -> list[tuple[str, bool, bool]]:
    """Rules 4 and 6: each operator of the trees, whether it may be given tensors on several devices, and one of zeros
    without data; as often as it is reached in another way."""
    states = dict.fromkeys((root, True, True) for root in roots)
    waiting = list(states)
    for name, apart, zeros in waiting:
        takes, letting = takes_device(name), zeros and lets_zeros(name)
        for step in _left(steps.get(name, ()), "", together=not apart, filled=not zeros):
            same = step.op.partition(".")[0].rstrip("_") == name.partition(".")[0].rstrip("_")
            moved = apart if takes else step.moves or (apart and (same or step.follows))
            below = step.op, moved, letting
            if below not in states and not step.special:
                states[below] = None
                waiting.append(below)
    return waiting


def _left(steps: Sequence[Step], device: str, *, together: bool, filled: bool) -> Iterator[Step]:
    """Those that run on a device, with what is left of their conditions; ``together``: all tensors are on one,
    ``filled``: all have data."""
    for step in steps:
        known = {**_ON_DEVICES.get((step.device or device, together), {}), **(_FILLED if filled else {})}
        left = tuple(simplified(each, known) for each in step.conditions) if known else step.conditions
        if FALSE not in left:
            same = left == step.conditions
            yield step if same else replace(step, conditions=tuple(each for each in left if each != TRUE))


_FILLED = dict([NO_ZEROS])
_ON_DEVICES = {
    ("CPU", True): dict([ON_CPU]),
    ("CPU", False): dict([ON_CPU]),
    ("CUDA", True): dict([ONE_DEVICE, ON_CUDA]),
    ("", True): dict([ONE_DEVICE]),
    (OTHERS, True): dict([ONE_DEVICE]),
}


def _is_told(first: str, kinds: Sequence[str], asked: bool) -> bool:
    """Rule 3 for a branch with a first condition, below an operator for some kinds of tensors."""
    return first.lower().startswith(tuple(kinds)) if is_key(first) else bool(kinds) or asked


def _walk(children: _Children, root: str) -> Iterator[tuple[int, Step]]:
    stack = [(1, step) for step in reversed(children.get((root, ""), ()))]
    while stack:
        depth, step = stack.pop()
        yield depth, step
        stack += [(depth + 1, each) for each in reversed(children.get((step.op, step.device), ()))]
