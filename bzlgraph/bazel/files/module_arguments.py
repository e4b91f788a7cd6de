"""Arguments of the functions of MODULE.bazel: names, versions and labels, checked as Bazel checks them.

A value as it is given -> what it stands for, or EvalError. ``function`` and ``parameter`` are what the error names.
"""

from __future__ import annotations

import re

from bzlgraph.base.label import LabelError, parse
from bzlgraph.base.names import user_repository_fault
from bzlgraph.bazel.files.module_context import ModuleFileContext
from bzlgraph.bzlmod.version import VersionError, normalized
from bzlgraph.starlark.checks import want_string
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import type_name

_MODULE_NAME = re.compile(r"[a-z]([a-z0-9._-]*[a-z0-9])?")


def module_name_of(name: object, function: str, parameter: str) -> str:
    """The name of a module."""
    text = want_string(name, function, parameter)
    if not _MODULE_NAME.fullmatch(text):
        raise EvalError(
            f"invalid module name '{text}': valid names must 1) only contain lowercase letters (a-z), digits (0-9), "
            "dots (.), hyphens (-), and underscores (_); 2) begin with a lowercase letter; 3) end with a lowercase "
            "letter or digit."
        )
    return text


def repo_name_of(name: object, function: str, parameter: str) -> str:
    """The name that a module gives to a repository."""
    text = want_string(name, function, parameter)
    if fault := user_repository_fault(text):
        raise EvalError(fault)
    return text


def version_of(version: object, function: str, parameter: str = "version") -> str:
    """A version, without its build metadata."""
    text = want_string(version, function, parameter)
    try:
        return normalized(text)
    except VersionError as error:
        raise EvalError(f"Invalid version in {function}()", str(error)) from None


def want_strings(values: object, where: str) -> tuple[str, ...]:
    """A list of strings."""
    if not isinstance(values, list | tuple):
        raise EvalError(f"for '{where}', got {type_name(values)}, want iterable")
    for index, each in enumerate(values):
        if not isinstance(each, str):
            raise EvalError(f"at index {index} of {where}, got element of type {type_name(each)}, want string")
    return tuple(values)


def normal_label(context: ModuleFileContext, text: str) -> str:
    """A label with the apparent name of its repository, so that one file is always named in one way."""
    own = context.module.repo_name
    try:
        label = parse(text, own, "")
    except LabelError as error:
        raise EvalError(f'invalid label "{text}": {label_fault(error)}') from None
    repo = own if text.startswith("@//") else label.repo
    canonical = "@" if text.startswith("@@") else ""
    return f"{canonical}@{repo}//{label.package}:{label.name}"


def label_fault(error: LabelError) -> str:
    """What is wrong with a label, without the label."""
    return str(error).partition("': ")[2] or str(error)
