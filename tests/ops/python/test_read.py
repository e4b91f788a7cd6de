"""Modules read from their bytes: what is defined, and what each body does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.ops.python.read import MAX_BYTES, read_module
from bzlgraph.ops.python.summary import Event, Module

ADD = ("call", "math_ops.add")


def module(text: str, **decided: bool) -> Module:
    return read_module(text.encode(), "pkg/array_ops.py", decided)


def events(body: str, parameters: str = "x, n, axis=0", **decided: bool) -> list[tuple[str, str]]:
    made = module(f"def f({parameters}):\n" + "".join(f"  {line}\n" for line in body.splitlines()), **decided)
    assert not made.problem
    return [(each.kind, each.text) for each in made.functions["f"].events]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return math_ops.add(x, 1)", [("call", "math_ops.add")]),
        ("return g(other.h)", [("call", "g"), ("name", "other.h")]),
        ("g = math_ops.add\nreturn g(x, 1)", [("call", "math_ops.add")]),
        ("g = math_ops.add\nreturn g(x, h(g))", [("name", "math_ops.add"), ("call", "math_ops.add"), ("call", "h")]),
        ("return math_ops.abs(math_ops.add(x))", [("call", "math_ops.abs"), ADD]),  # another function than Python's
        ("return abs(math_ops.add(x))", [("call", "abs"), ("operator", "__abs__"), ADD]),
        ("return n(x)", [("parameter", "n")]),
        ("raise ValueError(describe(x))", []),
        ("return isinstance(x, Big)", []),
        # What is put into a value of the module, or asked of its keys, runs nothing that the value was made with.
        ("_KEPT[math_ops.add(x)] = n", [ADD]),
        ("if x in _KEPT:\n  del lib.kept[x]", []),
        ("if _KEPT in n and _KEPT[x] not in n:\n  return -n", [("name", "_KEPT")] * 2 + [("maybe", "__neg__")]),
        ("y = math_ops.add(x)\nreturn y[0] * 2", [ADD, ("operator", "__mul__"), ("operator", "__getitem__")]),
        ("return n[0] * 2", [("maybe", "__mul__")]),  # a number, unless the caller gives tensors
        ("if x > 2:\n  return -n", [("maybe", "__neg__")]),  # what is tested is no tensor of a graph
        ("if axis == n + 2:\n  return -n", []),
        ("if isinstance(n, int) and n > 2:\n  return -n\nreturn n - 1", [("maybe", "__sub__")]),
        ("if axis == math_ops.add(x + 1):\n  return axis", [ADD, ("operator", "__add__")]),  # given to a function
        ("return [1] + n", []),  # lists
        ("return (n[0],) * n", []),
        ("return axis + 1", []),  # a number by its name
        ("return range(n)[0] + n * 2", [("call", "range")]),  # no tensor is counted up to
        ("return len(n) + n * 2", [("call", "len")]),
        ("for each in n:\n  x.add(each)\nreturn n + x.all", [("unknown", "x.add")]),
        ("n = list(n)\nreturn n + x", [("call", "list")]),
        ("n = list(x.shape)\nreturn n[0] * x.shape[1]", [("call", "list")]),
        ("names = [each for each in n]\nreturn names + [x]", []),
        ("y = math_ops.add(x)\nparts = []\nparts.append(y)\nreturn parts + [y]", [ADD, ("unknown", "parts.append")]),
        ("for i, each in enumerate(array_ops.unstack(x)):\n  lib.put(i + 1, each * 2)", [
            ("call", "enumerate"), ("call", "array_ops.unstack"), ("call", "lib.put"), ("operator", "__mul__")]),
        ("return f'{x}' + n", []),
        ("return str(x) + n", [("call", "str")]),
        ("y = math_ops.add(x)\nreturn y[0].op, y[0].dtype", [ADD, ("operator", "__getitem__")]),
        ("lib.log(not (x % n))\nif x - n:\n  lib.log(n)", [("call", "lib.log")] * 2),  # no truth value
        # Where one reads decides: the last assignment on the way, and what a test asks of a class.
        ("if lib.known(x):\n  s = x.shape\n  return s[0] * 2\ns = array_ops.shape(x)\nreturn s - 1", [
            ("call", "lib.known"), ("unknown", "x.shape"), ("call", "array_ops.shape"), ("operator", "__sub__")]),
        ("y = n % 2\nn = math_ops.add(x)\nreturn -n", [("maybe", "__mod__"), ADD, ("operator", "__neg__")]),
        ("if isinstance(n, list):\n  pass\nelif isinstance(n, int):\n  n = [n]\nelse:\n  n = list(n)\nreturn n * 2", [
            ("call", "list")]),
        ("if isinstance(n, Tensor):\n  return lib.f(n)\nreturn n * 2", [("call", "lib.f")]),
        ("while lib.go(n):\n  n = math_ops.add(n)\n  y = -n", [("call", "lib.go"), ADD, ("operator", "__neg__")]),
        # What a function inside is called with is what its parameters are.
        ("def g(k):\n  return k + 1\nreturn g(2)", []),
        ("def g(k):\n  return k + 1\nreturn g(math_ops.add(x))", [("operator", "__add__"), ADD]),
        ("def g(k):\n  return k + 1\nreturn lib.run(g)", [("operator", "__add__"), ("call", "lib.run")]),
        ("s = x.get_shape()\nreturn s[0] * 2", [("unknown", "x.get_shape")]),
        ("a, b = array_ops.unstack(x)\nreturn a - b", [("call", "array_ops.unstack"), ("operator", "__sub__")]),
        ("y = math_ops.add(x)\nreturn lib.mul([y, 1], 2)", [ADD, ("call", "lib.mul"), ("packed", "lib.mul")]),
        ("y = math_ops.add(x)\nreturn lib.pad(x, [[y, 0], [0, 1]])", [ADD, ("call", "lib.pad"), ("packed", "lib.pad")]),
        ("y = math_ops.add(x)\nreturn array_ops.concat([y, y], 0)", [ADD, ("call", "array_ops.concat")]),
        ("return x[1:, :] - 1", [("operator", "__sub__"), ("operator", "__getitem__")]),  # only arrays have that
        ("return lib.create_op('Halve', x)", [("literal", "Halve"), ("call", "lib.create_op")]),
        ("return run(lambda t: -t)", [("call", "run"), ("operator", "__neg__")]),
        ("return run(n, key=lambda t: t[0])", [("call", "run")]),  # a key to sort by
        ("v = Box(1)\nreturn v.open()", [("call", "Box"), ("method", "Box|open")]),
        ("return math_ops.mean(x - n) * 2", [  # an op is given what x - n gives: both are tensors
            ("operator", "__mul__"), ("call", "math_ops.mean"), ("operator", "__sub__")]),
        ("def g(y): return math_ops.div(y, 2)\nreturn -g(x)", [("call", "math_ops.div"), ("operator", "__neg__")]),
        ("return Box(1)(x)", [("method", "Box|__call__"), ("call", "Box")]),
        ("return Box.of(x).take(1).skip(2)", [
            ("method", "Box.of|skip"), ("method", "Box.of|take"), ("call", "Box.of")]),
        ("put = n.enqueue\nreturn put(x)", [("unknown", "n.enqueue"), ("value", "put")]),
        ("for each in n: each()", [("value", "each")]),
        ("return super().go(x)", [("super", "go")]),
        ("v = Box(1)\nreturn v(x)", [("call", "Box"), ("method", "Box|__call__")]),
    ],
)  # fmt: skip
def test_what_a_body_does(body: str, found: list[tuple[str, str]]) -> None:
    assert events(body) == found


def test_branches_make_uncertain() -> None:
    made = module("def f(x):\n  a.b(x)\n  if x:\n    a.c(x)\n  elif isinstance(x, SparseTensor):\n    a.d(x)\n")
    assert [(each.text, each.certain, each.special) for each in made.functions["f"].events] == [
        ("a.b", True, False),
        ("a.c", False, False),
        ("a.d", False, True),
    ]


def test_what_follows_an_early_return_is_uncertain() -> None:
    made = module(
        "def f(x):\n  a.b(x)\n  with s:\n    if x:\n      return a.c(x)\n  def g():\n    return 1\n  a.d(x)\n"
    )
    assert [(each.text, each.certain) for each in made.functions["f"].events] == [
        ("a.b", True),
        ("s", True),
        ("a.c", False),
        ("a.d", False),
    ]
    known = module("def f(x):\n  if eager():\n    return 1\n  a.d(x)\n", eager=False)
    assert [(each.text, each.certain) for each in known.functions["f"].events] == [("eager", True), ("a.d", True)]
    raises = module("def f(x):\n  if x:\n    raise E\n  a.d(x)\n")
    assert [each.certain for each in raises.functions["f"].events] == [True]


def test_a_test_with_a_known_answer_leaves_one_branch() -> None:
    body = "if context.eager() or broken():\n  return a.b(x)\nelse:\n  return a.c(x)"
    assert ("call", "a.b") in events(body)
    assert ("call", "a.c") in events(body)
    assert ("call", "a.c") not in events(body, eager=True)
    leaves = "if not context.eager():\n  return a.b(x)\nreturn a.c(x)"
    assert events(leaves, eager=False) == [("call", "context.eager"), ("call", "a.b")]


def test_what_a_call_is_handed_is_said() -> None:
    made = module("def f(x):\n  a.b(1)\n  a.c(x)\n  y = math_ops.add(x)\n  a.d(y[0])\n  a.e([y])\n")
    handed = {each.text: each.handed for each in made.functions["f"].events if each.kind == "call"}
    # What an op is made of is a tensor: so is x, for the calls before too.
    assert handed == {"a.b": "", "a.c": "given", "math_ops.add": "given", "a.d": "given", "a.e": "given"}
    assert [each.handed for each in module("def f(x):\n  a.b(x)\n").functions["f"].events] == ["passed"]


def test_imports_of_all_forms() -> None:
    made = module(
        "import a.b\nimport c.d as e\nfrom . import f\nfrom .g import h as i\nfrom j import *\n"
        "k = lazy.LazyLoader('k', globals(), 'l.m')\ndef n():\n  from o import p\n"
    )
    assert made.imports == {"a": "a", "e": "c.d", "f": "pkg.f", "i": "pkg.g.h", "k": "l.m", "p": "o.p"}
    assert made.stars == ["j"]


def test_decorators_and_calls_that_export() -> None:
    made = module(
        "@export('a', v1=['b'])\ndef f(): pass\nexport('c')(wrap(g))\nd = export('d')(g)\n"
        "export('e').export_constant(__name__, 'E')\n"
    )
    assert [(each.symbol, each.names, each.keyword("v1"), each.how) for each in made.decorated] == [
        ("f", ("a",), ("b",), "@"),
        ("g", ("c",), None, "called"),
        ("d", ("d",), None, "called"),
        ("E", ("e",), None, "export_constant"),
    ]


def test_attributes_of_self_keep_what_they_may_run() -> None:
    made = module(
        "class A(Base):\n  def __init__(self, x):\n    self.f = Runner(x)\n  def go(self):\n    return self.f(1)\n"
    )
    assert made.classes["A"].bases == ("Base",)
    assert [(each.kind, each.text) for each in made.values["A.f"].events] == [
        ("call", "Runner"),
        ("method", "Runner|__call__"),
    ]
    assert made.functions["A.go"].events == (
        Event("own", "f", 5, True, gives=(("0", "=#1"), ("dtype 0", "$i.")), returned=True),
    )


@pytest.mark.parametrize(
    "data", [b"def f(:\n", b"\0", b"(" * 5000, b"x = " + b"-" * 100_000 + b"1\n", b"\xff\xfe", b"#" * (MAX_BYTES + 1)]
)
def test_what_cannot_be_read_has_a_problem(data: bytes) -> None:
    made = read_module(data, "a.py")
    assert made.problem.startswith("a.py")
    assert not made.functions


def test_python_2_is_read() -> None:
    made = read_module(b"def f(x):\n  try:\n    print 'x'\n  except E, e:\n    pass\n  return a.b(x)\n", "a.py")
    assert "a.b" in [each.text for each in made.functions["f"].events]


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    read_module(text.encode("utf-8", "surrogatepass"), "a.py")


def test_a_parameter_is_what_was_given_until_it_is_assigned() -> None:
    made = module("def f(x, n=None):\n  if n is None:\n    a.b(n)\n  n = a.c(x)\n  if n is None:\n    a.d(n)\n")
    events = made.functions["f"].events
    assert [(each.text, each.needs, each.gives) for each in events if each.text != "a.c"] == [
        ("a.b", ("!n",), (("0", "n"), ("dtype 0", "$:n."))),
        ("a.d", (), (("0", "?"),)),
    ]


@pytest.mark.parametrize("member", ["t", "x * n", "math_ops.add(x)", "x[0]"])
def test_many_operators_in_one_expression_are_read(member: str) -> None:
    """Each asks those in it what they give: 200 took longer than a file may take."""
    found = events(f"t = math_ops.add(x)\nreturn {' + '.join([member] * 200)}")
    assert not {("operator", "__add__"), ("maybe", "__add__")}.isdisjoint(found)
