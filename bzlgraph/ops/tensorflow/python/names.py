"""Op name -> name of its generated Python function, as TensorFlow's ``python_op_gen`` makes it.

>>> [lower_case(op) for op in ("Conv2D", "TopKV2", "_Arg", "Namespace>Op")]
['conv2d', 'top_kv2', '__arg', 'namespace_op']

The way back cannot be computed (``top_kv2`` says nothing of capitals): names are looked up in the forward map of all
registered ops. The words and the rule are the same in every version that has this generator (1.8 to 2.12 read), but
for three: ``clip_by_value`` clashes since 1.9, ``>`` is a separator since 2.1, and 1.8 hides ops by a list of its own.
Rules: GenerateLowerCaseOpName, IsPythonReserved and IsOpWithUnderscorePrefix in python_op_gen_internal.cc.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bzlgraph.ops.tensorflow.python.api_defs import ApiDef, Visibility

RESERVED = frozenset(
    # Keywords of Python 2 and its capitalised builtins.
    """and as assert break class continue def del elif else except exec finally for from global if import in is lambda
    not or pass print raise return try while with yield
    ArithmeticError AssertionError AttributeError BaseException BufferError BytesWarning DeprecationWarning EOFError
    Ellipsis EnvironmentError Exception False FloatingPointError FutureWarning GeneratorExit IOError ImportError
    ImportWarning IndentationError IndexError KeyError KeyboardInterrupt LookupError MemoryError NameError None
    NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning ReferenceError RuntimeError
    RuntimeWarning StandardError StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError True TypeError
    UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning
    UserWarning ValueError Warning ZeroDivisionError __debug__ __doc__ __import__ __name__ __package__""".split()
)
CLASHES = frozenset(
    # Builtins of Python 2 but "round", and functions that hand-written modules define too.
    """abs all any apply bin bool buffer bytearray bytes callable chr classmethod cmp coerce compile complex copyright
    credits delattr dict dir divmod enumerate eval execfile exit file filter float format frozenset getattr globals
    hasattr hash help hex id input int intern isinstance issubclass iter len license list locals long map max
    memoryview min next object oct open ord pow print property quit range raw_input reduce reload repr reversed set
    setattr slice sorted staticmethod str sum super tuple type unichr unicode vars xrange zip
    fused_batch_norm histogram_fixed_width stack batch_norm_with_global_normalization clip_by_value""".split()
)


def lower_case(op: str) -> str:
    """The op's name in lower case, words joined by ``_``: a capital starts one after a small letter or before one."""
    made: list[str] = []
    for place, letter in enumerate(op):
        if letter == ">":
            made.append("_")
            continue
        if letter.isupper() and place:
            before, after = op[place - 1], op[place + 1 : place + 2]
            if (before.islower() or after.islower()) and before != ">":
                made.append("_")
        made.append(letter.lower())
    return "".join(made)


def generated_name(op: str, definition: ApiDef | None, hidden_elsewhere: bool = False) -> str:
    """The function that ``python_op_gen`` writes for an op; "" when it writes none.

    ``hidden_elsewhere``: the target's own list of hidden ops has it (``hidden_ops.txt`` of 1.x).
    """
    visibility = definition.visibility if definition else Visibility.VISIBLE
    if visibility is Visibility.SKIP:
        return ""
    name = lower_case(op)
    if visibility is Visibility.HIDDEN:
        return f"_{name}" if name in RESERVED or name in CLASHES else name
    if hidden_elsewhere:
        return f"_{name}"
    return "" if name in RESERVED else name


@dataclass(frozen=True, slots=True)
class GeneratedNames:
    """The forward map and its inverse; two ops may share a name (``If`` and ``_If``): the public one comes first."""

    by_op: Mapping[str, str]
    by_name: Mapping[str, tuple[str, ...]]

    def op(self, name: str) -> str:
        """The op behind a generated function, "" for none."""
        return self.by_name.get(name, ("",))[0]


def generated_names(
    ops: Iterable[str], definitions: Mapping[str, ApiDef], hidden: frozenset[str] = frozenset(), raw: bool = False
) -> GeneratedNames:
    """The names of all ops that are registered. ``raw``: modules have each function under its op's own name too, as
    ``tf.raw_ops`` has it (GenEagerPythonOp::AddRawOpExport, since 2.0)."""
    by_op: dict[str, str] = {}
    by_name: dict[str, list[str]] = {}
    for op in sorted(ops, key=lambda name: (name.startswith("_"), name)):
        name = generated_name(op, definitions.get(op), op in hidden)
        if name:
            by_op[op] = name
            by_name.setdefault(name, []).append(op)
            if raw and not op.startswith("_") and op != name:
                by_name.setdefault(op, []).append(op)
    return GeneratedNames(by_op, {name: tuple(found) for name, found in by_name.items()})
