# SPDX-License-Identifier: Apache-2.0
"""Workloads that are made: the same for the same seed, and scaled to the device."""

import random
from typing import Callable, Dict, List, NamedTuple

from ..errors import Error
from .workload import Task, Workload, check_workload

CTA_NS = 100_000  # Mean time of a CTA.
BURST = 50        # Tasks that come at once.


class Scale(NamedTuple):
    """What a workload is made for. load: the share of the device's lanes that it keeps busy, if all goes well."""
    sms: int
    lanes: int
    tasks: int = 1000
    load: float = 0.8
    seed: int = 1


class _Maker:
    """Makes tasks, and posts them at such times that the device has the load."""

    def __init__(self, scale: Scale):
        self.scale = scale
        self.random = random.Random(scale.seed)

    def ctas(self, most: int) -> int:
        """1 to most; small numbers are as frequent as large ones."""
        return max(1, round(float(most ** self.random.random())))

    def ns(self) -> int:
        """Exponential around the mean."""
        return max(1000, round(self.random.expovariate(1 / CTA_NS)))

    def pareto(self, least: float, most: float, shape: float = 1.2) -> int:
        """Heavy tails, cut off."""
        return round(min(most, least * self.random.paretovariate(shape)))

    def grid(self) -> Task:
        """A task of the usual kind."""
        return Task(0, self.ctas(2 * self.scale.sms), (self.ns(),))

    def post(self, tasks: List[Task], group: int) -> List[Task]:
        """Groups of tasks, with exponential times between them."""
        mean = sum(task.work_ns() for task in tasks) / len(tasks) * group / (self.scale.sms * self.scale.lanes * self.scale.load)
        at, posted = 0.0, []
        for number, task in enumerate(tasks):
            at += self.random.expovariate(1 / mean) if number % group == 0 and number else 0
            posted.append(task._replace(at_ns=round(at)))
        return posted


def _poisson(make: _Maker) -> List[Task]:
    return make.post([make.grid() for _ in range(make.scale.tasks)], 1)


def _bursts(make: _Maker) -> List[Task]:
    return make.post([make.grid() for _ in range(make.scale.tasks)], BURST)


def _tails(make: _Maker) -> List[Task]:
    most = 32 * make.scale.sms
    return make.post([Task(0, make.pareto(max(1, make.scale.sms / 16), most, 0.9), (make.pareto(CTA_NS / 5, 20 * CTA_NS),))
                      for _ in range(make.scale.tasks)], 1)


def _mixed(make: _Maker) -> List[Task]:
    choose = make.random.choice
    return make.post([make.grid()._replace(priority=choose((3, 5, 5, 7)), threads=choose((32, 32, 256, 1024)),
                                           shared_bytes=choose((0, 2048, 8192, 32768)))
                      for _ in range(make.scale.tasks)], 1)


WORKLOADS: Dict[str, Callable[[_Maker], List[Task]]] = {
    "poisson": _poisson, "bursts": _bursts, "tails": _tails, "mixed": _mixed}
ABOUT = {"poisson": "tasks of all sizes, one by one at random times",
         "bursts": f"the same tasks, {BURST} at once",
         "tails": "a few tasks have most of the work",
         "mixed": "different priorities, threads and shared memory"}


def make_workload(name: str, scale: Scale) -> Workload:
    """A workload of WORKLOADS. Raises Error ERR_ARGUMENT."""
    if name not in WORKLOADS:
        raise Error("ERR_ARGUMENT", f"There is no workload {name!r}: there are {', '.join(WORKLOADS)}, or a file .jsonl.",
                    "workload", name)
    if scale.tasks < 1 or not 0.001 <= scale.load <= 100:
        raise Error("ERR_ARGUMENT", "A workload has a task at least, and a load of 0.001 to 100.", "load", scale.load)
    return check_workload(name, WORKLOADS[name](_Maker(scale)))
