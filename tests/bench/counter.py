# SPDX-License-Identifier: Apache-2.0
"""Reader of the file that the counting plugin shares with us (layout: qemu/plugin/count.h).

    with CountFile() as counts:                  # memory of our own, no file is left behind
        counts.watch_span(0, trap_entry)         # addresses before the code there runs
        ... start QEMU with  -plugin libcount.so,counts=<counts.path> ...
        counts.started()
        before = counts.count(0)
"""

import mmap
import os
import struct
import time
from typing import NamedTuple, Optional

MAGIC = 0x54434747
VERSION = 1
HARTS_MAX = 512
MARKS = 64
SPANS = 32
ENTRY = 64
MARK_OFFSET = ENTRY
SPAN_OFFSET = MARK_OFFSET + MARKS * ENTRY
HART_OFFSET = SPAN_OFFSET + SPANS * ENTRY
FILE_BYTES = HART_OFFSET + HARTS_MAX * ENTRY


class Mark(NamedTuple):
    """First hit since arm(); the counts leave out the instruction at the address."""
    hart: int
    hart0_count: int
    hart_count: int


class Span(NamedTuple):
    """Lengths in instructions; all 0 where the span never came to its end."""
    hits: int
    min: int
    max: int
    sum: int


class CountFile:
    """The shared file. Without `path` it is anonymous memory, and .path names it for QEMU as long as
    this process lives."""

    def __init__(self, path: Optional[str] = None):
        if path is None:
            self._fd = os.memfd_create("ganger-count")
            self.path = f"/proc/{os.getpid()}/fd/{self._fd}"
        else:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            self.path = path
        if os.fstat(self._fd).st_size < FILE_BYTES:
            os.ftruncate(self._fd, FILE_BYTES)
        self._map = mmap.mmap(self._fd, FILE_BYTES)
        self._bytes = memoryview(self._map)
        # Whole words only, so that no reader sees half of a 64-bit count.
        self._word = self._bytes.cast("I")
        self._long = self._bytes.cast("Q")

    def close(self) -> None:
        if self._fd < 0:
            return
        for view in (self._long, self._word, self._bytes):
            view.release()
        self._map.close()
        os.close(self._fd)
        self._fd = -1

    def __enter__(self) -> "CountFile":
        return self

    def __exit__(self, *_exc) -> None:
        self.close()

    # ---- the machine ----

    def started(self, timeout: float = 10.0) -> int:
        """Waits for the plugin; returns the number of harts. Raises TimeoutError or ValueError."""
        deadline = time.monotonic() + timeout
        while self._word[0] == 0:
            if time.monotonic() > deadline:
                raise TimeoutError(f"no QEMU with the counting plugin opened {self.path}")
            time.sleep(0.002)
        found = struct.unpack_from("<10I", self._bytes)
        known = (MAGIC, VERSION, found[2], FILE_BYTES, MARK_OFFSET, SPAN_OFFSET, HART_OFFSET,
                 MARKS, SPANS, ENTRY)
        if found != known:
            raise ValueError(f"{self.path}: another version of the counting plugin: {found}")
        return found[2]

    @property
    def harts(self) -> int:
        return self._word[2]

    def count(self, hart: int) -> int:
        """Instructions of this hart since the start."""
        return self._long[(HART_OFFSET + hart * ENTRY) // 8]

    def counts(self) -> list:
        return [self.count(hart) for hart in range(self.harts)]

    def settled(self, timeout: float = 10.0, quiet: float = 0.02) -> list:
        """Waits until no hart has counted for `quiet` seconds: all sleep. Returns the counts."""
        deadline = time.monotonic() + timeout
        last, since = self.counts(), time.monotonic()
        while time.monotonic() - since < quiet:
            time.sleep(quiet / 4)
            now = self.counts()
            if now != last:
                last, since = now, time.monotonic()
            if time.monotonic() > deadline:
                raise TimeoutError("the harts do not come to rest")
        return last

    # ---- marks ----

    def watch_mark(self, index: int, address: int) -> None:
        """Must come before the instruction at `address` runs for the first time; 0 = off."""
        self._long[self._mark(index) // 8] = address

    def arm(self, index: int) -> None:
        """Asks for the record of the next hit. Only while no hart is near the address."""
        word = self._mark(index) // 4
        self._word[word + 2] = self._word[word + 2] % 0xffffffff + 1

    def mark(self, index: int) -> Optional[Mark]:
        """The first hit since arm(), or None."""
        at = self._mark(index)
        arm, fired = self._word[at // 4 + 2], self._word[at // 4 + 4]
        if arm == 0 or fired != arm:
            return None
        return Mark(self._word[at // 4 + 5], self._long[at // 8 + 3], self._long[at // 8 + 4])

    def hits(self, index: int) -> int:
        """Hits of all harts since the start, armed or not."""
        return self._long[self._mark(index) // 8 + 5]

    def last_hart0(self, index: int) -> int:
        """Count of hart 0 at the last hit of all; 0 if there was none."""
        return self._long[self._mark(index) // 8 + 6] if self.hits(index) else 0

    # ---- spans ----

    def watch_span(self, index: int, begin: int, end: int = 0, hart: int = 0) -> None:
        """From `begin` up to `end`, both counted; end 0 = the next mret. Same rule as watch_mark."""
        at = self._span(index)
        self._long[at // 8 + 1] = end
        self._word[at // 4 + 4] = hart
        self._long[at // 8] = begin

    def clear_span(self, index: int) -> None:
        """Forgets the results at the next begin."""
        self._word[self._span(index) // 4 + 5] += 1

    def span(self, index: int) -> Span:
        at = self._span(index)
        arm, seen = self._word[at // 4 + 5], self._word[at // 4 + 14]
        hits, low, high, total = self._long[at // 8 + 3:at // 8 + 7]
        return Span(hits, low, high, total) if hits and arm == seen else Span(0, 0, 0, 0)

    @staticmethod
    def _mark(index: int) -> int:
        if not 0 <= index < MARKS:
            raise IndexError(f"mark {index}: there are {MARKS}")
        return MARK_OFFSET + index * ENTRY

    @staticmethod
    def _span(index: int) -> int:
        if not 0 <= index < SPANS:
            raise IndexError(f"span {index}: there are {SPANS}")
        return SPAN_OFFSET + index * ENTRY
