"""The entries of ``native_functions.yaml``: what operators PyTorch has, and which C++ function each dispatch key calls.

YAML text -> ``NativeFunction``. Rules (``torchgen/model.py`` and ``torchgen/api/cpp.py`` of PyTorch, in older trees
``tools/codegen``):

1. The C++ name of an entry is its name without overload, with ``_out`` behind it when it writes to an ``out`` argument.
2. ``dispatch`` maps (comma-separated lists of) dispatch keys to C++ functions; an entry without it is one function,
   composed of other operators (``CompositeImplicitAutograd``; ``Math`` before 1.9) and named by rule 1.
3. ``structured_delegate: x.out`` has no function of its own: the structured kernel of ``x.out`` does its work.
4. ``ufunc_inner_loop`` entries have generated kernels.

>>> text = '''
... - func: add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
...   structured: True
...   dispatch:
...     CPU, CUDA: add_out
... - func: relu(Tensor self) -> Tensor
... '''
>>> [(entry.full_name, entry.line, entry.kernels) for entry in read_entries(text)]
[('add.out', 2, (('CPU', 'add_out'), ('CUDA', 'add_out'))), ('relu', 6, (('CompositeImplicitAutograd', 'relu'),))]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import yaml  # here, not under the limits of reading a file: an import that is cut short stays half made

ENTRIES = "aten/src/ATen/native/native_functions.yaml"
"""The file."""
_SCHEMA = re.compile(r"\s*(?:[\w:]+::)?(\w+)(?:\.(\w+))?\s*\(")
_ONE_TENSOR = re.compile(r"Tensor(?:\([^)]*\))?")
_OUT_ARGUMENT = re.compile(r"\([a-z]!\)\s*\w+")
_COPIES = frozenset("clone copy_ _to_copy _copy_from fill_ zero_ resize_ resize_as_ set_ item".split())
MAX_CHARACTERS, MAX_EVENTS, MAX_DEPTH = 4 << 20, 500_000, 50
"""Budgets, as the file may be anybody's. The largest of PyTorch's has 0.6 MB and is four levels deep."""

COMPOSITE = "CompositeImplicitAutograd"
IMPLICIT_KEYS = frozenset({COMPOSITE, "CompositeImplicitAutogradNestedTensor", "Math"})
"""Keys whose function is made of other operators, so that it needs no gradient of its own."""
COMPOSITE_KEYS = IMPLICIT_KEYS | {
    *("CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional", "DefaultBackend")
}
"""Keys whose function works for every backend."""


@dataclass(frozen=True, slots=True)
class NativeFunction:
    """One entry. ``kernels`` are (dispatch key, C++ function as written) pairs; ``line`` is that of ``- func:``."""

    schema: str
    name: str
    overload: str
    line: int
    kernels: tuple[tuple[str, str], ...] = ()
    structured: bool = False
    delegate: str = ""
    inherits: str = ""
    """The class that a structured kernel's is derived from, "" for the usual one."""
    functional: str = ""
    """Of a structured entry the full name of the variant that delegates to it and gives a new tensor."""
    variants: tuple[str, ...] = ("function",)
    python_module: str = ""
    ufunc: tuple[tuple[str, str], ...] = ()
    tags: tuple[str, ...] = ()
    bound_by_hand: bool = False
    """``manual_cpp_binding``: C++ that calls it does not go through the dispatcher."""
    unchecked: bool = False
    """``device_check: NoCheck``: what is generated for it does not refuse tensors on several devices."""

    @property
    def full_name(self) -> str:
        """``add.Tensor``: the name with its overload."""
        return f"{self.name}.{self.overload}" if self.overload else self.name

    @property
    def written(self) -> int:
        """How many ``out`` arguments the results go into."""
        return len(_OUT_ARGUMENT.findall(self.schema.partition("->")[0].partition("*")[2]))

    @property
    def writes_out(self) -> bool:
        """Whether the result goes into an ``out`` argument."""
        return self.written > 0

    @property
    def gives_tensor(self) -> bool:
        """Whether a call in C++ gives a tensor; not ``data``, which is bound by hand: most classes have that, too."""
        given = self.schema.rpartition("->")[2]
        return "Tensor" in given and not self.gives_list and not (self.bound_by_hand and "Tensor(" not in given)

    @property
    def gives_one_tensor(self) -> bool:
        """Whether a call gives one tensor, not several."""
        return _ONE_TENSOR.fullmatch(self.schema.rpartition("->")[2].strip()) is not None

    @property
    def gives_tuple(self) -> bool:
        """Whether a call gives several tensors, and nothing else."""
        given = self.schema.rpartition("->")[2].strip()
        parts = given[1:-1].split(",")
        return len(parts) > 1 and all(_ONE_TENSOR.fullmatch((each.split() or [""])[0]) for each in parts)

    @property
    def gives_list(self) -> bool:
        """Whether a call gives a list of tensors."""
        return self.schema.rpartition("->")[2].rstrip().endswith("[]")

    @property
    def moves(self) -> bool:
        """Whether it gives a view (its result is part of an argument), a copy or a new tensor, and computes nothing."""
        taken, _, given = self.schema.partition("->")
        return "(a)" in given or "Tensor" not in taken or self.name.endswith("_like") or self.name in _COPIES


def api_names(entry: NativeFunction, *, as_function: bool = True, as_method: bool = True) -> Iterator[str]:
    """Where Python has the operator; ``as_function``, ``as_method``: whether it makes these of entries of that name."""
    if as_function and "function" in entry.variants and not entry.writes_out:
        yield function_name(entry)
    if as_method and "method" in entry.variants:
        yield f"torch.Tensor.{entry.name}"


def function_name(entry: NativeFunction) -> str:
    """Where Python has the function of an entry that has one: ``torch.add``, ``torch._C._nn.gelu``."""
    return f"{f'torch._C._{entry.python_module}' if entry.python_module else 'torch'}.{entry.name}"


class BrokenEntries(ValueError):
    """The file is not the YAML list it should be; ``line`` says where, from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def read_entries(text: str) -> list[NativeFunction]:
    """The entries of a file, in its order; items that are no entries are left out. Raises BrokenEntries."""
    found = [entry for line, item in yaml_items(text) if (entry := _entry(item, line)) is not None]
    new = {entry.delegate: entry.full_name for entry in found if entry.delegate and "!" not in entry.schema}
    return [
        replace(entry, functional=new[entry.full_name]) if entry.structured and entry.full_name in new else entry
        for entry in found
    ]


def yaml_items(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line, mapping) for each item of a file that is one YAML list; values are text, lists and mappings of text:
    numbers and booleans stay as they are written. An alias is what it names, None inside of that. Raises BrokenEntries.
    """
    if len(text) > MAX_CHARACTERS:
        raise BrokenEntries(f"larger than {MAX_CHARACTERS >> 20} MB", 1)
    try:
        yield from _items(yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark is not None else 1
        raise BrokenEntries(f"this is not valid YAML: {error.problem}", line) from None
    except (yaml.YAMLError, ValueError) as error:
        raise (
            error if isinstance(error, BrokenEntries) else BrokenEntries(f"this is not valid YAML: {error}", 1)
        ) from None


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end is to come; ``key`` waits for its value."""

    line: int
    anchor: str | None
    made: list[Any] | dict[str, Any]
    key: Any = None
    has_key: bool = False

    def add(self, value: Any) -> None:
        """Take the next value. A key that is no text is left out, with what belongs to it."""
        if isinstance(self.made, list):
            self.made.append(value)
        elif not self.has_key:
            self.key, self.has_key = value, True
        else:
            if isinstance(self.key, str):
                self.made[self.key] = value
            self.has_key = False


def _items(events: Iterator[Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The items as they end, from the parser's events. Nothing here is as deep as the text is."""
    opened: list[_Open] = []
    anchors: dict[str, Any] = {}
    for number, event in enumerate(events):
        kind, line = type(event).__name__, event.start_mark.line + 1
        if number > MAX_EVENTS or len(opened) > MAX_DEPTH:
            raise BrokenEntries("more, or nested deeper, than any such file", line)
        if kind in ("SequenceStartEvent", "MappingStartEvent"):
            made: list[Any] | dict[str, Any] = [] if kind == "SequenceStartEvent" else {}
            if not opened and not isinstance(made, list):
                raise BrokenEntries("a list was expected", line)
            opened.append(_Open(line, event.anchor, made))
            if event.anchor is not None:
                anchors[event.anchor] = None
            continue
        if kind in ("SequenceEndEvent", "MappingEndEvent"):
            ended = opened.pop()
            value, anchor, line = ended.made, ended.anchor, ended.line
        elif kind == "ScalarEvent":
            value, anchor = event.value, event.anchor
        elif kind == "AliasEvent":
            if event.anchor not in anchors:
                raise BrokenEntries(f"this is not valid YAML: no anchor has the name {event.anchor}", line)
            value, anchor = anchors[event.anchor], None
        else:
            continue
        if anchor is not None:
            anchors[anchor] = value
        if len(opened) == 1:
            if isinstance(value, dict):
                yield line, value
        elif opened:
            opened[-1].add(value)
        elif kind == "ScalarEvent":
            raise BrokenEntries("a list was expected", line)


def _entry(item: dict[str, Any], line: int) -> NativeFunction | None:
    schema = item.get("func")
    found = _SCHEMA.match(schema) if isinstance(schema, str) else None
    if found is None:
        return None
    name, overload = found.group(1), found.group(2) or ""
    entry = NativeFunction(
        schema=str(schema),
        name=name,
        overload=overload,
        line=line,
        structured=item.get("structured") == "True",
        delegate=str(item.get("structured_delegate", "")),
        inherits=str(item.get("structured_inherits", "")),
        variants=tuple(_listed(item.get("variants", "function"))),
        python_module=str(item.get("python_module", "")),
        ufunc=_pairs(item.get("ufunc_inner_loop"), name),
        tags=tuple(_listed(item.get("tags"))),
        bound_by_hand=item.get("manual_cpp_binding") == "True",
        unchecked=item.get("device_check") == "NoCheck",
    )
    return _with_kernels(entry, item.get("dispatch"))


def _with_kernels(entry: NativeFunction, dispatch: Any) -> NativeFunction:
    """Rules 1 to 3."""
    if isinstance(dispatch, dict):
        return replace(entry, kernels=_pairs(dispatch, entry.name))
    if entry.delegate or entry.ufunc:
        return entry
    return replace(entry, kernels=((COMPOSITE, entry.name + ("_out" if entry.writes_out else "")),))


def _pairs(mapping: Any, name: str) -> tuple[tuple[str, str], ...]:
    """``{"CPU, CUDA": f}`` as pairs, one a key. A bare value stands for the key ``Generic``."""
    if isinstance(mapping, str):
        mapping = {"Generic": mapping}
    if not isinstance(mapping, dict):
        return ()
    return tuple(
        (key, value if isinstance(value, str) else name) for keys, value in mapping.items() for key in _listed(keys)
    )


def _listed(text: Any) -> list[str]:
    """``a, b`` as a list; the texts of what is one already."""
    if isinstance(text, list):
        return [each for each in text if isinstance(each, str)]
    return [part.strip() for part in text.split(",") if part.strip()] if isinstance(text, str) else []
