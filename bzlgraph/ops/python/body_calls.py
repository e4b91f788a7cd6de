"""The calls in a function's body: what is called, with what, and what becomes of the lists that are given; and its
operators: those that work on tensors, or may."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from bzlgraph.ops.python.arguments import needed_by, slots
from bzlgraph.ops.python.noting import IF, Noting, Way
from bzlgraph.ops.python.summary import ANOTHER, ELSE, NOT, TEXT
from bzlgraph.ops.python.values import flow
from bzlgraph.ops.python.values.classes.indices import parts_of
from bzlgraph.ops.python.values.classes.value_classes import of_apart
from bzlgraph.ops.python.values.dtypes import wrapped_call
from bzlgraph.ops.python.values.function_parts import answer, text_of
from bzlgraph.ops.python.values.inner_names import plain
from bzlgraph.ops.python.values.known_names import ABSOLUTE, COMPARED, CONVERTERS, MAKERS, NOT_PACKED, TAKE_LISTS
from bzlgraph.ops.python.values.operators import BINARY, UNARY, kind_of_operator
from bzlgraph.python_source.syntax import dotted, first_call, last_name

CONVERTS = "convert_to_tensor"
"""The function that makes a tensor of anything but None."""


@dataclass(slots=True)
class CallReader(Noting):
    """Reads calls."""

    def _call(self, node: ast.Call) -> None:
        text = dotted(node.func)
        last = node.func.attr if isinstance(node.func, ast.Attribute) else text
        if last in ("isinstance", "issubclass"):
            self._visit_all(node.args[:1])
            return
        if last in MAKERS and node.args and (name := text_of(node.args[0])):
            self._note("literal", name, node)
        if text == "cls" and self.in_class:
            self._note("own", "__init__", node)
        elif outer := self.names.outer(node.func):
            self._note("call", outer, node, self.names.handed(node))
        elif isinstance(node.func, ast.Attribute):
            self._method(node, node.func)
        elif isinstance(node.func, ast.Call):
            self._called_value(node, node.func)
        elif isinstance(node.func, ast.Subscript):
            self._note("value", f"{plain(dotted(node.func.value))}[]", node)
            self._visit(node.func)
        else:
            self._called_local(node, text)
        if node.args and (text == ABSOLUTE or (last == ABSOLUTE and self.names.library)):
            kind, on = kind_of_operator(self.names, self.standing.names, node.args[0], node.args[:1])
            if kind == "operator" or (kind and self.names.library):
                self._note(kind, "__abs__", node, on=on)
        if self.names.library:
            self._compared_for(node)
            if text in ("tuple", "list") and node.args and self.names.is_tensor(node.args[0]):
                self._note("operator", "__iter__", node, made_by=self.names.maker(node.args[0]))
        if last not in ("name_scope", "format", "control_dependencies", "group", "tuple"):
            for slot, each in (pair for pair in slots(node) if pair[0] not in NOT_PACKED):
                for member in self._packed(each, last):
                    given = "passed" if isinstance(member, ast.Name) else ""
                    self._note("packed", self.names.outer(node.func), member, given, on=slot)
        concrete = self.names.library and self.names.full(text).startswith("numpy.")
        self.tested += concrete  # what NumPy is given is no array of a trace
        self._arguments(node)
        self.tested -= concrete

    def _arguments(self, node: ast.Call) -> None:
        """What is given: of a name the function that takes it is kept."""
        for slot, each in slots(node):
            named = self.names.library and isinstance(each, ast.Name | ast.Attribute)
            self.given_to = (self.names.outer(node.func), slot) if named else ("", "")
            self._visit(each)
        self.given_to = ("", "")

    def _called_local(self, node: ast.Call, text: str) -> None:
        """A call of a local name: what it stands for and holds, or a value of which nothing is known."""
        if kept := self.partials.get(text):
            call = ast.Call(kept.args[0], [*kept.args[1:], *node.args], [*kept.keywords, *node.keywords])
            self._note("call", self.names.outer(kept.args[0]), ast.copy_location(call, node), self.names.handed(call))
            return
        named = self._standing().names.get(text, "")
        if named:
            self._note("parameter", named, node, self.names.handed(node))
        for made in self.names.stands.get(text, ()):
            self._chosen(made, text, node)
        for made in self.names.holds.get(text, ()):
            self._note("method", f"{made}|__call__", node)
        if text and not named and self.names.is_any_value(text):
            self._note("value", plain(text), node)

    def _chosen(self, made: str, name: str, node: ast.Call, part: str = "") -> None:
        """A call of what a local name stands for, or of a part of it: it depends on what the assignment depends on."""
        certain, needs, assigned = self.choices.get((name, made), (True, (), None))
        before = self.branches, self.needed, self.way
        self.branches, self.needed = self.branches + (not certain), self.needed + needs
        self._enter_again(assigned)
        self._note("call", made + part, node)
        self.branches, self.needed, self.way = before

    def _stood_for(self, name: str) -> list[str]:
        """What a local name was assigned so far: ``primitive = start_p if later else all_p``."""
        return [text for known, text in self.choices if known == name]

    def _assign_either(self, value: ast.IfExp, node: ast.Assign) -> None:
        """``primitive = start_p if later else all_p``: each of the two where the test says so."""
        needs = needed_by(value.test, self._standing(), self.names.outer)
        names = {dotted(target) for target in node.targets} & self.once & self.standing.names.keys()
        if all(needs) and {dotted(value.body), dotted(value.orelse)} <= self.standing.names.keys():
            self.either.update(dict.fromkeys(names, (value, needs)))
        for each, fails in ((value.body, False), (value.orelse, True)):
            if text := self.names.outer(each):
                with self._in(IF, value.test, value, needs[fails], fails=fails):
                    self.choices.update(
                        {(dotted(target), text): (False, self.needed, self.way) for target in node.targets}
                    )

    def _pair(self, target: ast.expr, value: ast.expr) -> None:
        """Take in what decides whether two names that are assigned together are one value."""
        match target, value:
            case ast.Tuple(elts=[ast.Name(id=one), ast.Name(id=other)]), ast.Call(func=ast.Name(id=called)):
                if called in self.names.apart and {one, other} <= self.once:
                    decides = self.names.apart[called]
                    self.standing.pairs[one, other] = of_apart(value, decides, self.standing.classes)

    def _passed_through(self, name: str, value: ast.expr) -> tuple[str, list[str]] | None:
        """The function of ``x = f(x, ...)``, ``f(None, x)`` or ``f("name", x)``, and of its arguments up to x the names
        that are None where x is, ANOTHER for one that is not; None for any other value."""
        called = self.names.outer(value.func) if isinstance(value, ast.Call) else ""
        given: list[str] = []
        for each in value.args if isinstance(value, ast.Call) and called else ():
            if isinstance(each, ast.Name) and each.id == name:
                return called, [*given, name]
            if not isinstance(each, ast.Constant | ast.Name):
                break
            given.append(name if isinstance(each, ast.Constant) and each.value is None else ANOTHER)
        return None

    def _assign_parameter(self, name: str, value: ast.expr) -> None:
        """Take in that a parameter is assigned a value: what a function gives for it, too, where it was filled before
        that, ``if x is None: x = "text"``."""
        if passed := self._passed_through(name, value):
            if name in self.filled:
                self.standing.given_with[name] = name
            called, given = passed
            self.standing.set_through(name, called, [self.filled.get(each, each) for each in given])
        else:
            text, only = self._source(value), self.needed == (NOT + name,)
            self.filled.update({name: f"{name}{ELSE}{text}"} if only and text.startswith(TEXT) else {})
            self.standing.set_under(name, value, self.needed, self._exists)

    def _converted(self, node: ast.AST) -> tuple[str, ...]:
        """The parameter that a statement makes a tensor of: no call goes on with None in its place."""
        match node:
            case ast.Assign(value=ast.Call(func=called, args=[ast.Name(id=name), *_])) if last_name(called) == CONVERTS:
                own = not self.names.library and name in self.once & self.parameters.keys()
                return (name,) if own else ()
        return ()

    def _enter_again(self, way: Way | None) -> None:
        """Read on in a branch, and those around it, that was left before."""
        here, passed = self.way, []
        while here is not None:
            passed.append(here)
            here = here.around
        again = []
        while way is not None and way not in passed:
            again.append(way)
            way = way.around
        for each in reversed(again):
            self.way = Way(each.kind, each.asked, each.line, self.way, each.fails, each.against, each.ways)

    def _compared_for(self, node: ast.Call) -> None:
        """``select(i < 0, ...)``: what a function of arrays is given is no test, whatever is compared."""
        compared = [each for each in node.args if isinstance(each, ast.Compare) and not self.names.is_tensor(each)]
        for each in compared if self.names.is_op_function(node.func) else ():
            for name in filter(None, self.names.comparisons(each)):
                self._note("maybe", name, each, operands=(each.left, *each.comparators))

    def _called_value(self, node: ast.Call, made: ast.Call) -> None:
        """``Layer(...)(x)``: a value that is called as soon as it is made; ``jit(f)(x)`` runs f with that."""
        if self.names.library and (wrapped := wrapped_call(node)) is not None and self.names.outer(wrapped.func):
            self._note("call", self.names.outer(wrapped.func), wrapped, self.names.handed(wrapped))
            self._visit_all([*made.args[1:], *(each.value for each in made.keywords)])
            return
        if text := self.names.outer(made.func):
            self._note("method", f"{text}|__call__", node)
        self._visit(made)

    def _packed(self, argument: ast.expr, function: str) -> list[ast.expr]:
        """Lists with tensors in an argument that become one tensor; a list that the caller gave may have none. One of
        the object's own attributes that the class above is given (``graph_parents=[self._diag]``) is kept."""
        if isinstance(argument, ast.Name) and argument.id in self.parameters and function in CONVERTERS:
            return [argument] if self.names.is_list(argument) else []
        if not isinstance(argument, ast.List | ast.Tuple):
            return []
        if function == "__init__" and all(dotted(each).startswith("self.") for each in argument.elts):
            return []
        listed = argument.elts if function in TAKE_LISTS else [argument]
        return [each for each in listed if isinstance(each, ast.List | ast.Tuple) and self.names.has_tensor(each)]

    def _method(self, node: ast.Call, function: ast.Attribute) -> None:
        owner = function.value
        if part := self.names.method(function):
            changed = owner.slice if isinstance(owner, ast.Subscript) and part.startswith("at.") else None
            index = parts_of(changed, self.held, self.standing.classes) if changed is not None else ""
            self._note("operator", part, node, on=index)
            self._visit(owner)
            return
        if isinstance(owner, ast.Name) and owner.id in ("self", "cls") and self.in_class:
            self._note("own", function.attr, node)
            return
        if isinstance(owner, ast.Name) and (held := self.names.holds.get(owner.id)):
            for text in held:
                self._note("method", f"{text}|{function.attr}", node)
        elif self.names.library and isinstance(owner, ast.Name) and (stood := self._stood_for(owner.id)):
            for text in stood:
                self._chosen(text, owner.id, node, f".{function.attr}")
        elif isinstance(owner, ast.Call) and dotted(owner.func) == "super":
            self._note("super", function.attr, node)
            return
        elif isinstance(owner, ast.Call) and (text := self.names.outer(first_call(owner).func)):
            self._note("method", f"{text}|{function.attr}", node)
        else:
            called = last_name(owner)
            self._note("unknown", f"{called}.{function.attr}" if called else function.attr, node)
        self._visit(owner)


@dataclass(slots=True)
class OperatorReader(CallReader):
    """Reads operators."""

    def _operator(self, special: str, made: ast.expr, node: ast.AST, *operands: ast.expr) -> None:
        """Note an operator, whose value ``made`` is."""
        kind, on = kind_of_operator(self.names, self.standing.names, made, operands)
        if kind and special:
            self._note(kind, special, node, on=on, operands=operands)

    def _binop(self, node: ast.BinOp) -> None:
        self._operator(BINARY.get(type(node.op), ""), node, node, node.left, node.right)
        self._visit_all([node.left, node.right])

    def _augassign(self, node: ast.AugAssign) -> None:
        both = ast.BinOp(node.target, node.op, node.value)
        self._operator(BINARY.get(type(node.op), ""), both, node, node.target, node.value)
        self._visit(node.value)
        flow.assigned(self.names, node.target, both)

    def _boolop(self, node: ast.BoolOp) -> None:
        """What stands behind ``and`` happens where all before holds, what stands behind ``or`` where it fails."""
        before, fails = (self.way, self.branches, self.needed), isinstance(node.op, ast.Or)
        for each in node.values:
            self._visit(each)
            decided = answer(each, self.decided)
            if decided is fails:
                break
            if decided is None:
                self._enter(IF, each, each, fails)
                self.branches += 1
                self.needed += needed_by(each, self._standing(), self.names.outer)[fails]
        self.way, self.branches, self.needed = before

    def _unaryop(self, node: ast.UnaryOp) -> None:
        self._operator(UNARY.get(type(node.op), ""), node, node, node.operand)
        self._asked(node.operand) if isinstance(node.op, ast.Not) else self._visit(node.operand)

    def _compare(self, node: ast.Compare) -> None:
        kind, on = kind_of_operator(self.names, self.standing.names, node, (node.left, *node.comparators))
        if kind and not (self.tested and (kind != "operator" or not self.names.users)):  # no tensor has a truth value
            for each, compared in zip(node.ops, self.names.comparisons(node), strict=True):
                if compared and (kind == "operator" or type(each) in COMPARED):
                    self._note(kind, compared, node, on=on, operands=(node.left, *node.comparators))
        named = isinstance(node.ops[0], ast.Is | ast.IsNot)  # ``op is lax.mul`` runs nothing
        keys = (isinstance(each, ast.In | ast.NotIn) for each in node.ops)  # nor does ``x in KEPT``
        for operand, holds in zip((node.left, *node.comparators), (False, *keys), strict=True):
            if not ((named or holds) and self.names.outer(operand)):
                self._compared(operand)

    def _compared(self, node: ast.expr) -> None:
        """An operand of a comparison: what a test asks of sums and the like of what the caller gave are numbers."""
        if not self.tested or not isinstance(node, ast.BinOp | ast.UnaryOp) or self.names.is_tensor(node):
            self._visit(node)
        elif isinstance(node, ast.UnaryOp):
            self._compared(node.operand)
        else:
            self._compared(node.left)
            self._compared(node.right)

    def _asked(self, test: ast.expr) -> None:
        self.tested += 1
        self._compared(test)
        self.tested -= 1
