"""A server that expects requests in their order, and gives their answers. See test/vectors/README.md."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

KEY = "tdk_vectors"
HEALTH = {"status": 200, "body": {"status": "ok"}}
REFUSED = {"status": 401, "body": {"title": "Unauthorized", "status": 401, "code": "unauthorized"}}
Exchange = dict[str, Any]


@dataclass
class Replay:
    url: str
    complaints: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)


@contextmanager
def replay(exchanges: Sequence[Exchange]) -> Iterator[Replay]:
    """:raises AssertionError: at the end, unless exactly these requests were made."""
    state = Replay("")
    previous: dict[str, str] = {}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            if self.path == "/v1/health":
                return self.respond(HEALTH)
            if self.headers.get("authorization") != f"Bearer {KEY}":
                # The port was another server's before, whose clients may still send requests.
                return self.respond(REFUSED)
            number = len(state.times)
            state.times.append(time.monotonic())
            if number >= len(exchanges):
                state.complaints.append(f"{self.command} {self.path} is one request too many")
                return self.cut()
            expected = exchanges[number]["request"]
            headers = {name.lower(): value for name, value in self.headers.items()}
            state.complaints.extend(
                f"request {number + 1}, {self.command} {self.path}: {fault}"
                for fault in faults_of(expected, self.command, self.path, headers, body, previous)
            )
            previous.clear()
            previous.update(headers)
            return self.respond(exchanges[number]["response"])

        def respond(self, response: dict[str, Any]) -> None:
            if "arrived" in response:
                response["arrived"].set()
            if "held" in response:
                response["held"].wait(10)
            if response.get("cut"):
                return self.cut()
            body = response.get("body")
            data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
            self.send_response_only(response["status"])
            sent = {"content-length": str(len(data)), **response.get("headers", {})}
            if data:
                sent.setdefault("content-type", "application/json")
            if response["status"] == 204:
                del sent["content-length"]
            for name, value in sent.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)
            # Fewer bytes than were promised.
            if int(sent.get("content-length", 0)) > len(data):
                self.wfile.flush()
                self.cut()
            return None

        def cut(self) -> None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)

        do_GET = do_POST = do_PATCH = do_DELETE = answer

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
    missing = [f"{each['request']['method']} {each['request']['path']}" for each in exchanges[len(state.times) :]]
    assert state.complaints == [], "; ".join(state.complaints)
    assert missing == [], f"not requested: {missing}"


def faults_of(
    expected: dict[str, Any],
    method: str,
    target: str,
    headers: dict[str, str],
    body: bytes,
    previous: dict[str, str],
) -> Iterator[str]:
    url = urlsplit(target)
    query = sorted(
        (name, each)
        for name, value in expected.get("query", {}).items()
        for each in (value if isinstance(value, list) else [value])
    )
    for what, wanted, got in (
        ("method", expected["method"], method),
        ("path", expected["path"], url.path),
        ("query", query, sorted(parse_qsl(url.query, keep_blank_values=True))),
        ("body", expected.get("body"), json.loads(body) if body else None),
    ):
        if wanted != got:
            yield f"the {what} is {got!r}, not {wanted!r}"
    for name, value in expected.get("headers", {}).items():
        sent = headers.get(name.lower())
        wanted = previous.get(name.lower()) if value == "<same>" else value
        if sent is None or (wanted != "*" and sent != wanted):
            yield f"the header {name} is {sent!r}, not {wanted!r}"
