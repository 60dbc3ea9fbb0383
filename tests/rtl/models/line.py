# SPDX-License-Identifier: Apache-2.0
"""A board at the other end of a line, for upload tools: a thread that plays a boot loader.

A model is a class with start(), byte(value) and quiet(), which return the bytes that the board says. quiet() is
called when nothing has come for the model's quiet_s. What it returns may be several pieces, of
which each is sent by itself.
"""
import os
import select
import socket
import threading
import tty


class Board:
    """Plays a model on a pty (kind "pty") or a socket ("unix", "tcp") until closed.

    port is what a tool gets as --port."""

    def __init__(self, model, kind="pty", folder=None):
        self.model, self.listener = model, None
        self.stop_read, self.stop_write = os.pipe()
        if kind == "pty":
            self.file, self.slave = os.openpty()
            tty.setraw(self.slave)
            self.port = os.ttyname(self.slave)
        else:
            self.listener = socket.socket(socket.AF_UNIX if kind == "unix" else socket.AF_INET)
            self.listener.bind(f"{folder}/board" if kind == "unix" else ("127.0.0.1", 0))
            self.listener.listen(1)
            self.port = f"unix:{folder}/board" if kind == "unix" else f"tcp:127.0.0.1:{self.listener.getsockname()[1]}"
        self.failure = None
        self.thread = threading.Thread(target=self.play, daemon=True)
        self.thread.start()

    def play(self):
        try:
            if self.listener:
                self.wait(self.listener.fileno(), None)
                self.peer = self.listener.accept()[0]
                self.file = self.peer.fileno()
            self.say(self.model.start())
            while self.step():
                pass
        except (OSError, EndOfTest):
            pass
        except Exception as error:  # for the test to see
            self.failure = error

    def step(self):
        if not self.wait(self.file, self.model.quiet_s):
            self.say(self.model.quiet())
            return True
        data = os.read(self.file, 256)
        for value in data:
            self.say(self.model.byte(value))
        return bool(data)

    def wait(self, file, seconds):
        ready = select.select([file, self.stop_read], [], [], seconds)[0]
        if self.stop_read in ready:
            raise EndOfTest
        return bool(ready)

    def say(self, text):
        if text:
            os.write(self.file, text)

    def close(self):
        os.write(self.stop_write, b"x")
        self.thread.join(10)
        if self.listener:
            self.listener.close()
            if hasattr(self, "peer"):
                self.peer.close()
        else:
            os.close(self.file)
            os.close(self.slave)
        os.close(self.stop_read)
        os.close(self.stop_write)
        assert not self.thread.is_alive()
        if self.failure:
            raise self.failure

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class EndOfTest(Exception):
    """The test is over."""
