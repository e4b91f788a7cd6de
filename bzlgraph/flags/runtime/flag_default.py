"""The type and default of one ``Flag("name", ...)``, from what its file says about the variable or setter it names.

Rules
1. ``Flag(name, &place, text)``: the type is that of the declaration of ``place`` (in the file or a header that it
   includes); the default is what ``place`` is assigned in the file, else what its declaration gives it.
2. ``Flag(name, setter, default, text)``: the type is that of the value which the setter takes (a function, a lambda,
   a maker of lambdas), else that of the default. ``options->field()`` as a default means what ``set_field(...)``
   gives it; a field of a message that nobody sets is its type's zero.
3. A value that is set under ``#if`` is shown with the condition.
"""

from __future__ import annotations

from bzlgraph.cpp import Kind, Token, joined_string
from bzlgraph.flags.runtime.cpp_value import value_text
from bzlgraph.flags.runtime.source_view import SourceView, lambda_parameter, parameter_type

ZERO = {"bool": "false", "string": '""', "float": "0"}
"""What a message field holds that nobody sets; every other type is an integer."""


def of_place(place: list[Token], view: SourceView) -> tuple[str | None, str | None]:
    """(type, default) of a flag that writes straight to a variable or a field (rule 1)."""
    names = [token.text for token in place if token.kind == Kind.NAME]
    if not names:
        return None, None
    if names[-1].startswith("mutable_"):
        return "string", view.once(_field_default, names[-1].removeprefix("mutable_"), "string")
    name = names[-1]
    shown = next((found for each in view.nearby() if (found := each.type_of(name)) is not None), None)
    default = view.once(_assigned, name, len(names) > 1)
    if default is None:
        default = _declared(name, view)
    if default is None and shown == "string":
        default = '""'
    return shown or _type_of_value(default), default


def of_setter(setter: list[Token], value: list[Token], view: SourceView) -> tuple[str | None, str | None]:
    """(type, default) of a flag with a function that takes its value (rule 2)."""
    shown = _setter_type(setter, view)
    field_name = _accessor(value)
    if field_name is not None:
        if shown is None:
            shown = _type_of_value(view.once(_field_default, field_name, None))
        named = value[-1].text == ")" and any(token.text.endswith("_Name") for token in value)
        return shown, view.once(_field_default, field_name, None if named else shown)
    default = value_text(value, view.constant)
    literal = "string" if joined_string(value) is not None else _type_of_value(default)
    return shown or literal, default


def _setter_type(setter: list[Token], view: SourceView) -> str | None:
    """The type of the value that a setter takes."""
    inline = lambda_parameter(setter)
    if inline is not None:
        return inline
    return view.once(_named_setter_type, next((token.text for token in setter if token.kind == Kind.NAME), ""))


def _named_setter_type(view: SourceView, name: str) -> str | None:
    for index in view.places(name):
        if view.tokens[index + 1 : index + 2] and view.tokens[index + 1].text == "=":
            found = lambda_parameter(view.until((";",), index + 2))
            if found is not None:
                return found
    scope = view.functions.get(name)
    if scope is None:
        return None
    opening = next((at for at in range(scope.start, scope.opening) if view.tokens[at].text == "("), scope.start)
    return parameter_type(view.tokens[opening : scope.opening])


def _accessor(value: list[Token]) -> str | None:
    """The field that ``options->field()`` reads (possibly inside ``Type_Name(...)``)."""
    for index, token in enumerate(value):
        if token.text in ("->", ".") and [each.text for each in value[index + 2 : index + 4]] == ["(", ")"]:
            return value[index + 1].text
    return None


def _field_default(view: SourceView, field_name: str, shown: str | None) -> str | None:
    """What ``set_FIELD(value)`` gives a field, with the condition it stands under; else the zero of its type."""
    setter = f"set_{field_name}"
    for index in view.places(setter):
        if view.tokens[index - 1].text not in ("->", ".") or view.tokens[index + 1].text != "(":
            continue
        given = view.tokens[index + 2 : view.brackets.end(index + 1)]
        if _is_parameter(given, view):
            continue  # the setter of the flag itself
        value = _last_word(value_text(given, view.constant))
        condition = view.condition(index)
        if not condition:
            return value
        return f"{value} if {condition}, else {_zero(shown)}"
    return _zero(shown) if shown is not None else None


def _zero(shown: str | None) -> str:
    return ZERO.get(shown or "", "0")


def _last_word(value: str) -> str:
    """``DebugOptions::RUNTIME`` is shown as the flag spells it."""
    return value.rpartition("::")[2] if value.replace("::", "").replace("_", "").isalnum() else value


def _assigned(view: SourceView, name: str, is_field: bool) -> str | None:
    """The value that a variable or field is assigned as a statement of its own."""
    tokens = view.tokens
    for index in view.places(name):
        if index + 1 >= len(tokens) or tokens[index + 1].text != "=" or index == 0:
            continue
        before = tokens[index - 1].text
        if (is_field and before not in ("->", ".")) or (not is_field and before not in (";", "{", "}", "*")):
            continue
        if not _is_plain_statement(view, index):
            continue
        value = view.until((";",), index + 2)
        text = value_text(value, view.constant)
        condition = view.condition(index)
        if not _is_parameter(value, view):
            return f"{text} if {condition}" if condition else text
    return None


def _is_plain_statement(view: SourceView, index: int) -> bool:
    """Whether a token stands in no block of its function: what an ``if`` or a setter's lambda assigns is no default."""
    function = view.file.outline.function_at(index)
    if function is None:
        return True
    return view.braces[index] - view.braces[function.opening] == 1


def _is_parameter(value: list[Token], view: SourceView) -> bool:
    """Whether a value is a bare name without a known value: then it is no default, but what a user gave."""
    return (
        len(value) == 1
        and value[0].kind == Kind.NAME
        and value[0].text not in ("true", "false", "nullptr")
        and view.constant(value[0].text) is None
    )


def _declared(name: str, view: SourceView) -> str | None:
    """The value in the declaration of a variable or field, in the file or in a header."""
    for each in view.nearby():
        value = each.constant(name)
        if value:
            return value_text(value, each.constant)
    return None


def _type_of_value(value: str | None) -> str | None:
    """The type of a literal, None when the text is none."""
    if value in ("true", "false"):
        return "bool"
    if value is None or not value:
        return None
    digits = value.lstrip("-")
    if digits.isdigit():
        return "int64"
    return "float" if digits.replace(".", "", 1).isdigit() else None
