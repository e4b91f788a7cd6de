"""Public names -> operators, over a small tree of Python files in memory."""

import pytest

from bzlgraph.ops.pytorch.cpp.definitions import FUNCTIONS, METHODS
from bzlgraph.ops.pytorch.entries import read_entries
from bzlgraph.ops.pytorch.overloads import GivenByCalls
from bzlgraph.ops.pytorch.python.parameters import Given
from bzlgraph.ops.pytorch.python.public import PublicNames
from bzlgraph.workspace.sources.source import MemorySource

FUNCTIONAL = """\
import torch
from torch.overrides import has_override

conv = _doc(torch.conv2d, 'words')

def never(x):
    return torch.never(x)

def soft(x):
    if has_override(x):
        return 1
    x = x.relu_()
    return _helper(x)

def _helper(x):
    return torch._C._nn.gelu(x)
"""
LAYER = """\
from .. import functional as F

class Layer:
    def __init__(self):
        F.never(1)

    def forward(self, x):
        return self._inner(x)

    def _inner(self, x):
        return F.conv(x)

class Thin(Layer):
    def _check(self, x):
        F.never(x)

class Thinner(Thin):
    name = "runs what the class above both runs"

class Base:
    def _slow_forward(self, x):
        F.never(x)

class Norm(Base):
    def forward(self, x):
        return self.part(F.conv(x))

    def __init__(self):
        self.part = Layer()
        self.given = F.never(1)

class Mixin(Base):
    lazy = True

class Lazy(Mixin, Norm):
    name = "the class that both have in common comes behind both"

class Counting(Base):
    def __init__(self):
        self.register_buffer("steps", None)
        self.words = []

class CountingMore(Counting):
    def forward(self, x):
        if self.training:
            self.steps.relu_()
        self.words.neg(self.lost.neg())

class Optimizing:
    def __init__(self, values):
        self.values = values

    def step(self):
        for each in self.values:
            F.conv(each)

class Whole(Base):
    def __init__(self, act):
        self.norm, self.act = Norm(), act
        self.first = Norm()
        self.either = Layer()
        self.either = act

    def forward(self, x):
        return self.act(self.either(self.first(x)))
"""
TABLE = """\
static PyMethodDef variable_methods[] = {
  {"__sub__", cast(TypeError_to_NotImplemented_<THPVariable_sub>), METH_VARARGS, nullptr},
  {"__invert__", THPVariable_invert, METH_NOARGS, nullptr},
};
"""
NORM = """\
import torch

def shrink(input, by: int = 1):
    half = by - 2
    return -(input - input.root()) + half

def flipped(x: "Tensor", n: float):
    return (n - ~x)[0]

def named(names):
    parts = dict(names)
    return parts.values()

def valued(x: "Tensor"):
    return x.values()

def scattered(x: "Tensor", halves: int):
    shrunk = x.root()
    copied(shrunk, halves)
    return [flipped for flipped in shrunk]

def copied(a, b):
    return a

def halves(x):
    return torch.frob(x)

def shrunk(x):
    return torch.frob(x)

def either_kind(x: "Tensor", by: Union["Tensor", float]):
    if by < 0:
        by = by * x.root()
    return by

def like(x: TensorLikeType, y: "TensorLike"):
    return -x + (1 - y)

def laid(tree: Spec, x: "Optional[Tensor]"):
    return tree.view(1), x.cut(2)

def _make(impl, meta):
    torch.frob(meta)
    return impl

def _shape(x):
    return x.view(1)

made = _make(impl=torch.neg, meta=_shape)

def chained(x: "Tensor"):
    return x.root().values()

aten = torch.ops.aten

def operated(x):
    return aten.gelu.default(aten.frob(x))

def norm(input, p=2):
    return torch.frob(input) if p else input.view(-1).root()

def root(x):
    from torch.nn.functional import _helper as gelu
    if has_torch_function_unary(x):
        return torch.neg(x)
    if not torch.jit.is_scripting():
        torch.add(x, x)
    for each in x:
        torch.conv2d(each)
    gelu(x)
    if x:
        return torch.never(x) if x is not None and torch.neg(x) else torch.never(x)
    raise ValueError(torch.rsub(x))
    return norm(x)

class Flip(Function):
    @staticmethod
    def forward(ctx, x):
        return torch.neg(x)

def flip(x):
    return Flip.apply(x)

py_any = any

def any(x: "TensorLike"):
    return torch.neg(x)

def asked_of_each(x):
    return torch.frob(any(each for each in x))

def checked(x):
    return torch.frob(py_any(x))

either = _dispatch(if_true=root, if_false=norm)
made_of_one = _doc(root)
other = torch._ops.ops.aten

def dims(x):
    return other.rsub.dims(x)

def compiled(x):
    from torch._dynamo.frame import optimize
    return optimize(torch.neg(x))

def registered(x):
    _register_decomposition(torch.ops.aten.root.default)
    registry.register(torch.frob)
    return register_made(torch.neg(x))

def resized(x, how: str = "near", size=None):
    if how in ("near", "far"):
        return torch.frob(x)
    if how == "line" and size is None:
        return torch.conv2d(x)
    if how == "line":
        return torch.add(x, x)
    return torch.never(x)

def shared(x: "Tensor"):
    if x.root():
        return torch.frob(-x)
    if dim(x) == 1:
        torch.add(x, x)
    elif dim(x) == 2:
        raise ValueError(x)
    else:
        torch.add(x, torch.never(x))
    return torch.frob(-x)

def parted(x: Tensor):
    parts = x.cut(2)
    for at in range(2):
        -parts[at]
    return x.cut(2)[0].root()

def weighed(x: Tensor, by: Union[Tensor, float]):
    if isinstance(by, float):
        by = 1 - by
    elif torch.frob(-by):
        by = x
    return torch.frob(x)

def unpacked(*x):
    if len(x) == 1:
        return unpacked(*x[0])
    if len(x) == 2:
        return torch.frob(x)
    return torch.frob(x, 1)

table = {"words": "text"}
described = _doc(torch.frob, table)

def resized_by(x, how):
    return resized(x, how)

def resized_near(x, size):
    return resized(x, size=size)

def resized_line(x):
    return resized_by(x, how="line")

def resized_by_many(x, *how):
    return resized(x, *how)

def meta_root(self):
    return self.root().view(self)

def reduced(x: Tensor, n: int, either: bool):
    y = x.root()
    if n:
        y = y - n
    if either:
        either = y
    n = n + 1
    return y - either - n

def decomposed(x, n, rows, y):
    x = 1 - x
    n, y = 2, dim(y)
    for rows in y:
        rows - 1
    return x - n - -y

def chosen(pred, yes, no: Callable, x, at=None):
    if not callable(at):
        x = torch.neg(x)
    yes = yes(x)
    return pred(yes(x))
"""
FILES = {
    "torch/__init__.py": "from .functional import *\nfrom torch import _C as _C\nfrom ._tensor import Tensor\n",
    "torch/functional.py": NORM + "\ngelu = _doc(torch.gelu, 'words')\n",
    "torch/_tensor.py": "class Tensor:\n    def split(self, size):\n        return self.cut(size)\n"
    "    def __rsub__(self, other):\n        return _C.rsub(self, other)\n    __neg__ = _C.neg\n"
    "    def gelu(self):\n        return torch.gelu(self)\nimport torch\nfrom torch import _C\n",
    METHODS: TABLE,
    "torch/overrides.py": "import torch\n\ndef has_override(x):\n    return torch.add(x, x)\n",
    "torch/nn/__init__.py": "from .modules import *\n",
    "torch/nn/modules/__init__.py": "from .layer import CountingMore, Layer, Lazy, Optimizing, Thinner, Whole\n",
    "torch/nn/modules/layer.py": LAYER,
    "torch/nn/functional.py": FUNCTIONAL,
    "torch/_dynamo/frame.py": "import torch\n\ndef optimize(x):\n    return torch.add(x, x)\n",
    FUNCTIONS[0]: 'aliases{{// Canonical function, alias name\n {"neg", "turned"},\n {"frob", "blended"}}};',
    "torch/broken.py": "def (:\n",
    "torch/circle.py": "from torch.circle import again as again\n",
}
NAMES = {
    *(f"torch.{name}" for name in ("neg", "rsub", "add", "conv2d", "frob", "root", "gelu", "never", "relu_")),
    *("torch._C._nn.gelu", "torch._C._nn.tilt"),
}
BOUND = {"values", "view", "root", "relu_", "cut", "sub"}


def given(*schemas: str) -> GivenByCalls:
    """What calls of operators with these schemas give."""
    return GivenByCalls(each for schema in schemas for each in read_entries(f"- func: {schema}"))


GIVEN = given("root(Tensor self) -> Tensor", "cut(Tensor self, int n) -> (Tensor, Tensor)")


def test_torch_has_no_function_that_a_module_of_its_own_has() -> None:
    """As ``mse_loss``, which is in ``torch._C._nn``, and ``linalg_vander`` in ``torch._C._linalg``."""
    found = names()
    assert (made := found.find("torch._C._nn.tilt")) is not None
    assert made.operators == ("tilt",)
    assert [found.find(name) for name in ("torch.tilt", "torch._C.tilt", "torch._VF.tilt", "torch._C._nn.neg")] == [
        None
    ] * 4
    assert all(found.find(name) is not None for name in ("torch.neg", "torch._C.neg", "torch._VF.neg"))


def names() -> PublicNames:
    return PublicNames(MemorySource({path: text.encode() for path, text in FILES.items()}), NAMES, BOUND, GIVEN)


@pytest.mark.parametrize(
    ("name", "operators"),
    [
        ("torch.add", ("add",)),
        ("torch.Tensor.relu_", ("relu_",)),
        ("Tensor.relu_", ("relu_",)),
        ("torch.named", ()),  # of a dict
        ("torch.valued", ("values",)),
        ("torch.chained", ("root", "values")),
        ("torch.operated", ("aten.gelu.default", "aten.frob")),
        ("torch.scattered", ("root",)),  # its variables have the names of functions
        ("torch.laid", ("cut",)),
        ("torch.like", ("neg", "rsub")),
        ("torch.either_kind", ("root",)),  # `by` may be a number where it is asked
        ("torch.made", ("neg",)),  # the maker ran at import
        ("torch.norm", ("frob", "view", "root")),
        ("torch.Tensor.split", ("cut",)),
        ("torch.Tensor.gelu", ("gelu",)),  # the binding, which Python documents under its own name
        ("torch.nn.functional.conv", ("conv2d",)),
        ("torch.nn.functional.soft", ("relu_", "gelu")),
        ("torch.nn.Layer", ("conv2d",)),
        ("torch.nn.Thinner", ("conv2d",)),
        ("torch.nn.Lazy", ("conv2d",)),
        ("torch.nn.CountingMore", ("relu_",)),  # as BatchNorm counts batches
        ("torch.nn.Optimizing", ("conv2d",)),
        ("torch.nn.Whole", ("conv2d",)),  # of the module that its constructor keeps
        ("torch.meta_root", ("root", "view")),  # `self` of no class
        ("torch.shrink", ("root", "sub", "neg")),
        ("torch.flipped", ("THPVariable_invert", "THPVariable_getitem", "rsub")),
        ("torch.Tensor.__invert__", ("THPVariable_invert",)),
        ("torch.Tensor.__neg__", ("neg",)),
        ("torch.root", ("add", "conv2d", "never", "neg", "gelu")),  # Python's own, not the binding
        ("torch.dims", ("aten.rsub.dims",)),
        ("torch.flip", ("neg",)),
        ("torch.reduced", ("root", "sub")),  # what is made of a tensor is one
        ("torch.decomposed", ()),
        ("torch.parted", ("cut", "root", "neg")),  # one of several tensors is taken by Python
        ("torch.weighed", ("frob", "neg")),  # below elif it is the tensor
        ("torch.checked", ("frob",)),
        ("torch.asked_of_each", ("frob",)),  # what is given a generator is Python's own
        ("torch.resized", ("frob", "conv2d", "add", "never")),  # who asks may give anything
        ("torch.resized_by", ("frob", "conv2d", "add", "never")),
        ("torch.resized_near", ("frob",)),
        ("torch.resized_line", ("conv2d",)),
        ("torch.resized_by_many", ("frob", "conv2d", "add", "never")),
        ("torch.blended", ("frob",)),  # a second name in the table of C++
        ("torch.registered", ("neg",)),  # as `vmap` registers decompositions
        ("torch.compiled", ("neg",)),  # what a compiler computes is its own
    ],
)
def test_operators(name: str, operators: tuple[str, ...]) -> None:
    found = names().find(name)
    assert found is not None
    assert found.operators == operators


def test_parameters_that_are_known_to_be_tensors() -> None:
    """As those of a decomposition are by the schema of its operator, unless they are given other values."""
    found = names().find("torch.decomposed", (0, 1, 2, 3))
    assert found is not None
    assert found.operators == ("sub", "rsub")
    assert found.certain == {"rsub", "sub"}


def test_what_an_operator_between_tensors_is_given() -> None:
    found = names().find("torch.shrink")
    assert found is not None
    assert found.given["sub"] == [Given(2, frozenset())]
    assert found.given["root"] == [Given(1, frozenset())]


@pytest.mark.parametrize(
    ("name", "certain"),
    [
        ("torch.add", {"add"}),
        ("torch.norm", set()),
        ("torch.root", {"add", "gelu"}),
        ("torch.made_of_one", {"add", "gelu"}),
        ("torch.resized_near", {"frob"}),
        ("torch.shared", {"frob", "neg", "root"}),  # in both branches
        ("torch.unpacked", {"frob"}),  # it calls itself until it gets there
        ("torch.described", {"frob"}),  # with words
        ("torch.resized_line", {"conv2d"}),
        ("torch.either", set()),  # one of two, nobody knows which
        ("torch.nn.functional.soft", set()),
        ("torch.nn.Thinner", {"conv2d"}),
    ],
)
def test_what_every_call_reaches(name: str, certain: set[str]) -> None:
    found = names().find(name)
    assert found is not None
    assert found.certain == certain


def test_the_functions_that_a_function_takes() -> None:
    found = names().find("torch.chosen")
    assert found is not None
    assert found.taken == ("pred", "no", "at")  # `yes` is given another value


def test_nearest_first_with_the_way() -> None:
    found = names().find("torch.nn.functional.soft")
    assert found is not None
    assert found.operators == ("relu_", "gelu")
    assert [(step.name, step.location.path, step.location.line) for step in found.steps] == [
        ("torch.nn.functional.soft", "torch/nn/functional.py", 9),
        ("torch.nn.functional._helper", "torch/nn/functional.py", 15),
    ]


@pytest.mark.parametrize("name", ["torch.nothing", "nothing", "torch.broken.f", "torch.circle.again", "Tensor.add", ""])
def test_what_does_not_exist(name: str) -> None:
    assert names().find(name) is None


def test_a_broken_file_is_told() -> None:
    asked = names()
    asked.find("torch.broken.f")
    assert [(file, line) for file, line, _ in asked.broken] == [("torch/broken.py", 1)]


def test_before_1_9_the_class_of_tensors_is_elsewhere() -> None:
    """Its methods run those in C++ of the same name, and what Python adds to them; a text may tell of a tensor."""
    methods = "class Tensor:\n    def values(self, n):\n        return super(Tensor, self).values(n) ** self.cut(n)\n"
    methods += "    def __pow__(self, n):\n        return _C.pow(self, n)\n"
    function = (
        'def parts(tensor, n):\n    """Of one.\n\n    tensor (Tensor): which\n    """\n    return tensor.values(n)\n'
    )
    files = {
        "torch/__init__.py": "from .functional import *\nfrom torch import _C as _C\nfrom .tensor import Tensor\n",
        "torch/tensor.py": f"from torch import _C\n{methods}",
        "torch/functional.py": function,
    }
    source = MemorySource({path: text.encode() for path, text in files.items()})
    schemas = ("values(Tensor self, int n) -> Tensor", "cut(Tensor self, int n) -> Tensor")
    old = PublicNames(source, {"torch.pow"}, {"values", "cut"}, given(*schemas))
    for name in ("torch.Tensor.values", "torch.parts"):
        assert (found := old.find(name)) is not None
        assert found.operators == ("values", "cut", "pow"), name


@pytest.mark.parametrize(
    ("taken", "operators"),
    [
        ("x.most(dim, keepdim=True)[1]", ("most",)),
        ("x.most()[0]", ("most", "__getitem__")),
        ("x.most(*some)[0]", ("most", "__getitem__")),
    ],
)
def test_the_arguments_decide_whether_a_call_gives_one_tensor(taken: str, operators: tuple[str, ...]) -> None:
    """``y.max(dim, keepdim=True)[1]`` of ``gumbel_softmax`` takes one of two tensors, and indexes none."""
    files = {
        "torch/__init__.py": "from .functional import *\nfrom torch import _C as _C\n",
        "torch/functional.py": f"def pick(x: Tensor, dim):\n  return {taken}\n",
    }
    source = MemorySource({path: text.encode() for path, text in files.items()})
    schemas = ("most(Tensor self) -> Tensor", "most.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor, Tensor)")
    found = PublicNames(source, set(), {"most", "__getitem__"}, given(*schemas)).find("torch.pick")
    assert found is not None
    assert found.operators == operators
