# SPDX-License-Identifier: Apache-2.0
"""Figures in time, on a device without instruction counting."""

import statistics
import time
from typing import Callable, Dict, List

import ganger
import pull_costs
from rig import build_kernels
from table import Value

ROUNDS = 2500
TASKS = 4000
BATCH = 32


def _timed(call: Callable[[], object]) -> float:
    begin = time.perf_counter()
    call()
    return (time.perf_counter() - begin) * 1e6


def _value(times: List[float]) -> Value:
    times = sorted(times)
    p99 = times[len(times) * 99 // 100]
    return Value(round(statistics.median(times), 1),
                 f"min {times[0]:,.1f}, median {statistics.median(times):,.1f}, p99 {p99:,.1f} us, "
                 f"{len(times):,} rounds")


def round_trips(device, kernel) -> Dict[str, Value]:
    """In turns, so that both meet the same load of the machine."""
    work = [device.work(kernel, grid=(1,), block=(1,))]

    def task() -> None:
        device.submit_many(work)[0].wait(timeout=10)

    for _ in range(50):
        device.nop()
        task()
    echoes, tasks = [], []
    for _ in range(ROUNDS):
        echoes.append(_timed(device.nop))
        tasks.append(_timed(task))
    return {"echo": _value(echoes), "round_trip": _value(tasks)}


def pipelined(device, kernel) -> Dict[str, Value]:
    """Two batches on their way, so that the device always has one. Only the last task of a batch
    interrupts the host."""
    works = [device.work(kernel, grid=(1,), block=(1,), interrupt=index == BATCH - 1)
             for index in range(BATCH)]

    def wait(tasks) -> None:
        for task in reversed(tasks):
            task.wait(timeout=30)

    wait(device.submit_many(works))
    begin = time.perf_counter()
    before = device.submit_many(works)
    for _ in range(TASKS // BATCH - 1):
        after = device.submit_many(works)
        wait(before)
        before = after
    wait(before)
    seconds = time.perf_counter() - begin
    return {"tasks_rate": Value(round(TASKS // BATCH * BATCH / seconds),
                                f"{TASKS:,} tasks, batches of {BATCH}")}


def measure(board: str, why: Dict[str, str]) -> Dict[str, Value]:
    figures: Dict[str, Value] = {}
    try:
        with ganger.Device.boot(board, sms=8) as device:
            kernel = device.load(str(build_kernels(board, "launch")))["empty"]
            for part in (round_trips, pipelined, pull_costs.rates):
                try:
                    figures.update(part(device, kernel))
                except Exception as error:  # pylint: disable=broad-except
                    why[f"{part.__name__}, {board}"] = f"{type(error).__name__}: {error}"
    except Exception as error:  # pylint: disable=broad-except
        why[f"wall clock, {board}"] = f"{type(error).__name__}: {error}"
    return figures
