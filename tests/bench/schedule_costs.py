# SPDX-License-Identifier: Apache-2.0
"""What the scheduler's decisions cost, in instructions of the control processor."""

from typing import Callable, Dict

import ganger
from rig import Figures, Rig, build_kernels, fill, measure_groups, median, spread
from table import Value

PENDING = (1, 100, 10_000, 100_000)
TOGETHER = 16  # CTAs of a grid, of three that have an SM for each CTA
SEVERAL = 32  # grids of two CTAs: all that eight SMs have room for
WAIT_S = 120.0


def _cost(rig: Rig, work: Callable[[], object], times: int = 3) -> int:
    return median([cost.cp for cost in rig.costs(work, times)])


def _slope(rig: Rig, work: Callable[[int], object], less: int, more: int) -> float:
    """Cost of one more between `less` and `more` of them."""
    return (_cost(rig, lambda: work(more)) - _cost(rig, lambda: work(less))) / (more - less)


def quota(rig: Rig, _why: Dict[str, str]) -> Figures:
    """Two tasks of 64 CTAs, each CTA of which has an SM to itself. With a quota of 1 they take
    turns."""
    room = rig.device.info.sm_shared_bytes
    kernel, ctas = rig.module["big"], 64

    def both(**keywords) -> None:
        works = [rig.device.work(kernel, grid=ctas, args=[ganger.local(room * 3 // 4)], **keywords)
                 for _ in range(2)]
        for task in rig.device.submit_many(works):
            task.wait(WAIT_S)

    def alone(**keywords) -> None:
        rig.run("big", grid=ctas, args=[ganger.local(room * 3 // 4)], **keywords)

    plain, turns = _cost(rig, both), _cost(rig, lambda: both(quota=1))
    single, self_turns = _cost(rig, alone), _cost(rig, lambda: alone(quota=1))
    return {"quota": Value((self_turns - single) / ctas, "64 CTAs, one task, quota 1"),
            "quota_turn": Value((turns - plain) / (2 * ctas), "64 CTAs each, two tasks, quota 1")}


def host_pushes(rig: Rig, _why: Dict[str, str]) -> Figures:
    """Items of the host, each with a CTA of its own."""
    queue = rig.device.queue(rig.module["empty"], capacity=256, item_bytes=4, items=1)
    try:
        single = [cost.cp for cost in rig.costs(lambda: queue.push(bytes(4)), 5)]
        many = _slope(rig, lambda count: queue.push(bytes(4 * count)), 32, 96)
    finally:
        queue.close()
        queue.wait(WAIT_S)
    return {"push": Value(median(single), spread(single)), "push_many": Value(many)}


def kernel_pushes(rig: Rig, _why: Dict[str, str]) -> Figures:
    """Items of a kernel, which needs the queue's TMD in its heap."""
    device, status = rig.device, rig.device.buffer(bytes(4))
    kernel = device.load(str(build_kernels(device.info.board, "schedule")))["push"]
    tmd = device.tmd(rig.module["empty"], queue=ganger.Queue(capacity=256, item_bytes=4, items=1))
    queue = device.submit_tmd(tmd)

    def push(count: int) -> None:
        device.submit(kernel, args=[tmd, count, status]).wait(WAIT_S)

    try:
        figure = _slope(rig, push, 16, 48)
    finally:
        device.command("CLOSE", address=tmd.address, args=(tmd.generation,)).wait(WAIT_S)
        queue.wait(WAIT_S)
    if status.read() != bytes(4):
        raise RuntimeError("a push failed")
    return {"push_kernel": Value(figure)}


def children(rig: Rig, _why: Dict[str, str]) -> Figures:
    """Children of one CTA, launched by one kernel."""
    kernel = rig.device.load(str(build_kernels(rig.device.info.board, "schedule")))["spawn"]
    status = rig.device.buffer(bytes(4))
    with rig.device.template(rig.module["empty"]) as child:
        def spawn(count: int) -> None:
            rig.device.submit(kernel, args=[child, count, status]).wait(WAIT_S)

        figure = _slope(rig, spawn, 8, 40)
    if status.read() != bytes(4):
        raise RuntimeError("a launch failed")
    return {"child": Value(figure, "its CTA and its end included")}


def edges(rig: Rig, _why: Dict[str, str]) -> Figures:
    """Edges of both kinds between tasks without CTAs: made, and used."""
    device = rig.device

    def decrement(count: int) -> None:
        last = device.signal(dependence_count=count)
        device.signal(dependents=[(last, "decrement")] * count)
        last.wait(WAIT_S)

    def after(count: int) -> None:
        first = device.signal(dependence_count=1)
        device.signal(after=[first] * count)
        device.signal(dependents=[(first, "decrement")])
        device.fence()

    return {"edge": Value(_slope(rig, decrement, 16, 48)),
            "edge_after": Value(_slope(rig, after, 16, 48))}


def throttle(rig: Rig, _why: Dict[str, str]) -> Figures:
    """A blank throttle task: the mode is switched on and off again."""
    plain = _cost(rig, lambda: rig.run("empty"))
    with_mode = _cost(rig, lambda: rig.run("empty", throttle=True))
    return {f"throttle_{rig.device.info.sms}": Value(with_mode - plain)}


def eviction(rig: Rig, _why: Dict[str, str]) -> Figures:
    """An urgent task finds one slot free, or all taken by tasks whose SM is switched off."""
    device = rig.device
    last, costs = device.info.sms - 1, {}
    device.config(enabled=range(last))
    waiting = []
    try:
        for count in (device.info.slots - 1, device.info.slots):
            waiting += device.submit_many([device.work(rig.module["empty"], affinity=[last])
                                           for _ in range(count - len(waiting))])
            costs[count] = _cost(rig, lambda: rig.run("empty", priority=1))
    finally:
        device.config(enabled=range(last + 1))
    for task in waiting:
        task.wait(WAIT_S)
    return {"evict": Value(costs[device.info.slots] - costs[device.info.slots - 1])}


def pending(rig: Rig, why: Dict[str, str]) -> Figures:
    """A CTA holds more than half of each SM; more and more tasks wait that need as much. From 100
    on the task table is full, so that the urgent task evicts one, which comes back."""
    memory = ganger.local(rig.device.info.sm_shared_bytes * 5 // 8)
    flag = rig.device.buffer(bytes(4))
    hold = rig.device.submit(rig.module["hold"], grid=rig.device.info.sms, args=[flag, memory])
    work = rig.device.work(rig.module["big"], args=[memory], channel=1)
    waiting, figures = [], {}
    try:
        for count in PENDING:
            if count > rig.device.info.tasks_max - 2:
                why[f"{count:,} pending tasks"] = f"the device takes {rig.device.info.tasks_max:,}"
                break
            waiting += rig.device.submit_many([work] * (count - len(waiting)), timeout=WAIT_S)
            costs = rig.cp_costs(lambda: rig.run("empty", priority=1), 7)
            figures[f"decision_{count}"] = Value(median(costs), spread(costs))
    finally:
        rig.device.channels[1].cancel(timeout=WAIT_S)
        flag.write(b"\1\0\0\0")
        hold.wait(WAIT_S)
    return figures


def beside(rig: Rig, _why: Dict[str, str]) -> Figures:
    """What a task costs while a grid of two CTAs runs on other SMs; and grids that are posted together."""
    device, kernel = rig.device, rig.module["empty"]
    flag, memory = device.buffer(bytes(4)), ganger.local(64)
    hold = device.submit(rig.module["hold"], grid=2, args=[flag, memory], channel=1)
    figures = {}
    try:
        for ctas in (1, 2):
            costs = rig.cp_costs(lambda: rig.run("empty", grid=ctas), 9)
            figures[f"beside_{ctas}"] = Value(median(costs), spread(costs))
    finally:
        flag.write(b"\1\0\0\0")
        hold.wait(WAIT_S)
    works = [device.work(kernel, grid=TOGETHER) for _ in range(3)]
    costs = rig.cp_costs(lambda: [task.wait(WAIT_S) for task in device.submit_many(works)], 9)
    figures["together"] = Value(median(costs) / 3, f"{spread(costs)} for the three")
    return figures


def several(rig: Rig, _why: Dict[str, str]) -> Figures:
    """What a grid of two CTAs costs, of as many posted together as SMs have room for: most of them go to SMs that hold something."""
    works = [rig.device.work(rig.module["empty"], grid=2) for _ in range(SEVERAL)]
    costs = rig.cp_costs(lambda: [task.wait(WAIT_S) for task in rig.device.submit_many(works)], 9)
    return {"several": Value(median(costs) / SEVERAL, f"{spread(costs)} for all of them")}


GROUPS = (
    ((fill, quota, host_pushes, kernel_pushes, children, edges, eviction, throttle, several), 8, True),
    ((fill, throttle), 64, True),
    ((fill, pending), 2, False),
    ((fill, beside), 64, False),
)


def measure(board: str, why: Dict[str, str]) -> Figures:
    """All figures of a board; `why` gets what failed."""
    figures = measure_groups(board, GROUPS, why)
    if {"throttle_8", "throttle_64"} <= set(figures):
        more = figures["throttle_64"].number - figures["throttle_8"].number
        figures["throttle_sm"] = Value(more / 56)
    return figures
