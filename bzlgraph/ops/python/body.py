"""The body of one function -> events: which module-level names it uses, and what its operators work on.

Names that the function binds itself (parameters, assignments, loops) are local and never looked up in the module;
``local_names`` says which of them are tensors, so that ``x[0]`` and ``x * 2`` are known to make ops. Tests whose answer
is known (``decided``) leave one branch; what only an error message is made of is no event.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bzlgraph.ops.python.arguments import NEITHER, asked_by, needed_by, parameters_of, raised_by
from bzlgraph.ops.python.bodies import asked, bodies_of, partials_of, place_of
from bzlgraph.ops.python.body_calls import OperatorReader
from bzlgraph.ops.python.branches import no_index, no_whole_number, sure_functions
from bzlgraph.ops.python.noting import IF, ON, UNLESS, WHEN
from bzlgraph.ops.python.result import MAKER, result_of
from bzlgraph.ops.python.standing import standing_of
from bzlgraph.ops.python.summary import ANY_OF, EACH, NOT, NOTHING, UNSURE, WHILE, Event
from bzlgraph.ops.python.values import arrays, dtypes, flow
from bzlgraph.ops.python.values.classes import tensor_types, value_classes
from bzlgraph.ops.python.values.classes.indices import Held, parts_of
from bzlgraph.ops.python.values.dtypes import ANY
from bzlgraph.ops.python.values.function_parts import (
    FunctionParts,
    Scope,
    answer,
    decided_names,
    ends,
    failed,
    leaves,
    may_return,
)
from bzlgraph.ops.python.values.learning import learn
from bzlgraph.ops.python.values.members import may_have_none
from bzlgraph.ops.python.values.plain_values import GIVEN
from bzlgraph.ops.python.values.special_tensors import is_special
from bzlgraph.python_source.syntax import (
    AnyFunction,
    children,
    dotted,
    parameter_defaults,
    source_of,
    walk,
)


@dataclass(slots=True)
class BodyReader(OperatorReader):
    """Reads one function, with the functions inside it."""

    def function_events(self, node: AnyFunction, parts: FunctionParts, takes_tensors: bool) -> tuple[Event, ...]:
        """What the function does. ``takes_tensors``: its arguments are known to be tensors."""
        if takes_tensors:
            left_out = {name for name, _ in parameter_defaults(node.args)}
            self.names.tensors.update(each.arg for each in node.args.args if each.arg not in left_out)
        self.decided = {**self.decided, **decided_names(parts, self.decided)} if self.decided else self.decided
        learn(self.names, parts)
        flow.begin(self.names, parts)
        self.standing = standing_of(node.body, parts, self._exists)
        self.standing.dtype = self.names.dtype
        self.standing.dtype_needed = (dtypes if self.names.library else tensor_types).needed
        self.standing.classes = self.names.classes if self.names.library else value_classes.unknown
        self.once = {name for name, count in parts.stored.items() if count == 1}
        self.partials = partials_of(parts, self.once - parts.own_parameters, self.names.outer)
        self.bodies = bodies_of(node, parts, self.standing.names) if not self.names.library else {}
        self.held = Held(parts.assignments, parts.stored) if self.names.library else self.held
        again = {name for name in parts.own_parameters if parts.stored[name]}
        self.fixed = (self.once | parts.own_parameters) - again - parts.inside_parameters
        named, used = parameters_of(node).items(), self.names.used | self.names.converted
        self.parameters = {name: each._replace(converted=name in used) for name, each in named}
        for name, default in parameter_defaults(node.args) if not self.names.library else ():
            kind = self.names.dtype(default)
            self.parameters[name] = self.parameters[name]._replace(dtype=kind if kind != ANY else "")
        self.only_called = parts.bound - parts.named
        run = sure_functions(node, parts, self.decided, given_back=False)
        self.inside = run | sure_functions(node, parts, self.decided)
        self.given_back = self.inside - run
        self.result = result_of(parts, node.name == MAKER) if not self.names.library else set()
        for name, default in parameter_defaults(node.args):
            called = " and is called" if isinstance(default, ast.Name | ast.Attribute) else ""
            with self._in(IF, f"{name} is not given{called}", default):
                self._visit(default)
        self._statements(node.body)
        return tuple(dict.fromkeys(self.found))

    def events(self, expressions: Iterable[ast.expr]) -> tuple[Event, ...]:
        """What module-level expressions use."""
        for each in expressions:
            self._visit(each)
        return tuple(dict.fromkeys(self.found))

    def _statements(self, body: Sequence[ast.AST]) -> None:
        """Statements in order, up to one that always leaves; behind one that may return, the others may not happen."""
        before = self.branches, self.needed, self.way
        for each in body:
            self._visit(each)
            if leaves(self._chosen_body(each) or ()):
                break
            self._go_behind(each)
        self.branches, self.needed, self.way = before

    def _chosen_body(self, node: ast.AST) -> Sequence[ast.stmt] | None:
        """What runs of an ``if`` whose test has one answer, None for anything else."""
        decided = answer(node.test, self.decided) if isinstance(node, ast.If) else None
        return None if decided is None or not isinstance(node, ast.If) else node.body if decided else node.orelse

    def _go_behind(self, node: ast.AST) -> None:
        """Read on behind a statement, which may have ended the function; of an ``if`` whose test has one answer that is
        what its branch does."""
        if (chosen := self._chosen_body(node)) is not None:
            for each in chosen:
                self._go_behind(each)
            return
        tests = list(failed(node)) if isinstance(node, ast.If) else []
        for test in tests:
            self.needed += needed_by(test, self._standing(), self.names.outer)[1]
        self.needed += self._converted(node)
        if may_return(node) or (isinstance(node, ast.If) and ends(node)):
            self.branches += 1
            self._enter_behind(node)
        for test in tests:
            flow.narrow(self.names, test, False)

    def _enter_behind(self, node: ast.AST) -> None:
        """Read on behind what may return: its tests failed, or it went to its end otherwise."""
        while isinstance(node, ast.If) and (leaves(node.body) or ends(node)):
            if answer(node.test, self.decided) is None and ends(node):
                self._enter(IF, node.test, node, fails=True)
            node = node.orelse[0] if len(node.orelse) == 1 else ast.Module(node.orelse, [])
        left = [each for each in walk(node) if id(each) in self.returns] if may_return(node) else []
        if left:
            lines = " or ".join(str(line) for line in sorted(getattr(each, "lineno", 0) for each in left))
            against = tuple(self.returns[id(each)] for each in left)
            self._enter(UNLESS, f"line {lines} returns", left[0], against=against if all(against) else ())
            if self.way is not None and (name := no_index(node)) is not None:
                self.way.ways = no_whole_number(name, self.standing.dtype, self.standing.classes)

    def _return(self, node: ast.Return) -> None:
        self.returns[id(node)] = self.needed
        if node.value is not None and not self._is_none(node.value):
            self.gives.append((self.standing.dtype(node.value), self.needed))
        self.made += [self.standing.classes(node.value) if node.value is not None else value_classes.NONE]
        self.outcomes.append((self.needed, self._source(node.value) if node.value is not None else NOTHING))
        self._visit_all(children(node))

    def _is_none(self, node: ast.expr) -> bool:
        """Whether what a function returns is surely None, which has no dtype."""
        name = self._standing().names.get(node.id, "") if isinstance(node, ast.Name) else ""
        return (
            node is None
            or (isinstance(node, ast.Constant) and node.value is None)
            or bool(name and NOT + name in self.needed)
        )

    def _if(self, node: ast.If | ast.IfExp) -> None:
        self._asked(node.test)
        decided = answer(node.test, self.decided)
        special = is_special(node.test)
        needs = needed_by(node.test, self._standing(), self.names.outer)
        before, ways, ends_with = dict(self.names.here), [], []
        for body, when in ((node.body, True), (node.orelse, False)):
            statements: Sequence[ast.AST] = body if isinstance(body, list) else [body]
            given_with = dict(self.standing.given_with)
            if decided is None:
                self.specials += special is when
                with self._in(IF, node.test, node, needs[not when], fails=not when):
                    flow.narrow(self.names, node.test, when)
                    self._statements(statements)
                self.specials -= special is when
            elif decided is when:
                flow.narrow(self.names, node.test, when)
                self._statements(statements)
            if decided in (None, when) and not leaves(statements):
                ways.append(dict(self.names.here))
                ends_with.append(needs[not when])
            elif leaves(statements):  # what it assigns is nothing to who goes on
                self.standing.given_with = given_with
            flow.restore(self.names, before)
        flow.join(self.names, before, ways or [before], node, ends_with)
        if isinstance(node, ast.If):
            self.standing.set_instead(node)

    _ifexp = _if

    def _try(self, node: ast.Try) -> None:
        needs = raised_by(node, self._standing())
        before = dict(self.names.here)
        self._statements(node.body)
        self._visit_all(node.orelse)
        ways = [] if leaves(node.body) or leaves(node.orelse) else [dict(self.names.here)]
        for each in node.handlers:
            flow.catch(self.names, before, node.body)
            with self._in(ON, each.type or "any error", each, needs):
                self._statements(each.body)
            ways += [] if leaves(each.body) else [dict(self.names.here)]
        flow.join(self.names, before, ways or [before], node)
        self._visit_all(node.finalbody)

    def _match(self, node: ast.Match) -> None:
        self._visit(node.subject)
        with flow.repeated(self.names, [node]):
            for each in node.cases:
                guard = f" if {source_of(each.guard, self.lines)}" if each.guard is not None else ""
                asked = f"{source_of(node.subject, self.lines)} matches {source_of(each.pattern, self.lines)}{guard}"
                with self._in(IF, asked, each.pattern):
                    flow.matched(self.names, node.subject, each.pattern)
                    if each.guard is not None:
                        self._asked(each.guard)
                    self._statements(each.body)

    def _while(self, node: ast.While) -> None:
        with flow.repeated(self.names, [node]):
            self._visit(node.test)
            before = self.way
            self._enter(WHILE, node.test, node)
            self._statements(node.body)
            self.way = before
            self._visit_all(node.orelse)

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        self._visit_all(node.items)
        self._statements(node.body)

    _asyncwith = _with

    def _assert(self, node: ast.Assert) -> None:
        self._asked(node.test)

    def _raise(self, node: ast.Raise) -> None:
        """What an error message is made of is no part of the answer."""

    def _functiondef(self, node: Scope) -> None:
        gives, made, outcomes = list(self.gives), list(self.made), list(self.outcomes)
        around = self.read_in
        self.read_in = (*around, place_of(node)) if not self.names.library else ()
        with flow.another_time(self.names, self.fixed):
            taken = {each.arg for each in node.args.args} & self.standing.handed.keys()
            self.names.here.update(dict.fromkeys(taken, GIVEN))
            self._inner_function(node)
        self.gives, self.made, self.outcomes, self.read_in = gives, made, outcomes, around

    def _begin(self, body: Sequence[ast.AST]) -> None:
        """Read the body of a function inside."""
        self.begun.update(dict.fromkeys(self.read_in[-1:], self.way))
        self._statements(body)

    def _inner_function(self, node: Scope) -> None:
        if isinstance(node, ast.Lambda):
            with self._in(WHEN, f"the lambda of line {node.lineno} is called", node):
                self._begin([node.body])
        elif not (self.derives and "grad" in node.name.lower()):
            before = self.derives
            self.derives = before or any(dotted(each).endswith("custom_gradient") for each in node.decorator_list)
            outer = self.within
            self.within = outer or (node.name if node.name in self.given_back else "")
            self._visit_all(node.decorator_list)  # what wraps it makes its ops where it is called
            if node.name in self.inside:
                self._begin(node.body)
            else:
                with self._in(WHEN, f"{node.name} is called", node):
                    self._begin(node.body)
            self.derives, self.within = before, outer

    _asyncfunctiondef = _lambda = _functiondef

    def _name(self, node: ast.Name | ast.Attribute) -> None:
        kept = self.partials.get(node.id) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) else None
        if text := self.names.outer(kept.args[0] if kept is not None else node):
            self._note("name", text, node, made_by=self.given_to[0], on=self.given_to[1])
        elif isinstance(node, ast.Attribute):
            if part := self.names.method(node):
                self._note("operator", part, node)
            read = isinstance(node.ctx, ast.Load) and self.in_class
            if read and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
                self._note("attribute", node.attr, node)
            member = isinstance(node.value, ast.Subscript) and node.attr == "op"  # no part of a tensor has that
            self._visit_all(ast.iter_child_nodes(node.value)) if member else self._visit(node.value)

    _attribute = _name

    def _subscript(self, node: ast.Subscript) -> None:
        changed = isinstance(node.value, ast.Attribute) and node.value.attr == "at"
        text = arrays.indexing(node.slice) if self.names.library else arrays.INDEXING
        if text and isinstance(node.ctx, ast.Load) and not changed and self.names.is_tensor(node.value):
            mixed = not self.names.library and self.names.is_perhaps([node.value])
            written = self.names.library and text == arrays.INDEXING
            parts = parts_of(node.slice, self.held, self.standing.classes) if written else ""
            about = ("mixed", UNSURE) if mixed else ("operator", parts)
            operands = [node.value] if self.names.library else []
            self._note(about[0], text, node, made_by=self.names.maker(node.value), on=about[1], operands=operands)
        for needs, key, each in self.standing.chosen_from(node):
            asked = f"{source_of(node.slice, self.lines)} == {source_of(key, self.lines)}" if key else "it is not a key"
            with self._in(IF, asked, node, needs):
                self._visit(each)
        put = not isinstance(node.ctx, ast.Load) and self.names.outer(node.value)  # runs nothing that made the value
        self._visit_all([node.slice] if put else [node.value, node.slice])

    def _assign(self, node: ast.Assign) -> None:
        """``f = queue.enqueue``: a method that is kept runs later; what a name is only called for runs there."""
        value = node.value
        if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and not self.names.outer(value):
            self._note("unknown", f"{value.value.id}.{value.attr}", node)
        text = self.names.outer(value)
        if self.branches:
            self._may_replace({dotted(each) for each in node.targets}, text)
        if text:
            for target in node.targets:
                key = (dotted(target), text)
                again = key in self.choices
                self.choices[key] = (True, (), self.way) if again else (not self.branches, self.needed, self.way)
        if self.names.library and isinstance(value, ast.IfExp):
            self._assign_either(value, node)
        needs = needed_by(value.test, self._standing(), self.names.outer) if isinstance(value, ast.IfExp) else NEITHER
        unpacked = any(isinstance(each, ast.Tuple | ast.List) for each in node.targets)
        if unpacked and isinstance(value, ast.Call) and self.names.outer(value.func) in self.names.annotated:
            self._note("operator", "__iter__", node)
        alias = bool(text) and all(isinstance(each, ast.Name) and each.id in self.only_called for each in node.targets)
        self._visit_all([*node.targets, *([] if alias else self._done_at_once(value))])
        for target in node.targets:
            self._pair(target, value)
            if isinstance(target, ast.Name) and target.id in self.parameters:
                self._assign_parameter(target.id, value)
            if isinstance(target, ast.Name):
                self.standing.set_flag(target.id, value, self.needed)
                asks = asked(value, self.standing.names) or asked_by(value, self._standing(), self.names.outer)
                self.standing.set_test(target.id, asks)
            flow.assigned(self.names, target, value, needs)

    def _done_at_once(self, value: ast.expr) -> list[ast.expr]:
        """What an assignment does: of a table nothing is done before a member is taken, of a function with some of its
        arguments nothing before it is called."""
        if isinstance(value, ast.Call) and any(value is each for each in self.partials.values()):
            return [*value.args[1:], *(each.value for each in value.keywords)]
        return [] if any(value is each for each in self.standing.tables.values()) else [value]

    def _for(self, node: ast.For | ast.comprehension) -> None:
        """What goes through an array takes its members out one by one."""
        if self.names.library and self.names.is_tensor(node.iter):
            self._note("operator", "__iter__", node.iter, made_by=self.names.maker(node.iter))
        with flow.repeated(self.names, [node]):
            self._visit_all([node.target, node.iter])
            if isinstance(node, ast.For):
                before = self.way, self.branches
                flow.go_through(self.names, node)
                self._enter_each(node)
                self._statements(node.body)
                self.way, self.branches = before
                self._visit_all(node.orelse)
            else:
                self._visit_all(node.ifs)

    _asyncfor = _comprehension = _for

    def _enter_each(self, node: ast.For | ast.comprehension) -> None:
        each = f"{source_of(node.target, self.lines)} in {source_of(node.iter, self.lines)}"
        perhaps_none = may_have_none(node.target, node.iter)
        self.branches += perhaps_none
        self._enter(ANY_OF if perhaps_none else EACH, each, node.target)

    def _listcomp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> None:
        """What is made of each member that passes the filters; names of members are no names of the function."""
        before, here = (self.way, self.branches, self.needed), dict(self.names.here)
        flow.hide(self.names, node.generators)
        for generator in node.generators:
            flow.go_through(self.names, generator)
            self._enter_each(generator)
            for test in generator.ifs:
                if answer(test, self.decided) is None:
                    self._enter(IF, test, test)
                    self.branches += 1
        self._visit_all([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt])
        flow.hide(self.names, node.generators)
        self.way, self.branches, self.needed = before
        self._visit_all(node.generators)
        flow.restore(self.names, here)

    _setcomp = _generatorexp = _dictcomp = _listcomp

    def _annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._visit_all(self._done_at_once(node.value))
            flow.assigned(self.names, node.target, node.value)

    def _constant(self, node: ast.AST) -> None:
        """Literals and imports do nothing."""

    _import = _importfrom = _constant
