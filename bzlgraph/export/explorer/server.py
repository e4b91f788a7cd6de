"""The explorer served to this machine alone: pages made on demand, for options that a file cannot hold all of.

Rules
- It listens on 127.0.0.1, at a port that the system chooses; the address holds a token that nobody can guess, and what
  asks without it learns nothing.
- A request under another name than this machine's (``Host``) is refused: a page of a stranger cannot reach it by making
  its own name mean 127.0.0.1 (DNS rebinding).
- Nothing is ever changed by a request, and only GET is answered. Pages are not kept, framed, or told to other sites.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import parse_qs, urlsplit

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.words import visible

LOOPBACK = "127.0.0.1"
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
MAX_OPTIONS = 4_000
"""Characters of the options that a request may bring."""


class ExplorerServer(ThreadingHTTPServer):
    """Answers ``/TOKEN/?options=WORDS`` with ``make(WORDS)``; one page is made at a time."""

    daemon_threads = True

    def __init__(self, make: Callable[[str], bytes]) -> None:
        super().__init__((LOOPBACK, 0), _Handler)
        self.make = make
        self.token = secrets.token_urlsafe(24)
        self.turn = Lock()

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return f"http://{LOOPBACK}:{self.server_port}/{self.token}/"

    @property
    def own_names(self) -> frozenset[str]:
        """The hosts that a request may name."""
        return frozenset(f"{name}:{self.server_port}" for name in (LOOPBACK, "localhost"))


class _Handler(BaseHTTPRequestHandler):
    server: ExplorerServer
    server_version, sys_version = "bzlgraph", ""

    def do_GET(self) -> None:
        if self.headers.get_all("Host", []) not in [[name] for name in self.server.own_names]:
            self._answer(421, b"this server answers to 127.0.0.1 only\n")
            return
        asked = urlsplit(self.path)
        if not hmac.compare_digest(asked.path.encode(), f"/{self.server.token}/".encode()):
            self._answer(404, b"there is nothing here\n")
            return
        options = parse_qs(asked.query).get("options", [""])[0]
        if len(options) > MAX_OPTIONS:
            self._answer(414, b"these options are too long\n")
            return
        try:
            with self.server.turn:
                page = self.server.make(options)
        except (BzlgraphError, ValueError) as problem:
            self._answer(400, f"{visible(str(problem))}\n".encode())
        else:
            self._answer(200, page, "text/html")

    def _answer(self, status: int, body: bytes, kind: str = "text/plain") -> None:
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Type": f"{kind}; charset=utf-8"}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the address holds the token."""
