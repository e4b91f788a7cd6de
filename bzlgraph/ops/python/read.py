"""Bytes of a Python file -> ``Module``. A file that does not parse is a module with a ``problem`` and nothing else."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from bzlgraph.ops.python.body import BodyReader
from bzlgraph.ops.python.counts import rest_of
from bzlgraph.ops.python.noting import IF, ON_TENSORS
from bzlgraph.ops.python.summary import (
    GIVES_ANYTHING,
    LOCALS,
    Branch,
    Class,
    DecoratorCall,
    Event,
    Function,
    Module,
)
from bzlgraph.ops.python.used import used
from bzlgraph.ops.python.values.arrays import annotated, gives_several
from bzlgraph.ops.python.values.classes import keeping, value_classes
from bzlgraph.ops.python.values.classes.guards import guarded
from bzlgraph.ops.python.values.classes.traced import traced, traces
from bzlgraph.ops.python.values.dtypes import either
from bzlgraph.ops.python.values.function_parts import NOTHING_DECIDED, FunctionParts, parts_of
from bzlgraph.ops.python.values.inner_names import own_imports, tell_apart
from bzlgraph.ops.python.values.learning import gives_attribute, lazily_loaded, learn, made_by_python
from bzlgraph.ops.python.values.local_names import LocalNames
from bzlgraph.ops.python.values.outcomes import none_without, outcomes_of
from bzlgraph.python_source import syntax
from bzlgraph.python_source.closures import closure_of
from bzlgraph.python_source.syntax import AnyFunction, dotted, flattened, last_name, literal_texts
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.watchdog import reading

MAX_BYTES = 8 << 20
"""The largest module of TensorFlow has 0.3 MB; a tree of syntax takes some 50 times the size of its text."""
NOT_HERE = "NotImplementedError"


def read_module(data: bytes, path: str, decided: Mapping[str, bool] = NOTHING_DECIDED) -> Module:
    """Never raises: whatever is wrong with a file is its ``problem``. ``decided``: see ``BodyReader``."""
    if len(data) > MAX_BYTES:
        return Module(path, f"{path}: larger than {MAX_BYTES >> 20} MB")
    try:
        with reading():
            tree, lines = syntax.parse_lines(data)
            reader = _ModuleReader(Module(path), tuple(path.split("/")[:-1]), decided, lines)
            reader.statements(tree.body)
        return reader.module
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverBudget) as problem:
        line = getattr(problem, "lineno", None) or 0
        return Module(path, f"{path}:{line}: {getattr(problem, 'msg', None) or problem}")


@dataclass(slots=True)
class _ModuleReader:
    module: Module
    package: tuple[str, ...]
    decided: Mapping[str, bool]
    lines: Sequence[bytes]
    returning: set[str] = field(default_factory=set)
    listing: set[str] = field(default_factory=set)
    giving: dict[str, tuple[bool, ...]] = field(default_factory=dict)
    mixing: set[str] = field(default_factory=set)
    annotated: set[str] = field(default_factory=set)
    apart: dict[str, value_classes.Apart] = field(default_factory=dict)
    tracing: set[str] = field(default_factory=set)
    parts: dict[int, FunctionParts] = field(default_factory=dict)
    made: list[ast.FunctionDef] = field(default_factory=list)
    """Functions that are in no tree: ``parts`` knows nodes as long as they live."""
    attributes: frozenset[str] = frozenset()
    """Those of the class that one reads in that are tensors."""
    texts: dict[str, str] = field(default_factory=dict)
    """The constants of the module that are texts, so far."""
    foreign: dict[str, str] = field(default_factory=dict)
    """What the module imports, and the values that Python's own packages made: name -> as it is called there."""

    def _parts(self, node: AnyFunction) -> FunctionParts:
        """A function's parts, walked once; the tree lives as long as the reader."""
        found = self.parts.get(id(node))
        if found is None:
            found = parts_of(node, self.decided)
            if not found.inside_parameters.isdisjoint(found.own_parameters | found.stored.keys()):
                tell_apart(node)
                found = parts_of(node, self.decided)
            self.parts[id(node)] = found
        return found

    def _names(self) -> LocalNames:
        known = self.returning, self.listing, self.giving, self.mixing
        return LocalNames(*known, self.foreign, self.annotated, self.apart, self.attributes)

    def statements(self, body: list[ast.stmt]) -> None:
        """Everything at module level, below ``if`` and ``try`` too; imports inside functions count for the module, by
        names of their own where others mean something else (``own_imports``)."""
        own_imports(body, self.package)
        flat = [each for each in flattened(body) if not isinstance(each, syntax.COMPOUND)]
        for node in flat:
            for each in syntax.statements_below(node):
                for name, module in syntax.imported_names(each, self.package) if isinstance(each, ast.stmt) else ():
                    if name != "*":
                        self.module.imports.setdefault(name, module)
        self.module.stars[:] = syntax.starred_modules(body, self.package)
        self.foreign = self.module.imports | made_by_python(flat, self.module.imports)
        self._learn_returns(flat)
        for node in flat:
            if isinstance(node, AnyFunction):
                self._function(node, "")
            elif isinstance(node, ast.ClassDef):
                self._class(node, "")
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                self._value(node)
            elif isinstance(node, ast.Expr):
                self._expression(node.value)

    def _learn_returns(self, body: list[ast.stmt]) -> None:
        """Which functions of this file return tensors: those that are exported and named after an op's module, and
        those that return what such a function returns."""
        functions = [node for node in body if isinstance(node, AnyFunction)]
        if self.module.path.removesuffix(".py").endswith(("_ops", "_impl")):
            self.returning.update(node.name for node in functions if _exported(node) and not _asks(node.name))
        if self._names().library:
            others = {node.name for node in functions if not annotated(node.returns)}  # overloads differ
            self.annotated.update({node.name for node in functions} - others)
            alike = ((node.name, keeping.apart(node, self._parts(node).returned)) for node in functions)
            self.apart.update((name, found) for name, found in alike if found is not None)
            self.tracing.update(node.name for node in functions if traces(node))
        asked_with: set[str] | None = None
        for _ in range(3):
            before = self.returning | self.listing
            for node in functions:
                known = self.returning | self.listing
                if node.name in known:
                    continue
                # one that names nothing that was found since it was last asked gives what it gave
                if asked_with is None or not self._parts(node).used_names().isdisjoint(known - asked_with):
                    self._learn_return(node)
            asked_with = before
            if before == self.returning | self.listing:
                return

    def _learn_return(self, node: AnyFunction) -> None:
        """Whether a function returns tensors, or lists of them."""
        names, parts = self._names(), self._parts(node)
        learn(names, parts)
        kind = "tensor" if node.name in self.annotated else names.returns(parts)
        {"tensor": self.returning, "list": self.listing}.get(kind, set()).add(node.name)
        if kind == "list" and any(map(names.plain.is_plain, parts.returned)):
            self.mixing.add(node.name)
        if kind == "list" and (given := names.gives(parts)):
            self.giving[node.name] = given

    def _function(self, node: AnyFunction, owner: str) -> None:
        derives = any(dotted(each).endswith("custom_gradient") for each in node.decorator_list)
        names = self._names()
        reader = BodyReader(
            names, in_class=bool(owner) and LOCALS not in owner, derives=derives, decided=self.decided, lines=self.lines
        )
        name = owner + node.name
        decorators = tuple(each._replace(branch=-1) for each in BodyReader(names).events(node.decorator_list))
        # The first definition of a name below if/else stays; a later one adds what it does.
        earlier = self.module.functions.get(name)
        events = reader.function_events(node, self._parts(node), takes_tensors=_exported(node) == "np_doc")
        if earlier is not None and earlier.events and not _is_overload(node):
            abstract = earlier.abstract and _is_abstract(node)
            events, branches = earlier.and_then(Function(node.lineno, events, branches=tuple(reader.noted)))
            both = tuple(each._replace(needs=()) for each in events)  # their parameters may differ
            more = earlier.decorators + decorators, abstract
            self.module.functions[name] = Function(node.lineno, both, *more, branches=branches)
        else:
            before = earlier.decorators if earlier is not None and not _is_overload(node) else ()
            several = gives_several(node.returns) if self._names().library else _gives_tuple(self._parts(node))
            dtype = either(guarded(*zip(*reader.gives, strict=True))) if reader.gives and names.library else ""
            parameters = used(reader.parameters, events, reader.noted, dtype)
            about = before + decorators, _is_abstract(node), several, parameters, tuple(reader.noted)
            rest = rest_of(node, self._parts(node))
            made = keeping.made_by(node, self._parts(node).returned, reader.made) if names.library else ""
            bodies = {each: way.number if way is not None else -1 for each, way in reader.begun.items()}
            known = none_without(node), rest, dtype, made, traced(node, self.tracing) if names.library else ()
            outcomes = outcomes_of(node, reader.outcomes)
            self.module.functions[name] = Function(node.lineno, events, *about, *known, bodies, outcomes)
            if names.library and not owner and (found := closure_of(node)) is not None:
                self._closure(name, *found)
        self._decorators(node, name)

    def _closure(self, maker: str, node: ast.FunctionDef, closed: tuple[str, ...]) -> None:
        """What a call of that runs which a function gives back."""
        self.made.append(node)
        self._function(node, f"{maker}.{LOCALS}.")
        name = f"{maker}.{LOCALS}.{node.name}"
        self.module.functions[maker] = self.module.functions[maker]._replace(gives_back=name)
        made = self.module.functions[name]
        traced = tuple(each for each in made.traced if each not in closed)
        self.module.functions[name] = made._replace(closed=closed, traced=traced)

    def _decorators(self, node: AnyFunction | ast.ClassDef, name: str) -> None:
        for each in node.decorator_list:
            if isinstance(each, ast.Call):
                self._applied(each, name, node.lineno, "@")

    def _applied(self, call: ast.Call, symbol: str, defined_at: int, how: str) -> None:
        function = dotted(call.func)
        names = tuple(text for each in call.args for text in literal_texts(each))
        keywords = tuple((each.arg, literal_texts(each.value)) for each in call.keywords if each.arg)
        if function and (names or keywords):
            self.module.decorated.append(DecoratorCall(function, symbol, names, keywords, call.lineno, defined_at, how))

    def _class(self, node: ast.ClassDef, owner: str) -> None:
        name = owner + node.name
        bases = tuple(text for each in node.bases if (text := dotted(each)))
        self.module.classes.setdefault(name, Class(node.lineno, bases))
        self._decorators(node, name)
        several, around = _assigned_several(node), self.attributes
        self.attributes = self._tensors_of(node, several)
        for each in flattened(node.body):
            if isinstance(each, AnyFunction):
                self._function(each, f"{name}.")
                self._attributes(each, name, several)
            elif isinstance(each, ast.ClassDef):
                self._class(each, f"{name}.")
            elif isinstance(each, ast.Assign) and (text := dotted(each.value)):
                for target in each.targets:
                    if isinstance(target, ast.Name):
                        events = BodyReader(self._names()).events([each.value])  # a name: it has no branches
                        if f"{name}.{text}" in self.module.functions:  # here it means the class's own method
                            events = tuple(event._replace(kind="own", gives=GIVES_ANYTHING) for event in events)
                        self.module.values[f"{name}.{target.id}"] = Function(each.lineno, events)
        self.attributes = around

    def _tensors_of(self, owner: ast.ClassDef, several: Collection[str]) -> frozenset[str]:
        """The attributes of a class that its methods only ever assign a tensor."""
        methods = [each for each in flattened(owner.body) if isinstance(each, AnyFunction)]
        owned = [each for one in methods for node in self._parts(one).assignments for each in _own_attributes(node)]
        names = self._names() if owned else None
        emptied = {name for node, name in owned if isinstance(node.value, ast.Constant)}
        known = (each for each in owned if names and gives_attribute(names, each[0].value))
        return frozenset(name for _, name in known) - emptied - set(several)

    def _attributes(self, method: AnyFunction, owner: str, several: Collection[str]) -> None:
        """``self.x = f(...)``: what the attribute may run when it is used, a call of a value that f made included.
        ``several``: those that it is one of several values of."""
        owned = [each for node in self._parts(method).assignments for each in _own_attributes(node)]
        names = self._names()
        if owned:
            learn(names, self._parts(method))
        for node, attribute in owned:
            name, value = f"{owner}.{attribute}", node.value
            if name in self.module.functions:
                continue
            reader = BodyReader(names, in_class=True, lines=self.lines)
            read = reader.events([value])
            made = dotted(value.func) if isinstance(value, ast.Call) else ""
            stands = names.stands.get(made, [made])
            called = [
                Event("method", f"{each}|__call__", node.lineno, len(stands) == 1, gives=GIVES_ANYTHING)
                for each in stands
                if each and not hasattr(builtins, each)
            ]
            events = (*(each for each in read if each.kind not in ON_TENSORS), *called)
            kept = Function(node.lineno, events, branches=tuple(reader.noted))
            if attribute in several:
                kept = _chosen(kept, f"self.{attribute} is what line {node.lineno} assigns")
            if events:
                self._take_value(name, kept)

    def _value(self, node: ast.Assign | ast.AnnAssign) -> None:
        value = node.value
        if value is None:
            return
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        reader = BodyReader(self._names(), lines=self.lines)
        events = tuple(each for each in reader.events([value]) if not self._is_builtin(each))
        made = Function(node.lineno, events, branches=tuple(reader.noted))
        if isinstance(value, ast.Dict | ast.List | ast.Tuple) and len(events) > 1:
            made = _chosen(made, f"this member of {', '.join(map(dotted, targets))} is taken")
        lazy = lazily_loaded(value, self.texts)
        text = "".join(literal_texts(value)) if isinstance(value, ast.Constant) else ""
        for target in targets:
            if isinstance(target, ast.Name) and text:
                self.texts[target.id] = text
            if isinstance(target, ast.Name) and lazy:
                self.foreign[target.id] = self.module.imports.setdefault(target.id, lazy)
            elif isinstance(target, ast.Name):
                self._take_value(target.id, made)
                self._exported_value(value, target.id, node.lineno)

    def _take_value(self, name: str, made: Function) -> None:
        """Take in a value; one that is assigned again may be what it was before."""
        earlier = self.module.values.get(name)
        events, branches = earlier.and_then(made) if earlier is not None else (made.events, made.branches)
        self.module.values[name] = Function(made.line, events, branches=branches)

    def _is_builtin(self, event: Event) -> bool:
        """``py_all = all`` above ``def all(...)`` is Python's own."""
        known = (self.module.functions, self.module.classes, self.module.values, self.module.imports)
        return event.kind == "name" and hasattr(builtins, event.text) and not any(event.text in each for each in known)

    def _exported_value(self, value: ast.expr, name: str, line: int) -> None:
        """``conv = tf_export("conv")(decorate(f))``: the name is what is exported."""
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Call):
            self._applied(value.func, name, line, "called")

    def _expression(self, value: ast.expr) -> None:
        """``tf_export("conv")(f)`` by itself, and ``tf_export("x").export_constant(__name__, "x")``."""
        if not isinstance(value, ast.Call):
            return
        outer = value.func
        if isinstance(outer, ast.Call) and value.args and (symbol := _innermost(value.args[0])):
            self._applied(outer, symbol, value.lineno, "called")
        elif isinstance(outer, ast.Attribute) and isinstance(outer.value, ast.Call) and len(value.args) == 2:
            for text in literal_texts(value.args[1]):
                self._applied(outer.value, text, value.lineno, outer.attr)


def _chosen(one: Function, why: str) -> Function:
    """One of several values, of which something decides: a member of a table, what an attribute is assigned."""
    chosen, number = Branch(IF, why, one.line), len(one.branches)
    branches = (each if each.within >= 0 else each._replace(within=number) for each in one.branches)
    events = (each._replace(certain=False, branch=each.branch if each.branch >= 0 else number) for each in one.events)
    return one._replace(events=tuple(events), branches=(*branches, chosen))


def _assigned_several(owner: ast.ClassDef) -> set[str]:
    """The attributes that a class assigns different values; that they are None before is no value to run."""
    values: dict[str, set[str]] = {}
    plain = {
        id(target): each.value for each in syntax.walk(owner) if isinstance(each, ast.Assign) for target in each.targets
    }
    for each in syntax.walk(owner):
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store) and dotted(each.value) == "self":
            value = plain.get(id(each))
            if not (isinstance(value, ast.Constant) and value.value is None):
                values.setdefault(each.attr, set()).add(ast.dump(value) if value is not None else str(id(each)))
    return {name for name, found in values.items() if len(found) > 1}


def _own_attributes(node: ast.AST) -> list[tuple[ast.Assign, str]]:
    """``self.x = ...`` with the attribute's name, nothing for any other statement."""
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    own = isinstance(target, ast.Attribute) and dotted(target.value) == "self"
    return [(node, target.attr)] if isinstance(node, ast.Assign) and isinstance(target, ast.Attribute) and own else []


def _gives_tuple(parts: FunctionParts) -> bool:
    """Whether all that a function returns are several values as they are written."""
    return bool(parts.returned) and all(isinstance(each, ast.Tuple | ast.List) for each in parts.returned)


def _exported(node: AnyFunction) -> str:
    """The last name of the decorator that is called with a text (``tf_export``), "" for none."""
    for each in node.decorator_list:
        if isinstance(each, ast.Call) and any(literal_texts(argument) for argument in each.args):
            return syntax.last_name(each.func)
    return ""


def _asks(name: str) -> bool:
    """Whether a function of that name answers yes or no, or nothing."""
    return name.startswith(("is_", "assert_", "_assert", "_is_", "has_", "get_", "set_"))


def _is_abstract(node: AnyFunction) -> bool:
    """Whether a function is there for classes below to define it: ``raise NotImplementedError`` is all it does."""
    body = [each for each in node.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
    if any(dotted(each).endswith(("abstractmethod", "abstractproperty")) for each in node.decorator_list):
        return all(isinstance(each, ast.Pass | ast.Raise) for each in body)
    raised = body[0].exc if len(body) == 1 and isinstance(body[0], ast.Raise) else None
    return raised is not None and last_name(raised.func if isinstance(raised, ast.Call) else raised) == NOT_HERE


def _is_overload(node: AnyFunction) -> bool:
    return any(dotted(each).endswith("overload") for each in node.decorator_list)


def _innermost(node: ast.expr) -> str:
    """The name inside ``decorate(other("text", name))``; ``made_of(2, name)`` gives a function of its own: its maker is
    what is named."""
    while isinstance(node, ast.Call) and node.args:
        decorates = all(literal_texts(each) for each in node.args[:-1])
        node = node.args[-1] if decorates else node.func
    return dotted(node)
