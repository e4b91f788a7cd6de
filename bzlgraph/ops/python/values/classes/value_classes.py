"""Of which classes a value of a file that works with arrays may be: surely an array, numbers and no text.

A text says which classes, one letter each: None ("n"), a number or a truth value ("i"), a text ("t"), an array or a
collection of such ("a"), a collection of numbers ("c"), anything else ("o"). ":x" is what the parameter x is, ":x/ia"
that and an array or a number, "*f<:x|i" what f gives for these: as it says itself, or numbers for numbers where f
keeps them (``keeping``); "-" before that is a member of it, "," a collection of such. Several on different ways stand
side by side ("i;:x"). ":more[]" is what a member of ``*more`` is.

>>> of = lambda text, **here: class_of(ast.parse(text, mode="eval").body, lambda name: here.get(name, ""), lambda _: 0)
>>> of("(0, -1)"), of("(x, 'y')"), of("f(x, 2, 'for you')", x=":x"), of("1 if x else f(g(x))", x=":x"), of("x.shape")
('c', 'cao', '*f<:x|i', 'i;*f+g<:x', ',i')
>>> of("-np.inf")
'i'
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

from bzlgraph.ops.python.summary import EITHER, FALSE, FALSEHOOD, NOTHING, OR, PLAIN, TEXT, TRUE, TRULY
from bzlgraph.ops.python.values.arrays import ANNOTATIONS
from bzlgraph.ops.python.values.classes.guards import guarded, opened
from bzlgraph.python_source.syntax import dotted, last_name, loop_members

CLASS = "class "
"""Before the name of a parameter, or its position: of which classes what is given for it is; before such a text: that
it is of one of some."""
NONE, NUMBER, TEXTS, ARRAY, NUMBERS, OTHER = "nitaco"
ANY = "acinot"
WITH_TEXTS = TEXTS + ARRAY + OTHER
"""Classes of what may hold a text, or is one."""
NO_TEXTS = frozenset([NONE, NUMBER, NUMBERS])
PARAMETER, CALLED, GIVEN, AND, ONLY, PART, EACH = ":", "*", "<", "+", "/", "-", ","
BACK = "~"
"""What a function is that gives back the one value which it is given, or what that says is an array of it."""
PROTOCOL = "__jax_array__"
"""The method of what is no array, and gives one."""
METHOD = f"{CALLED}{PROTOCOL}<"
"""The classes of that method: this, and those of what it is a method of."""
INSTEAD = "^"
"""Before what has that method: an array where it may be anything else than an array or a number."""
KEEPS = TEXT
"""Before the functions on which it depends that a function keeps numbers."""
MAX_WAYS = 4
MAX_DEPTH = 6
Apart = tuple[tuple[int, ...], tuple[str, ...]]
"""The positions of parameters that decide whether a function gives the same twice, and functions that must keep numbers
for that (``keeping``)."""
Named = Callable[[str], str]
"""The classes of a name that the function binds, "" for any other name."""
_COLLECTION = NUMBERS + ARRAY + OTHER
_OF_CLASS: Mapping[str, str] = {
    **dict.fromkeys("int float bool complex generic number integer floating bool_ SupportsIndex".split(), NUMBER),
    **dict.fromkeys("tuple list set frozenset Sequence Iterable".split(), _COLLECTION),
    "str": TEXTS,
}
GIVES: Mapping[str, str] = {
    **dict.fromkeys("int len float bool ord hash isinstance hasattr ndim size index".split(), NUMBER),
    **dict.fromkeys(["range", "shape"], f"{EACH}{NUMBER}"),
    **dict.fromkeys(["str", "repr", "chr"], TEXTS),
}
FACTS: Mapping[str, str] = {
    "shape": f"{EACH}{NUMBER}",
    **dict.fromkeys("ndim size itemsize inf nan pi euler_gamma".split(), NUMBER),
}
_LIMITS = frozenset(["finfo", "iinfo"])
"""Functions that give what a dtype may hold, each part of which is a number."""
GATHERING = frozenset("tuple list sorted set frozenset reversed".split())


def class_of(node: ast.expr, named: Named, is_array: Callable[[ast.expr], object]) -> str:
    """The classes of an expression. ``is_array``: whether it is one, as far as one can tell."""
    match node:
        case ast.Constant(value=value):
            return NONE if value is None else TEXTS if isinstance(value, str) else NUMBER if is_number(value) else OTHER
        case ast.JoinedStr():
            return TEXTS
        case ast.Name(id=name):
            return named(name) or ANY
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return _gathered([class_of(each, named, is_array) for each in parts])
        case ast.ListComp(elt=part, generators=through) | ast.GeneratorExp(elt=part, generators=through):
            of_members = {
                target.id: member_of(class_of(value, named, is_array))
                for each in through
                for target, value in loop_members(each.target, each.iter)
                if isinstance(target, ast.Name)
            }
            return _gathered([class_of(part, lambda name: of_members.get(name) or named(name), is_array)])
        case ast.IfExp(body=body, orelse=orelse):
            return either([class_of(each, named, is_array) for each in (body, orelse)])
        case ast.BoolOp(values=parts):
            return either(_of_choice(node, [class_of(each, named, is_array) for each in parts]))
        case ast.UnaryOp(op=ast.Not()):
            return NUMBER
        case ast.BinOp() | ast.UnaryOp() | ast.Compare():
            return ARRAY if is_array(node) else _of_operator(node, named, is_array)
        case ast.Attribute(value=value, attr=attr):
            limits = attr not in FACTS and _is_limits(class_of(value, named, lambda _: False))
            return NUMBER if limits else FACTS.get(attr, ARRAY if is_array(node) else ANY)
        case ast.Subscript(value=value):
            inside = class_of(value, named, is_array)
            if inside.startswith(EACH) and EITHER not in inside:
                return inside if isinstance(node.slice, ast.Slice) else inside[1:]
            return ARRAY if inside == ARRAY else NUMBER + NUMBERS if inside == NUMBERS else ANY
        case ast.Call():
            return _of_call(node, named, is_array)
    return ANY


def _of_choice(node: ast.BoolOp, texts: list[str]) -> list[str]:
    """What each part gives: of ``x or y`` x where that is true."""
    match node:
        case ast.BoolOp(op=ast.Or(), values=[ast.Name(id=name), _]):
            return guarded(texts, [[TRULY + name], [FALSE + name]])
    return texts


def unknown(_node: ast.expr) -> str:
    """That nobody knows the classes."""
    return ANY


def members(value: ast.expr, count: int, named: Named, is_array: Callable[[ast.expr], object]) -> list[str]:
    """The classes of the members of a value that is unpacked."""
    if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == count:
        return [class_of(each, named, is_array) for each in value.elts]
    found = class_of(value, named, is_array)
    return [member_of(found)] * count


def member_of(found: str) -> str:
    """What a member is of what is of some classes.

    >>> member_of("{!x},i;,*f<:x;c"), member_of(":x"), member_of(",i;acinot")
    ('{!x}i;*f<:x;-c', '-:x', 'acinot')
    """
    ways = [each.rpartition("}") for each in found.split(EITHER)]
    members = [(*guard, way[1:] if way.startswith(EACH) else ANY if way == ANY else PART + way) for *guard, way in ways]
    return either(["".join(each) if each[-1] != ANY else ANY for each in members])


def either(texts: Sequence[str]) -> str:
    """One of several."""
    ways = dict.fromkeys(each for one in texts for each in one.split(EITHER))
    return ANY if ANY in ways or len(ways) > MAX_WAYS else EITHER.join(ways)


def says(annotation: ast.expr | None) -> str:
    """What the annotation of a result says, "" for nothing.

    >>> texts = "Array", "ArrayLike | None", "tuple[Array, ...]", "list[int]", "Array | tuple[Array, int]", "Sharding"
    >>> [says(ast.parse(each, mode="eval").body) for each in texts]
    ['a', 'ian', 'a', 'c', '', '']
    """
    match annotation:
        case ast.Constant(value=None):
            return NONE
        case ast.Name() | ast.Attribute():
            last = last_name(annotation)
            return ARRAY if last == "Array" else NUMBER + ARRAY if last in ANNOTATIONS else _SAID.get(last, "")
        case ast.BinOp(left=left, right=right):
            both = says(left), says(right)
            return "".join(dict.fromkeys("".join(both))) if all(both) else ""
        case ast.Subscript(value=value, slice=inside) if last_name(value) in _HOLDING:
            parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            held = {says(each) for each in parts if not (isinstance(each, ast.Constant) and each.value is ...)}
            return ARRAY if held == {ARRAY} else NUMBERS if held and held <= NO_TEXTS else ""
    return ""


_HOLDING = frozenset(["tuple", "list", "Tuple", "List", "Sequence"])
_NUMBERS = ["int", "float", "bool", "complex", "DimSize"]
_SAID: Mapping[str, str] = {**dict.fromkeys(_NUMBERS, NUMBER), "str": TEXTS, "DType": OTHER}


def needed(test: ast.expr, of: Callable[[ast.expr], str]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """What ``isinstance`` of a name, or of any member, needs to hold, and not to; None for any other test, and for
    classes of which one cannot tell.

    >>> test = ast.parse("any(isinstance(d, Tracer) for d in x.shape)", mode="eval").body
    >>> needed(test, lambda node: class_of(node, str, bool))
    (('class i=ao',), ())
    """
    match test:
        case ast.Call(
            func=ast.Name(id="any"),
            args=[
                ast.GeneratorExp(
                    elt=ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=asked), _]) as inside,
                    generators=[ast.comprehension(target=ast.Name(id=member), iter=through, ifs=[])],
                )
            ],
        ) if asked == member:
            return needed(inside, lambda _node: member_of(of(through)))
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name() as node, classes]):
            kinds = [of_one_class(each) for each in (classes.elts if isinstance(classes, ast.Tuple) else [classes])]
            text = of(node)
            wanted = "".join(dict.fromkeys("".join(kinds)))
            return ((f"{CLASS}{text}{TEXT}{wanted}",), ()) if all(kinds) and text != ANY else None
        case ast.Compare(left=ast.Call(func=ast.Name(id="type"), args=[node]), ops=[ast.Is()], comparators=[kind]):
            text, wanted = of(node), of_one_class(kind)
            return ((f"{CLASS}{text}{TEXT}{wanted}",), ()) if wanted and text != ANY else None
    return None


def ranked(asked: ast.expr, of: Callable[[ast.expr], str]) -> tuple[str, ...]:
    """What must be so where ``ndim(x)`` is not 0: x is no number."""
    text = of(asked.args[0]) if isinstance(asked, ast.Call) else ANY
    return (f"{CLASS}{text}{TEXT}{WITH_TEXTS}{NUMBERS}",) if text != ANY else ()


def of_one_class(node: ast.expr) -> str:
    """The letters of what may be of a class, "" for nobody knows: a name that is no class may stand for several."""
    last = last_name(node)
    if last in _OF_CLASS or not last[:1].isupper():
        return ARRAY + OTHER if last == "ndarray" else _OF_CLASS.get(last, "")
    return ARRAY + OTHER if "Array" in last or "Tracer" in last else OTHER


def may_be(need: str, given: Mapping[str, frozenset[str]], says_of: Callable[[str], str]) -> bool:
    """Whether something may be of one of the classes that are needed of it."""
    text, _, wanted = need.removeprefix(CLASS).rpartition(TEXT)
    return not set(outcome(text, given, says_of)).isdisjoint(wanted)


def outcome(text: str, given: Mapping[str, frozenset[str]], says_of: Callable[[str], str]) -> str:
    """The letters of what something may be, with what is given. ``says_of``: what a function says of what it gives."""
    return "".join(sorted({letter for each in opened(text, given) for letter in _letters(each, given, says_of)}))


def of_default(default: str) -> str:
    """What a parameter is that nobody gives."""
    number = default in (TRUE, FALSEHOOD) or default.startswith(TEXT + PLAIN)
    return NONE if default == NOTHING else NUMBER if number else ANY


def _letters(way: str, given: Mapping[str, frozenset[str]], says_of: Callable[[str], str]) -> str:
    if way.startswith(PART):
        inside = _letters(way[1:], given, says_of)
        return "".join({NUMBERS: NUMBERS + NUMBER, OTHER: ANY}.get(each, each) for each in inside)
    if way.startswith(EACH):
        return _gathered([_letters(way[1:], given, says_of)])
    if way.startswith(INSTEAD):
        return ARRAY if OTHER in _letters(way[1:], given, says_of) else ""
    if way.startswith(PARAMETER):
        name, only, letters = way[1:].partition(ONLY)
        known = "".join(given.get(CLASS + name, [ANY]))
        return "".join(each for each in known if not only or each in letters)
    if not way.startswith(CALLED):
        return way
    functions, _, arguments = way[1:].partition(GIVEN)
    first = functions.partition(AND)[0]
    said = [says_of(each) for each in functions.split(AND) if each]
    if first and said[0] == BACK and len(said) == 1:
        return "".join(_letters(each, given, says_of) for each in arguments.split(OR))
    if first and said[0] not in ("", KEEPS, BACK):
        return said[0]
    letters = "".join(_letters(each, given, says_of) for each in arguments.split(OR) if each)
    kept = all(each in (KEEPS, BACK) or (each and set(each) <= NO_TEXTS) for each in said)
    return letters if kept and set(letters) <= NO_TEXTS else ANY


def kept_by(function: str, says_of: Callable[[str], str]) -> str:
    """What a function says of what it gives (``Function.made``), where that depends on others: that it keeps numbers,
    or nothing."""
    if not function.startswith(KEEPS):
        return function
    said = [says_of(each) for each in function[1:].split(AND) if each]
    return KEEPS if all(each in (KEEPS, BACK) or (each and set(each) <= NO_TEXTS) for each in said) else ""


def gives_back(ways: Sequence[str], parameters: Sequence[str]) -> str:
    """What a function with some parameters says that gives something of these classes: BACK, or nothing.

    >>> gives_back(["a;:x", ":x"], ["x"]), gives_back([":x", "o"], ["x"]), gives_back([":x"], ["x", "y"])
    ('~', '', '')
    """
    own = f"{PARAMETER}{parameters[0]}" if len(parameters) == 1 else ""
    given = {way for each in ways for way in each.split(EITHER)}
    return BACK if own in given and given <= {own, ARRAY, INSTEAD + own} else ""


def of_apart(call: ast.Call, decides: Apart, of: Callable[[ast.expr], str]) -> str:
    """The classes of what decides whether a function gives the same twice for a call."""
    places, functions = decides
    given = [of(call.args[at]) for at in places if at < len(call.args)]
    return _made_by(["", *functions], given) if len(given) == len(places) else ANY


def is_number(value: object) -> bool:
    return isinstance(value, bool | int | float | complex)


def is_message(node: ast.expr) -> bool:
    """Whether an argument is a text of several words: what an error says."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return any(isinstance(each, ast.Constant) and isinstance(each.value, str) and " " in each.value for each in parts)


def _written(text: str) -> str:
    """The letters of a collection, or a member, that no parameter decides."""
    decided = text.startswith((PART, EACH)) and PARAMETER not in text and CALLED not in text
    return "".join(sorted(_letters(text, {}, str))) if decided else text


def _gathered(texts: Sequence[str]) -> str:
    texts = [_written(each) for each in texts]
    held = set(texts)
    if len(held) == 1 and texts[0][:1] in (PARAMETER, CALLED) and EITHER not in texts[0]:
        return EACH + texts[0]
    return NUMBERS if all(set(each) <= NO_TEXTS for each in held) else ARRAY if held == {ARRAY} else _COLLECTION


def _of_operator(node: ast.expr, named: Named, is_array: Callable[[ast.expr], object]) -> str:
    """What an operator makes of what is no array: a number of numbers, with a number what the other operand is."""
    texts = {class_of(each, named, is_array) for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)}
    others = texts - {NUMBER}
    return NUMBER if not others else ANY if len(others) > 1 or isinstance(node, ast.Compare) else others.pop()


def _is_limits(text: str) -> bool:
    """Whether something is what ``finfo`` or ``iinfo`` gave."""
    return text.startswith(CALLED) and text[1:].partition(GIVEN)[0].rpartition(".")[2] in _LIMITS


def _of_call(node: ast.Call, named: Named, is_array: Callable[[ast.expr], object]) -> str:
    called, last = dotted(node.func), last_name(node.func)
    bound = bool(called) and bool(named(called.partition(".")[0]))
    if bound and called and named(called).startswith(METHOD):
        return _instead(named(called).removeprefix(METHOD))
    if last == PROTOCOL and isinstance(node.func, ast.Attribute):
        return _instead(class_of(node.func.value, named, is_array))
    if last == "cast" and len(node.args) == 2:
        return class_of(node.args[1], named, is_array)
    if isinstance(node.func, ast.Attribute) and (bound or not called):
        return ARRAY if is_array(node) else ANY
    if called == "getattr" and any(isinstance(each, ast.Constant) and each.value == PROTOCOL for each in node.args):
        return METHOD + class_of(node.args[0], named, is_array)
    if last in GIVES:
        return GIVES[last]
    if called == "map" and node.args and GIVES.get(last_name(node.args[0])) == NUMBER:
        return EACH + NUMBER
    given = [*node.args, *(each.value for each in node.keywords)]
    if any(isinstance(each, ast.Starred) for each in node.args) or any(each.arg is None for each in node.keywords):
        return f"{CALLED}{called}" if called and not bound else ANY
    if called in GATHERING and len(given) == 1:
        inside = class_of(given[0], named, is_array)
        return inside if inside in (NUMBERS, ARRAY) or inside.startswith(EACH) else _COLLECTION
    texts = [class_of(each, named, is_array) for each in given if not is_message(each) and not _is_function(each)]
    if not called or bound:
        return ANY
    if last.lstrip("_")[:1].isupper():
        return of_one_class(node.func) or ANY
    return _made_by([called], texts)


def _instead(text: str) -> str:
    """What the method gives that some things have which are no arrays."""
    return ARRAY if EITHER in text or text.startswith(METHOD) else INSTEAD + text


def _made_by(called: Sequence[str], given: Sequence[str]) -> str:
    """What functions make of what they are given, that made by other functions included."""
    ways = [each for one in given for each in opened(one, {})]
    inner = [each[1:].partition(GIVEN) for each in ways if each.startswith(CALLED)]
    plain = [_written(each) for each in ways if not each.startswith(CALLED)]
    functions = dict.fromkeys([*called, *(each for one, _, _ in inner for each in one.split(AND))])
    arguments = dict.fromkeys([*plain, *(each for _, _, one in inner for each in one.split(OR) if each)])
    if any(each.startswith((PART, EACH)) for each in plain) or len(functions) > MAX_WAYS:
        functions, arguments = dict.fromkeys(called), {ANY: None}
    return f"{CALLED}{AND.join(functions)}{GIVEN}{OR.join(arguments)}"


def _is_function(node: ast.expr) -> bool:
    """Whether an argument is a function that gives no texts."""
    return isinstance(node, ast.Lambda) or GIVES.get(last_name(node), TEXTS) != TEXTS
