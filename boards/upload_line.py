# SPDX-License-Identifier: Apache-2.0
"""The line to a boot loader, for the upload tools of boards: a serial port or a socket. Also reads board.mk for them.

PORT is a device (/dev/ttyUSB0, a pty), tcp:HOST:PORT or unix:PATH. Every call is bounded.
"""
import os
import select
import socket
import stat
import termios
import time

NAP_S = 0.05


class LineError(Exception):
    """An error of the line; the message is for the user."""


class Line:
    """Bytes to and from the board. Nothing is buffered here, so nothing old is taken for new."""

    def __init__(self, port, baud=115200):
        self.port = port
        self.socket = None
        try:
            if port.startswith("tcp:"):
                host, _, number = port[4:].rpartition(":")
                self.socket = socket.create_connection((host, int(number)), timeout=5)
            elif port.startswith("unix:"):
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.connect(port[5:])
            if self.socket:
                self.socket.setblocking(False)
            self.file = self.socket.fileno() if self.socket else open_device(port, baud)
        except (OSError, ValueError, termios.error) as error:
            raise LineError(f"{port}: {error}") from error

    def close(self):
        if self.socket:
            self.socket.close()
        else:
            os.close(self.file)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def write(self, data, timeout_s):
        """Writes all of it; a LineError when the other side does not take it in time."""
        view, deadline = memoryview(data), time.monotonic() + timeout_s
        while view:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([], [self.file], [], left)[1]:
                raise LineError(f"{self.port}: took {len(data) - len(view)} of {len(data)} bytes "
                                f"in {timeout_s:.1f} s")
            try:
                view = view[os.write(self.file, view[:256]):]
            except BlockingIOError:
                continue
            except OSError as error:
                raise LineError(f"{self.port}: {error}") from error

    def read(self, timeout_s, most=4096):
        """The bytes that have come, or none when the time is over. A closed line is a LineError."""
        if not select.select([self.file], [], [], max(timeout_s, 0))[0]:
            return b""
        try:
            data = os.read(self.file, most)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise LineError(f"{self.port}: {error}") from error
        if not data:
            raise LineError(f"{self.port}: closed by the other side")
        return data

    def drain(self, quiet_s=NAP_S, most=65536):
        """Read until nothing comes for a moment, at most so many bytes."""
        taken = b""
        while len(taken) < most:
            data = self.read(quiet_s)
            if not data:
                break
            taken += data
        return taken

    def wait_for(self, texts, timeout_s, most=1 << 20):
        """Read until one of the texts is there: (text or None, everything that was read).

        Byte by byte, so that nothing behind the text is swallowed."""
        seen, deadline = bytearray(), time.monotonic() + timeout_s
        while time.monotonic() < deadline and len(seen) < most:
            seen += self.read(deadline - time.monotonic(), 1)
            for text in texts:
                if seen.endswith(text):
                    return text, bytes(seen)
        return None, bytes(seen)


def open_device(path, baud):
    """A terminal that hands bytes through as they are, 8 bits, no parity, one stop bit."""
    if not stat.S_ISCHR(os.stat(path).st_mode):
        raise OSError("not a serial port")
    speed = getattr(termios, f"B{baud}", None)
    if speed is None:
        raise OSError(f"{baud} baud: not a speed of this system")
    file = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        special = termios.tcgetattr(file)[6]
        control = termios.CS8 | termios.CREAD | termios.CLOCAL
        termios.tcsetattr(file, termios.TCSANOW, [0, 0, control, 0, speed, speed, special])
    except termios.error:
        os.close(file)
        raise
    return file


def board_numbers(path):
    """The NAME = value lines of a board.mk that are numbers."""
    numbers = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            name, equals, value = line.partition("=")
            if equals and not line.startswith("#"):
                try:
                    numbers[name.strip()] = int(value.strip(), 0)
                except ValueError:
                    continue
    return numbers


def parts_of(image, numbers):
    """The parts of a memory image that have to be sent: [(address, bytes)].

    Between the two images in it is the memory of the control processor. That is left out when it is all
    zero and board.mk's numbers say where it is. Zeros within an image are sent: they may be constants."""
    base = numbers["BOARD_CP_BASE"]
    begin, end = numbers.get("BOARD_CP_IMAGE_BYTES", 0), numbers.get("BOARD_SM_BASE", 0) - base
    if not 0 < begin < end < len(image) or any(image[begin:end]):
        return [(base, image)]
    return [(base, image[:begin]), (base + end, image[end:])]
