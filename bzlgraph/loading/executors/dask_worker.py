"""What a Dask worker runs: a batch of packages in, a sealed reply out, nothing but bytes either way.

A worker has one evaluator (evaluator.py) for each of its threads, and unpacks each archive once, into its own folder.
"""

from __future__ import annotations

import marshal
import os
import shutil
import subprocess
import sys
import threading
from collections import OrderedDict
from contextlib import suppress
from hashlib import blake2b

from bzlgraph.cache.code import content_version
from bzlgraph.loading.executors.wire import Reply, Work, read_frame, seal_of, write_frame, write_reply

MAX_UNPACKED = 4
"""Archives that a worker keeps."""
_COMMAND = [sys.executable, "-P", "-m", "bzlgraph.loading.evaluator"]
_idle: list[Evaluating] = []
_unpacked: OrderedDict[str, str] = OrderedDict()
_lock = threading.Lock()


class Evaluating:
    """An evaluator process. It ends when this process does: nobody holds the other end of its stdin any more."""

    def __init__(self) -> None:
        path = os.pathsep.join(folder for folder in sys.path if folder)
        self._process = subprocess.Popen(
            _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}
        )

    def reply(self, work: Work) -> bytes:
        """The reply to a batch. Raises OSError, EOFError when the process dies of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            write_frame(self._process.stdin, marshal.dumps(tuple(work)))
            return read_frame(self._process.stdout)
        except BaseException:
            self._process.kill()
            self._process.communicate()
            raise


def archive_bytes(data: bytes) -> bytes:
    """An archive that is on the cluster: a task, so that the scheduler can give it again when a worker dies."""
    return data


def evaluate_batch(
    version: str, session: bytes, request: bytes, batch: bytes, folders: int, archive: bytes = b""
) -> bytes:
    """The sealed reply to a batch; b"" when the process that evaluates it dies. Raises nothing: Dask would pickle it.

    ``folders``: how many the archive has.
    """
    from distributed import get_worker

    worker = get_worker()
    try:
        if version != content_version():
            raise ValueError("has another version of bzlgraph or of Python")
        folder = _folder(archive, worker.local_directory) if archive else ""
        places = tuple(os.path.join(folder, str(number)) for number in range(folders))
        return _evaluated(Work(worker.address, version, session, request, places, batch))
    except (EOFError, BrokenPipeError):
        return b""
    except Exception as error:
        refusal = str(error) if isinstance(error, ValueError) else f"cannot work: {error}"
        return write_reply(seal_of(session, version), batch, Reply(worker.address, b"", refusal=refusal))


def _evaluated(work: Work) -> bytes:
    with _lock:
        evaluating = _idle.pop() if _idle else None
    evaluating = evaluating or Evaluating()
    reply = evaluating.reply(work)
    with _lock:
        _idle.append(evaluating)
    return reply


def _folder(archive: bytes, home: str) -> str:
    """The folder that an archive is unpacked in, as long as the worker lives. Raises OSError, ValueError."""
    from bzlgraph.loading.executors.archive import unpack

    digest = blake2b(archive, digest_size=20).hexdigest()
    with _lock:
        if digest not in _unpacked:
            folder = os.path.join(home, f"bzlgraph-{os.getpid()}-{digest}")
            os.mkdir(folder, 0o700)
            unpack(archive, folder)
            _unpacked[digest] = folder
        _unpacked.move_to_end(digest)
        while len(_unpacked) > MAX_UNPACKED:
            with suppress(OSError):
                shutil.rmtree(_unpacked.popitem(last=False)[1])
        return _unpacked[digest]
