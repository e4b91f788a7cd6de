"""Archives for tests."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path


def tar_file(path: Path, files: dict[str, bytes], links: dict[str, str] | None = None, mode: str = "w:gz") -> Path:
    """An archive of files by name, and of links by name."""
    with tarfile.open(path, mode) as tar:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
        for name, target in (links or {}).items():
            info = tarfile.TarInfo(name)
            info.type = tarfile.LNKTYPE if target.startswith("hard:") else tarfile.SYMTYPE
            info.linkname = target.removeprefix("hard:")
            tar.addfile(info)
    return path
