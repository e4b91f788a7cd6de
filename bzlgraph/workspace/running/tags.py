"""Tags of MODULE.bazel as a module extension sees them: checked and typed by the extension's tag classes.

``bazel_modules(extension, resolved, names)`` -> a ``BazelModule`` for each module that uses the extension, the root
first. A tag that does not fit is a ``LoadProblem`` at its line, in Bazel's words.
Rules: ``TypeCheckedTag.java`` of Bazel's package ``bazel.bzlmod``.
"""

from __future__ import annotations

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.label import UNKNOWN_REPOSITORY, Label, LabelError, RepoMapping, parse
from bzlgraph.base.spell import nearest
from bzlgraph.bazel.model import LABEL_TYPES, AttrType
from bzlgraph.bazel.repository import module_ctx
from bzlgraph.bazel.repository.attribute_values import attribute_values
from bzlgraph.bazel.rules.attr import AttrValue
from bzlgraph.bazel.rules.extension import ModuleExtension, TagClass
from bzlgraph.bzlmod.module import ROOT, ExtensionUsage, ModuleKey, Tag
from bzlgraph.bzlmod.resolution import Extension, ResolvedModules
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.values import type_name

_WANTED: dict[AttrType, tuple[type | tuple[type, ...], str]] = {
    AttrType.BOOLEAN: ((bool, int), "bool"),
    AttrType.INTEGER: (int, "int"),
    AttrType.STRING: (str, "string"),
    AttrType.LABEL: (str, "label"),
    AttrType.INTEGER_LIST: (list, "list(int)"),
    AttrType.STRING_LIST: (list, "list(string)"),
    AttrType.LABEL_LIST: (list, "list(label)"),
    AttrType.STRING_DICT: (dict, "dict(string, string)"),
    AttrType.STRING_LIST_DICT: (dict, "dict(string, list(string))"),
    AttrType.LABEL_KEYED_STRING_DICT: (dict, "dict(label, string)"),
}
"""What values of a type of attribute are, and Bazel's word for it."""


def bazel_modules(
    extension: Extension, definition: ModuleExtension, resolved: ResolvedModules, names: RepoMapping
) -> list[module_ctx.BazelModule]:
    """The modules that use an extension. Raises LoadProblem for a tag that its tag class does not allow."""
    return [
        _module(key, usage, definition, resolved, names)
        for key, usage in sorted(extension.usages.items(), key=lambda pair: pair[0] != ROOT)
    ]


def _module(
    key: ModuleKey,
    usage: ExtensionUsage,
    definition: ModuleExtension,
    resolved: ResolvedModules,
    names: RepoMapping,
) -> module_ctx.BazelModule:
    module = resolved.modules[key]
    tags: dict[str, list[module_ctx.Tag]] = {name: [] for name in definition.tag_classes}
    reader = _TagReader(names, names.of_canonical(module.canonical), _words(key))
    for tag in usage.tags:
        tag_class = definition.tag_classes.get(tag.name)
        if tag_class is None:
            near = nearest(tag.name, definition.tag_classes)
            raise _problem(
                f"The module extension defined at {definition.location} does not have a tag class named {tag.name}"
                f"{f' (did you mean {near!r}?)' if near else ''}, but its use is attempted at {tag.location}",
                tag,
            )
        tags[tag.name].append(reader.read(tag, tag_class))
    file = module.file
    name, version = (file.name, file.version) if file is not None else key
    return module_ctx.BazelModule(name, version, key == ROOT, tags)


def _words(key: ModuleKey) -> str:
    return "the root module" if key == ROOT else f"module '{key}'"


class _TagReader:
    """Tags of one module."""

    def __init__(self, names: RepoMapping, repo: str, module: str) -> None:
        self._names, self._repo, self._module = names, repo, module

    def read(self, tag: Tag, tag_class: TagClass) -> module_ctx.Tag:
        """One tag, typed."""
        schema = tag_class.attrs
        for name in tag.attributes:
            if name not in schema and not tag_class.open:
                near = nearest(name, schema)
                hint = f" (did you mean '{near}'?)" if near else ""
                raise _problem(f"in tag at {tag.location}, unknown attribute {name} provided{hint}", tag)
        for name, each in schema.items():
            if each.mandatory and tag.attributes.get(name) is None:
                raise _problem(f"in tag at {tag.location}, mandatory attribute {name} isn't being specified", tag)
        for name, value in tag.attributes.items():
            if value is not None and name in schema:
                self._check(tag, name, value, schema[name])
        fields = attribute_values(schema, tag.attributes, lambda text: parse(text, self._repo, "", self._names))
        return module_ctx.Tag({name: fields.get_attr(name) for name in fields.attr_names()}, tag.dev)

    def _check(self, tag: Tag, name: str, value: object, schema: AttrValue) -> None:
        kinds, wanted = _WANTED.get(schema.type, (object, ""))
        if not isinstance(value, kinds) or (isinstance(value, bool) and schema.type is AttrType.INTEGER):
            raise _problem(
                f"in tag at {tag.location}, error converting value for attribute {name}: expected value of type "
                f"'{wanted}' for {name}, but got {to_repr(value)} ({type_name(value)})",
                tag,
            )
        allowed = schema.arguments.get("values")
        if isinstance(allowed, list | tuple) and allowed and value not in allowed:
            shown = [f"'{each}'" if isinstance(each, str) else str(each) for each in allowed]
            choices = " or ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]
            raise _problem(
                f"in tag at {tag.location}, the value for attribute {name} has to be one of {choices} instead of "
                f"{to_repr(value) if not isinstance(value, str) else repr(value)}",
                tag,
            )
        if schema.type in LABEL_TYPES:
            for text in _texts(value):
                self._check_label(tag, name, text)

    def _check_label(self, tag: Tag, name: str, text: str) -> None:
        try:
            label: Label = parse(text, self._repo, "", self._names)
        except LabelError as error:
            raise _problem(
                f"in tag at {tag.location}, error converting value for attribute {name}: {error}", tag
            ) from None
        if label.repo.startswith(UNKNOWN_REPOSITORY):
            apparent = text.partition("//")[0]
            raise _problem(
                f"in tag at {tag.location}: no repository visible as '{apparent}' to {self._module}, but referenced by "
                f"label '{text}' in attribute '{name}' of tag '{tag.name}'.",
                tag,
            )


def _texts(value: object) -> list[str]:
    """The texts in a value that are labels; values of dicts are not."""
    if isinstance(value, str):
        return [value] if value else []
    return [each for each in value if isinstance(each, str)] if isinstance(value, list | tuple | dict) else []


def _problem(message: str, tag: Tag) -> LoadProblem:
    return LoadProblem(Diagnostic(message, tag.location))
