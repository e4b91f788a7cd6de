"""On which device what a C++ function of PyTorch calls runs: told by dispatch keys, files and conditions.

``cpu`` of ``const auto cpu = a.device() == kCPU;`` says so as ``a.is_cpu()`` does: for an operator that gets no tensor
but ``a``, or of the device of all tensors that are gone over (``common_device``, ``iter.device()``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache

from bzlgraph.ops.model import KernelRegistration
from bzlgraph.ops.pytorch.cpp.call import Call
from bzlgraph.ops.pytorch.cpp.defined import Definition
from bzlgraph.ops.pytorch.cpp.facts import device_of
from bzlgraph.ops.pytorch.cpp.known import EMPTY, simplified
from bzlgraph.ops.pytorch.cpp.questions import FALSE, ON_CPU, TRUE, Constants, is_of_all
from bzlgraph.ops.pytorch.cpp.truth import is_special, opposite, parts_of
from bzlgraph.ops.pytorch.cpp.values.kinds import ITS_OPTIONS, OPTIONS
from bzlgraph.ops.pytorch.cpp.values.types import TENSOR
from bzlgraph.ops.pytorch.entries import NativeFunction
from bzlgraph.ops.pytorch.overloads import OPTIONS_TYPES, schema_types

BOTH = frozenset(["CPU", "CUDA"])
OTHERS = "other backends"
"""Where what has functions of its own for both runs the one for every backend."""
_OF_ONE = re.compile(r"(\w+)\.(?:(?:device\(\)\.)?is_cpu\(\)|device\(\)(?:\.type\(\))? == (?:\w+::)*k?CPU)")


def device_of_key(key: str) -> str:
    """The device of a dispatch key, "" when it is for several, or another one."""
    return next((each for each in ("CPU", "CUDA") if key.endswith(each)), "")


def kernels_there(kernels: Sequence[KernelRegistration], device: str) -> Sequence[KernelRegistration]:
    """The kernels of an operator that may run where it is called: on a CPU, on CUDA (which has tensors on a CPU, too),
    on other backends, or anywhere (""). Those that are generated (``ufunc``) are for a CPU and CUDA.

    >>> from bzlgraph.base.span import Location
    >>> keys = ("CPU", "SparseCUDA", "MPS", "Generic", "ZeroTensor", "Meta", "CompositeExplicitAutograd")
    >>> listed = [KernelRegistration("up", key, "f", Location("a.cpp", 1, 1)) for key in keys]
    >>> [each.device for each in kernels_there(listed, OTHERS)]
    ['MPS', 'CompositeExplicitAutograd']
    >>> [len(kernels_there(listed, device)) for device in ("CPU", "CUDA", "")]
    [6, 7, 7]
    """
    if device == "CPU":
        return [each for each in kernels if device_of_key(each.device) != "CUDA"]
    return [each for each in kernels if _is_of_others(each.device)] if device == OTHERS else kernels


def _is_of_others(key: str) -> bool:
    return not (device_of_key(key) or is_special(key) or key in _OF_NONE)


_OF_NONE = frozenset(["Generic", "ScalarOnly", "Meta", "ZeroTensor"])
"""Keys of ``ufunc_inner_loop``, which no other backend has, of shape functions, and of tensors without data."""


def takes_device(entry: NativeFunction) -> bool:
    """Whether an operator takes tensors and the device of what it gives: one that is always told, or stands among the
    options of a tensor. Another that may be left out is asked about (``is_pinned``).

    >>> from bzlgraph.ops.pytorch.entries import read_entries
    >>> schemas = "to.a(Tensor self, Device d)", "up(Device d)", "at(Tensor self, Device? d)", "as(Tensor self, {})"
    >>> options = "*, ScalarType? t, Layout? l, Device? d, bool? p"
    >>> [takes_device(each) for text in schemas for each in read_entries(f"- func: {text.format(options)} -> Tensor")]
    [True, False, False, True]
    """
    types = schema_types(entry.schema)
    told = "Device" in types and (_MAY_BE_NONE.search(entry.schema) is None or OPTIONS_TYPES[1] in types)
    return told and any(each.startswith(TENSOR) for each in types)


_MAY_BE_NONE = re.compile(r"\bDevice\?")


def may_mix_devices(entries: Mapping[str, NativeFunction], op: str) -> bool:
    """Whether an operator that is asked for may run with tensors on several devices: not one that takes one tensor and
    no device, nor one with a function for CUDA of which what is generated refuses them, since the versions that say of
    which it does not.

    >>> from dataclasses import replace
    >>> from bzlgraph.ops.pytorch.entries import read_entries
    >>> names = "one(Tensor a)", "two(Tensor a, Tensor b)", "any(Tensor a, Tensor b)"
    >>> listed = [read_entries(f"- func: {each} -> Tensor")[0] for each in names]
    >>> listed = [listed[0], replace(listed[1], kernels=(("CUDA", "f"),)), listed[2]]
    >>> entries = {each.name: each for each in listed}
    >>> [may_mix_devices(entries, each) for each in entries]
    [False, True, True]
    >>> entries["any"] = replace(entries["any"], unchecked=True)
    >>> [may_mix_devices(entries, each) for each in entries]
    [False, False, True]
    """
    entry = entries[op]
    listed = [each for each in (entry, entries.get(entry.delegate)) if each is not None]
    types = schema_types(entry.schema)
    several = sum(each.startswith(TENSOR) for each in types) - entry.written > 1 or f"{TENSOR}[]" in types
    generated = any(key == "CUDA" for each in listed for key, _ in each.kernels) and not entry.unchecked
    refused = generated and any(each.unchecked for each in entries.values())
    return takes_device(entry) or (several and not refused)


def is_moved(operator: NativeFunction, call: Call, known: Mapping[str, str]) -> bool:
    """Whether an operator takes a device and a call gives one, as far as is known."""
    if not takes_device(operator):
        return False
    at = schema_types(operator.schema).index("Device")
    if {OPTIONS, ITS_OPTIONS} & {*call.arguments} or len(call.arguments) <= at:
        return OPTIONS in call.arguments
    given = call.given[at] if len(call.given) > at else ""
    return call.arguments[at] != ITS_OPTIONS and not known.get(given, given).endswith(("nullopt", EMPTY))


def is_given_its_device(operator: NativeFunction, call: Call) -> bool:
    """Whether an operator takes a device and a call gives that of a tensor."""
    return takes_device(operator) and ITS_OPTIONS in call.arguments


def is_elsewhere(running: str, function: Definition, device: str) -> bool:
    """Whether what runs on one device does not reach a function: what is registered for another, or written for it."""
    aside = device_of(function.path) == "CUDA" if running == "CPU" else "/native/cpu/" in function.path
    return running != "" and (aside or device not in ("", running))


def told_device(
    conditions: tuple[str, ...], function: Definition, alone: Collection[str] = ()
) -> tuple[tuple[str, ...], str]:
    """Conditions in a function about the device of all tensors as the rest of them, and that device, "" for any.
    ``alone`` are the dispatch keys of an operator that gets one tensor, whose own function it is: what has functions
    for CPUs and CUDA only, and runs on no CPU, runs on CUDA.

    >>> one = Definition("f", "at", "a.cpp", 1, ("const Tensor & a", "bool up"))
    >>> told_device(("up", "a.device() == kCPU"), one, BOTH), told_device(("!a.is_cpu()",), one, ["CPU", "CUDA", "MPS"])
    ((('up',), 'CPU'), (('!a.is_cpu()',), ''))
    >>> told_device(("a.device() != at::kCPU", "up"), one, BOTH), told_device(("b.is_cpu()",), one, BOTH)
    ((('up',), 'CUDA'), (('b.is_cpu()',), ''))
    >>> told_device(("n && device_type == kCPU && up",), one)
    (('n && up',), 'CPU')
    """
    told = {each: _told_by(each, function, alone) for each in conditions}
    devices = {device for device in told.values() if device}
    parts = [part for each in conditions for part in _of_all(each)]
    if parts and devices <= {"CPU"}:
        left = (simplified(each, dict.fromkeys(parts, TRUE)) for each in conditions if not told[each])
        return tuple(each for each in left if each != TRUE), "CPU"
    if len(devices) != 1:
        return conditions, ""
    return tuple(each for each in conditions if not told[each]), devices.pop()


@cache
def _of_all(condition: str) -> tuple[str, ...]:
    """The parts of a condition that say that all tensors which are gone over are on a CPU."""
    return tuple(filter(is_of_all, (part.strip() for part in parts_of(condition, "&&"))))


def on_cpu(first: str, given: Constants) -> str:
    """Where an operator runs whose ``first`` tensor is known to be on a CPU, "" for anywhere: others may be there that
    stand for numbers.

    >>> [on_cpu("a", ((fact, "true"),)) for fact in ("a.is_cpu()", "a.device() == kCPU", "a.is_cuda()", "b.is_cpu()")]
    ['CPU', 'CPU', '', '']
    """
    asked = (_OF_ONE.fullmatch(fact) for fact, value in given if value == TRUE)
    return "CPU" if any(found is not None and found[1] == first for found in asked) else ""


def needed_device(conditions: Sequence[str], function: Definition) -> str:
    """Where what a function is given must be for conditions in it to hold, where no tensor is a special one: on a CPU,
    as they ask of its first tensor, on CUDA, as they ask of any, "" for anywhere; also those that hold only where one
    did (``bool quick = a.is_cuda() && n; quick = quick && m;``).

    >>> one = Definition("f", "at", "a.cpp", 1, ("const Tensor & a", "bool up", "const Tensor & c"))
    >>> texts = "a.is_cuda() && up", "up && (a.is_xpu() || a.device().type() == kCUDA)", "a.is_nested() || a.is_cuda()"
    >>> [needed_device((each,), one) for each in (*texts, "up && (4 == a.dim()) && (a.device().is_cpu())")]
    ['CUDA', 'CUDA', 'CUDA', 'CPU']
    >>> texts = "a.is_xpu()", "!a.is_cuda()", "a.is_cuda() || up", "b.is_cuda()", "!(a.is_cpu() && up)", "c.is_cpu()"
    >>> [needed_device((each,), one) for each in texts]
    ['', '', '', '', '', '']
    """
    made = dict((*function.inside.locals, *function.inside.narrowed))
    asking = [made.get(each, each) for each in conditions]
    needed = (
        device
        for device, asked in _ON.items()
        for each in asking
        if asked.search(each) is not None and _is_needed(each, function.parameters, device)
    )
    return next(needed, "")


@cache
def _is_needed(condition: str, parameters: tuple[str, ...], device: str) -> bool:
    tensors = [each.split()[-1] for each in parameters if TENSOR in each.split()]
    tensors = tensors[:1] if device == "CPU" else tensors
    asked = {found[0]: TRUE for found in _ON[device].finditer(condition) if found[1] in tensors}
    ordinary = dict.fromkeys(_OF_SPECIAL.findall(condition), FALSE)
    elsewhere = dict([ON_CPU]) if device == "CUDA" else {}
    if not asked or simplified(condition, {**ordinary, **dict.fromkeys(asked, FALSE), **elsewhere}) != FALSE:
        return False
    return simplified(condition, ordinary | asked) != FALSE


_OF_SPECIAL = re.compile(r"\w+\.is_(?:nested|sparse|quantized|mkldnn|lazy)\(\)")
"""What is asked of tensors that few programs have."""
_ON = {
    "CUDA": re.compile(r"(\w+)\.(?:(?:device\(\)\.)?is_cuda\(\)|device\(\)\.type\(\) == (?:\w+::)*k?CUDA)"),
    "CPU": _OF_ONE,
}


def _told_by(condition: str, function: Definition, alone: Collection[str]) -> str:
    """The device that a condition says, "" for none."""
    if is_of_all(condition):
        return "CPU"
    if not alone:
        return ""
    made = dict(function.inside.locals)
    plain = condition.removeprefix("!")
    meant = made.get(plain, plain)
    meant = opposite(meant) if plain != condition else meant
    tensors = [each.split()[-1] for each in function.parameters if TENSOR in each.split()]
    for text, device in ((meant, "CPU"), (opposite(meant), "CUDA" if {*alone} == BOTH else "")):
        asked = _OF_ONE.fullmatch(text)
        if asked is not None and asked.group(1) in tensors[:1]:
            return device
    return ""
