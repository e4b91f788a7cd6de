"""Questions that C++ functions of PyTorch ask of tensors and of what goes over them, and what is known that answers
them: names of facts, which stand among known names (``known.py``).

condition, known names -> ``true``, ``false``, "" for no answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

TRUE, FALSE = "true", "false"
Constants = tuple[tuple[str, str], ...]
"""Names, and the constant that each is."""
NOT_CAST, ONE_TYPE = ("no result is cast", TRUE), ("all is of one type", TRUE)
"""Among known names, of what goes over tensors (``TensorIterator``): its results are new, or have the type that is
computed with; so have all that it goes over."""
ONE_INPUT_TYPE = ("all inputs are of one type", TRUE)
"""The same of a tensor alone that it goes over, or of several of one type."""
ONE_ELEMENT, NO_ELEMENT = ("all has one element", TRUE), ("all has no element", TRUE)
"""The same: there is one element in each, or none."""
ITER_NOT_CAST = ("no result is cast of what is made here", TRUE)
"""The same of what goes over tensors that one function makes, for those that it calls."""
SAME_SIZE = ("no result is resized", TRUE)
"""The same of a tensor that is changed in place: what is cast back to it has its size."""
ITER_SAME_SIZE = ("no result is resized of what is made here", TRUE)
"""The same of what goes over tensors that one function makes, for those that it calls."""
_ASKS_SIZE = re.compile(r"(?:\w+::)*\w*resize_\w*check\w*(?:<\w+>)?\((\w+), [^()]*\)")
"""Whether a result is to be resized, as functions ask that are named for it."""
_OTHER_SIZE = re.compile(r"original_\w+\.sizes\(\) != \w+\.sizes\(\)")
SAFELY = ".enforce_safe_casting_to_output_"
"""The member that says that results are cast only to what can hold them."""
CASTING = ".cast_common_dtype_to_outputs_"
"""The member that says that results may have another type than is computed with."""
_CAST = re.compile(rf"\w+(?:\{CASTING}|(?:\.|->)original_tensor_base\(\)\.defined\(\))")
RESIZING = ".resize_outputs_"
"""The member that says that results may have another shape than what is computed."""
_RESIZED = re.compile(r"\w+(?:\.|->)will_resize")
GIVEN = ("the result is given", TRUE)
"""Among known names, of what goes over tensors: its result is one of them, so that there is none to be made."""
_IS_GIVEN = re.compile(r"\w+(?:\.|->)tensor_base\(\)\.defined\(\)")
_OTHER_TYPE = re.compile(r"\w+\.current_dtype != common_dtype_?")
_INPUT_CAST = re.compile(r"(?:.+ && )?!op\.is_output && op\.current_dtype != common_dtype_?")
TO_FLOAT = ".promote_integer_inputs_to_float_"
"""The member that says that whole numbers are computed with as others."""
_TYPES_OF_TWO = re.compile(r"iter\.dtype\(\d\) == iter\.dtype\(\d\)")
_IS_CONTIGUOUS = re.compile(r"iter\.is_contiguous\(\)")
TYPE_OF_TWO = re.compile(r"result_type\((\w+),(\w+)\)")
"""The type that two values are computed with."""
OVERRIDDEN = "has_torch_function"
"""What bindings ask about classes of Python: no tensor of PyTorch's own class overrides a function."""
_OVERRIDING = re.compile(r"(?:[\w:]+(?:\.|->))?(?:[\w:]+::)?(?:check_)?has_torch_function\([\w, ]*\)")
_HAS_STRIDES = re.compile(r"(?:\w+(?:\(\))?(?:\.|->))*supports?_as_strided\(\)")
"""What is asked of devices and tensors: those of few backends have no strides (XLA)."""
ALWAYS = ((_OVERRIDING, FALSE), (_HAS_STRIDES, TRUE))
"""Questions to which ordinary tensors have one answer."""
ASKS_ALWAYS = re.compile(f"{OVERRIDDEN}|supports?_as_strided")
ALL_REAL = ("no result is complex", TRUE)
"""Among known names, of what goes over tensors."""
_IS_COMPLEX = re.compile(r"(?:\w+::)*isComplexType\(iter(?:ator)?\.output\(\)\.scalar_type\(\)\)")
THIS = "this"
"""What a method is called on, in its own words."""
ON_CPU = ("on CPU", TRUE)
"""Among known names: what is asked runs on a CPU, and all its tensors are there (one elsewhere would be dispatched)."""
ONE_DEVICE = ("on one device", TRUE)
"""Among known names: all tensors are on the same device, whichever that is."""
ON_CUDA = ("on CUDA", TRUE)
"""Among known names: where all tensors are on one device, that this is one of CUDA."""
NO_ZEROS = ("no tensor is one of zeros without data", TRUE)
NO_CONJUGATED = ("no tensor is conjugated when it is read", TRUE)
NO_NEGATED = ("no tensor is negated when it is read", TRUE)
_IS_CONJUGATED, _IS_NEGATED = (
    re.compile(rf"[\w.()]+(?:\.|->){asked}\(\)(?: != [\w.()]+(?:\.|->){asked}\(\))?") for asked in ("is_conj", "is_neg")
)
_IS_ZERO = re.compile(r"\w+(?:\.|->)_is_zerotensor\(\)")
_ELSEWHERE = "cuda|hip|xpu|mps|hpu|mtia|xla|ipu|vulkan|meta|privateuseone"
_ON_DEVICE = re.compile(
    rf"(?!\w*(?:device|options)\b)(?:\w+(?:\(\w*\))?(?:\.|->))+(?:is_(?:{_ELSEWHERE})\(\)"
    rf"|(?:type|device_type)\(\) == (?:[\w:]+::)?k?(?:{_ELSEWHERE}))",
    re.IGNORECASE,
)
"""Whether a tensor is on another device; one that is made may be (``device.is_cuda()``)."""
_ON_A_CPU, _NOT_ON_A_CPU = (
    re.compile(
        rf"(?!\w*(?:device|options)\b)(?:\w+(?:\(\w*\))?(?:\.|->))+"
        rf"(?:{called}(?:type|device_type|device)\(\) {compared} (?:\w+::)*k?CPU)"
    )
    for called, compared in ((r"is_cpu\(\)|", "=="), ("", "!="))
)
_OF_TENSOR = r"(?!\w*(?:device|options)\.)\w+\.device\(\d*\)"
_TOGETHER = re.compile(rf"{_OF_TENSOR} (==|!=) {_OF_TENSOR}")
"""Whether two tensors are on one device."""
_ITS_DEVICE = re.compile(rf"{_OF_TENSOR}(?:\.is_cuda\(\)|\.type\(\) == (?:\w+::)*k?CUDA)")
_SAME = re.compile(r"(\w+)\.is_same\((\w+)\)")
_ALIAS = re.compile(r"(\w+)\.is_alias_of\((\w+)\)")
_ADDRESSES = re.compile(r"&(\w+) (==|!=) &(\w+)")
_IS_TENSOR = re.compile(r"std::is_same_v ?< ?(\w+), ?(?:at::)?Tensor ?>")
"""What code asks that is made of a template."""


_SAID: tuple[tuple[Constants, re.Pattern[str], str], ...] = (
    ((ON_CPU,), _ON_DEVICE, FALSE),
    ((ON_CPU,), _ON_A_CPU, TRUE),
    ((ON_CPU,), _NOT_ON_A_CPU, FALSE),
    ((NOT_CAST, ITER_NOT_CAST, (CASTING, FALSE)), _CAST, FALSE),
    ((ONE_TYPE,), _OTHER_TYPE, FALSE),
    ((ONE_TYPE,), _TYPES_OF_TWO, TRUE),
    ((ONE_ELEMENT,), _IS_CONTIGUOUS, TRUE),
    ((NO_ELEMENT,), re.compile(r"iter\.numel\(\) == 0"), TRUE),
    ((NO_ELEMENT,), re.compile(r"iter\.numel\(\) != 0"), FALSE),
    ((GIVEN,), _IS_GIVEN, TRUE),
    (((RESIZING, FALSE),), _RESIZED, FALSE),
    ((SAME_SIZE, ITER_SAME_SIZE), _OTHER_SIZE, FALSE),
    ((NO_ZEROS,), _IS_ZERO, FALSE),
    ((NO_CONJUGATED,), _IS_CONJUGATED, FALSE),
    ((NO_NEGATED,), _IS_NEGATED, FALSE),
    ((ON_CUDA,), _ITS_DEVICE, TRUE),
    ((ALL_REAL,), _IS_COMPLEX, FALSE),
)
"""What is known and what it says of a question: one of some facts, the question, its answer."""
_SAYING = frozenset(name for facts, *_ in _SAID for name, _ in facts)


def answer(condition: str, known: Mapping[str, str]) -> str:
    """The answer to a question, ``true`` or ``false``, "" where it is not known.

    >>> texts = "t.is_cpu()", "t.device() != kCPU", "a.b().type() == at::kCPU", "t.is_cuda()", "device.is_cuda()"
    >>> [answer(each, dict([ON_CPU])) for each in texts]
    ['true', 'false', 'true', 'false', '']
    >>> [answer("a.device() != b.device()", dict(each)) for each in ([ONE_DEVICE], [ON_CUDA], [])]
    ['false', '', '']
    >>> [answer(each, dict([ON_CUDA])) for each in ("t.is_cuda()", "a.device(1).is_cuda()")]
    ['', 'true']
    """
    if ASKS_ALWAYS.search(condition):
        return next((holds for question, holds in ALWAYS if question.fullmatch(condition)), "")
    if not _SAYING.isdisjoint(known):
        for facts, holds in _said_of(condition):
            if any(known.get(name) == value for name, value in facts):
                return holds
    if known.get(ONE_INPUT_TYPE[0]) == TRUE and known.get(TO_FLOAT) == FALSE and _INPUT_CAST.fullmatch(condition):
        return FALSE
    together = _TOGETHER.fullmatch(condition) if ON_CPU[0] in known or ONE_DEVICE[0] in known else None
    if together is not None:
        return TRUE if together.group(1) == "==" else FALSE
    told = _of_tensor(condition, known)
    if told:
        return told
    sized = sized_result(condition)
    if sized and known.get(has_its_size(sized)) == TRUE:
        return FALSE
    typed, address, same = _of_variables(condition)
    alias = _ALIAS.fullmatch(condition)
    if alias is not None and known.get(is_new(alias[1])) == TRUE:
        return FALSE if known.get(same_tensor(alias[1], alias[2])) == FALSE else ""
    if typed is not None:
        return known.get(f"{typed[1]} == Tensor", "")
    if address is not None and known.get(same_tensor(address[1], address[3])) == TRUE:
        return TRUE if address[2] == "==" else FALSE
    return known.get(same_tensor(*same.groups()), "") if same is not None else ""


@cache
def _said_of(condition: str) -> tuple[tuple[Constants, str], ...]:
    """What decides a question, and its answer then."""
    return tuple((facts, holds) for facts, question, holds in _SAID if question.fullmatch(condition))


@cache
def _of_variables(condition: str) -> tuple[re.Match[str] | None, ...]:
    return tuple(each.fullmatch(condition) for each in (_IS_TENSOR, _ADDRESSES, _SAME))


def compares_devices(condition: str) -> bool:
    """Whether a condition is about the devices of two tensors.

    >>> compares_devices("iter.device(0) != iter.device(1)"), compares_devices("iter.device(0) == device")
    (True, False)
    """
    return _TOGETHER.fullmatch(condition) is not None


def is_of_all(condition: str) -> bool:
    """Whether a condition says that all tensors which are gone over are on a CPU.

    >>> texts = "common_device == kCPU", "iter.device().is_cpu()", "iter.device_type() == at::kCPU"
    >>> [is_of_all(each) for each in (*texts, "a.device().is_cpu()")]
    [True, True, True, False]
    """
    return _OF_ALL.fullmatch(condition) is not None


_OF_ALL = re.compile(
    r"(?:(?:common_device|device_type)\b|iter(?:ator)?\.device(?:_type)?\(\))(?:\.is_cpu\(\)| == (?:\w+::)*k?CPU)"
)


def same_tensor(one: str, other: str) -> str:
    """Among known names: whether two variables are the same tensor.

    >>> [answer(f"{same}.is_same(self)", {same_tensor("self", "src"): "true"}) for same in ("src", "other")]
    ['true', '']
    """
    return "{}.is_same({})".format(*sorted((one, other)))


def like_tensor(one: str, other: str) -> str:
    """Among known names: whether two variables are tensors of one size and one type."""
    return "{}.is_like({})".format(*sorted((one, other)))


def typed_tensor(one: str, other: str) -> str:
    """Among known names: whether two variables are tensors of one type."""
    return "{}.is_typed({})".format(*sorted((one, other)))


def real_of(one: str, other: str) -> str:
    """Among known names: whether a tensor is of the type of the real numbers that another one is made of."""
    return f"{one}.is_real_of({other})"


def about_two(fact: str) -> tuple[str, ...]:
    """The two variables that a fact is about which only names them: none for any other fact."""
    found = _OF_TWO.fullmatch(fact)
    return found.groups() if found is not None else ()


_OF_TWO = re.compile(r"(\w+)\.is_(?:same|like|typed|real_of)\((\w+)\)")


def is_device_of(text: str) -> bool:
    """Whether what is written is the device of a tensor.

    >>> [is_device_of(each) for each in ("iter.device(0)", "self.device()", "options.device()", "device")]
    [True, True, False, False]
    """
    return re.fullmatch(_OF_TENSOR, text) is not None


def has_its_size(name: str) -> str:
    """Among known names: a variable is a result that has its size already."""
    return f"{name}.has_its_size()"


def has_numel(name: str) -> str:
    """What the number of elements of a tensor is called among known names that lasts: of one that is made of one size
    that, of others what is checked."""
    return f"{name}.has_numel()"


def counted(text: str, made: Mapping[str, str]) -> str:
    """A condition that is checked with that name for numbers of elements, also for the variables that hold them.

    >>> counted("numel == 1 && b.sym_numel() > 0", {"numel": "a.numel()", "n": "a.dim()"})
    'a.has_numel() == 1 && b.has_numel() > 0'
    """
    numbers = {name: value for name, value in made.items() if _COUNTED.fullmatch(value) is not None}
    told = _NAME.sub(lambda word: numbers.get(word.group(), word.group()), text) if numbers else text
    return _COUNTED.sub(lambda found: has_numel(found[1]), told)


_COUNTED = re.compile(r"\b(\w+)\.(?:sym_)?numel\(\)")
_NAME = re.compile(r"(?<![\w.:>])[A-Za-z_]\w*(?![\w:(<.])")


def is_number(name: str) -> str:
    """Among known names: a variable is a tensor that stands for a number."""
    return f"{name}.is_wrapped_number()"


def is_new(name: str) -> str:
    """Among known names: a variable is a tensor that is made of sizes alone, so that its elements are contiguous."""
    return f"{name}.is_new()"


def laid_as(result: str, tensor: str) -> str:
    """Among known names: whether a variable is a new result in the memory format that a tensor suggests."""
    return f"{result}.is_laid_as({tensor})"


def with_rows(known: Mapping[str, str]) -> Mapping[str, str]:
    """What is known with the variables that are contiguous, as they are laid out like a tensor that suggests so.

    >>> for format in ("Contiguous", "ChannelsLast"):
    ...     asked = f"a.suggest_memory_format() == at::MemoryFormat::{format}"
    ...     list(with_rows({laid_as("out", "a"): TRUE, laid_as("up", "b"): TRUE, asked: TRUE}))[3:]
    ['out.is_contiguous()']
    ['out.is_contiguous_ChannelsLast()']
    """
    laid = [found for fact in known if ".is_laid_as(" in fact and (found := _LAID.fullmatch(fact)) is not None]
    if not laid:
        return known
    asked = [_SUGGESTS.fullmatch(fact) for fact, value in known.items() if value == TRUE]
    formats = {found[1]: found[2] for found in asked if found is not None}
    told = {found[1]: formats[found[2]] for found in laid if found[2] in formats}
    return {**known, **{is_contiguous(name, told[name]): TRUE for name in told}}


_LAID = re.compile(r"(\w+)\.is_laid_as\((\w+)\)")
_SUGGESTS = re.compile(r"(\w+)\.suggest_memory_format\(\) == (?:\w+::)*MemoryFormat::(Contiguous|ChannelsLast(?:3d)?)")


def is_contiguous(name: str, memory_format: str = "Contiguous") -> str:
    """The question whether the elements of a tensor stand in a row; among known names, as another memory format says.

    >>> is_contiguous("a"), is_contiguous("a", "ChannelsLast")
    ('a.is_contiguous()', 'a.is_contiguous_ChannelsLast()')
    """
    return f"{name}.is_contiguous{'' if memory_format == 'Contiguous' else f'_{memory_format}'}()"


def questions_behind(text: str) -> Iterator[str]:
    """What decides conditions that do not ask for it as such.

    >>> list(questions_behind("!a.is_contiguous() && b.numel() != n"))
    ['a.is_new()', 'a.dim()', 'a.has_numel()', 'a.is_contiguous()', 'b.has_numel()']
    >>> known = {"T == Tensor": "false", same_tensor("out", "self"): "true"}
    >>> [answer(each, known) for each in ("std::is_same_v < T, Tensor >", "&out != &self", "&self == &out", "&a == &b")]
    ['false', 'false', 'true', '']
    """
    for found in _CONTIGUOUS.finditer(text):
        name = found[1] or THIS
        yield from (is_new(name), f"{name}.dim()", has_numel(name), is_contiguous(name))
        yield from (is_contiguous(name, each) for each in ("ChannelsLast", "ChannelsLast3d") if found[2])
    yield from (is_new(found[1]) for found in (*_ALIAS.finditer(text), *_READ_OTHERWISE.finditer(text)))
    yield from (has_its_size(found[1] or found[2]) for found in _EXPANDED.finditer(text))
    yield from (f"{found[1]}.scalar_type()" for found in TYPE_OF_TWO.finditer(text))
    yield from (has_numel(found[1]) for found in _NUMEL.finditer(text))
    for found in (*VIEWED.finditer(text), *STRIDES.finditer(text)):
        yield from (f"{found[1]}.dim()", is_new(found[1]))
    yield from (f"{found[1]} == Tensor" for found in _IS_TENSOR.finditer(text))


_CONTIGUOUS = re.compile(r"(?:\b(\w+)\.|(?<![\w.>:]))is_(?:contiguous|non_overlapping_and_dense)\((\w*)\)")
"""Whether elements stand in a row, of a memory format where one is named."""
STRIDES = re.compile(r"(\w+)\.strides\(\)")
_READ_OTHERWISE = re.compile(r"(\w+)\.(?:is_conj|is_neg|_is_zerotensor)\(\)")
"""Whether the elements of a tensor are in memory as they are read: those of a new one are."""
_EXPANDED = re.compile(r"(\w+)\.(?:sym_)?sizes\(\)\.equals\(sizes?\)|sizes?\.equals\((\w+)\.(?:sym_)?sizes\(\)\)")
"""Whether what may be expanded has that size: a result has it."""
_NUMEL = re.compile(r"(\w+)\.numel\(\) (==|!=) (\w+)")
_MANY = re.compile(r"(\w+)\.numel\(\) >=? [1-9]\d+(?: \* \d+)*")
"""Whether there are ten elements or more."""
VIEWED = re.compile(r"(?:\w+::)*computeStride\((\w+)\.(?:sym_)?sizes\(\), .+\)")
"""The strides of a view of other sizes, which is none where the elements lie otherwise: those of what has one dimension
or none always can be viewed."""


def _of_tensor(condition: str, known: Mapping[str, str]) -> str:
    """The answer that follows from how a tensor was made, or from how many dimensions it has.

    >>> known = {"a.is_new()": "true", "a.has_numel() == n": "true", "b.dim()": "0"}
    >>> texts = "a.is_contiguous()", "a.numel() != n", "b.is_contiguous()", "b.numel() == n"
    >>> [_of_tensor(each, known) for each in texts]
    ['true', 'false', 'true', '']
    >>> _of_tensor("a.is_conj()", known), _of_tensor("b.is_conj()", known)
    ('false', '')
    >>> texts = "a.is_contiguous()", "a.numel() == 0", "a.numel() >= 60 * 60"
    >>> [_of_tensor(each, {"a.has_numel()": "1"}) for each in texts]
    ['true', 'false', 'false']
    """
    found = _CONTIGUOUS.fullmatch(condition)
    if found is not None:
        name = found[1] or THIS
        named = known.get(found[2], "").rpartition("MemoryFormat::")[2] if found[2] else "Contiguous"
        if named != "Contiguous":
            return known.get(is_contiguous(name, named), "") if named else ""
        alone = known.get(f"{name}.dim()") == "0" or known.get(has_numel(name)) in ("0", "1")
        return TRUE if alone or TRUE in (known.get(is_new(name)), known.get(is_contiguous(name))) else ""
    found = _READ_OTHERWISE.fullmatch(condition)
    if found is not None and known.get(is_new(found[1])) == TRUE:
        return FALSE
    found = _EXPANDED.fullmatch(condition)
    if found is not None:
        return known.get(has_its_size(found[1] or found[2]), "")
    found = _MANY.fullmatch(condition)
    if found is not None and known.get(has_numel(found[1])) in ("0", "1"):
        return FALSE
    found = _NUMEL.fullmatch(condition)
    if found is not None and found[3].isdecimal() and (number := known.get(has_numel(found[1]))):
        return TRUE if (number == found[3]) == (found[2] == "==") else FALSE
    if found is not None and known.get(f"{has_numel(found[1])} == {found[3]}") == TRUE:
        return TRUE if found[2] == "==" else FALSE
    return ""


@cache
def sized_result(condition: str) -> str:
    """The result of which a condition asks whether it is to be resized, "" for none.

    >>> sized_result("_resize_output_check<T>(output, shape)"), sized_result("resize(output)")
    ('output', '')
    """
    found = _ASKS_SIZE.fullmatch(condition)
    return found.group(1) if found is not None else ""
