"""What tracers find: plain frozen values, shared by the Python half and the C++ half.

Paths in locations are relative to the workspace; a line of 0 is the file itself. Targets are label texts.
"""

from __future__ import annotations

from dataclasses import dataclass

from bzlgraph.base.span import Location

OR = " or "
"""Between the select keys of a condition."""
_DEFAULT = "//conditions:default"


def on_request(condition: str) -> str:
    """The select keys under which a target has a file (``a or b``) where it has it when somebody asks for it only,
    "" where the default is among them."""
    return "" if _DEFAULT in condition.split(OR) else condition


NO_GRADIENT = "none: not differentiable"
"""The function of a gradient that is registered as missing on purpose."""


@dataclass(frozen=True, slots=True)
class OpRegistration:
    """``REGISTER_OP``. ``through`` are the macros it was written with, outermost first."""

    op: str
    location: Location
    through: tuple[str, ...] = ()
    shape_function: Location | None = None
    condition: str = ""
    targets: tuple[str, ...] = ()
    type_attributes: tuple[str, ...] = ()
    """Attributes that are types, as written: ``T: {half, float}``."""
    without_input: bool = False
    """Nobody can give it a tensor."""
    stateful: bool = False
    """It reads or writes something that outlives a run of it: ``SetIsStateful()``."""


@dataclass(frozen=True, slots=True)
class Work:
    """A method of the kernel's class, or a functor, that Compute hands work to.

    There is no place when it is in no file of the tree.
    """

    name: str
    location: Location | None = None
    functor: bool = False
    depth: int = 1
    """1 for what Compute calls itself, 2 for what that calls, and so on."""
    targets: tuple[str, ...] = ()
    """The targets that generate it, where it is no code of the kernel's own target."""


@dataclass(frozen=True, slots=True)
class KernelRegistration:
    """``REGISTER_KERNEL_BUILDER`` and its kin, one for each op, device and class.

    ``location`` is where the registration is written (the outermost macro call), ``through`` the macros between,
    ``condition`` what the preprocessor must have (``GOOGLE_CUDA``), ``compute`` the definition of Compute.
    """

    op: str
    device: str
    kernel_class: str
    location: Location
    through: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    label: str = ""
    condition: str = ""
    compute: Location | None = None
    compute_class: str = ""
    compute_method: str = "Compute"
    """``Compute``, ``ComputeAsync``, or ``Compile`` for XLA; "" where ``compute_class`` is a function itself."""

    work: tuple[Work, ...] = ()
    """Where the work goes on from there; asked for of single ops only."""

    device_files: tuple[str, ...] = ()
    generated: str = ""
    """The function that MLIR generates and that the kernel's class calls: ``Abs_GPU_DT_FLOAT_DT_FLOAT``."""
    targets: tuple[str, ...] = ()
    build_condition: str = ""
    allows: tuple[str, ...] = ()
    """Types that a kernel of XLA takes beside those of its backend: "resource", "variant", "string"."""

    for_xla: bool = False
    """Whether XLA compiles the op by it: ``REGISTER_XLA_OP``."""

    @property
    def when(self) -> str:
        """What the preprocessor and the selects of BUILD files must have, together."""
        both = [each for each in (self.condition, self.build_condition) if each]
        if len(both) < 2:
            return "".join(both)
        return " and ".join(f"({each})" if "||" in each or " or " in each else each for each in both)


@dataclass(frozen=True, slots=True)
class Run:
    """An operator that runs inside of another one: the line that calls it, and its kernels.

    ``depth`` 1 is called by the op that the story is about, 2 by the last of depth 1 before it, and so on. ``through``
    are the functions between, ``condition`` what the branches around the calls ask for, as written; ``device`` is the
    only one on which it is called there, "" for any.
    """

    op: str
    depth: int
    location: Location
    through: tuple[str, ...] = ()
    condition: str = ""
    kernels: tuple[KernelRegistration, ...] = ()
    moves: bool = False
    """Whether it gives a view, a copy or a new tensor, and computes nothing."""
    device: str = ""
    otherwise: bool = False
    """Whether it runs under other conditions than ``condition``, too."""
    certain: bool = True
    """Whether it runs whenever the op that the story is about does, on ``device``: neither it nor what it is called by
    has a condition. Whether a call can meet the conditions of the others is not known."""


@dataclass(frozen=True, slots=True)
class PythonRule:
    """A function of Python that is registered for an op, or for a function on the way to ops. ``kind``: "decomposition"
    (into other ops), "Meta" (shapes and types only), the transformation of JAX that it is for, or a kernel of Pallas.
    ``ops`` are those that it calls, nearest first; ``possible`` those of them that only a branch calls."""

    op: str
    kind: str
    function: str
    location: Location
    ops: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ApiName:
    """A name that users write, ``tf.nn.conv2d``. ``versions`` are those of the API that have it: "v1", "v2"."""

    name: str
    versions: tuple[str, ...] = ("v1", "v2")
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class PythonStep:
    """One function on the way from a public name to an op: its name, where it is defined, and what leads to it."""

    name: str
    location: Location
    how: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """What must be so in a function on the way for an op to be created, as its source says it: ``kind`` and ``test``
    together.

    ``kind`` is "if" for a test, which is "not (...)" where it must fail, or for what decides without one ("the object
    is a Dense"); "for each" member of what a loop goes through, "while" a test, "on" an error that is caught, "unless"
    a line ended the function before, "when" a function inside is called.
    """

    kind: str
    test: str
    function: str
    location: Location

    @property
    def text(self) -> str:
        """``if not (x is None)``."""
        return f"{self.kind} {self.test}"


@dataclass(frozen=True, slots=True)
class OpUse:
    """An op that a Python function makes: through which functions, called where, how far away.

    ``generated`` is the wrapper as written (``gen_nn_ops.conv2d``), "" for an op that a Tensor's operator makes.
    ``certain`` is false where something else decides: the ``conditions``, nearest to the op first, all of which must be
    so. Those of loops are told of certain ops too. ``other_ways``: how many other ways to the op were met, each with
    other conditions; there may be more where ``more_ways``. ``possible``: nobody knows whether the op is made even
    then, because the operator may work on Python's numbers ("if n is a tensor").
    """

    op: str
    generated: str
    location: Location
    steps: tuple[PythonStep, ...] = ()
    certain: bool = True
    conditions: tuple[Condition, ...] = ()
    other_ways: int = 0
    more_ways: bool = False
    possible: bool = False

    @property
    def depth(self) -> int:
        """How many functions stand between."""
        return len(self.steps)


@dataclass(frozen=True, slots=True)
class GenTarget:
    """The target that writes a module of generated wrappers, and the macro call that made it."""

    file: str
    label: str
    macro: str
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class GradientRegistration:
    """The function that makes an op's gradient, the ops it calls itself (``possible``: those of them that only a branch
    calls; ``uses``: where, and what decides), and for each of them its first kernel on each device (asked for of single
    ops only)."""

    op: str
    function: str
    location: Location
    ops: tuple[str, ...] = ()
    kernels: tuple[KernelRegistration, ...] = ()
    possible: tuple[str, ...] = ()
    uses: tuple[OpUse, ...] = ()
