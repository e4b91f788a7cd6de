"""Archives read in place: every form, links, prefixes; and hostile ones, each refused with a reason."""

import gzip
import os
import random
import tarfile
import zipfile
from pathlib import Path

import pytest

from bzlgraph.base.errors import LoadProblem
from bzlgraph.cache import looks
from bzlgraph.cache.store import READINGS, Store
from bzlgraph.workspace.sources import archive_members
from bzlgraph.workspace.sources.archive import Archives
from tests.workspace.archives import tar_file

FILES = {"r-1/BUILD": b"x", "r-1/a/b.bzl": b"y = 1", "r-1/a/data.txt": b"data" * 100, "r-1/z.h": b"h"}


def zip_file(path: Path, files: dict[str, bytes], links: dict[str, str] | None = None) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
        for name, target in (links or {}).items():
            info = zipfile.ZipInfo(name)
            info.external_attr = 0o120777 << 16
            archive.writestr(info, target)
    return path


def refused(path: Path) -> str:
    with pytest.raises(LoadProblem) as caught:
        Archives().open(path)
    return caught.value.diagnostic.message


@pytest.mark.parametrize("form", ["w", "w:gz", "w:bz2", "w:xz", "zip"])
def test_every_form_is_read_whatever_its_name(tmp_path, form):
    made = zip_file(tmp_path / "file", FILES) if form == "zip" else tar_file(tmp_path / "file", FILES, mode=form)
    source = Archives().open(made)
    assert source.entries("") == ([], ["r-1"])
    assert source.entries("r-1/a") == (["b.bzl", "data.txt"], [])
    assert {path: source.read(path) for path in FILES} == FILES
    assert [source.read(path) for path in reversed(FILES)] == list(reversed(FILES.values()))
    assert source.is_file("r-1/BUILD")
    assert not source.is_file("r-1/a")
    with pytest.raises(FileNotFoundError):
        source.read("r-1/a")


def test_a_prefix_is_stripped_and_one_that_is_not_there_is_told(tmp_path):
    made = tar_file(tmp_path / "r.tar.gz", FILES)
    source = Archives().open(made, "r-1/")
    assert source.entries("") == (["BUILD", "z.h"], ["a"])
    assert source.read("a/b.bzl") == b"y = 1"
    with pytest.raises(LoadProblem, match="strip_prefix 'r-2' is not in") as caught:
        Archives().open(made, "r-2")
    assert caught.value.diagnostic.hint == "at the top of the archive: r-1"


@pytest.mark.parametrize("make", [tar_file, zip_file])
def test_links_are_followed_inside(tmp_path, make):
    links = {"r/l": "a/f", "r/d": "a", "r/a/up": "../BUILD", "r/abs": "/r/a/f", "r/gone": "nothing", "r/twice": "d/f"}
    source = Archives().open(make(tmp_path / "r", {"r/BUILD": b"b", "r/a/f": b"f"}, links), "r")
    assert source.entries("") == (["BUILD", "abs", "l", "twice"], ["a", "d"])
    assert source.entries("d") == (["f", "up"], [])
    assert [source.read(path) for path in ("l", "d/f", "a/up", "d/up", "abs", "twice")] == [
        b"f", b"f", b"b", b"b", b"f", b"f",
    ]  # fmt: skip
    assert source.lost_links == ()


def test_hard_links_count_from_the_root(tmp_path):
    made = tar_file(tmp_path / "r.tar.gz", {"r/a/f": b"f"}, {"r/b/g": "hard:r/a/f"})
    assert Archives().open(made, "r").read("b/g") == b"f"


def test_links_that_lead_out_or_in_circles_are_told(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    links = {
        "out": "../secret", "absolute": str(secret), "far": "a/../../../secret", "loop": "loop", "here": ".",
        "a/b": "../b", "b/a": "../a", "a/self": "..",
    }  # fmt: skip
    source = Archives().open(tar_file(tmp_path / "r.tar", {"a/f": b"f", "b/g": b"g"}, links, "w"))
    assert source.entries("") == ([], ["a", "b"])
    assert source.entries("a") == (["f"], ["b"])
    assert source.entries("a/b") == (["g"], [])
    assert source.lost_links == ("a/self", "b/a", "far", "here", "loop", "out")
    for path in ("out", "absolute", "far", "loop", "a/self/secret", "../secret"):
        assert not source.is_file(path)
        with pytest.raises(OSError, match="no such file"):
            source.read(path)


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/../x"])
@pytest.mark.parametrize("make", [tar_file, zip_file])
def test_a_member_that_leads_out_makes_the_archive_invalid(tmp_path, make, name):
    assert "leads out of it" in refused(make(tmp_path / "r", {name: b"x"}))


def test_absolute_names_count_from_the_root_of_the_archive(tmp_path):
    assert Archives().open(tar_file(tmp_path / "r", {"/etc/x": b"x", "./y//z": b"z"})).entries("") == ([], ["etc", "y"])


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(archive_members, "FREE_OF_RATIO", 1 << 20)
    packed = gzip.compress(bytes(64 << 20))
    made = tar_file(tmp_path / "small.tar", {"BUILD": b""}, mode="w")
    header = tarfile.TarInfo("zeros")
    header.size = 64 << 20
    (tmp_path / "r").write_bytes(gzip.compress(made.read_bytes()[:512] + header.tobuf()) + packed)
    assert "archive bomb" in refused(tmp_path / "r")


def test_too_many_members_too_long_and_too_deep_names(tmp_path, monkeypatch):
    assert "too long" in refused(tar_file(tmp_path / "long", {"x" * 5000: b""}))
    assert "too long" in refused(tar_file(tmp_path / "deep", {"/".join("x" * 200): b""}))
    monkeypatch.setattr(archive_members, "MAX_MEMBERS", 3)
    assert "more than 3 members" in refused(tar_file(tmp_path / "many", FILES | {"one more": b""}))


def test_too_much_to_evaluate(tmp_path, monkeypatch):
    monkeypatch.setattr(archive_members, "MAX_TEXTS", 1 << 20)
    assert "BUILD and .bzl files" in refused(zip_file(tmp_path / "r", {"BUILD": bytes(2 << 20)}))


def test_a_link_that_says_too_much_is_told_by_its_name(tmp_path):
    path = zip_file(tmp_path / "x", {}, {"r-1/link": "a" * 5000})
    assert refused(path) == f"{path}: 'r-1/link' has more than 4,096 bytes"


def test_links_to_folders_that_multiply_are_refused(tmp_path):
    depth, width = 12, 4
    files = {f"d{level}/f": b"" for level in range(depth)}
    links = {f"d{level}/l{each}": f"../d{level + 1}" for level in range(depth - 1) for each in range(width)}
    assert "paths" in refused(tar_file(tmp_path / "r", files, links))


@pytest.mark.parametrize(
    "data",
    [b"", b"neither", b"PK\x03\x04" + bytes(100), b"\x1f\x8b" + b"x" * 100, b"BZh9" + b"x" * 50, b"\xfd7zXZ\x00abc"],
)
def test_what_is_no_archive_is_told(tmp_path, data):
    (tmp_path / "r").write_bytes(data)
    assert "cannot be read as an archive" in refused(tmp_path / "r")


def test_a_truncated_archive_is_told(tmp_path):
    noise = {f"f{number}": os.urandom(1000) for number in range(50)}
    made = tar_file(tmp_path / "r", noise)
    made.write_bytes(made.read_bytes()[:30000])
    assert "cannot be read as an archive" in refused(made)
    assert "cannot read" in refused(tmp_path / "absent")


def test_a_large_member_is_listed_and_its_reading_is_an_error(tmp_path, monkeypatch):
    made = zip_file(tmp_path / "r", {"large": bytes(2 << 20), "BUILD": b""})
    source = Archives().open(made)
    monkeypatch.setattr(archive_members, "MAX_FILE_BYTES", 1 << 20)
    with pytest.raises(OSError, match="more than"):
        source.read("large")


def test_what_is_evaluated_comes_from_the_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(looks, "TICK", 0)  # what changed a moment ago is not kept
    made = tar_file(tmp_path / "r", FILES)
    Archives(Store(tmp_path / "cache", READINGS)).open(made)
    monkeypatch.setattr(archive_members.tarfile, "open", None)
    assert Archives(Store(tmp_path / "cache", READINGS)).open(made, "r-1").read("a/b.bzl") == b"y = 1"


def test_a_bad_archive_is_read_once(tmp_path, monkeypatch):
    (tmp_path / "r").write_bytes(b"neither")
    archives = Archives()
    for _ in range(2):
        with pytest.raises(LoadProblem, match="cannot be read as an archive"):
            archives.open(tmp_path / "r")
        monkeypatch.setattr(archive_members.tarfile, "open", None)


def test_forked_processes_read_on(tmp_path):
    source = Archives().open(tar_file(tmp_path / "r", FILES))
    source.read("r-1/z.h")
    child = os.fork()
    if child == 0:
        os._exit(source.read("r-1/a/data.txt") != FILES["r-1/a/data.txt"])
    assert source.read("r-1/a/data.txt") == FILES["r-1/a/data.txt"]
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("form", ["w", "w:gz", "w:xz", "zip"])
def test_damaged_archives_are_read_or_told(tmp_path, form):
    """Bytes changed, left out and doubled: an answer or a problem, never another exception."""
    links = {"r-1/l": "a", "r-1/out": "../.."}
    make = zip_file if form == "zip" else tar_file
    whole = make(tmp_path / "r", FILES, links, **{} if form == "zip" else {"mode": form}).read_bytes()
    chance = random.Random(form)
    for _ in range(200):
        data = bytearray(whole)
        for _ in range(chance.choice([1, 3, 20])):
            at = chance.randrange(len(data))
            data[at : at + chance.choice([0, 1, 600])] = data[chance.randrange(len(data)) :][
                : chance.choice([0, 1, 512])
            ]
            data += b"x"
        (tmp_path / "r").write_bytes(data)
        try:
            source = Archives().open(tmp_path / "r")
            for path in FILES:
                source.read(path)
        except (LoadProblem, OSError):
            continue
