# SPDX-License-Identifier: Apache-2.0
"""Blurs a picture of a gigapixel on the devices of a cluster, and compares it with NumPy in this process.

    python -m ganger.examples.gigapixel --side 32768 --workers 2
"""

import argparse
import time
from typing import Any, List, Optional

import dask.array as da
import numpy as np
from distributed import Client, LocalCluster, as_completed

import ganger
import ganger.distributed as gd

Picture = Any  # An array of bytes with two axes.


def paint(side: int, chunk: int) -> Picture:
    """A picture of waves and rings, as an array of Dask's."""
    y = da.arange(side, chunks=chunk, dtype=np.uint32)[:, None]
    x = da.arange(side, chunks=chunk, dtype=np.uint32)[None, :]
    return ((x * y >> 7) ^ (x * 3 + y * 5)).astype(np.uint8)


def blur(picture: Picture) -> Picture:
    """The mean of each pixel and its eight neighbours by NumPy; at the edge pixels count again."""
    wide = np.pad(picture, 1, mode="edge").astype(np.uint16)
    lines = wide[:-2] + wide[1:-1] + wide[2:]
    return ((lines[:, :-2] + lines[:, 1:-1] + lines[:, 2:] + 4) // 9).astype(np.uint8)


def same(picture: Picture, blurred: List[Any], chunk: int) -> bool:
    """Whether each strip of the result is what NumPy makes of the picture."""
    side = picture.shape[0]
    numbers = {future.key: number for number, future in enumerate(blurred)}
    good = True
    for future, strip in as_completed(blurred, with_results=True):
        first = numbers[future.key] * chunk
        low, high = max(0, first - 1), min(side, first + chunk + 1)
        expected = blur(picture[low:high].compute(scheduler="synchronous"))
        good = good and np.array_equal(strip, expected[first - low:first - low + strip.shape[0]])
    return good


def run(client: Client, side: int, chunk: int, sms: int, board: str) -> bool:
    """Blurs and compares; whether they are equal."""
    xlen = 32 if board.endswith("32") else 64
    client.register_plugin(gd.Devices(board, sms))
    code = gd.Code(ganger.sample("blur", xlen), "blur")
    picture = paint(side, chunk)
    blurred = gd.map_blocks(code, picture, args=[gd.IN, gd.OUT, gd.columns, gd.rows], block=(32, 8), depth=1, mode="pull")
    strips = client.compute([blurred[first:first + chunk] for first in range(0, side, chunk)])
    return same(picture, strips, chunk)


def main(arguments: Optional[List[str]] = None) -> int:
    """The program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--side", type=int, default=32768, help="pixels of a side (default %(default)s: a gigapixel)")
    parser.add_argument("--chunk", type=int, default=2048, help="pixels of a side of a chunk (default %(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="workers, each with a device (default %(default)s)")
    parser.add_argument("--sms", type=int, default=2, help="SMs of a device (default %(default)s)")
    parser.add_argument("--board", default="qemu-virt64", help="board of the devices (default %(default)s)")
    options = parser.parse_args(arguments)
    with LocalCluster(n_workers=options.workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        start = time.monotonic()
        good = run(client, options.side, options.chunk, options.sms, options.board)
        print(f"{options.side ** 2:,} pixels, {options.workers} workers, {time.monotonic() - start:.1f} s: "
              f"{'equal' if good else 'NOT equal'} to NumPy")
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
