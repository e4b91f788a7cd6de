"""A public name of PyTorch -> the operators behind it, read from the Python sources (nothing is imported).

Rules
1. ``torch.add`` and ``torch.Tensor.add_`` (or ``Tensor.add_``) are bindings made for every entry with that name and the
   variant ``function`` or ``method``, but for functions and overloads that the generator leaves out (``left_out``);
   ``aten::add``, ``at::add`` and ``add.Tensor`` name entries themselves.
2. Any other name is looked up in its module: a function or class is read for what it calls, an assignment
   (``conv2d = _add_docstr(torch.conv2d, ...)``) for what it names, an import is followed.
3. In code, ``torch.x``, ``torch._C._nn.x``, ``_VF.x`` and the like name the binding ``x``; ``input.x(...)`` on a local
   variable is the method ``x``. Functions of the tree's own Python modules are followed, nearest first; those that
   only say how functions are overridden, scripted, documented or compiled are not, nor is what made a name at import
   (``relu = _make_prim(impl=torch.relu)``: what it is given is followed). Constants that calls give, and defaults,
   decide the branches that ask for them (``interpolate(x, mode="bilinear")``). ``self.norm(x)`` runs the module that
   the constructor has made for it; objects of a class without ``forward`` run that of the next in Python's order.
4. An operator between tensors is a method of ``torch.Tensor``: that of the class in ``torch/_tensor.py``, else what the
   table of methods in C++ (``METHODS``) has under that name: an operator, or a function of C++, told by its name.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.ops.model import PythonStep
from bzlgraph.ops.python.branches import surely
from bzlgraph.ops.pytorch.overloads import ONE, GivenByCalls
from bzlgraph.ops.pytorch.python.bound_by_hand import BoundByHand
from bzlgraph.ops.pytorch.python.left_out import left_out
from bzlgraph.ops.pytorch.python.modules import Module, Place, definition_of, is_code, is_plain_class, own_imports
from bzlgraph.ops.pytorch.python.names_in_modules import NamesInModules
from bzlgraph.ops.pytorch.python.parameters import Given, constants_given, taken_functions, takes
from bzlgraph.ops.pytorch.python.tensor_values import (
    DECIDED,
    Reference,
    TensorValues,
    dotted_parts,
    methods_run,
    operators,
    references,
    returns_tensor,
)
from bzlgraph.python_source.syntax import AnyFunction, parameter_names
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.watchdog import reading
from bzlgraph.workspace.sources.source import Source

MAX_STEPS = 60
"""Definitions looked into for one name; what is further away is no answer to "which operator is this"."""

PLUMBING = frozenset({"torch._jit_internal", "torch._torch_docs", "torch.overrides"})
"""Modules that say how functions are scripted, documented and overridden, and compute nothing."""
_COMPILERS = ("torch._dynamo.", "torch._inductor.", "torch.compiler.", "torch.fx.")
"""Packages that take functions apart and compile them: what these compute is theirs."""

PACKAGE = "torch"
ATEN = "aten."
"""How what Python writes itself begins that is no binding: ``torch.ops.aten.add.Scalar`` is ``aten.add.Scalar``."""
REGISTERED = "aten::"
"""How the name of an operator begins that no entry makes."""
_TENSOR = ("torch._tensor", "torch.tensor")
"""The module of the class of tensors; before 1.9 the second."""
_APPLY = ".apply"
"""What runs ``forward`` of a ``torch.autograd.Function``."""
_OPERATORS = ("torch.ops.aten.", "torch._ops.ops.aten.")
_BINDINGS = ("torch._C", "torch._VF")
_SAME = dict.fromkeys(("torch._C", "torch._C._VariableFunctions", "torch._VF"), PACKAGE)
"""What has the functions that are in no module of their own, too."""


NOT_SEEN: Mapping[str, Sequence[Given | None]] = {}


class OperatorPath(NamedTuple):
    """Operators (names of entries, or of functions that rule 4 ends with; nearest first) and the Python definitions
    that lead to them."""

    operators: tuple[str, ...]
    steps: tuple[PythonStep, ...]
    given: Mapping[str, Sequence[Given | None]] = NOT_SEEN
    """For each operator what its calls give it, what a method is called on included; None for what is not seen."""
    certain: frozenset[str] = frozenset()
    """The operators that every call reaches."""
    taken: tuple[str, ...] = ()
    """The parameters that the name is given functions by."""


class PublicNames:
    """The Python half of a PyTorch tree. ``functions`` (``torch.add``, ``torch._C._nn.gelu``) and ``methods`` (``add``)
    are what has such a binding, ``given`` says what calls of them give."""

    def __init__(
        self,
        files: Source,
        functions: Collection[str],
        methods: Collection[str],
        given: GivenByCalls | None = None,
    ) -> None:
        self._files = files
        self._given = given or GivenByCalls()
        self._functions = functions
        self._registered = {*(each.rpartition(".")[2] for each in functions), *methods}
        self.bound = BoundByHand(files, methods)
        self.left_out = left_out(files)
        self._methods = frozenset(filter(self.makes_method, methods))
        self._names = NamesInModules(files)
        self.broken = self._names.broken
        """(file, line, message) of the Python files that could not be read."""

    def find(self, name: str, tensors: Collection[int] = ()) -> OperatorPath | None:
        """The operators behind a dotted name; None when there is no such name. ``tensors`` are the positions of
        parameters that are known to be tensors, whatever the function says of them."""
        binding = self._binding(name)
        place = self._names.locate(name)
        if place is not None and isinstance(definition_of(*place), AnyFunction):
            binding = ""  # Python's own function has that name
        if place is None:
            return OperatorPath((binding,), (), certain=frozenset({binding})) if binding else None
        return self._follow(place, binding, tensors)

    def _binding(self, name: str) -> str:
        """Rule 1: the operator whose generated binding has this name, "" for none."""
        head, _, last = name.rpartition(".")
        if name.startswith(_OPERATORS):
            base, *overload = name.partition(".aten.")[2].split(".")
            return ".".join([f"{ATEN}{base}", *overload]) if base in self._registered else ""
        if head in ("torch.Tensor", "Tensor"):
            return self.bound.methods.get(last, last if last in self._methods else "")
        if head == PACKAGE or head.startswith(_BINDINGS):
            last = self.bound.aliases.get(last, last)
            made = f"{_SAME.get(head, head)}.{last}" in self._functions and self.makes_function(last)
            return last if made else self.bound.functions.get(last, "")
        return ""

    def makes_function(self, name: str) -> bool:
        """Whether the entries of a name are functions in Python."""
        return not self.left_out.has_name(name) or name in self.bound.functions

    def makes_method(self, name: str) -> bool:
        """Whether the entries of a name are methods, or attributes, of tensors in Python."""
        return not self.left_out.has_name(name) or name in self.bound.methods or name in self.bound.attributes

    # -------------------------------------------------------------------------------------------------- following
    def _follow(self, place: Place, binding: str, tensors: Collection[int]) -> OperatorPath:
        """Breadth first through definitions: operators in the order in which they are reached."""
        operators: dict[str, None] = {binding: None} if binding else {}
        steps: list[PythonStep] = []
        given: dict[str, list[Given | None]] = {binding: [None]} if binding else {}
        seen = {_key(place)}
        sure: dict[_Key, list[str | _Key]] = {}
        """By a definition what each call of it reaches: operators and definitions."""
        waiting = [(place, _NO_CONSTANTS)]
        while waiting and len(steps) < MAX_STEPS:
            (module, name), known = waiting.pop(0)
            node = definition_of(module, name)
            if node is None:
                continue
            step = PythonStep(f"{module.name}.{name}", Location(module.path, node.lineno, 1))
            steps += [step] if step not in steps else []
            here, above = _key((module, name), known), self._run_instead(node, module)
            waiting += [(each, _NO_CONSTANTS) for each in above]
            sure.setdefault(here, []).extend(map(_key, above))
            references = self._references(node, (module, name), dict(known), tensors if len(steps) == 1 else ())
            meant = [(each, *found) for each in references for found in self._meaning(each, module, name)]
            chosen = isinstance(node, ast.Assign) and _are_several(meant)
            reached: dict[int, list[str | _Key]] = {}
            for reference, operator, further in meant:
                constants = _constants(reference, further, dict(known))
                if operator:
                    operators[operator] = None
                    given.setdefault(operator, []).append(_with_self(reference, module))
                elif further is not None and _key(further, constants) not in seen:
                    seen.add(_key(further, constants))
                    waiting.append((further, constants))
                to = operator or _key(further, constants)
                reached.setdefault(reference.node, []).append(to)
                if reference.certain and not chosen:
                    sure[here].append(to)
            if isinstance(node, AnyFunction):
                sure[here] += surely(node.body, reached, DECIDED, dict(known), here)
        certain = frozenset({binding} if binding else _surely(_key(place), sure))
        taken = taken_functions(asked) if isinstance(asked := definition_of(*place), AnyFunction) else ()
        return OperatorPath(tuple(operators), tuple(steps), given, certain, taken)

    def _run_instead(self, node: ast.stmt, module: Module) -> list[Place]:
        """The class above one without ``forward`` whose it runs, if there is one."""
        places = self._names.order(module, node.name) if isinstance(node, ast.ClassDef) else iter(())
        running = next((place for place in places if methods_run(definition_of(*place))), None)
        return [running] if running is not None and definition_of(*running) is not node else []

    def _references(
        self, node: ast.stmt, place: Place, constants: Mapping[str, object], tensors: Collection[int]
    ) -> list[Reference]:
        module, surely = place[0], {*tensors, *_own_tensor(*place)}
        try:
            with reading():
                if not isinstance(node, AnyFunction):
                    return sorted(references(node), key=lambda each: (each.line, each.column))
                known = [name for at, name in enumerate(parameter_names(node.args)) if at in surely]
                values = TensorValues(node, lambda call: self._gives(call, module), known)
                found = list(references(node, values, own_imports(node, module), constants))
                found += [
                    Reference(
                        *((_SPECIAL, each.name), True, each.line, each.column),
                        given=Given(each.given, frozenset()),
                        certain=each.certain,
                        node=each.node,
                    )
                    for each in operators(node, values, constants)
                ]
                return sorted(found, key=lambda each: (each.line, each.column))
        except OverBudget as error:
            self.broken.append((module.path, node.lineno, str(error)))
            return []

    def _gives(self, call: ast.Call, module: Module) -> str:
        """Whether a call gives ``ONE`` tensor or ``SEVERAL``, "" for neither."""
        parts = dotted_parts(call.func, set())
        if not parts:
            return ""
        target = module.imports.get(parts[0])
        if target is None and parts[0] not in module.definitions:
            return self._given_by(call, parts[-1], 1) if len(parts) > 1 and parts[-1] in self._methods else ""
        place = self._names.locate(".".join([target, *parts[1:]])) if target else (module, ".".join(parts))
        if place is None:
            binding = self._binding(".".join([target or "", *parts[1:]]))
            return self._given_by(call, binding.removeprefix(ATEN).partition(".")[0], 0)
        node = definition_of(*place)
        return ONE if isinstance(node, AnyFunction) and returns_tensor(node) else ""

    def _given_by(self, call: ast.Call, name: str, before: int) -> str:
        """What a call of an operator gives; ``before``: how many arguments stand before its brackets."""
        whole = not any(isinstance(each, ast.Starred) for each in call.args) and all(e.arg for e in call.keywords)
        names = [each.arg for each in call.keywords if each.arg]
        return self._given.of(name, len(call.args) + before if whole else None, names)

    def _meaning(
        self, reference: Reference, module: Module, inside: str
    ) -> Iterator[tuple[str, tuple[Module, str] | None]]:
        """Rule 3: (operator, "") or ("", place) for one dotted reference in a definition."""
        head, *rest = reference.parts
        if head == _SPECIAL:
            written = self._of_class(rest[0])
            if written is not None:
                yield "", written
            elif operator := self._binding(f"Tensor.{rest[0]}"):
                yield operator, None
            return
        if head == "self" and rest and not isinstance(module.definitions.get(inside), AnyFunction):
            yield from self._of_self(reference, module, inside.split(".")[0])
            return
        own = head in module.definitions and not (reference.local or reference.imported)
        own = own and not _is_given_before(module, inside, head)
        target = reference.imported or (module.imports.get(head) if not reference.local else None)
        own_name = own and rest in ([], [_APPLY[1:]])
        if target is None and not own_name:
            if reference.is_method and len(rest) == 1 and rest[0] in self._methods and not own:
                written = self._of_class(rest[0]) if reference.known else None
                within = written is not None and written[0] is module and inside == written[1]  # `super(Tensor, self)`
                yield (
                    ("", written) if written is not None and not within else (self._binding(f"Tensor.{rest[0]}"), None)
                )
            return
        dotted = ".".join([target or "", *rest])
        own_place = (module, ".".join([head, *rest])) if target is None or own_name else None
        place = _run_by(own_place or (None if dotted.startswith(_OPERATORS) else self._names.locate(dotted)))
        if place is None:
            operator = self._binding(dotted) if not reference.made else ""
            if not operator and dotted.startswith(_OPERATORS):  # registered elsewhere
                operator = f"{REGISTERED}{dotted.partition('.aten.')[2]}"
            yield from [(operator, None)] if operator else ()
        elif not reference.made and self._is_documented(place) and (operator := self._binding(dotted)):
            yield operator, None
        elif self._is_followed(place, module, reference):
            yield "", place

    def _of_class(self, method: str) -> Place | None:
        """Where the class of tensors has a method in Python, None for one that is in C++."""
        written = next(filter(None, map(self._names.module, _TENSOR)), None)
        node = definition_of(written, f"Tensor.{method}") if written is not None else None
        return (written, f"Tensor.{method}") if written is not None and node is not None else None

    @staticmethod
    def _is_documented(place: Place) -> bool:
        """Whether a name is assigned what a call makes: of a binding of that name this is the binding itself (``istft =
        _add_docstr(torch.istft, ...)`` in what ``torch`` takes all names of)."""
        return isinstance(definition_of(*place), ast.Assign)

    def _of_self(self, reference: Reference, module: Module, owner: str) -> Iterator[tuple[str, Place | None]]:
        """The same for a name that begins with the object of a class."""
        _, name, *rest = reference.parts
        if definition_of(module, f"{owner}.{name}") is not None:
            yield "", (module, f"{owner}.{name}")
        elif not reference.called or len(rest) > 1:
            return
        elif not rest and (part := self._names.part(module, owner, name)):
            yield "", part
        elif not rest and name in self._methods and module.name in _TENSOR:
            yield self._binding(f"Tensor.{name}"), None
        elif (
            rest and self._names.keeps_tensor(module, owner, name) and (operator := self._binding(f"Tensor.{rest[0]}"))
        ):
            yield operator, None

    @staticmethod
    def _is_followed(place: tuple[Module, str], module: Module, reference: Reference) -> bool:
        node = definition_of(*place)
        if reference.made and not isinstance(node, ast.ClassDef):
            return False  # it ran when the module was imported
        if reference.call is not None and isinstance(node, AnyFunction) and not takes(reference.call, node):
            return False
        aside = place[0].name in PLUMBING or f"{place[0].name}.".startswith(_COMPILERS)
        return place[0] is module or (not aside and not is_plain_class(node))


_Constants = tuple[tuple[str, object], ...]
"""Parameters, and the constant that each is."""
_NO_CONSTANTS: _Constants = ()
_Key = tuple[str, str, _Constants]


def _own_tensor(module: Module, name: str) -> tuple[int, ...]:
    """The position of the tensor that a method of the class of tensors is called on."""
    return (0,) if module.name in _TENSOR and name.startswith("Tensor.") else ()


def _key(place: Place | None, constants: _Constants = _NO_CONSTANTS) -> _Key:
    return (place[0].name, place[1], constants) if place is not None else ("", "", ())


def _constants(reference: Reference, further: Place | None, known: Mapping[str, object]) -> _Constants:
    """What a call makes of the parameters of the function that it leads to."""
    function = definition_of(*further) if further is not None else None
    if reference.call is None or not isinstance(function, AnyFunction):
        return ()
    return tuple(constants_given(reference.call, function, known).items())


def _surely(start: _Key, sure: Mapping[_Key, Sequence[str | _Key]]) -> Iterator[str]:
    """The operators that are reached from a definition by what always runs."""
    seen, waiting = {start}, [start]
    for key in waiting:
        for each in sure.get(key, ()):
            if isinstance(each, str):
                yield each
            elif each not in seen:
                seen.add(each)
                waiting.append(each)


def _is_given_before(module: Module, name: str, other: str) -> bool:
    """Whether a name is given Python's own value, which the module hides later: ``py_all = all``."""
    given = module.definitions.get(name)
    return isinstance(given, ast.Assign) and module.definitions[other].lineno > given.lineno


def _run_by(place: Place | None) -> Place | None:
    """The definition that a name stands for: of ``Function.apply`` its ``forward``."""
    if place is None or not place[1].endswith(_APPLY) or definition_of(*place) is not None:
        return place
    return place[0], f"{place[1].removesuffix(_APPLY)}.forward"


def _with_self(reference: Reference, module: Module) -> Given | None:
    """What a call gives an operator: a method what it is called on, too."""
    if reference.given is None or (not reference.local and reference.parts[0] in module.imports):
        return reference.given
    return reference.given._replace(unnamed=reference.given.unnamed + 1)


_SPECIAL = "<tensor>"
"""The first part of a reference that is an operator."""


def _are_several(meant: Iterable[tuple[Reference, str, Place | None]]) -> bool:
    """Whether what a name is assigned names several things that it may be."""
    return sum(not each.called and bool(operator or is_code(further)) for each, operator, further in meant) > 1
