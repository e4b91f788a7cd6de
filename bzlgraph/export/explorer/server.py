"""The explorer served to this machine alone: pages made on demand, for options that a file cannot hold all of.

Rules
- The page is ``/TOKEN/``, under ``?options=WORDS``; one that is too large to be sent as a whole asks for ``part`` and
  ``find`` beside it.
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
from typing import Protocol
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


class Site(Protocol):
    """What is served, under options of Bazel. Each raises BzlgraphError or ValueError for options that are none."""

    def page(self, options: str) -> bytes:
        """The page, as HTML."""

    def part(self, options: str, state: str) -> bytes:
        """What a reader looks at, as JSON."""

    def find(self, options: str, text: str) -> bytes:
        """What a typed text may mean, as JSON."""


class ExplorerServer(ThreadingHTTPServer):
    """Answers what a ``Site`` has; one answer is made at a time."""

    daemon_threads = True

    def __init__(self, site: Site) -> None:
        super().__init__((LOOPBACK, 0), _Handler)
        self.site = site
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


_ANSWERS: dict[str, tuple[str, Callable[[Site, str, str], bytes]]] = {
    "": ("text/html", lambda site, options, _: site.page(options)),
    "part": ("application/json", lambda site, options, state: site.part(options, state)),
    "find": ("application/json", lambda site, options, text: site.find(options, text)),
}
"""What stands behind the token: the type of the answer, and who makes it."""


class _Handler(BaseHTTPRequestHandler):
    server: ExplorerServer
    server_version, sys_version = "bzlgraph", ""

    def do_GET(self) -> None:
        if self.headers.get_all("Host", []) not in [[name] for name in self.server.own_names]:
            self._answer(421, b"this server answers to 127.0.0.1 only\n")
            return
        asked = urlsplit(self.path)
        start, _, place = asked.path.rpartition("/")
        known = hmac.compare_digest(start.encode(), f"/{self.server.token}".encode())
        if not known or place not in _ANSWERS:
            self._answer(404, b"there is nothing here\n")
            return
        values = parse_qs(asked.query)
        options, words = (values.get(name, [""])[0] for name in ("options", "asked"))
        if len(options) > MAX_OPTIONS:
            self._answer(414, b"these options are too long\n")
            return
        kind, make = _ANSWERS[place]
        try:
            with self.server.turn:
                made = make(self.server.site, options, words)
        except (BzlgraphError, ValueError) as problem:
            self._answer(400, f"{visible(str(problem))}\n".encode())
        else:
            self._answer(200, made, kind)

    def _answer(self, status: int, body: bytes, kind: str = "text/plain") -> None:
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Type": f"{kind}; charset=utf-8"}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the address holds the token."""
