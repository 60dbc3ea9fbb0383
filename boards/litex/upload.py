#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads the firmware through the LiteX BIOS's serial boot, and starts it.

    python boards/litex/upload.py --port /dev/ttyUSB0 build/litex/flash.sfl

Reset the board when the tool says that it waits, or give --ask when the BIOS is at its prompt. A frame is
repeated when it is refused or not answered, a bounded number of times; loading is repeatable.
"""
import argparse
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from boards.litex import sfl
from boards.upload_line import Line, LineError

TRIES = 16
SETTLE_S = 0.3  # after an E: longer than an answer takes to arrive
BITS_A_BYTE = 10


class Upload:
    """One upload over one line.

    baud: sets how long a frame takes. answer_s: how long the board may take to answer.
    """

    def __init__(self, line, baud=115200, answer_s=1.0, tell=None):
        self.line, self.answer_s = line, answer_s
        self.byte_s = BITS_A_BYTE / baud
        self.tell = tell or (lambda text: None)
        self.repeats = 0  # frames that were sent again

    def greet(self, wait_s, ask=False):
        """Wait for the BIOS's request and answer it."""
        if ask:
            self.line.write(b"\nserialboot\n", self.answer_s)
        request, seen = self.line.wait_for([sfl.MAGIC_REQUEST], wait_s)
        if request is None:
            raise LineError(f"no request of the BIOS in {wait_s:g} s ({len(seen)} bytes came): "
                            "reset the board, or give --ask when it is at its prompt")
        self.line.write(sfl.MAGIC_ANSWER, self.answer_s)

    def exchange(self, data):
        """Send one frame, read its answer: K, C, U, E, or nothing.

        The BIOS sends E whenever it has waited too long, also while the line was idle: so a K that
        follows an E belongs to this frame. Anything else is noise."""
        frame_s = len(data) * self.byte_s
        self.line.write(data, frame_s + self.answer_s)
        answer, deadline = b"", time.monotonic() + frame_s + self.answer_s
        while time.monotonic() < deadline:
            byte = self.line.read(deadline - time.monotonic(), 1)
            if byte == sfl.ERROR:
                answer, deadline = byte, min(deadline, time.monotonic() + frame_s + SETTLE_S)
            elif byte in (sfl.ACCEPTED, sfl.BAD_CRC, sfl.UNKNOWN) and byte:
                return byte
        return answer

    def send(self, data, what):
        """One frame until it is accepted, at most TRIES times."""
        answer = b""
        for attempt in range(TRIES):
            self.repeats += attempt > 0
            self.line.drain(0)  # an E that was sent while the line was idle is no answer
            answer = self.exchange(data)
            if answer == sfl.ACCEPTED:
                return
            if answer == sfl.UNKNOWN:
                raise LineError(f"{what}: the BIOS does not know the command")
            self.line.drain()
        why = {sfl.BAD_CRC: "refused: wrong CRC", sfl.ERROR: "refused: not RAM, or bytes were lost"}
        raise LineError(f"{what}: {why.get(answer, 'no answer')}, {TRIES} times")

    def run(self, frames):
        for number, data in enumerate(frames[:-1], 1):
            address = int.from_bytes(data[4:8], "big")
            self.send(data, f"frame {number} of {len(frames)}, address 0x{address:08x}")
            if number % 64 == 0:
                self.tell(f"{number} of {len(frames)} frames")
        self.jump(frames[-1])

    def jump(self, data):
        """Sent again only when it was refused: what runs after a jump is no longer the BIOS."""
        answer = b""
        for attempt in range(TRIES):
            self.repeats += attempt > 0
            self.line.drain(0)
            answer = self.exchange(data)
            if answer not in (sfl.BAD_CRC, sfl.ERROR):
                break
            self.line.drain()
        if answer != sfl.ACCEPTED:
            raise LineError("jump: not acknowledged; everything is loaded, the program may run")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--port", required=True, help="serial port, tcp:HOST:PORT or unix:PATH")
    parser.add_argument("--baud", type=int, default=115200)
    parser.add_argument("--wait", type=float, default=60, help="seconds for the BIOS to ask (60)")
    parser.add_argument("--answer", type=float, default=1.0, help="seconds for an answer to a frame (1)")
    parser.add_argument("--ask", action="store_true", help="the BIOS is at its prompt: type serialboot")
    parser.add_argument("image", type=Path, help="frames, as made by sfl.py")
    arguments = parser.parse_args()
    try:
        frames = sfl.split(arguments.image.read_bytes())
        with Line(arguments.port, arguments.baud) as line:
            upload = Upload(line, arguments.baud, arguments.answer, lambda text: print(text, flush=True))
            print(f"{arguments.port}: waiting for the BIOS", flush=True)
            upload.greet(arguments.wait, arguments.ask)
            upload.run(frames)
    except (OSError, ValueError) as error:
        return f"{arguments.image}: {error}"
    except LineError as error:
        return str(error)
    print(f"loaded and started: {len(frames)} frames, {upload.repeats} sent again")
    return 0


if __name__ == "__main__":
    sys.exit(main())
