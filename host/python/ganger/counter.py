# SPDX-License-Identifier: Apache-2.0
"""Instructions per hart, counted by the QEMU plugin (layout of the file: qemu/plugin/count.h).

    with ganger.Device.boot(count=True) as dev:
        before = dev.counter.settled()[0]       # hart 0 is the control processor
"""

import mmap
import os
import struct
import time
from pathlib import Path
from typing import List, Optional

MAGIC = 0x54434747
VERSION = 1
HARTS_MAX = 512
MARKS = 64
SPANS = 32
ENTRY = 64
HART_OFFSET = ENTRY * (1 + MARKS + SPANS)
FILE_BYTES = HART_OFFSET + HARTS_MAX * ENTRY


def plugin_path(build: Path) -> Path:
    """Where the build puts the plugin."""
    return build / "qemu" / "libcount.so"


class Counter:
    """Memory that the plugin counts into; it leaves no file behind. A hart that sleeps counts
    nothing, so all counts stand still while the device is idle."""

    def __init__(self) -> None:
        self._fd = os.memfd_create("ganger-count")
        os.ftruncate(self._fd, FILE_BYTES)
        self._map = mmap.mmap(self._fd, FILE_BYTES)
        self._words = memoryview(self._map).cast("I")
        self._longs = memoryview(self._map).cast("Q")  # A count is never read in two halves.

    def plugin(self, build: Path) -> str:
        """Value of QEMU's -plugin option."""
        return f"{plugin_path(build).resolve()},counts=/proc/{os.getpid()}/fd/{self._fd}"

    def check(self) -> None:
        """Raises ValueError if no plugin, or one of another version, writes the file."""
        found = struct.unpack_from("<10I", self._map)
        known = (MAGIC, VERSION, found[2], FILE_BYTES, ENTRY, ENTRY * (1 + MARKS), HART_OFFSET,
                 MARKS, SPANS, ENTRY)
        if found != known:
            raise ValueError(f"not the counting plugin of this version: {found}")

    @property
    def harts(self) -> int:
        """Harts of the device: 1 + its SMs."""
        return self._words[2]

    def count(self, hart: int) -> int:
        """Instructions of a hart since the start; 0 is the control processor, 1 + i is SM i."""
        if not 0 <= hart < HARTS_MAX:
            raise IndexError(f"hart {hart}: there are {self.harts}")
        return self._longs[(HART_OFFSET + hart * ENTRY) // 8]

    def counts(self) -> List[int]:
        """Instructions of all harts."""
        return [self.count(hart) for hart in range(self.harts)]

    def settled(self, timeout: float = 10.0, quiet: float = 0.01, harts: Optional[int] = None) -> List[int]:
        """Counts once no hart, or none of the first `harts`, has counted for `quiet` seconds. Raises TimeoutError."""
        deadline = time.monotonic() + timeout
        last, since = self.counts()[:harts], time.monotonic()
        while time.monotonic() - since < quiet:
            time.sleep(quiet / 5)
            now = self.counts()[:harts]
            if now != last:
                last, since = now, time.monotonic()
            if time.monotonic() > deadline:
                raise TimeoutError("the harts do not come to rest")
        return last

    def __enter__(self) -> "Counter":
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Gives the memory back; a second close does nothing."""
        if self._fd >= 0:
            self._words.release()
            self._longs.release()
            self._map.close()
            os.close(self._fd)
            self._fd = -1
