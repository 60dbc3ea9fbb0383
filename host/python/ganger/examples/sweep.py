# SPDX-License-Identifier: Apache-2.0
"""A simulation for many parameters: the logistic map x → r·x·(1 − x), whose orbits go from one value to chaos as r grows.
Each task runs a range of r on the device of one of the workers; the result is how many values each orbit visits.

    python -m ganger.examples.sweep --tasks 64 --workers 2
"""

import argparse
from typing import Any, List, Optional

import numpy as np
from distributed import Client, LocalCluster

import ganger
import ganger.distributed as gd

SOURCE = """
/* Each thread has an r. Values are counted that differ from all before by more than 2^-12, of 32 steps behind the first
 * 1,000. Numbers have 28 bits behind the point, so every machine computes the same. */
kernel void orbits(global const uint *r, global uint *visited, uint n)
{
	const uint i = (uint)get_global_id(0);
	uint x = 1u << 27, seen[32], count = 0;

	if (i >= n) {
		return;
	}
	for (uint step = 0; step < 1032; step++) {
		const ulong product = (ulong)x * ((1u << 28) - x) >> 28;
		uint known = 0;

		x = (uint)((ulong)r[i] * product >> 28);
		for (uint at = 0; step >= 1000 && at < count; at++) {
			known |= (x > seen[at] ? x - seen[at] : seen[at] - x) < 1u << 16;
		}
		if (step >= 1000 && !known) {
			seen[count++] = x;
		}
	}
	visited[i] = count;
}
"""


def parameters(count: int) -> "np.ndarray[Any, Any]":
    """Values of r from 2.8 to 4."""
    return np.asarray(np.linspace(2.8, 3.999, count) * (1 << 28)).astype(np.uint32)


def orbits(r: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    """What the kernel computes, by NumPy."""
    x = np.full(r.shape, 1 << 27, np.uint64)
    seen: List[Any] = []
    count = np.zeros(r.shape, np.uint32)
    for step in range(1032):
        x = r.astype(np.uint64) * (x * ((1 << 28) - x) >> np.uint64(28)) >> np.uint64(28)
        if step >= 1000:
            known = np.zeros(r.shape, bool)
            for other, is_new in seen:
                known |= is_new & (np.abs(x.astype(np.int64) - other.astype(np.int64)) < 1 << 16)
            seen.append((x, ~known))
            count += ~known
    return count


def run(client: Client, tasks: int, each: int, board: str = "qemu-virt64") -> "np.ndarray[Any, Any]":
    """Sweeps over tasks · each parameters, on workers that have devices."""
    code = gd.Code(ganger.build(SOURCE, f"--xlen={32 if board.endswith('32') else 64}").image, "orbits")
    futures = [gd.submit(client, code, grid=-(-each // 32), block=32, args=[part, gd.Out((each,), "u4"), each],
                         dask={"retries": 2}) for part in np.split(parameters(tasks * each), tasks)]
    return np.concatenate(client.gather(futures))


def main(arguments: Optional[List[str]] = None) -> int:
    """The program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=64, help="tasks of Dask's (default %(default)s)")
    parser.add_argument("--each", type=int, default=256, help="parameters of a task (default %(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="workers, each with a device (default %(default)s)")
    options = parser.parse_args(arguments)
    with LocalCluster(n_workers=options.workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        client.register_plugin(gd.Devices(sms=4))
        found = run(client, options.tasks, options.each)
    good = np.array_equal(found, orbits(parameters(len(found))))
    print(f"{len(found):,} parameters, {np.count_nonzero(found == 1):,} fixed points, {np.count_nonzero(found == 32):,} chaotic: "
          f"{'equal' if good else 'NOT equal'} to NumPy")
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
