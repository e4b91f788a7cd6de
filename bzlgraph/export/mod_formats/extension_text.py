"""What ``show_extension`` tells of an extension, as Bazel prints it: its repositories, then each usage as code.

Mirrors ``ModExecutor.displayExtension`` of Bazel 7.7.1. With ``reasons`` each tag and each name has its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bzlgraph.base.span import Location, place_text
from bzlgraph.bzlmod.module import ExtensionUsage, ModuleKey, UseRepo
from bzlgraph.export.mod_formats.as_json import Json, location_data
from bzlgraph.export.value_text import as_json, expression
from bzlgraph.mod.extensions import ShownExtension

PlaceText = Callable[[Location], str]
"""A place as it is shown: Bazel names files from the root of the disk."""


def extension_text(shown: ShownExtension, place_of: PlaceText, *, reasons: bool = False) -> Iterator[str]:
    """The lines, each with its end."""
    yield f"## {shown.id}:\n\nFetched repositories:\n"
    for name, modules in shown.imported.items():
        yield f"  - {name} (imported by {', '.join(map(str, modules))})\n"
    yield from (f"  - {name}\n" for name in shown.others)
    yield "\n"
    for key, usage in shown.usages.items():
        yield from _usage(shown, key, usage, place_of, reasons)


def _usage(
    shown: ShownExtension, key: ModuleKey, usage: ExtensionUsage, place_of: PlaceText, reasons: bool
) -> Iterator[str]:
    def at(place: Location | None) -> str:
        return f"  # {place_text(place)}" if reasons and place is not None else ""

    where = place_of(usage.location._replace(column=0)) if usage.location is not None else "<builtin>:0"
    yield f"## Usage in {key} from {where}\n"
    for tag in usage.tags:
        values = ", ".join(f"{name}={expression(value)}" for name, value in tag.attributes.items())
        yield f"{shown.id.name}.{tag.name}({values}){at(tag.location)}\n"
    yield f"use_repo(\n  {shown.id.name},\n"
    yield from (f"  {_import(each)},{at(each.location)}\n" for each in usage.imports)
    yield ")\n\n"


def _import(each: UseRepo) -> str:
    return f'"{each.apparent}"' if each.apparent == each.repository else f'{each.apparent}="{each.repository}"'


def extension_data(shown: ShownExtension) -> Json:
    """The same for programs."""
    return {
        "key": str(shown.id),
        "repositories": [
            {"name": name, "imported_by": [str(key) for key in shown.imported.get(name, ())]}
            for name in (*shown.imported, *shown.others)
        ],
        "all_repositories_known": shown.known,
        "usages": [_usage_data(key, usage) for key, usage in shown.usages.items()],
    }


def _usage_data(key: ModuleKey, usage: ExtensionUsage) -> Json:
    return {
        "module": str(key),
        "locations": [location_data(each.location) for each in usage.calls],
        "tags": [
            {
                "name": tag.name,
                "attributes": as_json(tag.attributes),
                "dev_dependency": tag.dev,
                "location": location_data(tag.location),
            }
            for tag in usage.tags
        ],
        "use_repo": [
            {"name": each.apparent, "repository": each.repository, "location": location_data(each.location)}
            for each in usage.imports
        ],
    }
