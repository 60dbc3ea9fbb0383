# SPDX-License-Identifier: Apache-2.0
"""Scheduling policies over thousands of workloads: each task of Dask's plays some seeds through all policies in the policy
laboratory, without a device. One seed says little; the differences over many of them say which policy is better, and how surely.

    python -m ganger.examples.seeds --seeds 2000 --workers 2
"""

import argparse
from typing import Any, Dict, List, Optional, Sequence

import numpy as np
from distributed import Client, LocalCluster

from ganger import lab

SHOWN = ("mean_ms", "wait_99_ms", "fairness", "blocks")


def play(seeds: Sequence[int], workload: str, policies: Sequence[str], tasks: int, sms: int) -> "np.ndarray[Any, Any]":
    """The figures SHOWN by seed, policy and figure."""
    machine, chosen = lab.Machine(sms=sms), [lab.find_policy(name) for name in policies]
    found = [[lab.figures_of(one) for one in lab.play(lab.make_workload(workload, lab.Scale(sms, machine.lanes, tasks, 0.8, seed)),
                                                      chosen, machine)] for seed in seeds]
    return np.array([[[getattr(one, name) for name in SHOWN] for one in each] for each in found], float)


def run(client: Client, seeds: int, batch: int, workload: str, policies: Sequence[str], tasks: int,
        sms: int) -> "np.ndarray[Any, Any]":
    """The same for the seeds 1 to `seeds`, on the workers of a cluster, so many at once."""
    play([1], workload, policies, 1, sms)  # The program is built once, before the workers want it.
    firsts = range(1, seeds + 1, batch)
    futures = client.map(lambda first: play(range(first, min(first + batch, seeds + 1)), workload, policies, tasks, sms),
                         firsts, pure=False)
    return np.concatenate(client.gather(futures))


def compare(found: "np.ndarray[Any, Any]") -> Dict[str, List[float]]:
    """By figure: the mean of the last policy less that of the first, in percent of the first, twice the standard error of
    that, and for how many percent of the seeds it is less."""
    first, last = found[:, 0], found[:, -1]
    difference = 100 * (last - first) / first.mean(axis=0)
    error = 2 * difference.std(axis=0, ddof=1) / len(found) ** 0.5
    better = 100 * (last < first).mean(axis=0)
    return {name: [float(difference.mean(axis=0)[at]), float(error[at]), float(better[at])] for at, name in enumerate(SHOWN)}


def main(arguments: Optional[List[str]] = None) -> int:
    """The program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=2000, help="workloads (default %(default)s)")
    parser.add_argument("--batch", type=int, default=20, help="of a task of Dask's (default %(default)s)")
    parser.add_argument("--workload", default="mixed", help="that is made (default %(default)s)")
    parser.add_argument("--policies", nargs=2, default=["round-robin", "balance"], metavar="NAME",
                        help="the second is compared with the first (default: round-robin balance)")
    parser.add_argument("--tasks", type=int, default=200, help="of a workload (default %(default)s)")
    parser.add_argument("--sms", type=int, default=16, help="simulated SMs (default %(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default %(default)s)")
    options = parser.parse_args(arguments)
    if min(options.seeds - 1, options.batch, options.tasks, options.workers) < 1:
        parser.error("two seeds at least, and one of the rest")
    with LocalCluster(n_workers=options.workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        found = run(client, options.seeds, options.batch, options.workload, options.policies, options.tasks, options.sms)
    print(f"{len(found):,} workloads {options.workload!r} of {options.tasks} tasks on {options.sms} SMs: {options.policies[1]} "
          f"less {options.policies[0]}")
    for name, (difference, error, better) in compare(found).items():
        print(f"{name:11} {difference:+7.2f} % ± {error:.2f}, less for {better:.0f} % of the seeds")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
