"""Where a kernel's work goes on behind its ``Compute``: the methods and functors of its own that do it.

(kernel with its Compute) -> ``Work``, in the order of the calls.

Rules
1. Where ``Compute`` is a base's, the methods that it calls by name and that the kernel's own class (or one between)
   defines: ``DatasetOpKernel::Compute`` calls ``MakeDataset``. Methods of the base itself are looked into only, and one
   that does no more than return a value is no work. Those that a base leaves to the kernel's class (``= 0``) come
   first: ``ComputeMatrix`` of a linear operator before the shapes that it gives.
2. What ``MakeDataset`` makes with ``new`` works in the ``GetNextInternal`` of its iterators.
3. The functors that the registration gives to its class, those that the class gives to its bases, and those that
   these bodies call (``functors``); functions that members hold (``members``).
4. A branch does not run where the registration decides its test: ``if (Forward)`` and ``if (!IsReal())`` in a method
   of ``FFT<true, false>``, ``std::is_same<Device, GPUDevice>::value`` of a kernel for CPUs.
Methods that macros make are not looked into.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.ops.model import KernelRegistration, Work
from bzlgraph.ops.tensorflow.cpp.work.arguments import (
    bases_of,
    bind,
    bindings,
    listed,
    parameters_in,
    plain,
    split_class,
)
from bzlgraph.ops.tensorflow.cpp.work.bodies import Bodies, Body, works
from bzlgraph.ops.tensorflow.cpp.work.called import Call, calls_in, handles_in, left_open, named_in, new_in
from bzlgraph.ops.tensorflow.cpp.work.classes import (
    ClassAt,
    Classes,
    Method,
    best,
    meant,
)
from bzlgraph.ops.tensorflow.cpp.work.folder_names import is_device_code
from bzlgraph.ops.tensorflow.cpp.work.functors import FUNCTORS, Functors
from bzlgraph.ops.tensorflow.cpp.work.members import kept_in_members
from bzlgraph.ops.tensorflow.cpp.work.running import running

MAKES, WORKS = "MakeDataset", "GetNextInternal"
MAX_METHODS = 12
MAX_CLASSES = 20
_DEVICES = ("CPUDevice", "GPUDevice")
_TRUTHS = {"true": True, "false": False}


class _Own(NamedTuple):
    """The classes from a kernel's own down to the one whose Compute it runs, what its own is given, and the files that
    it sees."""

    chain: Sequence[ClassAt]
    given: Sequence[str]
    homes: Sequence[str]
    condition: str = ""


@dataclass(slots=True)
class Beyond:
    """Answers for the kernels of one tree."""

    classes: Classes
    bodies: Bodies = field(init=False)

    def __post_init__(self) -> None:
        self.bodies = Bodies(self.classes)

    def of(self, kernel: KernelRegistration) -> tuple[Work, ...]:
        """Where a kernel's work goes on; nothing where its Compute does it, or where that is not known."""
        body = self._compute(kernel)
        if body is None:
            return ()
        own, given = split_class(kernel.kernel_class)
        homes = self._homes(kernel)
        chain = self._chain(own, kernel.compute_class, homes)
        about = _Own(chain, listed(given), homes, kernel.condition)
        bound = self._bound(kernel, own, about.given, homes)
        body = self._running(body, about, bound)
        bodies = [body, *self._methods(body, about, bound)]
        bases = chain[-1:]
        working = [each for each in bodies[1:] if _is_told(each, bases)]
        to_define = self._left_open(chain) if len(working) > 1 else frozenset()
        working.sort(key=lambda each: each.method.name not in to_define)
        found = [_work(each.method, each.depth) for each in working]
        found += self._iterators(bodies, own)
        functors = Functors(self.bodies, homes)
        used = {bound.get(name, name) for each in bodies for name in named_in(each.tokens)}
        handled = {bound.get(name, name) for each in bodies for name in handles_in(each.tokens)}
        found += functors.given(about.given, used, handled)
        found += functors.given(self._given_to_bases(chain, bound))
        for each in bodies:
            found += functors.behind(each, bound)
        found += kept_in_members(self.bodies, kernel, bodies, chain, homes)
        first: dict[Location | None, Work] = {}
        for work in found:
            if work.location != body.method.location:
                first.setdefault(work.location, work)
        return tuple(first.values())

    def may_reach(self, kernel: KernelRegistration, path: str) -> bool:
        """Whether a file is among those that a kernel's work is looked for in."""
        return any(self.classes.sees(home, path) for home in self._homes(kernel))

    def _homes(self, kernel: KernelRegistration) -> tuple[str, ...]:
        """The files of a kernel, whose includes are looked into, and those that are named after them."""
        places = (kernel.location, kernel.compute) if kernel.compute is not None else (kernel.location,)
        own = dict.fromkeys(each.path for each in places)
        given = listed(split_class(kernel.kernel_class)[1])
        on_device = kernel.device == "GPU" and "CPUDevice" not in map(plain, given)
        named_after = (each for path in own for each in self.classes.named_after(path))
        for_device = (each for each in named_after if on_device or not is_device_code(each))
        return tuple(dict.fromkeys((*own, *kernel.device_files, *for_device)))

    def _compute(self, kernel: KernelRegistration) -> Body | None:
        """The body of Compute; None for one that a macro makes, or that is only declared."""
        if kernel.compute is None or not kernel.compute_class:
            return None
        methods = self.classes.of(kernel.compute.path).methods.get(kernel.compute_class, ())
        found = (each for each in methods if each.location.line == kernel.compute.line)
        return next((self.bodies.of(each, kernel.condition) for each in found), None)

    def _chain(self, own: str, last: str, homes: Sequence[str]) -> list[ClassAt]:
        """The classes from a kernel's own down to the one whose Compute it runs, that one last."""
        waiting: list[tuple[str, tuple[ClassAt, ...]]] = [(own, ())]
        seen: set[str] = set()
        while waiting and len(seen) < MAX_CLASSES:
            name, way = waiting.pop(0)
            if name in seen:
                continue
            seen.add(name)
            for each in self.classes.named(name, homes):
                if name == last:
                    return [*way, each]
                waiting += [(base, (*way, each)) for base in each.bases]
        return []

    def _running(self, body: Body, about: _Own, bound: Mapping[str, str]) -> Body:
        """A body without what does not run for a kernel (rule 4)."""
        chain = about.chain

        def truth(name: str, called: bool) -> bool | None:
            method = self._own_method(Call(name, "", ""), about) if called else body.method
            made = self.bodies.of(method, about.condition) if called and method is not None else None
            if called:
                texts = [each.text for each in made.tokens] if made is not None else []
                name = texts[2] if len(texts) == 4 and texts[1] == "return" else ""
            own = method is not None and bool(chain) and method.owners[-1] == chain[0].name
            return _TRUTHS.get(bound.get(name, name) if own else name)

        def same(one: str, other: str) -> bool | None:
            types = [plain(bound.get(each, each)) for each in (one, other)]
            return types[0] == types[1] if {*types} <= {*_DEVICES} else None

        return body._replace(tokens=running(body.tokens, truth, same))

    def _methods(self, body: Body, about: _Own, bound: Mapping[str, str]) -> list[Body]:
        """The methods of the kernel's classes that Compute calls, and those that these call."""
        found: dict[Method, Body] = {}
        waiting = [body]
        while waiting and len(found) < MAX_METHODS:
            caller = waiting.pop(0)
            for call in calls_in(caller.tokens):
                method = self._own_method(call, about)
                if method is not None and method not in found and method != body.method:
                    made = self.bodies.of(method, about.condition)
                    if made is not None:
                        made = self._running(made, about, bound)
                        found[method] = made._replace(depth=caller.depth + _is_told(made, about.chain[-1:]))
                        waiting.append(found[method])
        return list(found.values())

    def _left_open(self, chain: Sequence[ClassAt]) -> frozenset[str]:
        """The methods that a kernel's bases leave to it."""
        found: frozenset[str] = frozenset()
        for each in chain[1:]:
            file = self.classes.file(each.location.path)
            if file is not None:
                scope = file.outline.scopes[each.at]
                found |= left_open(file.outline.tokens[scope.opening : scope.closing])
        return found

    def _given_to_bases(self, chain: Sequence[ClassAt], bound: Mapping[str, str]) -> Iterator[str]:
        """The functors that a kernel's classes give to their bases."""
        for each in chain[:-1]:
            file = self.classes.file(each.location.path)
            bases = bases_of(file.outline.tokens, file.outline.scopes[each.at]) if file is not None else ()
            given = (argument for base in bases for argument in listed(split_class(base)[1]))
            yield from (bind(argument, bound) for argument in given if argument.startswith(FUNCTORS))

    def _own_method(self, call: Call, about: _Own) -> Method | None:
        """The method that a call means: of the specialisation for what the kernel's own class is given, of a base one
        for anything."""
        if call.method or "::" in call.name:
            return None
        for at, each in enumerate(about.chain):
            defined = [one for one in self.classes.methods(each.name, about.homes) if one.owners[-1] == each.name]
            general = [one for one in defined if _is_general(one)] if at else []
            method = best(iter(general or defined), call.name, () if at else about.given)
            if method is not None:
                return method
        return None

    def _iterators(self, bodies: Sequence[Body], own: str) -> Iterator[Work]:
        """Rule 2."""
        for each in bodies:
            if each.method.name != MAKES:
                continue
            methods = self.classes.of(each.method.location.path).methods
            listed = (one for name in new_in(each.tokens) for one in methods.get(name, ()) if one.name == WORKS)
            iterators = list(dict.fromkeys(listed))
            nested = [one for one in iterators if own in one.owners]
            yield from (_work(one, each.depth + 1) for one in nested or iterators)

    def _bound(
        self, kernel: KernelRegistration, own: str, given: Sequence[str], homes: Sequence[str]
    ) -> dict[str, str]:
        """What the names of template parameters stand for: those of the kernel's own class, and ``Device``."""
        bound = {"Device": _device(kernel, given)}
        found = meant(self.classes.named(own, homes), given)
        if found is not None:
            bound |= bindings(found.arguments, given, found.parameters)
        return bound


def _device(kernel: KernelRegistration, given: Sequence[str]) -> str:
    """What the code of a kernel calls its device: as what its class is given, on any device (DEFAULT) as on a CPU."""
    devices = (each for each in map(plain, given) if each in _DEVICES)
    return next(devices, "CPUDevice" if kernel.device == "DEFAULT" else f"{kernel.device}Device")


def _is_of(method: Method, classes: Sequence[ClassAt]) -> bool:
    return any(method.owners[-1] == each.name for each in classes)


def _is_general(method: Method) -> bool:
    """Whether a method is not that of a specialisation."""
    return all(not parameters_in(each).isdisjoint(method.parameters) for each in method.arguments)


def _is_told(body: Body, bases: Sequence[ClassAt]) -> bool:
    return not _is_of(body.method, bases) and works(body)


def _work(method: Method, depth: int) -> Work:
    return Work(method.full_name, method.location, depth=depth)
