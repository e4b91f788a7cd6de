"""The explorer on loopback: who may ask, and what is told to whom may not."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from threading import Thread

import pytest

from bzlgraph.base.errors import UsageProblem
from bzlgraph.export.explorer.server import LOOPBACK, MAX_OPTIONS, ExplorerServer


class Made:
    def page(self, options: str) -> bytes:
        if options == "--wrong":
            raise UsageProblem("--wrong: no such option")
        return f"<p>{options}".encode()

    def part(self, options: str, state: str) -> bytes:
        return f'["{options}", "{state}"]'.encode()

    def find(self, options: str, text: str) -> bytes:
        return f'["{text}"]'.encode()


@pytest.fixture
def server() -> Iterator[ExplorerServer]:
    with ExplorerServer(Made()) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(
    server: ExplorerServer, path: str, method: str = "GET", host: str = ""
) -> tuple[int, bytes, http.client.HTTPResponse]:
    connection = http.client.HTTPConnection(LOOPBACK, server.server_port, timeout=10)
    connection.putrequest(method, path, skip_host=True)
    if host != "none":
        connection.putheader("Host", host or f"{LOOPBACK}:{server.server_port}")
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body, answer


def test_the_address_gives_the_page_under_options(server: ExplorerServer) -> None:
    status, body, answer = ask(server, f"/{server.token}/?options=--config%3Dcuda+-c+opt")
    assert (status, body) == (200, b"<p>--config=cuda -c opt")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert ask(server, f"/{server.token}/", host=f"localhost:{server.server_port}")[0] == 200


def test_parts_and_matches_stand_behind_the_token_too(server: ExplorerServer) -> None:
    status, body, answer = ask(server, f"/{server.token}/part?options=-c+opt&asked=open%3D%2F%2Fa%26focus%3D%2F%2Fb")
    assert (status, body) == (200, b'["-c opt", "open=//a&focus=//b"]')
    assert answer.headers["Content-Type"].startswith("application/json")
    assert ask(server, f"/{server.token}/find?asked=conv")[1] == b'["conv"]'
    assert {ask(server, f"/{each}?asked=conv")[0] for each in ("part", "find", "token/find", "/find")} == {404}


def test_it_listens_to_this_machine_alone(server: ExplorerServer) -> None:
    assert server.server_address[0] == LOOPBACK
    assert server.address.startswith(f"http://{LOOPBACK}:")
    assert server.token in server.address
    assert len(server.token) >= 32


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "none"])
def test_another_name_is_refused(server: ExplorerServer, host: str) -> None:
    status, body, _ = ask(server, f"/{server.token}/", host=host)
    assert status == 421
    assert server.token.encode() not in body


@pytest.mark.parametrize("path", ["/", "/favicon.ico", "/token/", "//", "/%C3%A9/"])
def test_without_the_token_there_is_nothing(server: ExplorerServer, path: str) -> None:
    assert ask(server, path)[0] == 404
    assert ask(server, f"/{server.token}")[0] == 404
    assert ask(server, f"/{server.token}/../")[0] == 404


def test_only_get_is_answered(server: ExplorerServer) -> None:
    assert {ask(server, f"/{server.token}/", method)[0] for method in ("POST", "PUT", "OPTIONS")} == {501}


def test_what_is_wrong_with_options_is_told_as_text(server: ExplorerServer) -> None:
    status, body, answer = ask(server, f"/{server.token}/?options=--wrong")
    assert (status, answer.headers["Content-Type"]) == (400, "text/plain; charset=utf-8")
    assert b"--wrong: no such option" in body
    assert ask(server, f"/{server.token}/?options={'x' * (MAX_OPTIONS + 1)}")[0] == 414
