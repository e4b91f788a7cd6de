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
from functools import cache
from operator import eq, ge, gt, le, lt, ne

from bzlgraph.ops.pytorch.cpp.questions import ASKS_ALWAYS, FALSE, ONE_INPUT_TYPE, TRUE, about_two, answer, typed_tensor
from bzlgraph.ops.pytorch.cpp.truth import opposite, parts_of

EMPTY = "{}"
"""What is given for no tensor, and no value."""
_NUMBER = r"-?\d+(?:\.\d*)?(?:[eE]-?\d+)?[fFlLuU]*"
_TEXT = r'"[^"\\]*"'
_CONSTANT = re.compile(
    rf"\{{\}}|{_TEXT}|{_NUMBER}|true|false|nullptr|(?:\w+::)*(?:nullopt|k[A-Z]\w*)|(?:\w+::)+[A-Z]\w*"
)
_PLAIN_NUMBER = re.compile(_NUMBER)
_OPERAND = rf"{_TEXT}|(?:static_cast<[\w: ]+>|\w+\.\w+(?:<[\w:<> ]+>)?|[\w:]+)\([\w.:]*\)|\*?[\w:.-]+"
_COMPARED = re.compile(rf"({_OPERAND}) (==|!=|<=|>=|<|>) ({_OPERAND})")
_CONVERTED = re.compile(r"(\w+)\.to\w*(?:<[\w:<> ]+>)?\(\)")
"""The number that a ``Scalar`` holds."""
_HELD = re.compile(r"(\w+)\.(?:value\(\)|value_or\(([\w:.-]+)\))|\*(\w+)")
"""The value that an optional one holds, or another where it holds none."""
WRAPPING = "maybe_wrap_dim"
_WRAPPED = re.compile(rf"(?:\w+::)*{WRAPPING}\((\w+), .+\)")
SUGGESTED = "suggest_memory_format"
"""What gives the memory format that a tensor has: one of those that it may be in, never ``NO_FORMAT``."""
WRAPPED = "wrapped_scalar_tensor"
"""What makes a tensor of a number that counts as one: it never decides a type that a tensor has, too."""
CONTIGUOUS = "contiguous()"
"""How what gives a tensor with its elements in a row is told, whatever it is called on."""
COMMON_TYPE = "result_type"
"""What gives the type that two values are computed with."""
REAL = "toRealValueType"
"""What gives the type of real numbers that a type of complex ones is made of."""
NO_FORMAT = "MemoryFormat::Preserve"
FROM_END = "FromEnd::D"
"""How a dimension is written that is counted from the end: which one it is from the first is not known."""
_NUMBER_OF = re.compile(rf"(?:static_cast<[\w: ]+>|(?:at::|c10::)?Scalar)\(({_NUMBER})\)")
_EQUAL = re.compile(rf"(\w+)\.equal\(({_NUMBER}|true|false)\)")
_COMPARISONS: dict[str, Callable[[float, float], bool]] = dict(
    zip(("==", "!=", "<=", ">=", "<", ">"), (eq, ne, le, ge, lt, gt), strict=True)
)
_MEMBER = re.compile(r"\w+(?:\.|->)(\w+)")
_ASKED = re.compile(r"(\w+)\.(?:has_value|defined)\(\)")
_ASKED_OF_LIST = re.compile(r"(\w+)\.empty\(\)")
_LASTING = re.compile(
    r"\b(\w+)\.(?:has_its_size|has_numel|dim|scalar_type|dtype|layout|device|type|is_(?!same|alias)\w+|defined|has_value|to\w+)\(\)"
)
"""What of a tensor, an optional value or a number stays so while its variable does."""
_VARIABLE = re.compile(r"(?<![\w.:>])[A-Za-z_]\w*(?![\w:(<])")


def is_constant(text: str) -> bool:
    """Whether what is written is the same wherever it stands: a number, ``true``, ``kCPU``, ``Reduction::Mean``, a
    text."""
    return _CONSTANT.fullmatch(text) is not None


def plainly(condition: str) -> str:
    """A condition with one way to write what types and values are.

    >>> plainly("type.value() == a.dtype().toScalarType()"), plainly("a.scalar_type() == b.scalar_type()")
    ('a.scalar_type() == type', 'a.scalar_type() == b.scalar_type()')
    """
    plain = condition.replace(".dtype().toScalarType()", ".scalar_type()").replace(".value()", "")
    return _TYPED.sub(r"\3.scalar_type() \2 \1", plain)


_TYPED = re.compile(r"(?<![\w.:>])(\w+) (==|!=) (\w+)\.scalar_type\(\)")


def simplified(condition: str, known: Mapping[str, str]) -> str:
    """A condition where some names are known to be constants (``.name``: that member of any object; a whole condition:
    whether it holds): what is left of it, ``true`` or ``false``.

    >>> from bzlgraph.ops.pytorch.cpp.questions import CASTING, NOT_CAST, ON_CPU, RESIZING
    >>> known = {"how": "Activation::None", "up": "true", "dim": "nullopt", "beta": "0.0", "n == 1": "false"}
    >>> texts = "n > 1 && up", "how == Activation::RELU", "!up || n", "dim.has_value()", "!(how != Activation::None)"
    >>> texts = *texts, "beta.to<double>() != 0", "beta.equal(1.0) || n != 1", "beta.equal(false)"
    >>> [simplified(each, known) for each in texts]
    ['n > 1', 'false', 'n', 'false', 'true', 'false', 'true', 'true']
    >>> simplified("!(!config.same_ && !config.cast_) && n", {".same_": "true"})
    'n'
    >>> texts = "config.cast_common_dtype_to_outputs_", "op.original_tensor_base().defined()", "op.is_output"
    >>> [simplified(each, known) for known in (dict([NOT_CAST]), {CASTING: "true"}) for each in texts]
    ['false', 'false', 'op.is_output', 'true', 'op.original_tensor_base().defined()', 'op.is_output']
    >>> [simplified("n && op.will_resize", {RESIZING: each}) for each in ("false", "true")]
    ['false', 'n && op.will_resize']
    >>> [simplified(f'name {each} "sub"', {"name": '"add"'}) for each in ("==", "!=")]
    ['false', 'true']
    >>> texts = "a.device() != b.device()", "!(a.device() == b.device())", "options.device() != b.device()"
    >>> [simplified(each, dict([ON_CPU])) for each in texts], simplified(texts[0], {"n": "1"})
    (['false', 'false', 'options.device() != b.device()'], 'a.device() != b.device()')
    >>> [simplified(each, {"a": "{}", "b": "nullopt"}) for each in ("!a.empty()", "a.empty() || n", "b.empty()")]
    ['false', 'true', 'b.empty()']
    """
    if condition.endswith(" ...") or not (known or ASKS_ALWAYS.search(condition)):
        return condition
    if ONE_INPUT_TYPE[0] in known and (told := answer(condition, known)):
        return told
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

    >>> simplified("!(up && !isTensorSubclassLike(t))", {"up": "true"})
    'isTensorSubclassLike(t)'
    >>> texts = "n && !r.has_torch_function()", "check_has_torch_function(self)", "o.device().supports_as_strided()"
    >>> [simplified(each, {}) for each in texts]
    ['n', 'false', 'true']
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
    told = answer(condition, known) or _told_of_variables(condition, known)
    if told:
        return told
    member = _MEMBER.fullmatch(condition)
    value = known.get(condition, condition) if member is None else known.get(f".{member.group(1)}", condition)
    value = FALSE if value in ("0", "nullptr") or (value != condition and value.endswith("nullopt")) else value
    return value if value in (TRUE, FALSE) else _compared(condition, known)


def _told_of_variables(condition: str, known: Mapping[str, str]) -> str:
    """The answer to what is asked of a variable that may hold nothing, "" where it is not known."""
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
    for other_way in (opposite(condition), f"{one} {_INVERSE[comparison]} {other}"):
        decided = _NOT.get(known.get(other_way, ""))
        if decided is not None:
            return decided
    left, right = constant_of(one, known), constant_of(other, known)
    if left == one and right.isdecimal():
        return _of_few(left, comparison, int(right), known) or condition
    if EMPTY in (left, right) or (left, right) == (one, other) or not (is_constant(left) and is_constant(right)):
        return condition
    numbers = [_PLAIN_NUMBER.fullmatch(each) is not None for each in (left, right)]
    if all(numbers):
        return TRUE if _COMPARISONS[comparison](_number(left), _number(right)) else FALSE
    named = left if numbers[1] else right
    if comparison not in ("==", "!=") or (any(numbers) and not named.endswith("nullopt")):  # an enumeration has numbers
        return condition
    return TRUE if (_plain(left) == _plain(right)) == (comparison == "==") else FALSE


def _of_few(name: str, comparison: str, number: int, known: Mapping[str, str]) -> str:
    """The answer to a comparison with a small number where others with small numbers are known, "" for none.

    >>> _of_few("a.dim()", "==", 1, {"a.dim() > 1": "true"}), _of_few("n", "<", 4, {"n <= 2": "true"})
    ('false', 'true')
    >>> _of_few("a.dim()", "==", 0, {"a.dim() < 1": "true"}), _of_few("n", "==", 0, {"n < 1": "true"})
    ('true', '')
    """
    every = _NUMBERS_OF_DIMENSIONS if name.endswith(".dim()") else _NUMBERS
    may_be = every
    for asked, compare in _COMPARISONS.items():
        for other in range(_FEW):
            holds = known.get(f"{name} {asked} {other}")
            if holds is not None:
                may_be = [each for each in may_be if compare(each, other) == (holds == TRUE)]
    answers = {_COMPARISONS[comparison](each, number) for each in may_be}
    return (TRUE if answers.pop() else FALSE) if len(answers) == 1 and number < _FEW and may_be is not every else ""


_FEW = 5
"""Numbers that are compared with in conditions of which one decides the other: of dimensions."""
_NUMBERS_OF_DIMENSIONS = [float(each) for each in range(_FEW + 2)]
_NUMBERS = [each / 2 for each in range(-2, 2 * _FEW + 2)]
"""What may be compared with these, as far as answers differ."""
_INVERSE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
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


def value_held(text: str) -> str:
    """The optional variable whose value is written, or another where it has none; "" for any other text.

    >>> value_held("up.value_or(false)"), value_held("*n"), value_held("n")
    ('up', 'n', '')
    """
    found = _HELD.fullmatch(text)
    return (found[1] or found[3]) if found is not None else ""


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
            typed = _ONE_TYPE.fullmatch(text)
            if typed is not None and (typed[2] == "==") == holds:
                found[typed_tensor(typed[1], typed[3])] = TRUE
    return found


_ONE_TYPE = re.compile(r"(\w+)\.(?:dtype|scalar_type)\(\) (==|!=) (\w+)\.(?:dtype|scalar_type)\(\)")
"""Whether two tensors are of one type."""


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
    """What is known for good where conditions hold: of variables that stay what they are.

    >>> lasting_facts(["a.dtype() == b.dtype()", "a.dim() == n", "b.numel() == 1"], "ab")
    {'a.dtype() == b.dtype()': 'true', 'a.is_typed(b)': 'true'}
    """
    names = {each: each for each in steady}
    return {text: value for text, value in facts_of(conditions).items() if _lasts(text, names)}


def _lasts(fact: str, names: Mapping[str, str]) -> bool:
    """Whether a fact lasts that is about variables which stay what they are."""
    two = about_two(fact)
    return {*two} <= names.keys() if two else handed_on(fact, names) == fact


def handed_on(fact: str, names: Mapping[str, str]) -> str:
    """A condition in the words of a function that is given variables under the ``names`` of its parameters; "" when it
    is about anything else, or may have changed.

    >>> handed_on("n == Mode::Fast", {"n": "mode"}), handed_on("a.numel() == 0", {"a": "b"}), handed_on("n == m", {})
    ('mode == Mode::Fast', '', '')
    """
    variables = lasting_variables(fact)
    if not variables or not variables <= names.keys():
        return ""
    return _VARIABLE.sub(lambda word: names.get(word.group(), word.group()), fact)


@cache
def lasting_variables(fact: str) -> frozenset[str]:
    """The variables that a fact is about which lasts while these stay what they are; none for any other fact."""
    if _FLEETING.search(_LASTING.sub(r"\1", fact).replace(" > ", " ").replace(" >= ", " ")):
        return frozenset()
    return frozenset(each for each in _VARIABLE.findall(fact) if not is_constant(each))


def lasting_questions(text: str) -> frozenset[str]:
    """What is asked that lasts.

    >>> sorted(lasting_questions("a.dim() <= 1 && !(b.is_cpu() || c.numel() == 0)"))
    ['a.dim()', 'b.is_cpu()']
    """
    return frozenset(found.group() for found in _LASTING.finditer(text))


_FLEETING = re.compile(r"[(\[.>]")
