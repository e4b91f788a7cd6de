"""What a visibility may say, by version: labels, public and private, packages of a package_group."""

from __future__ import annotations

import pytest

from tests.bazel.memory_workspace import package, problems


def test_public_or_private_among_other_labels() -> None:
    text = '--- BUILD\nfilegroup(name = "x", visibility = ["//visibility:public", "//a:g"])'
    wrong = "cannot be used in combination with other labels"
    for version, effective in (("4.2.3", ["//visibility:private"]), ("7.7.1", ["//a:g", "//visibility:public"])):
        found = package(text, version=version)
        assert wrong in problems(found)[0]
        assert list(map(str, found.targets["x"].visibility)) == effective
    assert problems(package(text)) == problems(package(text, version="8.0.0")) == []


@pytest.mark.parametrize(
    ("visibility", "version", "message"),
    [
        ('"//visibility:public", "//a:g"', "4.2.3", "cannot be used in combination with other labels"),
        ('"//visibility:public", "//a:g"', "7.7.1", "cannot be used in combination with other labels"),
        ('"//visibility:nope"', "4.2.3", ""),
        (
            '"//visibility:nope"',
            "7.7.1",
            "Invalid visibility label '//visibility:nope'; did you mean //visibility:public",
        ),
        (
            '"//visibility:legacy_public"',
            "7.7.1",
            "Invalid visibility label '//visibility:legacy_public'; did you mean",
        ),
    ],
)
def test_a_wrong_visibility_exports_no_file(visibility: str, version: str, message: str) -> None:
    text = f'--- BUILD\nfilegroup(name = "x", visibility = [{visibility}])\n'
    found = package(f'{text}exports_files(["e"], visibility = [{visibility}])', version=version)
    assert set(found.targets) == ({"BUILD", "x"} if message else {"BUILD", "x", "e"})
    assert [message in each for each in problems(found)] == ([True, True] if message else [])


@pytest.mark.parametrize("version", ["0.19.1", "4.2.3", "7.7.1"])
@pytest.mark.parametrize("name", ["__pkg__", "__subpackages__"])
def test_a_package_may_be_called_visibility(name: str, version: str) -> None:
    """All were asked."""
    written = f'["//visibility:{name}"]'
    text = f"--- BUILD\npackage(default_visibility = {written})\nexports_files(['e'], visibility = {written})\n"
    assert problems(package(f'{text}filegroup(name = "x", visibility = {written})', version=version)) == []


@pytest.mark.parametrize(
    ("visibility", "message"),
    [
        (["//visibility:legacy_public"], "//visibility:legacy_public only allowed in package declaration"),
        (["//visibility:legacy_public", "//a:__pkg__"], "cannot be used in combination with other labels"),
    ],
)
@pytest.mark.parametrize("version", ["0.19.1", "2.1.0", "4.2.3"])
def test_the_legacy_public_is_not_for_rules(visibility: list[str], message: str, version: str) -> None:
    """All were asked; package() and exports_files() take it."""
    legacy = "['//visibility:legacy_public']"
    text = f"--- BUILD\npackage(default_visibility = {legacy})\nexports_files(['e'], visibility = {legacy})\n"
    found = package(f'{text}filegroup(name = "x", visibility = {visibility})', version=version)
    (problem,) = problems(found)
    assert message in problem
    assert list(map(str, found.targets["x"].visibility)) == [
        "//visibility:private" if len(visibility) > 1 else "//visibility:public"
    ]


@pytest.mark.parametrize("version", ["4.2.3", "7.7.1"])
def test_names_of_packages_in_a_package_group(version: str) -> None:
    wrong = ["//a/../b", "//./a", "//a/.../b", "//a/..", "-public"]
    right = ["//...", "//a/...", "-//a", "//a...", "//...a", "//"]
    found = package(f'--- BUILD\npackage_group(name = "g", packages = {wrong + right})', version=version)
    assert found.targets["g"].packages == tuple(right)
    assert len(problems(found)) == len(wrong)


@pytest.mark.parametrize("label", ["//visibility:legacy_public", "//visibility:nope", "//visibility"])
def test_labels_of_the_package_visibility(label: str) -> None:
    """Asked of 4.2.3 and 7.7.1."""
    calls = {
        f"package(default_visibility = ['{label}'])": "",
        f"exports_files(['x'], visibility = ['{label}'])": "",
        f"filegroup(name = 'x', visibility = ['{label}'])": "//:x: ",
    }
    for call, target in calls.items():
        for version in ("4.2.3", ""):
            accepted = not (target and label.endswith(":legacy_public"))
            assert (problems(package(f"--- BUILD\n{call}\n", version=version)) == []) is accepted
        (refused,) = problems(package(f"--- BUILD\n{call}\n", version="7.7.1"))
        assert refused.startswith(f"{target}Invalid visibility label '//visibility:"), refused


def test_visibility_of_exported_files_is_not_mixed() -> None:
    text = "--- BUILD\nexports_files(['x'], visibility = ['//visibility:public', '//a:__pkg__'])\n"
    assert "in combination with other labels" in problems(package(text, version="7.7.1"))[0]
    assert problems(package(text)) == []
