"""Random Starlark programs, most of them right: each line prints the ``repr`` of something.

An expression is made for a type, so that most programs run; now and then one of another type is put in its place, and
both interpreters must refuse it. Integers and texts stay small: how large they may become is a limit of each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

TYPES = ("int", "float", "str", "bool", "list", "tuple", "dict", "none")
DEPTH = 4
WRONG = 0.01
"""How often an expression is of another type than the one that is wanted."""
_INTEGERS = ("0", "1", "2", "3", "-1", "7", "-7", "10", "255", "0x1f", "0o17", "2147483647", "9223372036854775808")
_FLOATS = ("0.0", "1.0", "-2.5", "1e10", "3.14159", "1e-7", "123456789.125", "1e300", "-0.0")
_TEXTS = (
    '""',
    '"a"',
    '"ab"',
    '"a,b,,c"',
    '"  x y "',
    '"Hello World"',
    '"%s"',
    '"{}"',
    '"1"',
    '"-12"',
    '"a\\nb\\n"',
    "'\"'",
)
_COMPARED = ("==", "!=", "<", "<=", ">", ">=")


@dataclass(slots=True)
class Program:
    """Writes one program."""

    random: Random
    names: dict[str, str] = field(default_factory=dict)
    """Variables in scope, with their types."""
    lines: list[str] = field(default_factory=list)
    _count: int = 0

    def text(self) -> str:
        """The program: a function whose body prints, and a call of it."""
        self._function("f")
        return "\n".join(self.lines) + "\n"

    def _function(self, name: str) -> None:
        kinds = [self.random.choice(TYPES) for _ in range(self.random.randrange(3))]
        given = [self.expression(kind, 2) for kind in kinds]
        parameters = [f"p{index}" for index in range(len(kinds))]
        self.names = dict(zip(parameters, kinds, strict=True))
        self.lines.append(f"def {name}({self._parameters(parameters)}):")
        self._block(1, self.random.randrange(2, 7))
        self.lines.append(f"    return {self.expression('list', 2)}")
        self.names = {}
        self.lines.append(f"print(repr({name}({', '.join(self._arguments(parameters, given))})))")

    def _parameters(self, parameters: Sequence[str]) -> str:
        written = list(parameters)
        if written and self.random.random() < 0.3:
            written[-1] += f" = {self.expression(self.names[parameters[-1]], DEPTH)}"
        if self.random.random() < 0.2:
            written += ["*args"] if self.random.random() < 0.5 else ["*args", "**kwargs"]
        return ", ".join(written)

    def _arguments(self, parameters: Sequence[str], given: Sequence[str]) -> list[str]:
        named = self.random.randrange(len(given) + 1)
        return [
            value if index < named else f"{name} = {value}"
            for index, (name, value) in enumerate(zip(parameters, given, strict=True))
        ]

    def _block(self, depth: int, count: int) -> None:
        for _ in range(count):
            self.random.choice(_STATEMENTS)(self, depth)

    def _line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def _variable(self, kind: str) -> str:
        self._count += 1
        name = f"v{self._count}"
        self.names[name] = kind
        return name

    # ------------------------------------------------------------------------------------------ statements

    def show(self, depth: int) -> None:
        """``print(repr(...))``"""
        self._line(depth, f"print(repr({self.expression(self.random.choice(TYPES), 0)}))")

    def assign(self, depth: int) -> None:
        """``v = ...``"""
        kind = self.random.choice(TYPES)
        value = self.expression(kind, 1)
        self._line(depth, f"{self._variable(kind)} = {value}")

    def unpack(self, depth: int) -> None:
        """``v, w = ...``"""
        kinds = [self.random.choice(TYPES) for _ in range(self.random.randrange(1, 4))]
        values = ", ".join(self.expression(kind, 2) for kind in kinds)
        names = [self._variable(kind) for kind in kinds]
        self._line(depth, f"{', '.join(names)}{',' if len(names) == 1 else ''} = ({values},)")

    def augment(self, depth: int) -> None:
        """``v += ...``"""
        own = {name: kind for name, kind in self.names.items() if kind in ("int", "str", "list", "float")}
        if own:
            name = self.random.choice(sorted(own))
            self._line(depth, f"{name} += {self.expression(own[name], 2)}")

    def mutate(self, depth: int) -> None:
        """Change a list or a dictionary."""
        own = sorted(name for name, kind in self.names.items() if kind in ("list", "dict"))
        if own:
            name = self.random.choice(own)
            form = self.random.choice(_MUTATIONS[self.names[name]])
            self._line(depth, form.replace("NAME", name).format_map(_Filler(self, 2)))

    def branch(self, depth: int) -> None:
        """``if ...: ... else: ...``"""
        self._line(depth, f"if {self.expression(self.random.choice(TYPES), 2)}:")
        known = dict(self.names)
        self._nested(depth)
        if self.random.random() < 0.5:
            self._line(depth, "else:")
            self._nested(depth)
        self.names = known

    def loop(self, depth: int) -> None:
        """``for v in ...: ...``"""
        known = dict(self.names)
        values = self.expression("list", 2)
        self._line(depth, f"for {self._variable('int')} in {values}:")
        self._nested(depth)
        if self.random.random() < 0.3:
            self._line(depth + 1, self.random.choice(("break", "continue", "pass")))
        self.names = known

    def _nested(self, depth: int) -> None:
        if depth > 2:
            self.show(depth + 1)
        else:
            self._line(depth + 1, "pass")
            self._block(depth + 1, self.random.randrange(1, 3))

    # ----------------------------------------------------------------------------------------- expressions

    def expression(self, kind: str, depth: int) -> str:
        """An expression of a type, most of the time."""
        if self.random.random() < WRONG:
            kind = self.random.choice(TYPES)
        own = [name for name, other in self.names.items() if other == kind]
        if own and self.random.random() < 0.35:
            return self.random.choice(own)
        if depth >= DEPTH or self.random.random() < 0.2:
            return self._leaf(kind)
        form = self.random.choice(_FORMS[kind])
        return form.format_map(_Filler(self, depth + 1))

    def _leaf(self, kind: str) -> str:
        return self.random.choice(_LEAVES[kind])


class _Filler(dict[str, str]):
    """What stands for ``{int}``, ``{str2}``, ``{compare}`` in a form: a new expression each time."""

    def __init__(self, program: Program, depth: int) -> None:
        super().__init__()
        self._program, self._depth = program, depth

    def __getitem__(self, name: str) -> str:
        kind = name.rstrip("0123456789")
        random = self._program.random
        if kind == "compare":
            return random.choice(_COMPARED)
        if kind == "any":
            kind = random.choice(TYPES)
        if kind == "small":
            return str(random.randrange(-4, 5))
        if kind == "key":
            kind = random.choice(("int", "str", "bool", "none", "tuple"))
        return self._program.expression(kind, self._depth)


_STATEMENTS: Sequence[Callable[[Program, int], None]] = (
    *(Program.show, Program.show, Program.show, Program.assign, Program.assign, Program.unpack, Program.augment),
    *(Program.mutate, Program.branch, Program.loop),
)
_LEAVES: Mapping[str, Sequence[str]] = {
    "int": _INTEGERS,
    "float": _FLOATS,
    "str": _TEXTS,
    "bool": ("True", "False"),
    "list": ("[]", "[1, 2, 3]", '["b", "a"]', "list(range(5))", "[[], [1]]"),
    "tuple": ("()", "(1,)", '(1, "a")', "(None, (2, 3))"),
    "dict": ("{}", '{"a": 1, "b": 2}', "{1: [], (1, 2): None}"),
    "none": ("None",),
}
_ANY = ("({any} if {any2} else {any3})", "({any} or {any2})", "({any} and {any2})", "[{any}, {any2}][{small}]")
# strip("") does nothing in Bazel and cuts white space in Go: it is not asked for.
_FORMS: Mapping[str, Sequence[str]] = {
    "int": (
        *("({int} + {int2})", "({int} - {int2})", "({int} * {small})", "({int} // {int2})", "({int} % {int2})"),
        *(
            "-{int}",
            "~{int}",
            "({int} & {int2})",
            "({int} | {int2})",
            "({int} ^ {int2})",
            "({int} >> 3)",
            "({int} << 4)",
        ),
        *("len({str})", "len({list})", "len({dict})", "int({str})", "int({float})", "int({bool})", 'int("7f", 16)'),
        *("{str}.find({str2})", "{str}.rfind({str2}, {small})", "{str}.count({str2})", "{str}.index({str2})"),
        *(
            "{list}[{small}]",
            "{list}.index({int})",
            "abs({int})",
            "min({int}, {int2})",
            "max({list})",
            "{tuple}[{small}]",
        ),
        *(
            "(lambda x, y = 2: x * y)({int})",
            "{list}.pop()",
            "({int} if {bool} else {int2})",
            "{dict}.get({key}, {int})",
        ),
    ),
    "float": (
        *(
            "({float} + {float2})",
            "({float} * {int})",
            "({int} / {int2})",
            "({float} // {float2})",
            "({float} % {float2})",
        ),
        *("float({int})", "float({str})", "-{float}", "({float} - {int})", "abs({float})", "float({bool})"),
    ),
    "str": (
        *("({str} + {str2})", "({str} * {small})", "str({any})", "repr({any})", "type({any})", "{str}[{small}]"),
        *("{str}[{small}:{small2}]", "{str}[::{small}]", "{str}[{small}:]", "{str}.upper()", "{str}.lower()"),
        *(
            "{str}.title()",
            "{str}.capitalize()",
            "{str}.strip()",
            "{str}.lstrip({str2} or 'x')",
            "{str}.rstrip({str2} or 'x')",
        ),
        *("{str}.replace({str2}, {str3})", "{str}.replace({str2}, {str3}, {small})", "{str}.removeprefix({str2})"),
        *(
            '",".join([str(x) for x in {list}])',
            '"%s-%r" % ({any}, {any2})',
            '"%d" % {int}',
            '"%s" % {any}',
            '"%%%x" % {int}',
        ),
        *('"{{}} {{}}".format({any}, {any2})', '"{{0}}{{1}}{{0}}".format({any}, {any2})'),
        *("{str}.removesuffix({str2})", "{str}.join([{str2}, {str3}])", '"%g %e %f" % ({float}, {float2}, {float3})'),
    ),
    "bool": (
        *("({int} {compare} {int2})", "({str} {compare} {str2})", "({list} {compare} {list2})", "({any} == {any2})"),
        *(
            "({float} {compare} {int})",
            "({tuple} {compare} {tuple2})",
            "not {any}",
            "({str} in {str2})",
            "({any} in {list})",
        ),
        *(
            "({key} in {dict})",
            "({key} not in {dict})",
            "bool({any})",
            "any({list})",
            "all({list})",
            "{str}.startswith({str2})",
        ),
        *("{str}.endswith({str2})", "{str}.isdigit()", "{str}.isalpha()", "{str}.isalnum()", "{str}.isspace()"),
        *(
            "{str}.isupper()",
            "{str}.islower()",
            "{str}.istitle()",
            "hasattr({any}, {str})",
            "{str}.startswith(({str2}, {str3}))",
        ),
    ),
    "list": (
        *(
            "[{any}, {any2}]",
            "({list} + {list2})",
            "({list} * {small})",
            "{list}[{small}:{small2}]",
            "{list}[::{small}]",
        ),
        *(
            "sorted({list})",
            "sorted({list}, reverse = {bool})",
            "sorted([{str}, {str2}, {str3}], key = len)",
            "reversed({list})",
        ),
        *("[x for x in {list} if x]", "[(x, y) for x in {list} for y in {tuple}]", "list({any})", "list({dict})"),
        *("{str}.split({str2})", "{str}.rsplit({str2}, {small})", "{str}.splitlines()", "{str}.splitlines(True)"),
        *(
            "{dict}.keys()",
            "{dict}.values()",
            "{dict}.items()",
            "enumerate({list})",
            "zip({list}, {tuple})",
            "zip({list})",
        ),
        *("list(range({small}, {small2}))", "list({str}.elems())", "[x + 1 for x in range(4)]"),
        *("enumerate({list}, {small})", "[i for i, x in enumerate({list}) if x == {any}]"),
    ),
    "tuple": (
        *(
            "({any},)",
            "({any}, {any2})",
            "({tuple} + {tuple2})",
            "({tuple} * {small})",
            "tuple({list})",
            "{tuple}[{small}:]",
        ),
        *("{str}.partition({str2})", "{str}.rpartition({str2})", "tuple({str}.elems())"),
    ),
    "dict": (
        *(
            "{{{key}: {any}}}",
            "{{{key}: {any}, {key2}: {any2}}}",
            "dict(a = {any}, b = {any2})",
            "dict({dict}, c = {any})",
        ),
        *("dict([({key}, {any}), ({key2}, {any2})])", "{{x: {any} for x in {list}}}", "({dict} | {dict2})"),
        *("{{k: v for k, v in {dict}.items() if v}}",),
    ),
    "none": ("{list}.append({any})", "{dict}.update({dict2})", "{dict}.get({key})", *_ANY),
}
_MUTATIONS: Mapping[str, Sequence[str]] = {
    "list": (
        *(
            "NAME.append({any})",
            "NAME.extend({list})",
            "NAME.insert({small}, {any})",
            "NAME.remove({any})",
            "NAME.clear()",
        ),
        *("NAME[{small}] = {any}", "NAME.pop({small})", "NAME.pop()"),
    ),
    "dict": (
        *("NAME[{key}] = {any}", "NAME.pop({key}, {any})", "NAME.setdefault({key}, {any})", "NAME.update({dict})"),
        *("NAME.popitem()", "NAME.clear()", "NAME.pop({key})"),
    ),
}


def program(seed: int, number: int) -> str:
    """The program of that number: the same on every machine."""
    return Program(Random(f"{seed} starlark {number}")).text()
