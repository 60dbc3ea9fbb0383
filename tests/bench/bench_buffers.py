# SPDX-License-Identifier: Apache-2.0
"""Copies between a program and a buffer of the device, beside copies in the program's own memory."""

import ctypes
import sys
import time
from pathlib import Path
from typing import Callable, List

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parents[2] / "host" / "python"))

import ganger  # noqa: E402
from table import print_lines  # noqa: E402

SIZES = (4 << 10, 1 << 20, 16 << 20)
ROUNDS = 30


def rate(nbytes: int, copy: Callable[[], object]) -> float:
    """GB/s of the fastest of some copies: what other programs do at the same time only slows one down."""
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        made = copy()
        best = min(best, time.perf_counter() - begin)
        del made  # Not while time is taken.
    return nbytes / best / 1e9


def row(name: str, ours: float, plain: float) -> List[str]:
    return [name, f"{ours:.1f}", f"{plain:.1f}", f"{plain / ours:.2f}"]


def measure(device: ganger.Device, nbytes: int) -> List[List[str]]:
    source, target = bytearray(nbytes), bytearray(nbytes)
    places = [(ctypes.c_char * nbytes).from_buffer(one) for one in (target, source)]
    with device.buffer(source) as buffer:
        memcpy = rate(nbytes, lambda: ctypes.memmove(*places, nbytes))
        fresh = rate(nbytes, lambda: bytes(source))
        size = f"{nbytes >> 10:,} KiB"
        return [row(f"{size}: write(data)", rate(nbytes, lambda: buffer.write(source)), memcpy),
                row("  readinto(target)", rate(nbytes, lambda: buffer.readinto(target)), memcpy),
                row("  read(), beside bytes(data)", rate(nbytes, buffer.read), fresh)]


def main() -> int:
    lines = [["copy", "GB/s", "memcpy GB/s", "times as long"]]
    with ganger.Device.boot("qemu-virt64", sms=1) as device:
        for nbytes in SIZES:
            lines += measure(device, nbytes)
    print_lines(lines)
    print(f"The fastest of {ROUNDS} copies of each kind, on this machine, now. A call costs some microseconds, which is\n"
          "most of a small copy. read() and bytes() put what they copy into memory that is fresh from the system.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
