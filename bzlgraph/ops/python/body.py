"""The body of one function -> events: which module-level names it uses, and what its operators work on.

Theory of operation. Names that the function binds itself (parameters, assignments, loops) are local and never looked
up in the module. For operators one has to know what is a tensor: a name is, when it is assigned what a function of an
``..._ops`` module returns, or an operator on a tensor, or when it is given as the first argument to such a function.
That is judged by name, without following anything, once for the whole body. What comes of a static shape
(``x.shape``, ``get_shape()``) is a number.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bzlgraph.ops.python.summary import Event

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef
Scope = AnyFunction | ast.Lambda

BINARY = {
    ast.Add: "__add__",
    ast.Sub: "__sub__",
    ast.Mult: "__mul__",
    ast.Div: "__truediv__",
    ast.FloorDiv: "__floordiv__",
    ast.Mod: "__mod__",
    ast.Pow: "__pow__",
    ast.MatMult: "__matmul__",
    ast.BitAnd: "__and__",
    ast.BitOr: "__or__",
    ast.BitXor: "__xor__",
}
COMPARED = {ast.Lt: "__lt__", ast.LtE: "__le__", ast.Gt: "__gt__", ast.GtE: "__ge__"}
UNARY = {ast.USub: "__neg__", ast.Invert: "__invert__"}
MAKERS = frozenset(
    ["apply_op", "_apply_op_helper", "create_op", "_create_op_internal", "_create_op_helper", "execute"]
)
"""Functions whose first argument is the name of an op."""
CONVERTERS = frozenset(
    "convert_to_tensor convert_to_tensor_v2 convert_to_tensor_v2_with_dispatch convert_to_tensor_or_sparse_tensor"
    " convert_to_tensor_or_indexed_slices convert_to_tensor_or_composite shape_tensor".split()
)
LISTS = frozenset(["unstack", "split", "shape_n", "meshgrid", "convert_n_to_tensor", "flatten", "unique", "while_loop"])
"""Functions that give lists of tensors: an index takes a member out, and slices nothing."""
NUMBERS = frozenset(
    "constant_value constant_value_as_shape get_shape is_tensor executing_eagerly is_tf_type TensorShape as_dtype"
    " get_seed executing_eagerly_outside_functions name_scope assert_type control_dependencies get_static_value".split()
)
TENSOR_PARTS = frozenset(["values", "indices", "dense_shape", "row_splits", "flat_values"])


def dotted(node: ast.AST) -> str:
    """``a.b.c`` as text, "" for anything else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(names)])


@dataclass(slots=True)
class BodyReader:
    """Reads one function (with the functions inside it). ``returning``: functions of the file that return tensors,
    ``listing``: those that return lists of them."""

    returning: set[str]
    listing: set[str] = field(default_factory=set)
    in_class: bool = False
    derives: bool = False
    """Whether the function gives its own gradient: functions inside that are named so run only when asked for it."""
    decided: Mapping[str, bool] = field(default_factory=dict)
    """Functions without arguments that always answer the same, by their last name."""
    bound: set[str] = field(default_factory=set)
    tensors: set[str] = field(default_factory=set)
    lists: set[str] = field(default_factory=set)
    holds: dict[str, list[str]] = field(default_factory=dict)
    """Local name -> what was called to make its value."""
    stands: dict[str, list[str]] = field(default_factory=dict)
    """Local name -> module-level names that it stands for."""
    found: list[Event] = field(default_factory=list)
    branches: int = 0
    specials: int = 0

    def function_events(self, node: AnyFunction, takes_tensors: bool = False) -> tuple[Event, ...]:
        """What the function does. ``takes_tensors``: its arguments are known to be tensors."""
        if takes_tensors:
            self.tensors.update(each.arg for each in node.args.args)
        self._learn(node)
        self._below([each for each in (*node.args.defaults, *node.args.kw_defaults) if each is not None])
        self._statements(node.body)
        return tuple(dict.fromkeys(self.found))

    def events(self, expressions: Iterable[ast.expr]) -> tuple[Event, ...]:
        """What module-level expressions use."""
        for each in expressions:
            self._visit(each)
        return tuple(dict.fromkeys(self.found))

    def returns(self, node: AnyFunction) -> str:
        """What the function gives: "tensor", "list" (of tensors) or ""."""
        self._learn(node)
        values = [each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value is not None]
        if any(self.is_tensor(each) for each in values):
            return "tensor"
        return "list" if any(self._is_list(each) for each in values) else ""

    # What is local, and what is a tensor.

    def _learn(self, node: Scope) -> None:
        nodes = list(ast.walk(node))
        for each in nodes:
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                self.bound.add(each.id)
            elif isinstance(each, ast.Subscript) and _is_slices(each.slice) and isinstance(each.value, ast.Name):
                self.tensors.add(each.value.id)
            elif isinstance(each, ast.arg):
                self.bound.add(each.arg)
            elif isinstance(each, AnyFunction) and each is not node:
                self.bound.add(each.name)
            elif isinstance(each, ast.Global | ast.Nonlocal):
                self.bound.difference_update(each.names if isinstance(each, ast.Global) else ())
            elif isinstance(each, ast.ImportFrom | ast.Import):
                continue
        parameters = {each.arg for each in nodes if isinstance(each, ast.arg)}
        for inner in nodes:
            # What a function hands to another as a function is called with tensors.
            if isinstance(inner, ast.Lambda | ast.FunctionDef) and inner is not node:
                self.tensors.update(each.arg for each in inner.args.args if each.arg not in ("self", "cls"))
        kinds = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.For | ast.comprehension
        assignments = [each for each in nodes if isinstance(each, kinds)]
        calls = [each for each in nodes if isinstance(each, ast.Call)]
        for _ in range(4):
            before = self._known()
            for call in calls:
                self._learn_argument(call, parameters)
            for each in assignments:
                self._learn_assignment(each)
            if self._known() == before:
                return

    def _known(self) -> int:
        """How much is known of local names."""
        named = sum(len(each) for each in (*self.holds.values(), *self.stands.values()))
        return len(self.tensors) + len(self.lists) + named

    def _learn_argument(self, call: ast.Call, parameters: set[str]) -> None:
        first = call.args[0] if call.args else None
        if isinstance(first, ast.Name) and first.id in parameters and self._is_op_function(call.func):
            self.tensors.add(first.id)

    def _learn_assignment(self, node: ast.AST) -> None:
        if isinstance(node, ast.For | ast.comprehension):
            members = [node.iter]
            if isinstance(node.iter, ast.Call) and dotted(node.iter.func) in ("zip", "enumerate", "reversed"):
                members = node.iter.args
            if any(self._is_list(each) for each in members):
                self._mark(node.target, self.tensors)
            return
        value = getattr(node, "value", None)
        if value is None:
            return
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]  # type: ignore[attr-defined]
        for target in targets:
            if isinstance(value, ast.Tuple) and isinstance(target, ast.Tuple) and len(value.elts) == len(target.elts):
                for left, right in zip(target.elts, value.elts, strict=True):
                    self._assign(left, right)
            else:
                self._assign(target, value)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if self._is_list(value):
            self._mark(target, self.tensors if isinstance(target, ast.Tuple | ast.List) else self.lists)
        elif self.is_tensor(value):
            self._mark(target, self.tensors)
        elif isinstance(target, ast.Name) and (text := self._outer(value)):
            _note(self.stands, target.id, [text])
        elif isinstance(target, ast.Name) and isinstance(value, ast.Call):
            called = dotted(value.func)
            _note(self.holds, target.id, self.stands.get(called) or [text for text in [self._outer(value.func)] if text])

    def _mark(self, target: ast.expr, kind: set[str]) -> None:
        if isinstance(target, ast.Name):
            kind.add(target.id)
        elif isinstance(target, ast.Tuple | ast.List):
            for each in target.elts:
                self._mark(each, kind)

    def _is_op_function(self, function: ast.expr) -> bool:
        """Whether a call of it gives (and takes) a tensor, judged by its name."""
        text = dotted(function)
        head, _, rest = text.partition(".")
        last = text.rpartition(".")[2]
        if not text or last in NUMBERS or last.startswith(("is_", "assert_", "_assert", "_is_")):
            return False
        if last in CONVERTERS:
            return True
        if not rest:
            return head in self.returning and head not in self.bound
        return head not in self.bound and (text.rsplit(".", 2)[-2].endswith(("_ops", "_op", "_impl", "_math")))

    def _is_list(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self.lists
        if isinstance(node, ast.List | ast.Tuple):
            return any(self.is_tensor(each) for each in node.elts)
        if isinstance(node, ast.ListComp):
            return self.is_tensor(node.elt)
        if not isinstance(node, ast.Call):
            return False
        text = dotted(node.func)
        return text.rpartition(".")[2] in LISTS or (text in self.listing and text not in self.bound)

    def is_tensor(self, node: ast.expr) -> bool:
        """Whether an expression gives a tensor, as far as one can tell."""
        judge = JUDGES.get(type(node))
        return judge is not None and judge(self, node)

    # What happens.

    def _add(self, kind: str, text: str, node: ast.AST) -> None:
        self.found.append(Event(kind, text, getattr(node, "lineno", 0), not self.branches, self.specials > 0))

    def _outer(self, node: ast.expr) -> str:
        """A dotted name that the function does not bind itself, "" otherwise."""
        text = dotted(node)
        return text if text and text.partition(".")[0] not in self.bound else ""

    def _visit_all(self, nodes: Iterable[ast.AST]) -> None:
        for each in nodes:
            self._visit(each)

    def _visit(self, node: ast.AST) -> None:
        visitor = VISITORS.get(type(node))
        if visitor is not None:
            visitor(self, node)
        else:
            self._visit_all(ast.iter_child_nodes(node))

    def _below(self, nodes: Sequence[ast.AST]) -> None:
        """Visit what may not happen."""
        self.branches += 1
        self._visit_all(nodes)
        self.branches -= 1

    def _statements(self, body: Sequence[ast.stmt]) -> None:
        """Statements in order, up to one that always leaves."""
        for each in body:
            self._visit(each)
            if isinstance(each, ast.If) and self._decided(each.test) is True and _leaves(each.body):
                return

    def _if(self, node: ast.If | ast.IfExp) -> None:
        self._visit(node.test)
        decided = self._decided(node.test)
        special = _special(node.test)
        for body, when in ((node.body, True), (node.orelse, False)):
            if decided is None:
                self.specials += special is when
                self._below(body if isinstance(body, list) else [body])
                self.specials -= special is when
            elif decided is when and isinstance(body, list):
                self._statements(body)
            elif decided is when:
                self._visit(body)

    def _decided(self, test: ast.expr) -> bool | None:
        """What a test is known to give, None when the arguments decide."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            inner = self._decided(test.operand)
            return None if inner is None else not inner
        if isinstance(test, ast.BoolOp):
            stops = isinstance(test.op, ast.Or)
            parts = [self._decided(each) for each in test.values]
            return stops if stops in parts else (None if None in parts else not stops)
        if isinstance(test, ast.Call):
            return self.decided.get(dotted(test.func).rpartition(".")[2])
        return self.decided.get(test.id) if isinstance(test, ast.Name) else None

    def _try(self, node: ast.Try) -> None:
        self._visit_all(node.body)
        self._below([each for handler in node.handlers for each in handler.body])
        self._visit_all([*node.orelse, *node.finalbody])

    def _raise(self, node: ast.Raise) -> None:
        """What an error message is made of is no part of the answer."""

    def _nested(self, node: Scope) -> None:
        if isinstance(node, ast.Lambda):
            self._below([node.body])
        elif not (self.derives and "grad" in node.name.lower()):
            before = self.derives
            self.derives = before or any(dotted(each).endswith("custom_gradient") for each in node.decorator_list)
            self._visit_all(node.decorator_list)
            self._statements(node.body)
            self.derives = before

    def _call(self, node: ast.Call) -> None:
        text = dotted(node.func)
        last = node.func.attr if isinstance(node.func, ast.Attribute) else text
        if last in ("isinstance", "issubclass"):
            self._visit_all(node.args[:1])
            return
        if last in MAKERS and node.args and (name := _text_of(node.args[0])):
            self._add("literal", name, node)
        if text == "cls" and self.in_class:
            self._add("own", "__init__", node)
        elif outer := self._outer(node.func):
            self._add("call", outer, node)
        elif isinstance(node.func, ast.Attribute):
            self._method(node, node.func)
        else:
            for made in self.stands.get(text, ()):
                self._add("call", made, node)
            for made in self.holds.get(text, ()):
                self._add("method", f"{made}|__call__", node)
        if last == "abs" and node.args and self.is_tensor(node.args[0]):
            self._add("operator", "__abs__", node)
        if last not in ("name_scope", "format", "control_dependencies", "group", "tuple"):
            for each in (*node.args, *(keyword.value for keyword in node.keywords if keyword.arg not in NOT_PACKED)):
                for member in self._packed(each, last):
                    self._add("packed", "", member)
        self._visit_all([*node.args, *(keyword.value for keyword in node.keywords)])

    def _packed(self, argument: ast.expr, function: str) -> list[ast.expr]:
        """Lists with tensors in an argument that become one tensor."""
        if not isinstance(argument, ast.List | ast.Tuple):
            return []
        listed = argument.elts if function in TAKE_LISTS else [argument]
        return [each for each in listed if isinstance(each, ast.List | ast.Tuple) and self._is_list(each)]

    def _method(self, node: ast.Call, function: ast.Attribute) -> None:
        owner = function.value
        if isinstance(owner, ast.Name) and owner.id in ("self", "cls") and self.in_class:
            self._add("own", function.attr, node)
            return
        if isinstance(owner, ast.Name) and owner.id in self.holds:
            for text in self.holds[owner.id]:
                self._add("method", f"{text}|{function.attr}", node)
        elif isinstance(owner, ast.Call) and (text := self._outer(owner.func)):
            self._add("method", f"{text}|{function.attr}", node)
        else:
            self._add("unknown", function.attr, node)
        self._visit(owner)

    def _name(self, node: ast.Name | ast.Attribute) -> None:
        if text := self._outer(node):
            self._add("name", text, node)
        elif isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls") and self.in_class:
                self._add("own", node.attr, node)
            self._visit(node.value)

    def _binary(self, node: ast.BinOp) -> None:
        if self.is_tensor(node) and type(node.op) in BINARY:
            self._add("operator", BINARY[type(node.op)], node)
        self._visit_all([node.left, node.right])

    def _augmented(self, node: ast.AugAssign) -> None:
        if type(node.op) in BINARY and (self.is_tensor(node.value) or self.is_tensor(node.target)):
            self._add("operator", BINARY[type(node.op)], node)
        self._visit(node.value)

    def _unary(self, node: ast.UnaryOp) -> None:
        if type(node.op) in UNARY and self.is_tensor(node.operand):
            self._add("operator", UNARY[type(node.op)], node)
        self._visit(node.operand)

    def _compare(self, node: ast.Compare) -> None:
        if self.is_tensor(node):
            for each in node.ops:
                if type(each) in COMPARED:
                    self._add("operator", COMPARED[type(each)], node)
        self._visit_all([node.left, *node.comparators])

    def _subscript(self, node: ast.Subscript) -> None:
        if isinstance(node.ctx, ast.Load) and self.is_tensor(node.value):
            self._add("operator", "__getitem__", node)
        self._visit_all([node.value, node.slice])

    def _annotated(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._visit(node.value)

    def _constant(self, node: ast.AST) -> None:
        """Literals and imports do nothing."""


NOT_PACKED = frozenset(["name", "axis", "data", "loop_vars", "inputs"])
TAKE_LISTS = frozenset(
    "concat concat_v2 stack pack add_n accumulate_n while_loop cond tuple group with_dependencies Assert dynamic_stitch"
    " assert_compatible case switch_case identity_n shape_n print_v2 meshgrid zip list set join string_join einsum"
    " map_structure flatten dispatch name_scope function no_op IndexedSlices py_func numpy_function make_list set_shape"
    " assert_same_structure append extend".split()
)
"""Functions that take lists of tensors as lists."""


def _note(names: dict[str, list[str]], name: str, texts: Iterable[str]) -> None:
    listed = names.setdefault(name, [])
    listed += [text for text in texts if text not in listed]


def _special(test: ast.expr) -> bool | None:
    """Which outcome of a test means a sparse or ragged tensor, None when it is not about that.

    A test of several things joined by ``and`` is about it when one is; by ``or``, when all are.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _special(test.operand)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        parts = [_special(each) for each in test.values]
        if isinstance(test.op, ast.Or):
            return True if all(parts) else (False if False in parts and True not in parts else None)
        return True if True in parts else None
    if not isinstance(test, ast.Call):
        return None
    called = dotted(test.func).rpartition(".")[2]
    if called == "isinstance" and len(test.args) == 2:
        kinds = test.args[1].elts if isinstance(test.args[1], ast.Tuple) else [test.args[1]]
        names = [dotted(each).rpartition(".")[2] for each in kinds]
        return True if names and all(name.startswith(SPECIAL) for name in names) else None
    return True if called in SPECIAL_TESTS else None


def _is_slices(index: ast.expr) -> bool:
    """``x[a:b, c]``: only arrays and tensors can do that."""
    return isinstance(index, ast.Tuple) and any(isinstance(each, ast.Slice) for each in index.elts)


def _leaves(body: Sequence[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Return | ast.Raise)


SPECIAL = ("Sparse", "Ragged", "IndexedSlices", "CompositeTensor", "ResourceVariable", "BaseResourceVariable")
SPECIAL_TESTS = frozenset(["is_ragged", "is_sparse", "_is_sparse", "is_composite_tensor", "is_extension_type"])


def _text_of(node: ast.expr) -> str:
    value = node.value if isinstance(node, ast.Constant) else ""
    if isinstance(value, bytes):
        value = value.decode("ascii", "replace")
    return value if isinstance(value, str) else ""


def _judge_call(reader: BodyReader, node: ast.Call) -> bool:
    text = dotted(node.func)
    if text.rpartition(".")[2] in LISTS:
        return False
    return reader._is_op_function(node.func)


def _judge_compare(reader: BodyReader, node: ast.Compare) -> bool:
    if not all(type(each) in COMPARED for each in node.ops):
        return False
    return any(reader.is_tensor(each) for each in [node.left, *node.comparators])


def _judge_subscript(reader: BodyReader, node: ast.Subscript) -> bool:
    return reader.is_tensor(node.value) or reader._is_list(node.value)


JUDGES: dict[type[ast.expr], Callable[[BodyReader, ast.expr], bool]] = {
    ast.Name: lambda reader, node: node.id in reader.tensors,  # type: ignore[attr-defined]
    ast.Attribute: lambda reader, node: node.attr in TENSOR_PARTS,  # type: ignore[attr-defined]
    ast.Call: _judge_call,  # type: ignore[dict-item]
    ast.BinOp: lambda reader, node: reader.is_tensor(node.left) or reader.is_tensor(node.right),  # type: ignore[attr-defined]
    ast.UnaryOp: lambda reader, node: reader.is_tensor(node.operand),  # type: ignore[attr-defined]
    ast.Compare: _judge_compare,  # type: ignore[dict-item]
    ast.Subscript: _judge_subscript,  # type: ignore[dict-item]
    ast.IfExp: lambda reader, node: reader.is_tensor(node.body) or reader.is_tensor(node.orelse),  # type: ignore[attr-defined]
}

VISITORS: dict[type[ast.AST], Callable[[BodyReader, ast.AST], None]] = {
    ast.If: BodyReader._if,  # type: ignore[dict-item]
    ast.IfExp: BodyReader._if,  # type: ignore[dict-item]
    ast.Try: BodyReader._try,  # type: ignore[dict-item]
    ast.Raise: BodyReader._raise,  # type: ignore[dict-item]
    ast.FunctionDef: BodyReader._nested,  # type: ignore[dict-item]
    ast.AsyncFunctionDef: BodyReader._nested,  # type: ignore[dict-item]
    ast.Lambda: BodyReader._nested,  # type: ignore[dict-item]
    ast.Call: BodyReader._call,  # type: ignore[dict-item]
    ast.Name: BodyReader._name,  # type: ignore[dict-item]
    ast.Attribute: BodyReader._name,  # type: ignore[dict-item]
    ast.BinOp: BodyReader._binary,  # type: ignore[dict-item]
    ast.AugAssign: BodyReader._augmented,  # type: ignore[dict-item]
    ast.UnaryOp: BodyReader._unary,  # type: ignore[dict-item]
    ast.Compare: BodyReader._compare,  # type: ignore[dict-item]
    ast.Subscript: BodyReader._subscript,  # type: ignore[dict-item]
    ast.AnnAssign: BodyReader._annotated,  # type: ignore[dict-item]
    ast.Constant: BodyReader._constant,
    ast.Import: BodyReader._constant,
    ast.ImportFrom: BodyReader._constant,
}
