"""Lock files of other package managers: bytes -> the packages that they pin, each with its line.

requirements.txt (PEP 508, as pip-compile and uv write it), maven_install.json (rules_jvm_external, all versions),
Cargo.lock, go.mod. A line or an entry that says something else is left out; ValueError for what is no such file.

>>> requirements(b"# by uv\\nNumPy[x]==2.1.0 ; python_version < '4' \\\\\\n    --hash=sha256:00\\n-r more.txt\\n")
(Pinned(name='NumPy', version='2.1.0', line=2, needs=()),)
>>> go_mod(b"module m\\nrequire (\\n  github.com/x/y v1.2.3 // indirect\\n)\\nrequire golang.org/x/net v0.1.0\\n")[0]
Pinned(name='github.com/x/y', version='v1.2.3', line=3, needs=())
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_REQUIREMENT = re.compile(r"([A-Za-z0-9](?:[\w.-]*\w)?)(?![\w.:/-])\s*(?:\[[^\]]*\])?\s*(?:===?\s*([^\s;\\,]+))?")
_GO_MODULE = re.compile(r"(?:require\s+)?([\w.~/-]+)\s+(v\d\S*)")
_JSON_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
_CARGO_PACKAGE = "[[package]]"


class Pinned(NamedTuple):
    """A package as a lock file writes it; ``needs`` are names of others there."""

    name: str
    version: str
    line: int
    needs: tuple[str, ...] = ()


def requirements(data: bytes) -> tuple[Pinned, ...]:
    """The requirements of a file for pip. What it includes by ``-r`` is not followed: rules_python does not either."""
    found = ((number, _REQUIREMENT.match(line)) for number, line in _lines(data))
    return tuple(Pinned(each[1], each[2] or "", number) for number, each in found if each is not None)


def maven_install(data: bytes) -> tuple[Pinned, ...]:
    """The artifacts (``group:artifact``) of a maven_install.json; one with a classifier has it as third part."""
    written = _object(data)
    tree = written.get("dependency_tree", written)
    if not isinstance(tree, dict):
        return ()
    lines = _first_lines(data)
    if isinstance(tree.get("artifacts"), dict):
        return tuple(_maven_pins(tree, lines))
    dependencies = tree.get("dependencies")
    coordinates = [each.get("coord") for each in dependencies if isinstance(each, dict)] if dependencies else []
    pins = (coordinate(each, lines.get(each, 1)) for each in coordinates if isinstance(each, str))
    return tuple(each for each in pins if each is not None)


def coordinate(text: str, line: int) -> Pinned | None:
    """``group:artifact[:packaging[:classifier]]:version`` as a package.

    >>> coordinate("com.google.guava:guava:31.1-jre", 7)
    Pinned(name='com.google.guava:guava', version='31.1-jre', line=7, needs=())
    """
    parts = text.split(":")
    if len(parts) not in (3, 4, 5):
        return None
    return Pinned(":".join((*parts[:2], *parts[3:-1])), parts[-1], line)


def cargo_lock(data: bytes) -> tuple[Pinned, ...]:
    """The crates that members of the Cargo workspace depend on; all crates where it has no member."""
    import tomllib  # most checkouts have no Cargo.lock

    try:
        packages = tomllib.loads(data.decode("utf-8")).get("package")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(str(error)) from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    packages = packages if isinstance(packages, list) else []
    starts = [number for number, line in _lines(data) if line.strip() == _CARGO_PACKAGE]
    pins = [
        (Pinned(each["name"], each["version"], line, _crates_of(each)), "source" in each)
        for each, line in zip(packages, starts, strict=False)
        if isinstance(each, dict) and isinstance(each.get("name"), str) and isinstance(each.get("version"), str)
    ]
    asked = {name for pin, fetched in pins if not fetched for name in pin.needs}
    members = any(not fetched for _, fetched in pins)
    return tuple(pin for pin, fetched in pins if fetched and (not members or pin.name in asked))


def go_mod(data: bytes) -> tuple[Pinned, ...]:
    """The modules that a go.mod requires, indirectly, too."""
    found: list[Pinned] = []
    block = ""
    for number, line in _lines(data):
        words = line.partition("//")[0].strip()
        if block and words == ")":
            block = ""
        elif words.endswith("("):
            block = words[:-1].strip()
        elif (block == "require" or words.startswith("require ")) and (match := _GO_MODULE.fullmatch(words)):
            found.append(Pinned(match[1], match[2], number))
    return tuple(found)


def _lines(data: bytes) -> Iterator[tuple[int, str]]:
    return enumerate(data.decode("utf-8", "replace").splitlines(), 1)


def _object(data: bytes) -> Mapping[str, object]:
    try:
        written = json.loads(data)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return written if isinstance(written, dict) else {}


def _first_lines(data: bytes) -> dict[str, int]:
    """The line on which each text of a JSON file stands first."""
    lines: dict[str, int] = {}
    for number, line in _lines(data):
        for found in _JSON_TEXT.finditer(line):
            lines.setdefault(found[1], number)
    return lines


def _maven_pins(tree: Mapping[str, object], lines: Mapping[str, int]) -> Iterator[Pinned]:
    artifacts, needs = tree["artifacts"], tree.get("dependencies")
    assert isinstance(artifacts, dict)  # by the caller
    for name, each in artifacts.items():
        if not isinstance(each, dict):
            continue
        needed = needs.get(name, ()) if isinstance(needs, dict) else ()
        needed = tuple(other for other in needed if isinstance(other, str)) if isinstance(needed, list) else ()
        plain, version = ":".join(name.split(":")[:2]), str(each.get("version", ""))
        shasums = each.get("shasums")
        for kind in shasums if isinstance(shasums, dict) and shasums else ("jar",):
            if kind != "sources":
                packaging = kind in ("jar", *name.split(":")[2:])
                yield Pinned(plain if packaging else f"{plain}:{kind}", version, lines.get(name, 1), needed)


def _crates_of(package: Mapping[str, object]) -> tuple[str, ...]:
    written = package.get("dependencies")
    words = [each.split() for each in written if isinstance(each, str)] if isinstance(written, list) else []
    return tuple(each[0] for each in words if each)
