"""The functors that a kernel's class is given, and those that a body calls, itself or by functions: -> ``Work``.

Rules
1. Of a registration, ``UnaryOp<CPUDevice, functor::abs<float>>``, the template arguments that are classes; those of
   resources only where a body makes or calls one: ``ResourceHandleOp<Mutex>`` makes a handle. A resource comes from
   ``ResourceBase``, or is what a body gives to ``MakeResourceHandle``.
2. Of a body ``functor::X<Device, T>()(...)``, ``X<Device>::Run(...)`` or a variable of such a type (or a method of one
   that is given the device): the specialisation for the kernel's device. Where a body gives some of them what its own
   class is given, those of a fixed type (``SetOne<Device, bool>``) only stand in for the work of a few ops, and are
   left out.
3. Functions that a body calls are followed where they are given the device, ``HandleCase<Device, T>(...)``, in a file
   of the kernel or one that is named after it, or where they are of the functors' namespace or named after the device
   (``ConcatCPU``); if the files of the folder that the kernel's files see have one of that name, or one that does not
   hand on to another, and it does more than check something.
What is in no file of the tree (``Eigen::internal::SumReducer``) has no place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bzlgraph.ops.model import Work
from bzlgraph.ops.tensorflow.cpp.work.arguments import bindings, listed, parameters_in, plain
from bzlgraph.ops.tensorflow.cpp.work.bodies import Bodies, Body, works
from bzlgraph.ops.tensorflow.cpp.work.called import Call, calls_in, declared_types, methods_in
from bzlgraph.ops.tensorflow.cpp.work.classes import ClassAt, Classes, Method, best, meant
from bzlgraph.ops.tensorflow.cpp.work.folder_names import is_device_code

MAX_CLASSES = 20
MAX_FUNCTIONS = 12
FUNCTORS = "functor::"
RESOURCE = "ResourceBase"
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


@dataclass(slots=True)
class Functors:
    """Of one kernel. ``homes``: the files that are looked into, with what they see."""

    bodies: Bodies
    homes: Sequence[str]

    @property
    def classes(self) -> Classes:
        """Those of the tree."""
        return self.bodies.classes

    def given(
        self, arguments: Iterable[str], used: Collection[str] = (), handled: Collection[str] = ()
    ) -> Iterator[Work]:
        """The functors among what a class is given (rule 1); ``used``: the arguments that its bodies make or call,
        ``handled``: those that they make handles of."""
        for each in arguments:
            is_used, is_handled = each in used, each in handled
            written, opening, rest = each.partition("<")
            each = each.removeprefix("::")
            if _VALUES.match(each) or not re.match(r"[\w:]+\Z", written):
                continue
            last = written.rpartition("::")[2]
            found = meant(self.classes.named(last, self.homes), listed(opening + rest))
            if found is not None:
                if is_used or not (is_handled or self._is_resource(found)):
                    yield Work(written, found.location, functor=True)
            elif written.startswith(ELSEWHERE):
                yield Work(written, None, functor=True)

    def _is_resource(self, found: ClassAt) -> bool:
        """Whether a class is that of a resource, which handles stand for."""
        waiting, seen = [*found.bases], set[str]()
        while waiting and len(seen) < MAX_CLASSES:
            name = waiting.pop()
            if name == RESOURCE:
                return True
            if name not in seen:
                seen.add(name)
                waiting += [base for each in self.classes.named(name, self.homes) for base in each.bases]
        return False

    def behind(self, body: Body, bound: dict[str, str]) -> Iterator[Work]:
        """What a body calls; ``bound``: what the names of template parameters stand for there, and ``Device``."""
        yield from self._functors(body, bound)
        yield from self._functions(body, bound)

    def _functors(self, body: Body, bound: dict[str, str]) -> Iterator[Work]:
        """Rule 2."""
        found = list(self._called_functors(body, bound))
        own = any(kind == _OWN for kind, _ in found)
        yield from (work for kind, work in found if not own or kind != _FIXED)

    def _called_functors(self, body: Body, bound: dict[str, str]) -> Iterator[tuple[str, Work]]:
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
            found = self._method_of(last, method or "operator()", given)
            made = self.bodies.of(found) if found is not None else None
            if found is not None and (made is None or works(made)):
                work = Work(_named(name, method), found.location, True, body.depth + 1)
                yield _kind(written, parameters), work

    def _functions(self, body: Body, bound: dict[str, str]) -> Iterator[Work]:
        """Rule 3."""
        waiting, seen = [(body, bound)], set[Method]()
        while waiting and len(seen) < MAX_FUNCTIONS:
            caller, known = waiting.pop(0)
            for call in calls_in(caller.tokens):
                given = [known.get(each, each) for each in listed(call.arguments)]
                found = self._function(call, given, known)
                made = self.bodies.of(found) if found is not None and found not in seen else None
                if found is not None and made is not None and works(made):
                    seen.add(found)
                    made = made._replace(depth=caller.depth + 1)
                    inner = {"Device": known["Device"], **bindings(found.arguments, given, found.parameters)}
                    yield Work(call.name, found.location, True, made.depth)
                    yield from self._functors(made, inner)
                    waiting.append((made, inner))

    def _function(self, call: Call, given: Sequence[str], bound: Mapping[str, str]) -> Method | None:
        """The function that a call means, if it is of the kernel's own files and is given its device, or is of the
        functors' namespace or named after the device: the only one of its name."""
        namespace, _, name = call.name.rpartition("::")
        for_device = f"{namespace}::".endswith(FUNCTORS) or name.endswith(bound["Device"].removesuffix("Device"))
        if call.method or _CHECKS.match(name) or not (for_device or bound["Device"] in map(plain, given)):
            return None
        found = self.classes.functions(name, self.homes)
        if any(self.classes.named(name, self.homes)):  # a functor, which may be for another device
            return None
        on_gpu = bound["Device"] == "GPUDevice"
        found = [each for each in found if is_device_code(each.location.path) == on_gpu] or (found if on_gpu else [])
        if len(found) > 1:  # overloads that hand on to another of them
            found = [each for each in found if not self._hands_on(each)]
        own = [each for each in found if for_device or each.location.path in self.homes]
        return own[0] if len(found) == len(own) == 1 else None

    def _hands_on(self, function: Method) -> bool:
        """Whether a function calls one of its own name."""
        body = self.bodies.of(function)
        names = (call.name.rpartition("::")[2] for call in calls_in(body.tokens)) if body is not None else ()
        return function.name in names

    def _method_of(self, name: str, method: str, given: Sequence[str]) -> Method | None:
        """The method of a class, or of its bases, that fits the arguments which the class is given."""
        waiting = [name]
        for _ in range(MAX_CLASSES):
            if not waiting:
                break
            each = waiting.pop(0)
            own = (one for one in self.classes.methods(each, self.homes) if one.owners[-1] == each)
            found = best(own, method, given)
            if found is not None:
                return found
            waiting += [base for one in self.classes.named(each, self.homes) for base in one.bases]
        return None

    def _variables(self, body: Body) -> dict[str, tuple[str, str]]:
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

    def _around(self, body: Body) -> list[ClassAt]:
        """The classes of the name of the one that a body is of, which its file sees; none of a function's."""
        owners = body.method.owners[-1:]
        return [each for owner in owners for each in self.classes.named(owner, (body.method.location.path,))]


def _kind(arguments: Sequence[str], parameters: Collection[str]) -> str:
    """Whether template arguments have a parameter of the class around in them, or only types that are written out."""
    if any(not parameters_in(each).isdisjoint(parameters) for each in arguments):
        return _OWN
    types = [each for each in arguments if each != "Device"]
    return _FIXED if types and all(_WRITTEN_OUT.match(each) for each in types) else ""


def _named(name: str, method: str) -> str:
    return f"{name}::{method}" if method else name
