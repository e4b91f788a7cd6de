"""An entry -> the C++ functions that do its work, for each dispatch key, with the reason for each.

Rules
1. The function of a dispatch key is looked up by the name in the entry (``entries.py``), among several of that name
   the one with the parameters of the schema (``overloads.py``). Structured kernels are ``structured_NAME::impl``.
   The shape function ``structured_NAME::meta`` is the kernel of the key Meta.
2. An entry that delegates gets the kernels of the structured entry it names. Of the dispatch keys that it lists itself
   it has its own: ``torchgen/model.py`` lets it do so for keys without structured kernels (Sparse and others).
3. What a function calls through a stub is a kernel too, of the function's key; of one for every backend, of the devices
   that it is registered for. Of several stubs that one call hands on, the function that gets them chooses. So it is
   with what the functions that only its file can call do for it, but for stubs that these call only where they are
   given other constants.
4. What C++ registers by hand for dispatch keys of autograd is a kernel of these (``TORCH_LIBRARY_IMPL``).
5. Kernels of ``ufunc_inner_loop`` and copies of views (tag ``view_copy``) are generated while PyTorch is built.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from bzlgraph.base.span import Location
from bzlgraph.ops.model import KernelRegistration
from bzlgraph.ops.pytorch.cpp.defined import Definition
from bzlgraph.ops.pytorch.cpp.definitions import Definitions, within
from bzlgraph.ops.pytorch.cpp.own_functions import behind_helper, is_left_out
from bzlgraph.ops.pytorch.cpp.truth import is_special, opposite, parts_of
from bzlgraph.ops.pytorch.entries import COMPOSITE_KEYS, IMPLICIT_KEYS, NativeFunction
from bzlgraph.ops.pytorch.overloads import closest

STRUCTURED = "structured kernel"
DISPATCH = "dispatch key"
COMPOSITE = "made of other operators"
ANY_BACKEND = "one function for every backend"
GENERATED = "generated"
BY_HAND = "TORCH_LIBRARY_IMPL"
ABSENT = "not in this tree"
META, SHAPES = "Meta", "computes the shapes of all structured kernels"


def kernels(
    entry: NativeFunction, entries: Mapping[str, NativeFunction], definitions: Definitions
) -> Iterator[KernelRegistration]:
    """The kernels of an entry, without their targets. ``entries`` are all entries by full name."""
    delegate = entries.get(entry.delegate)
    if delegate is not None and not delegate.delegate:
        own = {key for key, _ in entry.kernels}
        for kernel in kernels(delegate, entries, definitions):
            if kernel.device not in own and BY_HAND not in kernel.through:
                through = (*kernel.through, f"structured_delegate {entry.delegate}")
                yield replace(kernel, op=entry.full_name, through=through)
    for inner, function in entry.ufunc:
        header = f"aten/src/ATen/native/ufunc/{function.partition(' ')[0]}.h"
        yield _generated(entry, inner, f"ufunc {function}", header)
    for key, function in entry.kernels:
        yield from _of_key(entry, key, function, definitions)
    for shape in definitions.named(meta_function(entry)) if entry.structured else ():
        place = Location(shape.path, shape.line, 1)
        yield KernelRegistration(entry.full_name, META, shape.key, place, (SHAPES,), condition=shape.condition)
    yield from _by_hand(entry, definitions)


def runs_on(entries: Mapping[str, NativeFunction], op: str, device: str) -> bool:
    """Whether an operator has a function for what runs on a device; what runs on CUDA has tensors on a CPU, too. One
    that lists no functions may have some elsewhere."""
    entry = entries[op]
    listed = [each for each in (entry, entries.get(entry.delegate)) if each is not None]
    keys = {key for each in listed for key, _ in each.kernels}
    if not keys or any(each.ufunc for each in listed):
        return True
    here = {"CPU": ("CPU",), "CUDA": ("CPU", "CUDA")}.get(device, ("",))
    return any(key in COMPOSITE_KEYS or key.endswith(here) for key in keys)


def is_ordinary(entries: Mapping[str, NativeFunction], op: str) -> bool:
    """Whether an operator lists a function for tensors of no special kind; those of ``ufunc`` are generated."""
    listed = [each for each in (entries[op], entries.get(entries[op].delegate)) if each is not None]
    return not all(is_special(key) for each in listed for key, _ in each.kernels)


def meta_function(entry: NativeFunction) -> str:
    """The name of the shape function of a structured entry: that of the variant which gives a new tensor."""
    overload = entry.overload.removesuffix("out").removesuffix("_")
    functional = entry.functional or f"{entry.name}{'.' if overload else ''}{overload}"
    return f"structured_{functional.replace('.', '_')}::meta"


def wanted_names(entry: NativeFunction) -> list[str]:
    """The names of functions that an entry's kernels are defined under."""
    names = [_looked_up(entry, key, function) for key, function in entry.kernels]
    return [*names, meta_function(entry)] if entry.structured else names


def _looked_up(entry: NativeFunction, key: str, function: str) -> str:
    last = function.rpartition("::")[2]
    return f"structured_{last}::impl" if entry.structured and key not in COMPOSITE_KEYS else last


def _of_key(entry: NativeFunction, key: str, function: str, definitions: Definitions) -> Iterator[KernelRegistration]:
    """Rules 1, 3 and 5 for one dispatch key."""
    name = _looked_up(entry, key, function)
    found = functions_of(entry, key, function, definitions)
    if not found:
        how = GENERATED if "view_copy" in entry.tags else ABSENT
        yield KernelRegistration(entry.full_name, key, function, Location("", 0, 0), (how,))
        return
    how = _how(key, is_structured=entry.structured and bool(definitions.named(name)))
    for each in found:
        through = (how, f"macro {each.through}") if each.through else (how,)
        place = Location(each.path, each.line, 1)
        yield KernelRegistration(entry.full_name, key, function, place, through, condition=each.condition)
        yield from _behind_stubs(entry, key, each, definitions)


def functions_of(entry: NativeFunction, key: str, function: str, definitions: Definitions) -> list[Definition]:
    """The definitions that a dispatch key of an entry means (rule 1)."""
    name, plain = _looked_up(entry, key, function), function.rpartition("::")[2]
    return _chosen(entry, function, definitions.named(name)) or (
        _chosen(entry, function, definitions.named(plain)) if name != plain else []
    )


def _how(key: str, is_structured: bool) -> str:
    if key in IMPLICIT_KEYS:
        return COMPOSITE
    if key in COMPOSITE_KEYS:
        return ANY_BACKEND
    return STRUCTURED if is_structured else DISPATCH


def _behind_stubs(
    entry: NativeFunction, key: str, definition: Definition, definitions: Definitions
) -> Iterator[KernelRegistration]:
    """Rule 3. A function for some device calls the stub for that device; a composite one for any."""
    for stub, how in _stubs_of(entry, definition, definitions):
        for kernel in definitions.behind(stub):
            if key in COMPOSITE_KEYS or key.endswith(kernel.device):  # SparseCUDA runs on CUDA
                place = Location(kernel.path, kernel.line, 1)
                device = kernel.device if key in COMPOSITE_KEYS else key
                yield KernelRegistration(
                    entry.full_name, device, kernel.function, place, how, condition=kernel.condition
                )


def _stubs_of(
    entry: NativeFunction, definition: Definition, definitions: Definitions
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The stubs of a function and of those of its file's own that it names, and how each is reached: a function of the
    file's own that has several chooses."""
    waiting: list[tuple[Definition, str, tuple[tuple[str, ...], ...]]] = [(definition, "", ())]
    seen: set[tuple[str, int, tuple[tuple[str, ...], ...]]] = set()
    while waiting:
        each, name, calls = waiting.pop(0)
        for stub, chooser in each.stubs:
            if is_left_out(stub, each, calls):
                continue
            chosen_by = chooser or (name if len(each.stubs) > 1 else "")
            how = f"stub {stub}, if {chosen_by} chooses it" if chosen_by else f"stub {stub}"
            yield stub, (how, f"called by {name}") if name and not chosen_by else (how,)
        for helper in each.helpers:
            named = behind_helper(helper, each, definitions.named(helper.rpartition("::")[2]))
            given = tuple(call for called, call in each.gives if called == helper)
            for found in closest(entry.schema, named):
                if (found.name, found.line, given) not in seen:
                    seen.add((found.name, found.line, given))
                    waiting.append((found, helper.partition("::")[0], given))


def _by_hand(entry: NativeFunction, definitions: Definitions) -> Iterator[KernelRegistration]:
    """Rule 4; the place of the registration where its file has no such function."""
    for each in definitions.by_hand(entry.full_name):
        qualifier, _, name = each.function.rpartition("::")
        named = [made for made in definitions.named(name) if made.path == each.path]
        meant = [made.line for made in named if not qualifier or within(made, qualifier)]
        for line in meant or [each.line]:
            place = Location(each.path, line, 1)
            yield KernelRegistration(
                entry.full_name, each.key, each.function, place, (BY_HAND,), condition=each.condition
            )


def _generated(entry: NativeFunction, key: str, what: str, header: str) -> KernelRegistration:
    return KernelRegistration(entry.full_name, key, what, Location(header, 0, 0), (GENERATED,))


def _chosen(entry: NativeFunction, function: str, found: list[Definition]) -> list[Definition]:
    """Those in the very namespace that generated code calls (``at::native``, or the one that is written), then those
    somewhere below it, then any; of them the ones that fit the schema. None that only its file can call."""
    qualifier = function.rpartition("::")[0]
    wanted = f"at::native::{qualifier}".rstrip(":")
    called = [each for each in found if not each.own]
    exact = [each for each in called if each.namespace in (wanted, qualifier)]
    below = [each for each in called if each.namespace.startswith(f"{wanted}::")]
    return closest(entry.schema, exact or below or called)


def compiled_first(
    kernels: Iterable[KernelRegistration], conditions: Sequence[str] = ()
) -> tuple[KernelRegistration, ...]:
    """Kernels without those that the preprocessor leaves out where ``conditions`` hold; of each device what stands in
    for a library that is missing (``!AT_CUDNN_ENABLED()``) behind all else."""
    asked = {part.strip() for each in conditions for part in parts_of(each, "&&")}
    left = [each for each in kernels if not each.condition or opposite(each.condition) not in asked]
    places = {device: at for at, device in reversed([*enumerate(each.device for each in left)])}
    return tuple(sorted(left, key=lambda each: (places[each.device], each.condition.startswith("!"))))


def where_asked_for(kernels: Sequence[KernelRegistration], conditions: Sequence[str]) -> Sequence[KernelRegistration]:
    """Kernels of an operator that is called under conditions: those for other devices alone (MPS, XPU) only where a
    condition names the device, as what calls it may be for another one."""
    if any(each.device in COMPOSITE_KEYS or each.device.endswith(("CPU", "CUDA")) for each in kernels):
        return kernels
    asked = " ".join(conditions).lower()
    return [each for each in kernels if each.device.lower() in asked]


def without_choices(kernels: Sequence[KernelRegistration]) -> list[KernelRegistration]:
    """Kernels without those behind stubs of which a function that works for every backend calls one of several for a
    device. One function that is compiled in several ways is one."""
    functions = {(each.device, each.kernel_class, each.location.path) for each in kernels if _is_behind(each)}
    behind = Counter(device for device, _, _ in functions)
    whole = any(each.device in COMPOSITE_KEYS for each in kernels)
    return [each for each in kernels if not (whole and _is_behind(each) and behind[each.device] > 1)]


def _is_behind(kernel: KernelRegistration) -> bool:
    return any(each.startswith("stub ") for each in kernel.through)
