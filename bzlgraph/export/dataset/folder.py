"""The folder of a dataset: complete or not there. What is in its place is replaced only if it is a dataset of ours.

A dataset is written into a new folder beside its place, which takes its name when all of it is written. A run that is
killed leaves that folder, ``.NAME.XXXXXXXX``, and the dataset as it was.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EEXIST, ENOTDIR, ENOTEMPTY
from pathlib import Path

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.export.dataset.schema import PARTITION, SCHEMA, tables

MARK = "_dataset.json"
"""Readers leave out files whose names begin with an underscore."""
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]{0,99}")
"""What a checkout may be called: it names folders, and readers take it from there."""
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._+-]")
_ATTEMPTS = 10
_THERE = (EEXIST, ENOTDIR, ENOTEMPTY)


@contextmanager
def new_dataset(folder: Path) -> Iterator[Path]:
    """A folder to write a dataset into; at the end of the block it becomes ``folder``, unless the block raises.

    Raises UsageProblem where it cannot be written, or something else than a dataset is there.
    """
    place = folder.resolve()
    refuse_foreign(place)
    new = _beside(place)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        new.mkdir()
    except OSError as error:
        raise UsageProblem(f"{folder}: {error.strerror}") from None
    try:
        yield new
        said = {"schema": SCHEMA, "partition": PARTITION, "tables": sorted(tables())}
        (new / MARK).write_text(json.dumps(said) + "\n", encoding="utf-8")
        _put(new, place)
    except OSError as error:
        if error.filename is None:  # the disk is full
            raise OSError(error.errno, os.strerror(error.errno or 0), str(folder)) from None
        raise
    finally:
        shutil.rmtree(new, ignore_errors=True)


def checkout_name(folder: Path) -> str:
    """What the checkout in a folder is called: as the folder, as far as a name may have its letters.

    >>> checkout_name(Path("/src/My tree")), checkout_name(Path("/"))
    ('My_tree', 'checkout')
    """
    return _NOT_IN_NAMES.sub("_", folder.name).lstrip(".+-")[:100] or "checkout"


def refuse_foreign(folder: Path) -> None:
    """Raises UsageProblem when something is there that is no dataset of bzlgraph's, which is never deleted."""
    if not os.path.lexists(folder):
        return
    if not folder.is_dir():
        raise UsageProblem(f"{folder}: this is a file, and a dataset is a folder")
    entries = {each.name for each in folder.iterdir()}
    if entries - _own_names(folder):
        hint = "give a folder that does not exist, is empty, or holds a dataset (which is replaced)"
        raise UsageProblem(Diagnostic(f"{folder}: contains files that do not belong to a dataset", hint=hint))


def _own_names(folder: Path) -> set[str]:
    """The names in the folder of a dataset, as its mark lists them; none without one."""
    with suppress(OSError, ValueError):
        said = json.loads((folder / MARK).read_text(encoding="utf-8"))
        if isinstance(said, dict) and str(said.get("schema")).startswith("bzlgraph.dataset/"):
            return {MARK, *map(str, said.get("tables", ()))}
    return set()


def _put(new: Path, place: Path) -> None:
    """Give a new dataset its name. Somebody else may do the same at the same time: the last one stays."""
    for _ in range(_ATTEMPTS):
        try:
            os.rename(new, place)
            return
        except OSError as error:
            if error.errno not in _THERE:
                raise
        refuse_foreign(place)
        old = _beside(place)
        with suppress(FileNotFoundError):
            os.rename(place, old)
        try:
            os.rename(new, place)
            return
        except OSError:
            with suppress(OSError):  # as it was
                os.rename(old, place)
        finally:
            shutil.rmtree(old, ignore_errors=True)
    raise UsageProblem(f"{place}: something else keeps writing there")


def _beside(place: Path) -> Path:
    return place.parent / f".{place.name}.{secrets.token_hex(4)}"
