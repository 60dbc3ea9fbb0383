# SPDX-License-Identifier: Apache-2.0
"""A device that is up, as a page in a browser on this machine: `ganger web`.

The server listens on 127.0.0.1 only, and answers only who knows its token, a random one of each start. A request whose
Host header is not this server's is refused, too: so a page of another site, whose name was made to resolve to this machine,
gets nothing. Nothing is changed by a GET. Actions are POST requests with the token in a header of its own, which no form of
another site can send, and are refused when their Origin header is another one.
"""

import hmac
import json
import secrets
import socket
import sys
import threading
import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, Tuple, Union
from urllib.parse import parse_qs, urlsplit

from .. import report
from ..errors import Error
from ..typed import Json

_AT_ONCE = 16  # Requests that are answered at the same time; more are closed unanswered.
_SECONDS = 10  # A request must be there so long after its connection, and an answer is given up when none of it is taken for so long.
_BODY_BYTES = 4096  # Of an action, at most.
_HEADERS = {
    "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                               "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}
_Request = Union[socket.socket, Tuple[bytes, socket.socket]]
_Address = Union[Tuple[str, int], Any]


class Server(ThreadingHTTPServer):
    """picture(): what the page shows, as JSON; act(): does an action, and says in words what was done; report(): the time
    line, as HTML. They may raise Error and OSError, and are called by one thread at a time. Raises Error ERR_ARGUMENT when
    the port cannot be had."""
    daemon_threads = True
    block_on_close = False

    def __init__(self, port: int, picture: Callable[[], Json], act: Callable[[Json], str], report: Callable[[], str]):
        try:
            super().__init__(("127.0.0.1", port), _Handler)
        except OSError as error:
            raise Error("ERR_ARGUMENT", f"The port cannot be had: {error.strerror}.", "port", port) from None
        self.token = secrets.token_urlsafe(24)
        self.picture, self.act, self.report = picture, act, report
        self.one = threading.Lock()  # Who holds it may use the device.
        self._room = threading.BoundedSemaphore(_AT_ONCE)
        self._lock = threading.Lock()
        self._asking: Dict[Any, float] = {}  # Connections whose request is not whole yet, and when they end.

    @property
    def url(self) -> str:
        """What a browser opens."""
        return f"http://127.0.0.1:{self.server_port}/?token={self.token}"

    def process_request(self, request: _Request, client_address: _Address) -> None:
        """In a thread of its own, if there is room."""
        if not self._room.acquire(blocking=False):
            self.shutdown_request(request)
            return
        with self._lock:
            self._asking[request] = time.monotonic() + _SECONDS
        super().process_request(request, client_address)

    def process_request_thread(self, request: _Request, client_address: _Address) -> None:
        """What the thread does."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.asked(request)
            self._room.release()

    def asked(self, request: _Request) -> None:
        """The request is whole: from now on its connection may take longer."""
        with self._lock:
            self._asking.pop(request, None)

    def service_actions(self) -> None:
        """Called twice a second: ends connections that ask too slowly, so that nobody keeps a place with a few bytes now and then."""
        with self._lock:
            late = [request for request, end in self._asking.items() if end < time.monotonic()]
            for request in late:
                del self._asking[request]
                try:
                    request.shutdown(socket.SHUT_RD)
                except OSError:  # It has gone by itself.
                    pass

    def handle_error(self, request: _Request, client_address: _Address) -> None:
        """A client that went away is no news; anything else is a fault of this program, and is told."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def stop(self) -> None:
        """Takes no more requests; an action that was begun is done before this returns."""
        self.server_close()
        self.one.acquire()


class _Handler(BaseHTTPRequestHandler):
    """One request."""
    server: Server
    server_version, sys_version = "ganger", ""
    timeout = _SECONDS

    def log_message(self, format: str, *args: Any) -> None:  # pylint: disable=redefined-builtin
        """Nothing: the page asks twice a second."""

    def _answer(self, status: HTTPStatus, kind: str, text: str) -> None:
        content = text.encode()
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def _refuse(self, status: HTTPStatus, text: str) -> None:
        self._answer(status, "application/json", json.dumps({"error": text}))

    def _allowed(self, given: str) -> bool:
        """Whether the request is for this server, from its page, and has the token; if not, it was answered."""
        places = [f"{name}:{self.server.server_port}" for name in ("127.0.0.1", "localhost")]
        ours = self.headers.get_all("Host", []) in [[place] for place in places]
        origin = self.headers.get("Origin")
        ours = ours and (origin is None or origin in [f"http://{place}" for place in places])
        if ours and hmac.compare_digest(given.encode(), self.server.token.encode()):
            return True
        self._refuse(HTTPStatus.FORBIDDEN, "Open the address that `ganger web` printed: it has the token.")
        return False

    def _device(self, kind: str, get: Callable[[], str]) -> None:
        """Answers with what the device says, or with why it does not."""
        self.server.asked(self.request)
        try:
            with self.server.one:
                text = get()
        except Error as error:
            self._refuse(HTTPStatus.CONFLICT, str(error))
            return
        except OSError as error:
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, f"{error.filename or 'a file'}: {error.strerror}")
            return
        self._answer(HTTPStatus.OK, kind, text)

    def do_GET(self) -> None:
        """The page, its pictures, the report."""
        try:
            place = urlsplit(self.path)
            given = parse_qs(place.query, max_num_fields=8).get("token", [""])[0]
        except ValueError:
            self._refuse(HTTPStatus.BAD_REQUEST, "That is no address of a page.")
            return
        if not self._allowed(self.headers.get("X-Ganger-Token") or given):
            return
        pages: Dict[str, Tuple[str, Callable[[], str]]] = {
            "/picture": ("application/json", lambda: json.dumps(self.server.picture(), default=str)),
            "/report": ("text/html", self.server.report)}
        if place.path == "/":
            self._answer(HTTPStatus.OK, "text/html", report.page(__package__, "Ganger"))
        elif place.path in pages:
            self._device(*pages[place.path])
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "There is no such page: there are /, /picture and /report.")

    def do_POST(self) -> None:
        """An action."""
        if not self._allowed(self.headers.get("X-Ganger-Token") or ""):
            return
        length = self.headers.get("Content-Length") or ""
        if self.path != "/action" or not length.isdecimal() or len(length) > 4 or int(length) > _BODY_BYTES:
            self._refuse(HTTPStatus.BAD_REQUEST, f"Actions go to /action, in at most {_BODY_BYTES} bytes, with their number.")
            return
        try:
            action = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            action = None
        if not isinstance(action, dict):
            self._refuse(HTTPStatus.BAD_REQUEST, "An action is a JSON object.")
            return
        self._device("application/json", lambda: json.dumps({"done": self.server.act(action)}))
