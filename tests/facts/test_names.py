"""The names that each Bazel predeclares, against what was recorded of real ones (``tools/record/names.py``)."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from bzlgraph.bazel.files.environment import build_environment, bzl_environment
from bzlgraph.bazel.files.native_value import Native
from bzlgraph.bazel.values.analysis_stubs import Inert
from bzlgraph.facts import for_version
from bzlgraph.facts.behaviour import with_switches
from bzlgraph.facts.names import NAMESPACES, Namespace, Place, absent, history
from bzlgraph.facts.native import WORKSPACE_RULES
from bzlgraph.facts.versioned import version_key
from bzlgraph.facts.versions import compared

RECORDED: dict[str, dict[Place, list[str]]] = {
    version: {place: names.split() for place, names in places.items()}
    for version, places in json.loads(Path(__file__).with_name("recorded_names.json").read_bytes()).items()
}
PLACES: tuple[Place, ...] = ("native", "bzl", "build")
NOT_OF_DEBIAN = {name for name in history("native") if name.startswith(("android_", "aar_"))} | {"android_common"}
"""What Debian's Bazel 4.2.3 leaves out, and others have."""


def test_every_bazel_that_is_compared_was_asked() -> None:
    assert set(compared()) <= RECORDED.keys()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("version", RECORDED)
def test_the_table_says_what_was_recorded(version: str, place: Place) -> None:
    has = history(place).keys() - absent(version, place)
    seen = {name for name in RECORDED[version][place] if name[0] != "_"} - WORKSPACE_RULES - {"to_json", "to_proto"}
    missing = NOT_OF_DEBIAN if version == "4.2.3" else set()
    assert seen - has == set()
    assert has - seen - missing == set()


@pytest.mark.parametrize("version", RECORDED)
def test_the_names_that_files_get_are_those(version: str) -> None:
    facts = for_version(version)
    native = bzl_environment(facts)["native"]
    assert isinstance(native, Native)
    missing = NOT_OF_DEBIAN if version == "4.2.3" else set()
    for place, names in (("bzl", bzl_environment(facts)), ("build", build_environment(facts))):
        known = history(place)  # type: ignore[arg-type]
        seen = set(RECORDED[version][place])  # type: ignore[index]
        assert {name for name in names if name in known} - missing == (seen & known.keys()) - missing


@pytest.mark.parametrize("name", NAMESPACES)
@pytest.mark.parametrize("version", [each for each, recorded in RECORDED.items() if "testing" in recorded])
def test_namespaces_have_the_fields_that_were_recorded(version: str, name: Namespace) -> None:
    found = bzl_environment(for_version(version))[name]
    assert isinstance(found, Inert)
    assert sorted(found.attr_names()) == RECORDED[version][name]


@pytest.mark.parametrize("place", [*PLACES, *NAMESPACES])
def test_versions_of_a_name_ascend(place: Place) -> None:
    for versions in history(place).values():
        assert versions
        assert all(version_key(a) < version_key(b) for a, b in pairwise(versions))


def test_what_bazel_9_has_no_more_bazel_8_still_gives() -> None:
    for name in ("py_binary", "sh_library", "proto_library", "java_proto_library"):
        assert name not in absent("8.7.0", "build")
        assert name in absent("9.0.0", "build")


@pytest.mark.parametrize("version", ["1.2.0", "2.1.0", "7.7.1"])
def test_an_option_keeps_the_names_of_android(version: str) -> None:
    """These were asked with ``--experimental_google_legacy_api``, which .bazelrc files of Android projects set."""
    with_option = with_switches(for_version(version), {"experimental_google_legacy_api": True})
    names = {"AndroidDeviceBrokerInfo", "AndroidInstrumentationInfo", "AndroidNativeLibsInfo", "AndroidResourcesInfo"}
    assert (names | {"ApkInfo"}) <= bzl_environment(with_option).keys()
    assert not names & bzl_environment(for_version(version)).keys()
