"""Where a kernel's work goes on behind its ``Compute``: the methods and functors of its own that do it.

(kernel with its Compute) -> ``Work``, in the order of the calls.

Rules
1. Where ``Compute`` is a base's, the methods that it calls by name and that the kernel's own class (or one between)
   defines: ``DatasetOpKernel::Compute`` calls ``MakeDataset``. Methods of the base itself are looked into only, and one
   that does no more than return a value is no work. Those that a base leaves to the kernel's class (``= 0``) come
   first: ``ComputeMatrix`` of a linear operator before the shapes that it gives.
2. What ``MakeDataset`` makes with ``new`` works in the ``GetNextInternal`` of its iterators.
3. The functors that the registration gives to its class: ``UnaryOp<CPUDevice, functor::abs<float>>``.
4. The functors that those bodies call, ``functor::X<Device, T>()(...)``, ``X<Device>::Run(...)`` or a variable of such
   a type (or a method of one that is given the device): the specialisation for the kernel's device. Where a body gives
   some of them what its own class is given, those of a fixed type (``SetOne<Device, bool>``) only stand in for the work
   of a few ops, and are left out.
5. A branch does not run where the registration decides its test: ``if (Forward)`` and ``if (!IsReal())`` in a method
   of ``FFT<true, false>``.
6. What some macro beside those of the kernel and the method has compiled (``#ifdef USE_LIBXSMM``) does not run.
7. Calls of macros that the file of a body defines itself are what they stand for (``HANDLE_DIM(2)``).
8. Functions that a body calls are followed where they are given the device, ``HandleCase<Device, T>(...)``, in a file
   of the kernel or one that is named after it, or are of the functors' namespace; if the files of the folder that the
   kernel's files see have one of that name, and it does more than check something.
What is in no file of the tree (``Eigen::internal::SumReducer``) has no place. Methods that macros make are not looked
into.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.cpp.condition import FALSE, TRUE, Formula, assuming, atoms_of, parse_condition
from bzlgraph.cpp.own_macros import with_own_macros
from bzlgraph.cpp.tokens import Lexeme
from bzlgraph.ops.model import KernelRegistration, Work
from bzlgraph.ops.tensorflow.cpp.work.arguments import bindings, listed, parameters_in, plain, split_class
from bzlgraph.ops.tensorflow.cpp.work.called import Call, calls_in, declared_types, left_open, methods_in, new_in
from bzlgraph.ops.tensorflow.cpp.work.classes import (
    ClassAt,
    Classes,
    Method,
    best,
    meant,
)
from bzlgraph.ops.tensorflow.cpp.work.folder_names import is_device_code
from bzlgraph.ops.tensorflow.cpp.work.running import running

MAKES, WORKS = "MakeDataset", "GetNextInternal"
MAX_METHODS = 12
MAX_CLASSES = 20
MAX_FUNCTIONS = 12
FUNCTORS = "functor::"
ELSEWHERE = ("Eigen::",)
"""Namespaces of functors that another repository has."""
_VALUES = re.compile(
    r"(?:(?:std|Eigen|tensorflow|tsl|ml_dtypes|xla)::)*(?:u?int(?:\d+|ptr|max)?(?:_t)?|q?u?int\d+|float\w*|double|bool"
    r"|half|bfloat16|complex\w*(?:<.*>)?|t?string|Variant|ResourceHandle|size_t|char|long|CPUDevice|GPUDevice"
    r"|CpuDevice|ThreadPoolDevice|GpuDevice|SYCLDevice|true|false|\d+|nullptr|DT_\w+|[A-Z]\w{0,2})\Z"
)
"""Template arguments that are values, types of values or devices: no functors."""
_CHECKS = re.compile(r"(?:Check|Validate|Verify|Ensure|Get|Is|Maybe|SetZero)(?![a-z])")
"""How the names of functions begin that look at what they are given, or clear it, and compute nothing of it."""
_WRITTEN_OUT = re.compile(r"(?:u?int\d*(?:_t)?|float|double|bool|tstring|string)\Z")
_OWN, _FIXED = "own", "fixed"
_TRUTHS = {"true": True, "false": False}


class _Body(NamedTuple):
    """``depth``: how many of the methods that are told, itself one, stand between Compute and what it calls."""

    method: Method
    tokens: Sequence[Lexeme]
    depth: int = 0


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

    def of(self, kernel: KernelRegistration) -> tuple[Work, ...]:
        """Where a kernel's work goes on; nothing where its Compute does it, or where that is not known."""
        body = self._compute(kernel)
        if body is None:
            return ()
        own, given = split_class(kernel.kernel_class)
        own_files = dict.fromkeys((kernel.location.path, body.method.location.path))
        on_device = kernel.device == "GPU" and "CPUDevice" not in map(plain, listed(given))
        named_after = (each for path in own_files for each in self.classes.named_after(path))
        for_device = (each for each in named_after if on_device or not is_device_code(each))
        homes = tuple(dict.fromkeys((*own_files, *kernel.device_files, *for_device)))
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
        found += self._given(about.given, homes)
        for each in bodies:
            found += self._functors(each, bound, homes)
            found += self._functions(each, bound, homes)
        first: dict[Location | None, Work] = {}
        for work in found:
            if work.location != body.method.location:
                first.setdefault(work.location, work)
        return tuple(first.values())

    def _compute(self, kernel: KernelRegistration) -> _Body | None:
        """The body of Compute; None for one that a macro makes, or that is only declared."""
        if kernel.compute is None or not kernel.compute_class:
            return None
        methods = self.classes.of(kernel.compute.path).methods.get(kernel.compute_class, ())
        found = (each for each in methods if each.location.line == kernel.compute.line)
        return next((self._body(each, kernel.condition) for each in found), None)

    def _body(self, method: Method, condition: str = "") -> _Body | None:
        """The body of a method (rule 6)."""
        file = self.classes.file(method.location.path)
        if file is None:
            return None
        scope = file.outline.scopes[method.at]
        tokens = file.outline.tokens[scope.opening : scope.closing]
        around = file.directives.condition(tokens[0].start) if tokens else TRUE
        known = atoms_of(around) | (atoms_of(parse_condition(condition)) if condition else set())
        compiled = [each for each in tokens if _is_compiled(file.directives.condition(each.start), known)]
        return _Body(method, with_own_macros(file, compiled))

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

    def _running(self, body: _Body, about: _Own, bound: Mapping[str, str]) -> _Body:
        """A body without what does not run for a kernel (rule 5)."""
        chain = about.chain

        def truth(name: str, called: bool) -> bool | None:
            method = self._own_method(Call(name, "", ""), about) if called else body.method
            made = self._body(method, about.condition) if called and method is not None else None
            if called:
                texts = [each.text for each in made.tokens] if made is not None else []
                name = texts[2] if len(texts) == 4 and texts[1] == "return" else ""
            own = method is not None and bool(chain) and method.owners[-1] == chain[0].name
            return _TRUTHS.get(bound.get(name, name) if own else name)

        return body._replace(tokens=running(body.tokens, truth))

    def _methods(self, body: _Body, about: _Own, bound: Mapping[str, str]) -> list[_Body]:
        """The methods of the kernel's classes that Compute calls, and those that these call."""
        found: dict[Method, _Body] = {}
        waiting = [body]
        while waiting and len(found) < MAX_METHODS:
            caller = waiting.pop(0)
            for call in calls_in(caller.tokens):
                method = self._own_method(call, about)
                if method is not None and method not in found and method != body.method:
                    made = self._body(method, about.condition)
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

    def _iterators(self, bodies: Sequence[_Body], own: str) -> Iterator[Work]:
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
        bound = {"Device": f"{kernel.device}Device"}
        found = meant(self.classes.named(own, homes), given)
        if found is not None:
            bound |= bindings(found.arguments, given, found.parameters)
        return bound

    def _functors(self, body: _Body, bound: dict[str, str], homes: Sequence[str]) -> Iterator[Work]:
        """Rule 4."""
        found = list(self._called_functors(body, bound, homes))
        own = any(kind == _OWN for kind, _ in found)
        yield from (work for kind, work in found if not own or kind != _FIXED)

    def _called_functors(self, body: _Body, bound: dict[str, str], homes: Sequence[str]) -> Iterator[tuple[str, Work]]:
        """With what they are given: something of the class that the body is of, or only types that are written out."""
        variables: dict[str, tuple[str, str]] | None = None
        parameters = {name for each in self._around(body) for name in each.parameters} - {"Device"}
        for call in (*calls_in(body.tokens), *methods_in(body.tokens)):
            name, arguments, method = call
            if not arguments and "::" not in name:
                variables = self._variables(body) if variables is None else variables
                name, arguments = variables.get(name, ("", ""))
            last = name.rpartition("::")[2]
            written = listed(arguments)
            given = [bound.get(each, each) for each in written]
            if not last or last in body.method.owners or last in bound:
                continue
            if method and not (name.startswith(FUNCTORS) or bound["Device"] in map(plain, given)):
                continue  # a trait or a helper of another class
            found = self._method_of(last, method or "operator()", given, homes)
            works = found is not None and ((made := self._body(found)) is None or _works(made))
            if found is not None and works:
                work = Work(_named(name, method), found.location, True, body.depth + 1)
                yield _kind(written, parameters), work

    def _functions(self, body: _Body, bound: dict[str, str], homes: Sequence[str]) -> Iterator[Work]:
        """Rule 8."""
        waiting, seen = [(body, bound)], set[Method]()
        while waiting and len(seen) < MAX_FUNCTIONS:
            caller, known = waiting.pop(0)
            for call in calls_in(caller.tokens):
                given = [known.get(each, each) for each in listed(call.arguments)]
                found = self._function(call, given, known, homes)
                made = self._body(found) if found is not None and found not in seen else None
                if found is not None and made is not None and _works(made):
                    seen.add(found)
                    made = made._replace(depth=caller.depth + 1)
                    inner = {"Device": known["Device"], **bindings(found.arguments, given, found.parameters)}
                    yield Work(call.name, found.location, True, made.depth)
                    yield from self._functors(made, inner, homes)
                    waiting.append((made, inner))

    def _function(
        self, call: Call, given: Sequence[str], bound: Mapping[str, str], homes: Sequence[str]
    ) -> Method | None:
        """The function that a call means, if it is of the kernel's own files and is given its device, or is of the
        functors' namespace: the only one of its name."""
        namespace, _, name = call.name.rpartition("::")
        among_functors = f"{namespace}::".endswith(FUNCTORS)
        if call.method or _CHECKS.match(name) or not (among_functors or bound["Device"] in map(plain, given)):
            return None
        found = self.classes.functions(name, homes)
        if any(self.classes.named(name, homes)):  # a functor, which may be for another device
            return None
        on_device = [each for each in found if is_device_code(each.location.path)]
        found = on_device if on_device and bound["Device"] == "GPUDevice" else found
        own = [each for each in found if among_functors or each.location.path in homes]
        return own[0] if len(found) == len(own) == 1 else None

    def _method_of(self, name: str, method: str, given: Sequence[str], homes: Sequence[str]) -> Method | None:
        """The method of a class, or of its bases, that fits the arguments which the class is given."""
        waiting = [name]
        for _ in range(MAX_CLASSES):
            if not waiting:
                break
            each = waiting.pop(0)
            own = (one for one in self.classes.methods(each, homes) if one.owners[-1] == each)
            found = best(own, method, given)
            if found is not None:
                return found
            waiting += [base for one in self.classes.named(each, homes) for base in one.bases]
        return None

    def _variables(self, body: _Body) -> dict[str, tuple[str, str]]:
        """The types of a body's variables, and of those of the class that it is a method of."""
        found = declared_types(body.tokens)
        path = body.method.location.path
        file = self.classes.file(path)
        for each in self._around(body):
            if file is not None and each.location.path == path:
                scope = file.outline.scopes[each.at]
                for name, typed in declared_types(file.outline.tokens[scope.opening : scope.closing]).items():
                    found.setdefault(name, typed)
        return found

    def _around(self, body: _Body) -> list[ClassAt]:
        """The classes of the name of the one that a body is of, which its file sees; none of a function's."""
        owners = body.method.owners[-1:]
        return [each for owner in owners for each in self.classes.named(owner, (body.method.location.path,))]

    def _given(self, arguments: Sequence[str], homes: Sequence[str]) -> Iterator[Work]:
        """Rule 3."""
        for each in arguments:
            written, opening, rest = each.partition("<")
            each = each.removeprefix("::")
            if _VALUES.match(each) or not re.match(r"[\w:]+\Z", written):
                continue
            last = written.rpartition("::")[2]
            found = meant(self.classes.named(last, homes), listed(opening + rest))
            if found is not None:
                yield Work(written, found.location, functor=True)
            elif written.startswith(ELSEWHERE):
                yield Work(written, None, functor=True)


def _kind(arguments: Sequence[str], parameters: Collection[str]) -> str:
    """Whether template arguments have a parameter of the class around in them, or only types that are written out."""
    if any(not parameters_in(each).isdisjoint(parameters) for each in arguments):
        return _OWN
    types = [each for each in arguments if each != "Device"]
    return _FIXED if types and all(_WRITTEN_OUT.match(each) for each in types) else ""


def _is_of(method: Method, classes: Sequence[ClassAt]) -> bool:
    return any(method.owners[-1] == each.name for each in classes)


def _is_compiled(condition: Formula, known: Collection[str]) -> bool:
    """Whether a line is compiled where no macro is defined but some."""
    return assuming(condition, dict.fromkeys(atoms_of(condition) - set(known), False)) != FALSE


def _is_general(method: Method) -> bool:
    """Whether a method is not that of a specialisation."""
    return all(not parameters_in(each).isdisjoint(method.parameters) for each in method.arguments)


def _works(body: _Body) -> bool:
    """Whether a method does more than to return a value."""
    return body.tokens[1:2] != [] and (body.tokens[1].text != "return" or any(calls_in(body.tokens)))


def _is_told(body: _Body, bases: Sequence[ClassAt]) -> bool:
    return not _is_of(body.method, bases) and _works(body)


def _named(name: str, method: str) -> str:
    return f"{name}::{method}" if method else name


def _work(method: Method, depth: int) -> Work:
    return Work(method.full_name, method.location, depth=depth)
