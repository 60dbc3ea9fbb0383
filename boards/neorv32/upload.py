#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads the firmware through the NEORV32 boot loader (1.13) and starts it.

    python boards/neorv32/upload.py --port /dev/ttyUSB0 build/neorv32/flash.exe

When board.mk lies beside the image, its two parts are sent one after the other, and not what is between them.
Reset the board first. The boot loader starts something from flash 8 seconds after its reset unless a
key comes; it has no retry: after a bad upload it halts, and the board has to be reset.
"""
import argparse
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from boards.neorv32 import image
from boards.upload_line import Line, LineError, board_numbers

PROMPT, AWAITING, GOOD, STARTED = b"CMD:> ", b"... ", b"OK\r\n", b"Booting (@"
ERRORS = [b"ERROR_SIGNATURE", b"ERROR_CHECKSUM", b"ERROR_DEVICE", b"ERROR_EXCEPTION"]
KEY = b" "  # ends the count-down; at the prompt it is an unknown command, which only prompts again
BITS_A_BYTE = 10
PAGE = 1024


def printable(seen):
    return seen[-80:].decode("ascii", "replace").strip() or "nothing"


class Upload:
    """One upload over one line.

    baud: sets how long the bytes take. answer_s: how long the boot loader may take for an answer.
    """

    def __init__(self, line, baud=19200, answer_s=2.0, tell=None):
        self.line, self.answer_s = line, answer_s
        self.byte_s = BITS_A_BYTE / baud
        self.tell = tell or (lambda text: None)

    def expect(self, texts, what, seconds):
        found, seen = self.line.wait_for(texts + ERRORS, seconds)
        if found in ERRORS:
            raise LineError(f"{what}: {found.decode()}; reset the board and try again")
        if found is None:
            raise LineError(f"{what}: no answer in {seconds:.1f} s, but {printable(seen)}; reset the board and try again")
        return found

    def find_prompt(self, tries):
        """Press a key until the boot loader prompts."""
        seen = b""
        for _ in range(tries):
            self.line.write(KEY, self.answer_s)
            found, seen = self.line.wait_for([PROMPT], self.answer_s)
            if found:
                self.line.drain()  # the answers to keys that it has not read yet
                return
        raise LineError(f"no prompt after {tries} keys, but {printable(seen)}: reset the board")

    def refuse_early_answer(self):
        """Before its last byte the boot loader says nothing but errors."""
        seen = self.line.read(0)
        if seen:
            seen += self.line.drain()
            raise LineError(f"upload: {printable(seen)} in the middle of it; reset the board and try again")

    def run(self, images, tries=10):
        """From a reset board to a started program: the last of the images."""
        bases = [image.check(data) for data in images]
        self.find_prompt(tries)
        for data in images:
            self.load(data)
        self.start(bases[-1])

    def load(self, data):
        """One image, from prompt to prompt."""
        self.line.write(b"u", self.answer_s)
        self.expect([AWAITING], "upload command", self.answer_s)
        for at in range(0, len(data), PAGE):
            page = data[at:at + PAGE]
            self.line.write(page, len(page) * self.byte_s + self.answer_s)
            self.tell(f"{min(at + PAGE, len(data))} of {len(data)} bytes")
            if at + PAGE < len(data):
                self.refuse_early_answer()
        # The system takes bytes long before the wire does.
        self.expect([GOOD], "upload", 2 * len(data) * self.byte_s + self.answer_s)
        self.expect([PROMPT], "prompt after the upload", self.answer_s)

    def start(self, base):
        self.line.write(b"e", self.answer_s)
        self.expect([STARTED], "start command", self.answer_s)
        _, seen = self.line.wait_for([b")"], self.answer_s)
        if seen.lower() != f"0x{base:08x})".encode():
            raise LineError(f"start command: started at {printable(seen)}, not at 0x{base:08x}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--port", required=True, help="serial port, tcp:HOST:PORT or unix:PATH")
    parser.add_argument("--baud", type=int, default=19200)
    parser.add_argument("--answer", type=float, default=2.0, help="seconds for each answer (2)")
    parser.add_argument("--keys", type=int, default=10, help="keys to press before giving up (10)")
    parser.add_argument("image", type=Path, help="image, as made by image.py")
    arguments = parser.parse_args()
    try:
        data = arguments.image.read_bytes()
        beside = arguments.image.parent / "board.mk"
        images = image.uploads_of(data, board_numbers(beside) if beside.exists() else {})
        with Line(arguments.port, arguments.baud) as line:
            Upload(line, arguments.baud, arguments.answer,
                   lambda text: print(text, end="\r", flush=True)).run(images, arguments.keys)
    except (OSError, ValueError) as error:
        return f"{arguments.image}: {error}"
    except LineError as error:
        return f"\n{error}"
    print(f"\nloaded and started: {sum(map(len, images))} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
