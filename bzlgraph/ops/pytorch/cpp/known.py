"""What is left of conditions where some names are known: parameters that a call gives constants, local variables that
are made of these, and what the conditions around a call say of what it hands on.

condition, known names -> what is left of it; conditions -> what is known where they hold.

>>> simplified("up && fast", {"up": "true"}), facts_of(["!(n == 1 || up)", "dim == 2"])
('fast', {'n == 1': 'false', 'up': 'false', 'dim == 2': 'true', 'dim': '2'})
>>> simplified("a.dim() == 1 || fast", facts_of(["a.dim() == 2"]))
'fast'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import eq, ge, gt, le, lt, ne

from bzlgraph.ops.pytorch.cpp.truth import opposite, parts_of

TRUE, FALSE = "true", "false"
Constants = tuple[tuple[str, str], ...]
"""Names, and the constant that each is."""
EMPTY = "{}"
"""What is given for no tensor, and no value."""
_NUMBER = r"-?\d+(?:\.\d*)?(?:[eE]-?\d+)?[fFlLuU]*"
_CONSTANT = re.compile(rf"\{{\}}|{_NUMBER}|true|false|nullptr|(?:\w+::)*(?:nullopt|k[A-Z]\w*)|(?:\w+::)+[A-Z]\w*")
_PLAIN_NUMBER = re.compile(_NUMBER)
_OPERAND = r"(?:static_cast<[\w: ]+>|\w+\.\w+(?:<[\w:<> ]+>)?|[\w:]+)\([\w.:]*\)|\*?[\w:.-]+"
_COMPARED = re.compile(rf"({_OPERAND}) (==|!=|<=|>=|<|>) ({_OPERAND})")
_CONVERTED = re.compile(r"(\w+)\.to\w*(?:<[\w:<> ]+>)?\(\)")
"""The number that a ``Scalar`` holds."""
_HELD = re.compile(r"(\w+)\.(?:value\(\)|value_or\(([\w:.-]+)\))|\*(\w+)")
"""The value that an optional one holds, or another where it holds none."""
WRAPPING = "maybe_wrap_dim"
_WRAPPED = re.compile(rf"(?:\w+::)*{WRAPPING}\((\w+), .+\)")
FROM_END = "FromEnd::D"
"""How a dimension is written that is counted from the end: which one it is from the first is not known."""
_NUMBER_OF = re.compile(rf"(?:static_cast<[\w: ]+>|(?:at::|c10::)?Scalar)\(({_NUMBER})\)")
_EQUAL = re.compile(rf"(\w+)\.equal\(({_NUMBER}|true|false)\)")
_COMPARISONS: dict[str, Callable[[float, float], bool]] = dict(
    zip(("==", "!=", "<=", ">=", "<", ">"), (eq, ne, le, ge, lt, gt), strict=True)
)
_MEMBER = re.compile(r"\w+(?:\.|->)(\w+)")
NOT_CAST, ONE_TYPE = ("no result is cast", TRUE), ("all is of one type", TRUE)
"""Among known names, of what goes over tensors (``TensorIterator``): its results are new, or have the type that is
computed with; so have all that it goes over."""
ITER_NOT_CAST = ("no result is cast of what is made here", TRUE)
"""The same of what goes over tensors that one function makes, for those that it calls."""
SAME_SIZE = ("no result is resized", TRUE)
"""The same of a tensor that is changed in place: what is cast back to it has its size."""
_ASKS_SIZE = re.compile(r"(?:\w+::)*\w*resize_\w*check\w*(?:<\w+>)?\((\w+), [^()]*\)")
"""Whether a result is to be resized, as functions ask that are named for it."""
_OTHER_SIZE = re.compile(r"original_\w+\.sizes\(\) != \w+\.sizes\(\)")
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
OVERRIDDEN = "has_torch_function"
"""What bindings ask about classes of Python: no tensor of PyTorch's own class overrides a function."""
_OVERRIDING = re.compile(r"(?:[\w:]+(?:\.|->))?(?:[\w:]+::)?(?:check_)?has_torch_function\([\w, ]*\)")
ON_CPU = ("on CPU", TRUE)
"""Among known names: what is asked runs on a CPU, and all its tensors are there (one elsewhere would be dispatched)."""
ONE_DEVICE = ("on one device", TRUE)
"""Among known names: all tensors are on the same device, whichever that is."""
ON_CUDA = ("on CUDA", TRUE)
"""Among known names: where all tensors are on one device, that this is one of CUDA."""
NO_ZEROS = ("no tensor is one of zeros without data", TRUE)
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
_ITS_DEVICE = re.compile(rf"{_OF_TENSOR}\.is_cuda\(\)")
_ASKED = re.compile(r"(\w+)\.(?:has_value|defined)\(\)")
_ASKED_OF_LIST = re.compile(r"(\w+)\.empty\(\)")
_LASTING = re.compile(
    r"\b(\w+)\.(?:has_its_size|dim|scalar_type|dtype|layout|device|type|is_(?!contiguous|same|alias)\w+|defined|has_value|to\w+)\(\)"
)
"""What of a tensor, an optional value or a number stays so while its variable does."""
_SAME = re.compile(r"(\w+)\.is_same\((\w+)\)")
_VARIABLE = re.compile(r"(?<![\w.:>])[A-Za-z_]\w*(?![\w:(<])")


_SAID: tuple[tuple[Constants, re.Pattern[str], str], ...] = (
    ((ON_CPU,), _ON_DEVICE, FALSE),
    ((ON_CPU,), _ON_A_CPU, TRUE),
    ((ON_CPU,), _NOT_ON_A_CPU, FALSE),
    ((NOT_CAST, ITER_NOT_CAST, (CASTING, FALSE)), _CAST, FALSE),
    ((ONE_TYPE,), _OTHER_TYPE, FALSE),
    ((GIVEN,), _IS_GIVEN, TRUE),
    (((RESIZING, FALSE),), _RESIZED, FALSE),
    ((SAME_SIZE,), _OTHER_SIZE, FALSE),
    ((NO_ZEROS,), _IS_ZERO, FALSE),
    ((ON_CUDA,), _ITS_DEVICE, TRUE),
)
"""What is known and what it says of a question: one of some facts, the question, its answer."""
_SAYING = frozenset(name for facts, *_ in _SAID for name, _ in facts)


def compares_devices(condition: str) -> bool:
    """Whether a condition is about the devices of two tensors.

    >>> texts = "iter.device(0) != iter.device(1) && n", "t.is_cuda()", "!a.device().is_cuda() && a.device(1).is_cuda()"
    >>> simplified(texts[0], dict([ONE_DEVICE])), simplified(texts[0], {"m": "1"}) == texts[0]
    ('false', True)
    >>> [simplified(each, dict([ON_CUDA])) for each in texts[1:]]
    ['t.is_cuda()', 'false']
    """
    return _TOGETHER.fullmatch(condition) is not None


def same_tensor(one: str, other: str) -> str:
    """Among known names: whether two variables are the same tensor.

    >>> [simplified(f"!{same}.is_same(self)", {same_tensor("self", "src"): "true"}) for same in ("src", "other")]
    ['false', '!other.is_same(self)']
    """
    return "{}.is_same({})".format(*sorted((one, other)))


def like_tensor(one: str, other: str) -> str:
    """Among known names: whether two variables are tensors of one size and one type."""
    return "{}.is_like({})".format(*sorted((one, other)))


def is_device_of(text: str) -> bool:
    """Whether what is written is the device of a tensor.

    >>> [is_device_of(each) for each in ("iter.device(0)", "self.device()", "options.device()", "device")]
    [True, True, False, False]
    """
    return re.fullmatch(_OF_TENSOR, text) is not None


def has_its_size(name: str) -> str:
    """Among known names: a variable is a result that has its size already."""
    return f"{name}.has_its_size()"


def sized_result(condition: str) -> str:
    """The result of which a condition asks whether it is to be resized, "" for none.

    >>> sized_result("_resize_output_check<T>(output, shape)"), sized_result("resize(output)")
    ('output', '')
    """
    found = _ASKS_SIZE.fullmatch(condition)
    return found.group(1) if found is not None else ""


def is_constant(text: str) -> bool:
    """Whether what is written is the same wherever it stands: a number, ``true``, ``kCPU``, ``Reduction::Mean``."""
    return _CONSTANT.fullmatch(text) is not None


def simplified(condition: str, known: Mapping[str, str]) -> str:
    """A condition where some names are known to be constants (``.name``: that member of any object; a whole condition:
    whether it holds): what is left of it, ``true`` or ``false``.

    >>> known = {"how": "Activation::None", "up": "true", "dim": "nullopt", "beta": "0.0", "n == 1": "false"}
    >>> texts = "n > 1 && up", "how == Activation::RELU", "!up || n", "dim.has_value()", "!(how != Activation::None)"
    >>> texts = *texts, "beta.to<double>() != 0", "beta.equal(1.0) || n != 1", "beta.equal(false)"
    >>> [simplified(each, known) for each in texts]
    ['n > 1', 'false', 'n', 'false', 'true', 'false', 'true', 'true']
    >>> simplified("!(!config.same_ && !config.cast_) && n", {".same_": "true"})
    'n'
    >>> [simplified(each, dict([ON_CPU])) for each in ("t.is_cuda()", "n || t.device().type() == at::kCUDA")]
    ['false', 'n']
    >>> texts = "config.cast_common_dtype_to_outputs_", "op.original_tensor_base().defined()", "op.is_output"
    >>> [simplified(each, known) for known in (dict([NOT_CAST]), {CASTING: "true"}) for each in texts]
    ['false', 'false', 'op.is_output', 'true', 'op.original_tensor_base().defined()', 'op.is_output']
    >>> [simplified("n && op.will_resize", {RESIZING: each}) for each in ("false", "true")]
    ['false', 'n && op.will_resize']
    >>> texts = "a.device() != b.device()", "!(a.device() == b.device())", "options.device() != b.device()"
    >>> [simplified(each, dict([ON_CPU])) for each in texts], simplified(texts[0], {"n": "1"})
    (['false', 'false', 'options.device() != b.device()'], 'a.device() != b.device()')
    >>> [simplified(each, {"a": "{}", "b": "nullopt"}) for each in ("!a.empty()", "a.empty() || n", "b.empty()")]
    ['false', 'true', 'b.empty()']
    >>> simplified("n && !r.has_torch_function()", {}), simplified("check_has_torch_function(self)", {})
    ('n', 'false')
    """
    if condition.endswith(" ...") or not (known or OVERRIDDEN in condition):
        return condition
    for joint, decides in (("||", TRUE), ("&&", FALSE)):
        parts = parts_of(condition, joint)
        if len(parts) > 1:
            left = [simplified(each.strip(), known) for each in parts]
            if decides in left:
                return decides
            kept = [each for each in left if each not in (TRUE, FALSE)]
            if len(kept) == len(left):
                return condition
            return f" {joint} ".join(kept) or (FALSE if decides == TRUE else TRUE)
    return _decided(condition, known)


def _decided(condition: str, known: Mapping[str, str]) -> str:
    """What is left of a condition that joins no others.

    >>> [simplified(each, dict([ON_CPU])) for each in ("t.is_cpu()", "t.device() != kCPU", "a.b().type() == at::kCPU")]
    ['true', 'false', 'true']
    >>> [simplified(each, dict([ON_CPU])) for each in ("device.is_cuda()", "x_options.device().is_xpu()")]
    ['device.is_cuda()', 'x_options.device().is_xpu()']
    >>> simplified("!(t.is_cpu() && !isTensorSubclassLike(t))", dict([ON_CPU]))
    'isTensorSubclassLike(t)'
    """
    if condition.startswith("(") and condition.endswith(")"):
        left = simplified(condition[1:-1], known)
        return left if left in (TRUE, FALSE) else (condition if left == condition[1:-1] else f"({left})")
    if condition.startswith("!"):
        left = simplified(condition[1:].strip(), known)
        if left in _NOT or left == condition[1:].strip():
            return _NOT.get(left, condition)
        shorter = opposite(left[1:-1]) if left.startswith("(!") else ""
        return shorter if shorter and len(shorter) < len(left) - 2 else f"!{left}"
    if _OVERRIDING.fullmatch(condition):
        return FALSE
    if not _SAYING.isdisjoint(known):
        for facts, asked_so, holds in _SAID:
            if any(known.get(name) == value for name, value in facts) and asked_so.fullmatch(condition):
                return holds
    together = _TOGETHER.fullmatch(condition) if ON_CPU[0] in known or ONE_DEVICE[0] in known else None
    if together is not None:
        return TRUE if together.group(1) == "==" else FALSE
    told = _told_of_variables(condition, known)
    if told:
        return told
    member = _MEMBER.fullmatch(condition)
    value = known.get(condition, condition) if member is None else known.get(f".{member.group(1)}", condition)
    value = FALSE if value in ("0", "nullptr") or (value != condition and value.endswith("nullopt")) else value
    return value if value in (TRUE, FALSE) else _compared(condition, known)


def _told_of_variables(condition: str, known: Mapping[str, str]) -> str:
    """The answer to what is asked of one or two variables, "" where it is not known."""
    sized = sized_result(condition)
    if sized and known.get(has_its_size(sized)) == TRUE:
        return FALSE
    same = _SAME.fullmatch(condition)
    if same is not None:
        return known.get(same_tensor(*same.groups()), "")
    if known.get(f"{condition}.has_value()") == TRUE:
        return TRUE
    asked = _ASKED.fullmatch(condition)
    if asked is not None and known.get(asked.group(1), "").endswith(("nullopt", EMPTY)):
        return FALSE
    listed = _ASKED_OF_LIST.fullmatch(condition)
    if listed is not None and known.get(listed.group(1)) == EMPTY:
        return TRUE
    return ""


def _compared(condition: str, known: Mapping[str, str]) -> str:
    """What is left of a comparison, also one of which the opposite is known."""
    equal, compared = _EQUAL.fullmatch(condition), _COMPARED.fullmatch(condition)
    one, comparison, other = compared.groups() if compared is not None else ("", "", "")
    if equal is not None:
        one, comparison, other = equal.group(1), "==", _AS_NUMBER.get(equal.group(2), equal.group(2))
    if not comparison:
        return condition
    decided = _NOT.get(known.get(opposite(condition), ""))
    if decided is not None:
        return decided
    left, right = constant_of(one, known), constant_of(other, known)
    if EMPTY in (left, right) or (left, right) == (one, other) or not (is_constant(left) and is_constant(right)):
        return condition
    numbers = [_PLAIN_NUMBER.fullmatch(each) is not None for each in (left, right)]
    if all(numbers):
        return TRUE if _COMPARISONS[comparison](_number(left), _number(right)) else FALSE
    named = left if numbers[1] else right
    if comparison not in ("==", "!=") or (any(numbers) and not named.endswith("nullopt")):  # an enumeration has numbers
        return condition
    return TRUE if (_plain(left) == _plain(right)) == (comparison == "==") else FALSE


_AS_NUMBER = {TRUE: "1", FALSE: "0"}
_NOT = {TRUE: FALSE, FALSE: TRUE}


def constant_of(text: str, known: Mapping[str, str]) -> str:
    """What is written where some names are known: the constant that it is, else itself.

    >>> [constant_of(each, {"beta": "0"}) for each in ("beta", "beta.toDouble()", "Scalar(1.0)", "alpha", "*beta")]
    ['0', '0', '1.0', 'alpha', '0']
    >>> [constant_of("f.value_or(at::kLong)", known) for known in ({}, {"f": "nullopt"}, {"f": "kInt"})]
    ['f.value_or(at::kLong)', 'at::kLong', 'kInt']
    """
    held = _HELD.fullmatch(text)
    if held is not None:
        value = known.get(held[1] or held[3], "")
        none = value.endswith("nullopt") or value == EMPTY
        return value if value and not none else constant_of(held[2], known) if none and held[2] else text
    counted = _WRAPPED.fullmatch(text)
    if counted is not None:
        return wrapped(known.get(counted[1], "")) or text
    converted, cast = _CONVERTED.fullmatch(text), _NUMBER_OF.fullmatch(text)
    if converted is not None:
        number = known.get(converted.group(1), "")
        return number if _PLAIN_NUMBER.fullmatch(number) else text
    return cast.group(1) if cast is not None else known.get(text, text)


def wrapped(constant: str) -> str:
    """A dimension that is counted from the end where it is negative, "" for what is no whole number.

    >>> wrapped("1"), wrapped("-2"), wrapped("n")
    ('1', 'FromEnd::D2', '')
    """
    if constant.isdecimal():
        return constant
    return f"{FROM_END}{constant[1:]}" if constant[:1] == "-" and constant[1:].isdecimal() else ""


def _number(text: str) -> float:
    return float(text.rstrip("fFlLuU"))


def _plain(constant: str) -> str:
    """``at::kFloat`` and ``ScalarType::Float`` are one."""
    last = constant.rpartition("::")[2]
    return last[1:] if last[:1] == "k" and last[1:2].isupper() else last


def facts_of(conditions: Iterable[str]) -> dict[str, str]:
    """What is known where conditions hold: of each of them alone whether it does, and which constants names are."""
    found: dict[str, str] = {}
    for condition in conditions:
        for text, holds in _alone(condition, holds=True):
            found[text] = TRUE if holds else FALSE
            name, comparison, value = text.partition(" == " if holds else " != ")
            lasting = name.isidentifier() or _LASTING.fullmatch(name) is not None
            if comparison and lasting and is_constant(value) and value != EMPTY:
                found[name] = value
    return found


def _alone(condition: str, *, holds: bool) -> Iterator[tuple[str, bool]]:
    """The conditions that a condition says something of by itself, and whether each holds."""
    if condition.endswith(" ..."):
        return
    for joint, decides in (("||", False), ("&&", True)):
        parts = parts_of(condition, joint)
        if len(parts) > 1:
            for each in parts if holds is decides else ():
                yield from _alone(each.strip(), holds=holds)
            return
    if condition.startswith("(") and condition.endswith(")"):
        yield from _alone(condition[1:-1], holds=holds)
    elif condition.startswith("!") and len(opposite(condition)) < len(condition):
        yield from _alone(opposite(condition), holds=not holds)
    else:
        yield condition, holds


def lasting_facts(conditions: Iterable[str], steady: Iterable[str]) -> dict[str, str]:
    """What is known for good where conditions hold: of variables that stay what they are."""
    names = {each: each for each in steady}
    return {text: value for text, value in facts_of(conditions).items() if handed_on(text, names) == text}


def handed_on(fact: str, names: Mapping[str, str]) -> str:
    """A condition in the words of a function that is given variables under the ``names`` of its parameters; "" when it
    is about anything else, or may have changed.

    >>> handed_on("n == Mode::Fast", {"n": "mode"}), handed_on("a.numel() == 0", {"a": "b"}), handed_on("n == m", {})
    ('mode == Mode::Fast', '', '')
    """
    if re.search(r"[(\[.>]", _LASTING.sub(r"\1", fact).replace(" > ", " ").replace(" >= ", " ")):
        return ""
    variables = {each for each in _VARIABLE.findall(fact) if not is_constant(each)}
    if not variables or not variables <= names.keys():
        return ""
    return _VARIABLE.sub(lambda word: names.get(word.group(), word.group()), fact)
