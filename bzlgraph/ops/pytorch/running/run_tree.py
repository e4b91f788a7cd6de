"""The operators inside of those that were asked for, as trees.

the steps of every operator, names -> for each name the rows of a walk through its tree: (depth, step).

Rules
1. Each operator stands where it is nearest to a name, once; when what runs on a CPU reaches it elsewhere than what runs
   on CUDA, once for each of them. Where it is given something that decides its branches (``given_values.py``) only what
   then runs stands below it; it stands again where it is given other things, if an operator runs that stands nowhere
   yet. One that is given many things is asked what it may run whatever it is given.
2. What runs on one device only reaches what runs there, or anywhere.
3. A branch for a special kind of tensor (sparse, quantized) matters to who asks for that very operator, not to those
   that call it, unless they are for that kind themselves. What the function of a dispatch key for one kind of them
   calls matters to those of this kind only, and to who asks for an operator that is for no other tensors. What is
   given no special tensor runs no such branch either: below the function of an ordinary dispatch key, and methods of
   what an operator gives that makes no others (``a.max().item()``). One that is named for a kind runs the function of
   its key all the same, as it makes such a tensor.
4. An operator that is asked for may be given tensors on several devices, unless it takes one or refuses them; those
   below it are given tensors on one
   device, but for what moves them (takes a device, and is given one that is not that of one of them) and what that
   calls, and the same operator in place or not (``copy`` and ``copy_``).
5. An operator that has no function for a device is not called by what runs there (``_copy_from`` is for others); on
   a CPU no branch for tensors on other devices runs, on CUDA none for results on a CPU. What a function calls that is
   for CPUs and CUDA alone runs on one of them.
6. A tensor of zeros without data (``_is_zerotensor``) is given data before an operator runs, unless that lets it
   through: those that are asked for may be given one, and what such a one calls. So is a view made plain that is
   conjugated or negated when it is read, which operators make, too (``let_through.py``).

>>> from bzlgraph.base.span import Location
>>> where = Location("a.cpp", 1, 1)
>>> def step(op, device=""): return Step(op, where, device=device)
>>> steps = {"a": (step("b"), step("c", "CUDA")), "b": (step("d", "CUDA"), step("e"))}
>>> steps["c"] = (step("e"), step("f", "CPU"))
>>> class Unchanging(dict):  # what runs the same whatever it is given
...     def given(self, name, given): return () if given else self.get(name, ())
...     def mattering(self, name, given): return ()
>>> def tree(name, *about, **more): return run_tree(Unchanging(steps), [name], 9, *about, **more)[name]
>>> [(depth, step.op, step.device) for depth, step in tree("a")]
[(1, 'b', ''), (2, 'd', 'CUDA'), (2, 'e', ''), (1, 'c', 'CUDA')]
>>> [step.op for _, step in tree("a", lambda op, device: (op, device) != ("d", "CUDA"))]
['b', 'e', 'c']
>>> steps["m"] = (step("n", "CPU"),)
>>> steps["n"] = (Step("o", where, conditions=("a.is_cuda()",)), Step("p", where, conditions=("!a.is_cuda()",)))
>>> [(step.op, step.conditions) for _, step in tree("m")]
[('n', ()), ('p', ())]
>>> steps = {"g": (Step("h", where, conditions=("SparseCPU",)),), "i": (step("g"),)}
>>> [[row.op for _, row in tree(name)] for name in "gi"]
[['h'], ['g']]
>>> tree("g", is_ordinary=lambda op: op == "g")
[]
>>> steps = {"sparse_f": (step("g"),), "g": (Step("h", where, conditions=("a.is_quantized()",)),)}
>>> steps["g"] += (Step("i", where, conditions=("a.is_sparse() || a.is_nested()",)),)
>>> [[row.op for _, row in tree(name)] for name in ("sparse_f", "g")]
[['g', 'i'], ['h', 'i']]
>>> steps["sparse_f"] = (Step("g", where, plain=True), step("k"))
>>> steps["g"] = (Step("h", where, conditions=("SparseCPU",)), step("i"))
>>> steps["k"] = (Step("g", where, touching=True),)
>>> [(depth, row.op) for depth, row in tree("sparse_f")]
[(1, 'g'), (2, 'i'), (1, 'k'), (2, 'g'), (3, 'h')]
>>> steps["empty_sparse"] = (Step("h", where, conditions=("SparseCPU",)), Step("i", where, conditions=("SparseCUDA",)))
>>> steps["sparse_f"] = (Step("empty_sparse", where, plain=True),)
>>> [row.op for _, row in tree("sparse_f")]
['empty_sparse', 'h', 'i']
>>> steps = {"f": (step("copy_"),), "to": (Step("copy_", where, moves=True),)}
>>> steps["copy_"] = (Step("empty", where, conditions=("a.device() != b.device()",)), step("all"))
>>> [[row.op for _, row in tree(name)] for name in ("f", "to", "copy_")]
[['copy_', 'all'], ['copy_', 'empty', 'all'], ['empty', 'all']]
>>> steps["h"] = step("copy_"), step("to")
>>> [(depth, row.op) for depth, row in tree("h")]
[(1, 'copy_'), (2, 'all'), (1, 'to'), (2, 'copy_'), (3, 'empty')]
>>> asked = "_resize_output_check(out, shape)", "out.is_cpu() && n"
>>> steps = {"f": (Step("h", where, conditions=asked, device="CUDA"), Step("i", where, conditions=asked))}
>>> [row.op for _, row in tree("f")]
['i']
>>> steps = {"v": (step("w"),), "w": (Step("zero_", where, conditions=("a._is_zerotensor()",)),)}
>>> [[row.op for _, row in tree("v", let=lambda _op, _given, _: kinds)] for kinds in (ALL_KINDS, frozenset())]
[['w', 'zero_'], ['w']]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

from bzlgraph.ops.pytorch.cpp.known import simplified
from bzlgraph.ops.pytorch.cpp.questions import (
    FALSE,
    ON_CPU,
    ON_CUDA,
    ONE_DEVICE,
    TRUE,
    Constants,
    sized_result,
)
from bzlgraph.ops.pytorch.cpp.truth import KINDS, is_key, is_special, kinds_of
from bzlgraph.ops.pytorch.running.devices import OTHERS
from bzlgraph.ops.pytorch.running.let_through import ALL_KINDS, Kinds, let_all
from bzlgraph.ops.pytorch.running.steps import Step

MAX_GIVEN = 6
"""Nodes of one operator before all that it may run is asked."""


class StepsOfGiven(Protocol):
    """What operators call."""

    def given(self, name: str, given: Constants) -> Sequence[Step]:
        """What an operator calls that is given something."""
        ...

    def mattering(self, name: str, given: Constants) -> Constants:
        """Of what an operator is given that which decides anything."""
        ...


class _Node(NamedTuple):
    """An operator in some place: the device that it runs on ("" for any), what it is given; whether it may be given
    tensors on several devices (rule 4), and tensors of which kinds that are not plain (rule 6); whether it is given
    none of a special kind, where that matters (rule 3); whether it runs on a CPU or on CUDA, where ``device`` does not
    say so."""

    op: str
    device: str = ""
    given: Constants = ()
    apart: bool = True
    kinds: Kinds = ALL_KINDS
    plain: bool = False
    native: bool = False

    def holds(self, other: _Node) -> bool:
        """Whether it runs all that another node of the operator does, as far as devices do not matter."""
        wider = self.apart >= other.apart and self.kinds >= other.kinds and self.plain <= other.plain
        wider = wider and self.native <= other.native
        return {*self.given} <= {*other.given} and wider


_Children = Mapping[_Node, Sequence[tuple[Step, _Node]]]


class _Nodes:
    """The nodes of the trees (rule 1)."""

    def __init__(self, steps: StepsOfGiven) -> None:
        self._steps = steps
        self._known: dict[str, list[_Node]] = {}
        self.first: set[_Node] = set()
        """Those whose operator stands nowhere nearer."""

    def add(self, node: _Node) -> _Node | None:
        """The node of an operator as it is kept; None where it stands already, with all that it runs there."""
        known = self._known.setdefault(node.op, [])
        node = node._replace(given=self._steps.mattering(node.op, node.given) if len(known) < MAX_GIVEN else ())
        if _is_among([each.device for each in known if each.holds(node)], node.device):
            return None
        if not _is_among([each.device for each in known], node.device):
            self.first.add(node)
        known.append(node)
        return node


def _is_among(known: Sequence[str], device: str) -> bool:
    """Whether what runs on a device does so where something stands for known ones."""
    if device == OTHERS:
        return bool(known)
    return not {"", device}.isdisjoint(known) or (not device and len({*known} - {OTHERS}) > 1)


def run_tree(
    steps: StepsOfGiven,
    roots: Sequence[str],
    most: int,
    runs_on: Callable[[str, str], bool] = lambda _op, _device: True,
    is_ordinary: Callable[[str], bool] = lambda _op: False,
    takes_device: Callable[[str], bool] = lambda _op: False,
    let: Callable[[str, Kinds, Sequence[Step]], Kinds] = let_all,
    mixes: Callable[[str], bool] = lambda _op: True,
) -> dict[str, list[tuple[int, Step]]]:
    """For each root the rows of its tree; ``most`` operators are shown in all. ``runs_on`` says whether an operator has
    a function for a device, ``is_ordinary`` whether it has one for tensors of no special kind, ``takes_device`` whether
    it takes tensors and a device, ``let`` what it lets through that is not plain (rule 6), ``mixes`` whether it may be
    given tensors on several devices where it is asked for (rule 4)."""
    children: dict[_Node, list[tuple[Step, _Node]]] = {}
    asked, nodes = frozenset(roots), _Nodes(steps)
    begun = {root: nodes.add(_Node(root, apart=mixes(root))) or _Node(root) for root in roots}
    waiting = [(node, tuple(word for word in KINDS if word in node.op)) for node in begun.values()]
    for node, kinds in waiting:
        below = steps.given(node.op, node.given)
        alone = node.op in asked and not is_ordinary(node.op) and all(step.special for step in below)
        takes, let_through = takes_device(node.op), let(node.op, node.kinds, below)
        for step in _left(below, node.device, together=not node.apart, none=ALL_KINDS - node.kinds):
            there = step.device or node.device
            told = not step.special or alone or _is_told(step.conditions, kinds, node, asked=node.op in asked)
            native = not there and (step.native or (node.native and not step.moves))
            on_it = any(runs_on(step.op, each) for each in ("CPU", "CUDA")) if native else runs_on(step.op, there)
            may_run = told and node.device in ("", there) and (on_it or not (there or native))
            apart = node.apart if takes else step.moves or (node.apart and (_is_same(step.op, node.op) or step.follows))
            plain = bool(kinds) and (step.plain or (node.plain and not step.touching))
            made = _Node(step.op, there, step.given, apart, let_through, plain, native)
            found = nodes.add(made) if may_run and len(nodes.first) < most else None
            if found is not None:
                waiting.append((found, kinds))
                children.setdefault(node, []).append((replace(step, device=there), found))
    leading = {*nodes.first}
    leading.update(node for node, _ in reversed(waiting) if any(each in leading for _, each in children.get(node, ())))
    return {root: list(_walk(children, leading, node)) for root, node in begun.items()}


def _is_same(one: str, other: str) -> bool:
    """Whether two operators are one, in place or not."""
    return one.partition(".")[0].rstrip("_") == other.partition(".")[0].rstrip("_")


def _left(steps: Sequence[Step], device: str, *, together: bool, none: Kinds) -> Iterator[Step]:
    """Those that run on a device, with what is left of their conditions; ``together``: all tensors are on one,
    ``none``: kinds of which there is none."""
    for step in steps:
        known = {**_ON_DEVICES.get((step.device or device, together), {}), **dict(none)}
        if (step.device or device) == "CUDA":
            known.update((f"{name}.is_cpu()", FALSE) for name in filter(None, map(sized_result, step.conditions)))
        left = tuple(simplified(each, known) for each in step.conditions) if known else step.conditions
        if FALSE not in left:
            same = left == step.conditions
            yield step if same else replace(step, conditions=tuple(each for each in left if each != TRUE))


_ON_DEVICES = {
    ("CPU", True): dict([ON_CPU]),
    ("CPU", False): dict([ON_CPU]),
    ("CUDA", True): dict([ONE_DEVICE, ON_CUDA]),
    ("", True): dict([ONE_DEVICE]),
    (OTHERS, True): dict([ONE_DEVICE]),
}


def _is_told(conditions: Sequence[str], kinds: Sequence[str], node: _Node, *, asked: bool) -> bool:
    """Rule 3 for a branch of a node with conditions, below an operator for some kinds of tensors."""
    first, *_ = special = [each for each in conditions if is_special(each)]
    given = () if node.plain else kinds
    if is_key(first):
        return first.lower().startswith(tuple(each for each in kinds if each in given or each in node.op))
    return asked or all(not kinds_of(each).isdisjoint(given) for each in special)


def _walk(children: _Children, leading: Collection[_Node], root: _Node) -> Iterator[tuple[int, Step]]:
    """The rows below a node that lead to an operator which stands nowhere nearer."""
    stack = [(1, *each) for each in reversed(children.get(root, ()))]
    while stack:
        depth, step, node = stack.pop()
        if node in leading:
            yield depth, step
            stack += [(depth + 1, *each) for each in reversed(children.get(node, ()))]
