"""The names that a function binds itself: which are tensors, which are lists of tensors, which hold values of classes.

Judged by names, without following anything: a name is a tensor when it is assigned what a function of an ``..._ops``
module returns, or an operator on a tensor, or when it is given as the first argument to such a function. What comes of
a static shape (``x.shape``, ``get_shape()``) is a number.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bzlgraph.ops.python.summary import PLAIN, PYTHON, TENSOR, TENSORS, UNSURE, VALUE
from bzlgraph.ops.python.values import arrays
from bzlgraph.ops.python.values.classes import value_classes
from bzlgraph.ops.python.values.classes.tensor_types import type_of
from bzlgraph.ops.python.values.classes.value_classes import CLASS
from bzlgraph.ops.python.values.dtypes import ANY, DTYPE, dtype_of
from bzlgraph.ops.python.values.function_parts import FunctionParts
from bzlgraph.ops.python.values.here import Here
from bzlgraph.ops.python.values.known_names import (
    ABSOLUTE,
    BINDS,
    COMPARED,
    CONVERTERS,
    LISTS,
    NUMBERS,
    OP_ALIASED,
    OP_MODULES,
    OPERATION,
    OPERATION_LISTS,
    PUBLIC,
    REFLECTED,
    TENSOR_PARTS,
    VARIABLE,
)
from bzlgraph.ops.python.values.members import HOLDING
from bzlgraph.ops.python.values.plain_values import COLLECTION, GIVEN, LIST, MIXED, NUMBER, ONE, PlainValues
from bzlgraph.python_source.syntax import children, dotted


@dataclass(slots=True)
class LocalNames:
    """What is known of one function's names. ``returning``: functions of the file that return tensors, ``listing``:
    those that return lists of them, or tuples with some."""

    returning: set[str]
    listing: set[str]
    giving: Mapping[str, tuple[bool, ...]] = field(default_factory=dict)
    """Functions of the file that return tuples -> which members are tensors."""
    mixing: set[str] = field(default_factory=set)
    """Those of the file that return lists of tensors on some ways, and values of Python on others."""
    imports: Mapping[str, str] = field(default_factory=dict)
    annotated: set[str] = field(default_factory=set)
    """Functions of the file that say they return one array."""
    apart: Mapping[str, value_classes.Apart] = field(default_factory=dict)
    """Functions of the file that give the same twice for numbers (``keeping``)."""
    attributes: frozenset[str] = frozenset()
    """Attributes of the object itself (``self.total``) that are tensors, or variables."""
    bound: set[str] = field(default_factory=set)
    perhaps: set[str] = field(default_factory=set)
    """Names that count as tensors, and may be values of Python as well."""
    tensors: set[str] = field(default_factory=set)
    lists: set[str] = field(default_factory=set)
    holds: dict[str, list[str]] = field(default_factory=dict)
    """Local name -> what was called to make its value."""
    stands: dict[str, list[str]] = field(default_factory=dict)
    """Local name -> module-level names that it stands for."""
    given: set[str] = field(default_factory=set)
    """Parameters."""
    collected: set[str] = field(default_factory=set)
    """Those that are collections: members of them count as what the caller gave, they themselves do not."""
    makers: set[str] = field(default_factory=set)
    """Functions inside that return tensors."""
    listers: set[str] = field(default_factory=set)
    """Functions inside that return lists of tensors."""
    uneven: set[str] = field(default_factory=set)
    """Functions inside that return on several ways: what is a tensor on one may be a list of numbers on another."""
    listed: set[str] = field(default_factory=set)
    """Names that are assigned a list made member by member."""
    made: set[str] = field(default_factory=set)
    """Names that are only assigned lists and the like as they are written: never None."""
    mixed: set[str] = field(default_factory=set)
    """Lists of which some member may be no tensor."""
    emptied: set[str] = field(default_factory=set)
    """Names that are assigned None somewhere, or that a constant may stand for."""
    made_by: dict[str, str] = field(default_factory=dict)
    """Local name -> the function of the module whose call it is assigned."""
    inside: set[str] = field(default_factory=set)
    """Functions inside."""
    carried: set[str] = field(default_factory=set)
    """Parameters of functions inside: what these unpack of them are tensors."""
    plain: PlainValues = field(init=False)
    """Values of Python: no tensors, whatever else says so."""
    used: set[str] = field(default_factory=set)
    """Names that are tensors because of what is done with them, not of what they are assigned."""
    converted: set[str] = field(default_factory=set)
    """Parameters that tensors are made of: they may be anything before."""
    here: Here = field(default_factory=Here)
    """What names are where one reads now (``flow``); the rest of what is known holds for those that are not in it."""
    library: bool = field(init=False)
    """Whether the file works with arrays that have methods (``arrays``)."""
    users: bool = field(init=False)
    """Whether the file is written against the public API: ``import tensorflow as tf``."""

    def __post_init__(self) -> None:
        self.library = arrays.is_used(self.imports)
        self.plain = PlainValues(self.imports, here=self.here)
        self.users = not PUBLIC.isdisjoint(self.imports.values())

    def outer(self, node: ast.expr) -> str:
        """A dotted name that the function does not bind itself, "" otherwise."""
        text = dotted(node)
        return text if text and text.partition(".")[0] not in self.bound else ""

    def dtype(self, node: ast.expr) -> str:
        """The dtype that an expression may have where one reads now (``dtypes``)."""
        return dtype_of(node, self.named_dtype) if self.library else type_of(node, self.named_dtype)

    def named_dtype(self, name: str) -> str:
        """The dtype of a name, "" for one that the function does not bind."""
        return self.here.get(DTYPE + name, ANY) if name in self.bound else ""

    def classes(self, node: ast.expr) -> str:
        """The classes that an expression may be of where one reads now (``value_classes``)."""
        return value_classes.class_of(node, self.named_classes, self.is_tensor)

    def named_classes(self, name: str) -> str:
        """The classes of a name, "" for one that the function does not bind; a function inside is no text."""
        known = self.here.get(CLASS + name, value_classes.NONE if name in self.inside else value_classes.ANY)
        return known if name in self.bound else ""

    def is_any_value(self, name: str) -> bool:
        """Whether a local name is called of which nothing is known."""
        return name in self.bound and not any(name in each for each in (self.inside, self.stands, self.holds))

    def known(self, node: ast.expr) -> str:
        """What is known of a value that is given to a function (``given``)."""
        emptied = isinstance(node, ast.Name) and node.id in self.emptied
        emptied = emptied and self.here.get(dotted(node)) not in (ONE, LIST)
        if self.is_list(node) and not emptied:
            return TENSORS if self._is_all_tensors(node) else VALUE
        if kind := self.plain.kind(node):
            made = isinstance(node, ast.Name) and node.id in self.made
            surely = made or isinstance(node, (ast.BinOp, ast.Compare, ast.JoinedStr, *HOLDING))
            surely = surely or (self.library and isinstance(node, ast.Attribute) and node.attr in arrays.NEVER_NONE)
            return PYTHON if not surely else VALUE if kind == COLLECTION else PLAIN
        surely = self.is_tensor(node) and not emptied and (self.library or not self._is_mixed(node))
        return TENSOR if surely else UNSURE

    def handed(self, node: ast.Call) -> str:
        """ "given" for a call with a tensor, "passed" for one with what the caller gave, "" for any other."""
        values = [*node.args, *(each.value for each in node.keywords)]
        if any(self.is_tensor(each) or self.is_list(each) for each in values):
            return "given"
        return "passed" if any(self.is_given(each) for each in values) else ""

    def maker(self, node: ast.expr) -> str:
        """The function whose call gave the value of an expression, or of each member of the list that it is taken out
        of; "" when that is not known."""
        if isinstance(node, ast.Call):
            return self.outer(node.func)
        if isinstance(node, ast.Subscript) and self.is_list(node.value):
            node = node.value
        return self.made_by.get(node.id, "") if isinstance(node, ast.Name) else ""

    def full(self, text: str) -> str:
        """A dotted name as it is called outside of the file."""
        head, dot, rest = text.partition(".")
        return f"{self.imports.get(head, head)}{dot}{rest}"

    def returns(self, parts: FunctionParts) -> str:
        """What the function, which was learnt (``learning``), gives: "tensor", "list" (of tensors) or ""."""
        if any(self.is_tensor(each) for each in parts.returned):
            return "tensor"
        return "list" if any(self.is_list(each) for each in parts.returned) else ""

    def gives(self, parts: FunctionParts) -> tuple[bool, ...]:
        """Which members are tensors of the tuples that a function returns as it writes them; () for any other."""
        tuples = [each for each in parts.returned if isinstance(each, ast.Tuple)]
        alike = len(tuples) == len(parts.returned) and len({len(each.elts) for each in tuples}) == 1
        if not alike or any(isinstance(each, ast.Starred) for one in tuples for each in one.elts):
            return ()
        return tuple(any(map(self.is_tensor, each)) for each in zip(*(one.elts for one in tuples), strict=True))

    def unpacked(self, value: ast.expr, count: int) -> list[str]:
        """The kinds of the members of a value that is unpacked."""
        called = dotted(value.func) if isinstance(value, ast.Call) else ""
        given = self.giving.get(called, ()) if called not in self.bound else ()
        if given and len(given) == count:
            return [ONE if tensor else "" for tensor in given]
        if called.endswith(BINDS):
            return [ONE] * count
        return [{LIST: ONE, NUMBER: NUMBER}.get(self.kind(value), "")] * count

    def is_op_function(self, function: ast.expr) -> bool:
        """Whether a call of it gives (and takes) a tensor, judged by its name."""
        text = dotted(function)
        head, _, rest = text.partition(".")
        last = text.rpartition(".")[2]
        if not text or last in NUMBERS or last.startswith(("is_", "assert_", "_assert", "_is_")):
            return False
        if last in CONVERTERS or (self.library and head not in self.bound and arrays.gives_array(text, self.imports)):
            return True
        if self.users and self.imports.get(head) in PUBLIC and head not in self.bound:
            return bool(rest) and (last == VARIABLE or not last[0].isupper())
        if not rest:
            return head in self.makers or (head in self.returning and head not in self.bound)
        module = self.imports.get(text.rpartition(".")[0], text).rpartition(".")[2]
        return head not in self.bound and (text.rsplit(".", 2)[-2].endswith(OP_MODULES) or module in OP_ALIASED)

    def given_in(self, node: ast.expr) -> list[tuple[str, bool]]:
        """The parameters that an operand is, or is an expression of, or of a member of which (true) it is one."""
        alone = self.operands(node)
        given = self.given | self.collected.difference(alone)
        named = [
            name for name in self.operands(node, through_index=True) if name in given and not self._is_elsewhere(name)
        ]
        return [(name, name not in alone) for name in named]

    def operands(self, node: ast.expr, through_index: bool = False) -> dict[str, None]:
        """The names that operators of an expression work on, each once; a name alone is one."""
        if isinstance(node, ast.BinOp):
            both = node.left, node.right
            question = "operands through an index" if through_index else "operands"
            return self.here.found(
                question, node, lambda _: {name: None for each in both for name in self.operands(each, through_index)}
            )
        if isinstance(node, ast.UnaryOp):
            return self.operands(node.operand, through_index)
        if through_index and isinstance(node, ast.Subscript):
            return self.operands(node.value, through_index)
        return {node.id: None} if isinstance(node, ast.Name) else {}

    def is_given(self, node: ast.expr) -> bool:
        """Whether an operand is a parameter that may be a tensor, or an expression of one."""
        return any(name in self.given for name, _ in self.given_in(node))

    def is_list(self, node: ast.expr) -> bool:
        """Whether an expression gives a list of tensors."""
        if isinstance(node, ast.Name):
            return self.here.get(node.id) == LIST or (
                self.here.get(node.id, GIVEN) in (GIVEN, COLLECTION) and node.id in self.lists
            )
        if isinstance(node, ast.List | ast.Tuple):
            return any(self.is_tensor(each) for each in node.elts)
        if isinstance(node, ast.ListComp):
            return self.is_tensor(node.elt)
        if isinstance(node, ast.Subscript):
            return isinstance(node.slice, ast.Slice) and self.is_list(node.value)
        if isinstance(node, ast.Attribute):
            return node.attr in OPERATION_LISTS and dotted(node.value) == OPERATION and not self.library
        if not isinstance(node, ast.Call):
            return False
        text = dotted(node.func)
        return self._gives_list(node.func) or text in self.listers or (text in self.listing and text not in self.bound)

    def _gives_list(self, function: ast.expr) -> bool:
        """Whether a function gives a list of tensors, judged by its name, unless it says that it gives one array. Of
        arrays those of their modules do: texts have a ``split``, too."""
        text = self.outer(function)
        if text.rpartition(".")[2] not in LISTS or text in self.annotated:
            return False
        return not (self.library and "." in text) or arrays.gives_array(text, self.imports)

    def has_tensor(self, node: ast.List | ast.Tuple) -> bool:
        """Whether a list has a tensor in it, or in a list in it: ``[[before, 0], [0, 1]]``."""
        inner = (each for each in node.elts if isinstance(each, ast.List | ast.Tuple))
        return self.is_list(node) or any(map(self.has_tensor, inner))

    def _is_all_tensors(self, node: ast.expr) -> bool:
        """Whether an expression gives a list of tensors and of nothing else."""
        if isinstance(node, ast.List | ast.Tuple):
            return bool(node.elts) and all(map(self.is_tensor, node.elts))
        return self.is_list(node) and not (isinstance(node, ast.Name) and node.id in self.mixed)

    def is_tensor(self, node: ast.AST) -> bool:
        """Whether an expression gives a tensor, as far as one can tell."""
        if isinstance(node, ast.BinOp):
            return self.here.found("tensor", node, self._gives_tensor)
        return self._gives_tensor(node)

    def _gives_tensor(self, node: ast.AST) -> bool:
        if isinstance(node, ast.expr) and self.plain.is_plain(node):
            return False
        if isinstance(node, ast.Name):
            if self._is_elsewhere(node.id):
                return self.here[node.id] in (ONE, MIXED)
            return node.id in (self.used if node.id in self.here else self.tensors)
        if isinstance(node, ast.Attribute):
            own = node.attr in self.attributes and dotted(node.value) == "self"
            return own or (node.attr in TENSOR_PARTS and not self.library) or self._is_part(node)
        if isinstance(node, ast.Call):
            if (
                isinstance(node.func, ast.Attribute)
                and node.func.attr not in arrays.FACTS
                and self._has_members(node.func)
            ):
                return True
            if dotted(node.func) == ABSOLUTE:
                return any(map(self.is_tensor, node.args))
            return not self._gives_list(node.func) and (self.is_op_function(node.func) or self._is_layer(node))
        if isinstance(node, ast.Subscript):
            member = not isinstance(node.slice, ast.Slice) and self.is_list(node.value)
            return member or self.is_tensor(node.value)
        if isinstance(node, ast.IfExp):
            return self.is_tensor(node.body) or self.is_tensor(node.orelse)
        if isinstance(node, ast.Compare) and not all(self.compared(each) for each in node.ops):
            return False
        if isinstance(node, ast.BinOp) and self._is_listed(node.left):
            return False
        operator = isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare)
        return operator and any(map(self.is_tensor, children(node)))

    def is_perhaps(self, nodes: Iterable[ast.expr]) -> bool:
        """Whether all operands that count as tensors may be values of Python as well."""
        return all(map(self._is_mixed, filter(self.is_tensor, nodes)))

    def _is_mixed(self, node: ast.expr) -> bool:
        """Whether what counts as a tensor is one on some ways, and a value of Python on others."""
        match node:
            case ast.Name(id=name):
                return name in self.perhaps or self.here.get(name) == MIXED
            case ast.Call(func=ast.Name(id=called), args=[value]) if called == ABSOLUTE and not self.library:
                return self._is_mixed(value)
            case ast.IfExp(body=body, orelse=orelse) if not self.library:
                return self.plain.is_plain(body) or self.plain.is_plain(orelse) or self.is_perhaps([body, orelse])
            case ast.Subscript(value=value) if not self.library:
                return self.is_tensor(value) and self._is_mixed(value)
            case ast.BinOp() | ast.UnaryOp() | ast.Compare() if not self.library:
                return self._is_mixed_operator(node)
        return False

    def _is_mixed_operator(self, node: ast.expr) -> bool:
        """Of an operator, the innermost of those to its left first: Python does not go as deep as a sum of hundreds."""
        chain = [node]
        while isinstance(chain[-1], ast.BinOp) and isinstance(chain[-1].left, ast.BinOp):
            chain.append(chain[-1].left)
        for each in reversed(chain):
            found = self.here.found("mixed", each, lambda here: self.is_perhaps(self._operands_of(here)))
        return found

    @staticmethod
    def _operands_of(node: ast.expr) -> list[ast.expr]:
        return [each for each in children(node) if isinstance(each, ast.expr)]

    def _is_elsewhere(self, name: str) -> bool:
        """Whether a name is known to be something where one reads now that it is not assigned everywhere."""
        return self.here.get(name, GIVEN) != GIVEN

    def kind(self, node: ast.expr) -> str:
        """ONE tensor, a LIST of them, or the kind of a value of Python; "" for nobody knows."""
        if self.is_tensor(node) and isinstance(node, ast.expr) and not self.plain.is_plain(node):
            return MIXED if not self.library and self._is_mixed(node) else ONE
        return self.plain.kind(node) or (LIST if self.is_list(node) else "")

    def _is_listed(self, node: ast.expr) -> bool:
        """Whether an expression is a list that is made member by member: ``+`` puts another one behind it."""
        if isinstance(node, ast.BinOp):
            return self.here.found("listed", node, lambda _: self._is_listed(node.left))
        named = isinstance(node, ast.Name) and node.id in self.listed and self.here.get(node.id) != ONE
        return named or isinstance(node, ast.ListComp)

    def _is_layer(self, node: ast.Call) -> bool:
        """``self.dense(x)`` in a file of users: what one's own layers and methods make of a tensor is one."""
        own = self.users and dotted(node.func).startswith("self.")
        return own and any(self.is_tensor(each) or self.is_given(each) for each in node.args)

    def compared(self, operator: ast.cmpop) -> str:
        """The special method of a comparison that gives a tensor, "" for one that gives a truth value."""
        own = arrays.COMPARED.get(type(operator), "") if self.library else ""
        return own or COMPARED.get(type(operator), "")

    def comparisons(self, node: ast.Compare) -> list[str]:
        """The special methods that the operators of a comparison run, "" for one that gives a truth value."""
        operands = [node.left, *node.comparators]
        names = map(self.compared, node.ops)
        return [
            REFLECTED.get(name, name) if self.plain.is_plain(left) else name
            for name, left in zip(names, operands, strict=False)
        ]

    def _has_members(self, function: ast.Attribute) -> bool:
        return self.library and self.is_tensor(function.value)

    def _is_part(self, node: ast.Attribute) -> bool:
        return node.attr in arrays.PARTS and self._has_members(node)

    def method(self, node: ast.Attribute) -> str:
        """What an attribute is of arrays: ``sum`` of ``x.sum``, ``at.set`` of ``x.at[i].set``; "" for no array's."""
        if not self._has_members(node):
            return ""
        changed = node.value.value if isinstance(node.value, ast.Subscript) else None
        return f"at.{node.attr}" if isinstance(changed, ast.Attribute) and changed.attr == "at" else node.attr
