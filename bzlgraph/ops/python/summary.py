"""What one Python file says, as plain values that can be kept on disk: imports, functions, classes, values, calls.

``Event`` is one thing that a function's body does that may matter to a call graph. Its ``kind``:

========== =====================================================================================
call       ``a.b.c(...)``: the dotted name, as written, of a module-level thing (never a local one)
name       the same without a call: the function is passed on, returned or kept
method     ``SomeClass(...).m(...)``, or through a local variable that holds such a value: ``SomeClass|m``
own        ``self.m(...)`` in a method: ``m``
attribute  the same without a call: a method that is passed on, or what was kept there
parameter  ``f(...)`` where f is what the caller gave: the parameters ("f|g") that it stands for
value      ``f(...)`` where f is a local name of which nothing is known: ``f``
super      ``super().m(...)``: ``m``
operator   an operator on what looks like a tensor: the name of the special method, ``__add__``
maybe      an operator on what the caller gave, of which nothing is known
mixed      an operator on what is a tensor on some ways, and a value of Python on others
literal    the string that a call of an op-making function begins with: ``Const``
packed     a list with a tensor in it, given to a function
unknown    ``a.x.m(...)`` where nothing is known of x: ``x.m``, or ``m`` when it has no name
========== =====================================================================================

``certain`` is false below an ``if``, in an ``except`` or in a lambda: the arguments decide. ``special`` stands below a
test for a special kind of tensor, sparse or ragged. ``handed`` is "given" for a call with a tensor among its arguments,
"passed" for one with what the caller gave, of which nothing is known.

``branch`` is the number, among the function's ``branches``, of the innermost that it stands in, -1 for none.
``needs`` is what must be so of the function's parameters for it to happen, ``gives`` what a call gives (``arguments``).
``on`` are the parameters ("a|b") one of which must be a tensor for "maybe" to be an operator on tensors;
of "packed" the position or the name of the argument.
``returned``: what the function returns is made of it (``result``).
``made_by`` is the function that gave what an index is of; of "name" the one that is given it, ``on`` by which name.
``sure`` are the branches around it that a call surely enters, by what it gives; no file says so.
``bodies`` are the functions inside that it stands in ("12:4"), the outermost first (``bodies``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

NOT, FALSE, TRULY = "!", "~", "&"
"""Before the name of a parameter: that it is not given or not such a value, that it is none that is surely true, that
it is true (``if x``), which False is not, though it is not None."""
START = "\u2026"
"""Behind a text that must only begin so."""
TEXT, NAME, OR = "=", "@", "|"
"""Between the name of a parameter and the texts, or the function, that it must be; between several."""
VALUE, TRUE, FALSEHOOD, NOTHING, UNSURE, SOMETHING = "", "1", "0", "!", "?", "?!"
"""What a parameter is given: some value, True, False, None, nobody knows what, anything but None."""
TENSOR, PLAIN, PYTHON, TENSORS = "^", "#", "%", "^^"
"""A tensor; a number, text or collection of Python; a value of Python, None too; a list of tensors."""
ASSUMED = "^%"
"""What users give where nothing is said: a tensor, or anything else that a test asks for."""
MEMBER = "[]"
"""Behind the name of a parameter: that it is a member of it that something is needed of."""
THROUGH = ">"
"""Behind parameters ("a|b"): before the function that gave what is meant, which it gave these first; TENSOR behind it:
that it counts as one where it is something."""
ANOTHER = "_"
"""In place of such a parameter: something that is not None, as far as one knows."""
ELSE = ":"
"""Between two parameters, or a parameter and a text ("a:=text"): the first, or the second where the first is None."""
MADE_OF = "+"
"""Before parameters of the caller: what operators make of them, a tensor where one of them is."""
EITHER = ";"
"""Between what is given on several ways: ``f(x if where else y)``."""
COUNT = "len "
"""Before the name of a parameter, or its position: how many members the list has that is written for it."""
RANK = "rank "
"""Before the name of a parameter: that it is a number (#0), where it is traced, too; of ``*args`` how many of them may
be more than that."""
PARTLY = "("
"""Behind a function that is given: before the names ("a,b") of what it is already given, ``partial(f, a=x, b=y)``."""
BODY, STATE = "body ", "state "
"""Before the name of a parameter, or its position: the function inside that a call gives it ("12:4"), or the parameter
of which a graph was made; before the name of one: whether what it makes when it is called has a state."""
LOCALS = "<locals>"
"""Between a function and one inside of it: "f.<locals>.g"."""
REST = "*"
"""What a call gives when nobody knows what: ``f(*args, **more)``."""
GIVES_ANYTHING = ((REST, VALUE),)
Given = Mapping[str, frozenset[str]]
"""What is known of parameters on a walk (``walk.given``)."""
EACH, ANY_OF, WHILE = "for each", "for any", "while"
"""Loops: over what has members as a rule, over what may well have none (``xs[1:]``), and those that ask."""
REPEATING = (EACH, WHILE)
"""Kinds of branches that make nothing uncertain."""


def name_of(need: str) -> str:
    """The parameter that something is needed of (or those: "a|b")."""
    return need.lstrip(NOT + FALSE).partition(TEXT)[0].partition(NAME)[0].partition(THROUGH)[0]


class Event(NamedTuple):
    """One use of a name; see the module's table. ``inside``: the function inside that it stands in, where that is one
    which the function gives back and does not run itself."""

    kind: str
    text: str
    line: int
    certain: bool
    special: bool = False
    handed: str = ""
    needs: tuple[str, ...] = ()
    gives: tuple[tuple[str, str], ...] = ()
    made_by: str = ""
    returned: bool = False
    on: str = ""
    branch: int = -1
    inside: str = ""
    sure: tuple[int, ...] = ()
    bodies: tuple[str, ...] = ()


class Branch(NamedTuple):
    """What must be so for what stands in a branch to happen, as it is written: ``kind`` and ``text`` together say it.

    "if" a test, which is "not (...)" where it must fail, "for each" member of what a loop goes through, "for any"
    one of what may well have none, "while" a test, "on" an error, "unless" something ended the function before, "when"
    a function inside is called. ``within`` is the number of the branch around it, -1 for none. ``against``: the ways in
    which it may not happen, by what each needs of parameters; () where nobody knows. ``ways``: those in which it may,
    where there are several.
    """

    kind: str
    text: str
    line: int
    within: int = -1
    against: tuple[tuple[str, ...], ...] = ()
    ways: tuple[tuple[str, ...], ...] = ()


class Parameter(NamedTuple):
    """Where a parameter stands (-1 when it is given by name only), what it is when nobody gives it, and what the
    function says of it itself: TENSOR, TENSORS or PYTHON, UNSURE where only others are described.
    ``converted``: the function gives it to one that makes a tensor of it. ``dtype``: that of what it is when nobody
    gives it (``tensor_types``), "" for nobody knows."""

    position: int
    default: str
    described: str = ""
    converted: bool = False
    dtype: str = ""


class Rest(NamedTuple):
    """``*args`` of a function: where it stands, and whether all that the function returns has as many members."""

    name: str = ""
    position: int = 0
    returned: bool = False


class Function(NamedTuple):
    """A function, a method (``Class.method``) or a module-level value: where, and what it does.

    ``abstract``: all it says is that a class below has to define it. ``several``: it says that it returns a list or the
    like. ``parameters``: those that something needs, or that are handed on. ``branches``: those that events stand in.
    ``none_without``: the positions of the parameters that must be None for it to give None, () where it gives a value.
    ``rest``: its ``*args``. ``dtype``: that of the array which it returns (``values.dtypes``), "" for nobody knows.
    ``made``: of which classes that is (``values.classes``). ``traced``: the parameters that are arrays, or None,
    whatever it is given (``values.classes.traced``). ``bodies``: the functions inside -> the branch of each.
    ``outcomes``: what each ``return`` needs, and gives, of a function that gives a text or the like (``outcomes``).
    ``gives_back``: the function inside that it gives back ("f.<locals>.g"), which has the parameters of both;
    ``closed`` are those of the function around it, in their order (``closures``).
    """

    line: int
    events: tuple[Event, ...]
    decorators: tuple[Event, ...] = ()
    abstract: bool = False
    several: bool = False
    parameters: dict[str, Parameter] = {}  # noqa: RUF012 (no class variable: a field, never changed)
    branches: tuple[Branch, ...] = ()
    none_without: tuple[int, ...] = ()
    rest: Rest = Rest()
    dtype: str = ""
    made: str = ""
    traced: tuple[str, ...] = ()
    bodies: dict[str, int] = {}  # noqa: RUF012
    outcomes: tuple[tuple[tuple[str, ...], str], ...] = ()
    gives_back: str = ""
    closed: tuple[str, ...] = ()

    def around(self, number: int) -> list[int]:
        """The number of a branch of it, and those of the branches around it."""
        found = []
        while number >= 0:
            found.append(number)
            number = self.branches[number].within
        return found

    def and_then(self, later: Function) -> tuple[tuple[Event, ...], tuple[Branch, ...]]:
        """The events and the branches of two together."""
        before = len(self.branches)
        events = (each._replace(branch=each.branch + before) if each.branch >= 0 else each for each in later.events)
        branches = (each._replace(within=each.within + before) if each.within >= 0 else each for each in later.branches)
        return (*self.events, *events), (*self.branches, *branches)


class Class(NamedTuple):
    """A class: where, and its bases as written."""

    line: int
    bases: tuple[str, ...]


class DecoratorCall(NamedTuple):
    """A call with literal strings that is applied to a definition: ``@tf_export("a", v1=["b"])``.

    ``function`` is the call's dotted name, ``names`` its positional strings, ``keywords`` its keyword strings.
    """

    function: str
    symbol: str
    names: tuple[str, ...]
    keywords: tuple[tuple[str, tuple[str, ...]], ...]
    line: int
    defined_at: int
    how: str

    def keyword(self, name: str) -> tuple[str, ...] | None:
        """The strings of a keyword argument, None when it is not given."""
        return dict(self.keywords).get(name)


@dataclass(frozen=True, slots=True)
class Module:
    """One file. ``imports`` maps local names to what they stand for, ``stars`` are modules imported with ``*``."""

    path: str
    problem: str = ""
    """Why the file cannot be read, "" when it can."""
    imports: dict[str, str] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    functions: dict[str, Function] = field(default_factory=dict)
    classes: dict[str, Class] = field(default_factory=dict)
    values: dict[str, Function] = field(default_factory=dict)
    decorated: list[DecoratorCall] = field(default_factory=list)
