"""Which cluster evaluates packages: ``--executor``, checked before anything is loaded.

| ``--executor=`` | who evaluates |
|---|---|
| ``local`` | processes of this machine |
| ``dask://HOST:PORT`` | the workers of a Dask scheduler, which all see the checkout under the path it has here |
| ``dask+ship://HOST:PORT`` | the same, and they are sent what they need of the checkout |

>>> parse_cluster("dask+ship://localhost:8786")
Cluster(host='localhost', port=8786, ships=True)
"""

from __future__ import annotations

import importlib.util
import socket
from typing import NamedTuple
from urllib.parse import urlsplit

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.workspace.options import LOCAL, Options

SCHEMES = {"dask": False, "dask+ship": True}
"""Whether the checkout is sent."""
PATIENCE = 3.0
"""Seconds in which a scheduler has to answer."""


class Cluster(NamedTuple):
    """The scheduler of a cluster, and whether its workers are sent the checkout."""

    host: str
    port: int
    ships: bool

    @property
    def address(self) -> str:
        """As Dask writes it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"tcp://{host}:{self.port}"


def parse_cluster(text: str) -> Cluster | None:
    """The cluster that ``--executor`` names, None for ``local``. Raises UsageProblem."""
    if text == LOCAL:
        return None
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        parts, host, port = urlsplit(""), None, None
    more = (parts.path, parts.query, parts.fragment, parts.username, parts.password)
    if parts.scheme not in SCHEMES or not host or port is None or any(more):
        expected = f"expected {LOCAL}, {' or '.join(f'{scheme}://HOST:PORT' for scheme in SCHEMES)}"
        raise UsageProblem(f"--executor={text}: {expected}")
    return Cluster(host, port, SCHEMES[parts.scheme])


def checked_cluster(options: Options) -> Cluster | None:
    """The cluster that the options name, None for processes of this machine.

    Raises UsageProblem when it may not be used, Dask is not installed, or nobody answers at its address.
    """
    cluster = parse_cluster(options.executor)
    if cluster is None:
        return None
    given = f"--executor={options.executor}"
    if options.repositories.stay_inside:
        raise UsageProblem(f"{given}: --stay_inside keeps the checkout on this machine")
    if importlib.util.find_spec("distributed") is None:
        hint = "pip install 'bzlgraph[dask]'"
        raise UsageProblem(Diagnostic(f"{given}: the package `distributed` is not installed", hint=hint))
    if (fault := _fault(cluster)) is not None:
        hint = f"`dask scheduler --port {cluster.port}` starts one on {cluster.host}"
        raise UsageProblem(Diagnostic(f"{given}: cannot reach the scheduler: {fault}", hint=hint))
    return cluster


def _fault(cluster: Cluster) -> str | None:
    """Why no scheduler can be reached, None for one that speaks: Dask waits for ever for the others."""
    try:
        with socket.create_connection((cluster.host, cluster.port), PATIENCE) as connection:
            return None if connection.recv(1) else "the answer is not from a Dask scheduler"
    except (OSError, UnicodeError) as error:
        return (error.strerror if isinstance(error, OSError) else None) or str(error)
