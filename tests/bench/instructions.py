# SPDX-License-Identifier: Apache-2.0
"""Figures in instructions: the control processor's, and the SMs' for each thread."""

from typing import Callable, Dict

import cga_costs
import ganger
import recover_costs
from rig import ENTRY_MARK, HANDLER_SPAN, Figures, Rig, measure_groups, median, spread
from table import Value


def blank(rig: Rig, _why: Dict[str, str]) -> Figures:
    """First in a fresh device, so that the very first task is seen."""
    first = rig.cost(lambda: rig.run("empty")).cp
    later = [cost.cp for cost in rig.costs(lambda: rig.run("empty"))]
    return {"blank_first": Value(first), "blank": Value(median(later), spread(later))}


def _one_more(rig: Rig, tasks: Callable[[int], Callable[[], None]]) -> Value:
    """Cost of a task more, between as many as there are SMs and three times as many. tasks(count): what runs so many."""
    few, many = 8, 24
    large, small = (median([cost.cp for cost in rig.costs(tasks(count), 5)]) for count in (many, few))
    return Value((large - small) / (many - few))


def batch(rig: Rig, _why: Dict[str, str]) -> Figures:
    """A task of many that the host posts at once: more than there are SMs."""
    work = rig.device.work(rig.module["empty"], grid=1, block=1)

    def tasks(count: int) -> Callable[[], None]:
        def run() -> None:
            for task in rig.device.submit_many([work] * count):
                task.wait(timeout=60)
        return run

    return {"batch": _one_more(rig, tasks)}


def turns(rig: Rig, _why: Dict[str, str]) -> Figures:
    """A program that launches four kernels one after the other, again and again."""
    def tasks(count: int) -> Callable[[], None]:
        def run() -> None:
            for number in range(count):
                rig.run("empty", block=1 + number % 4)
        return run

    return {"turns": _one_more(rig, tasks)}


def nop(rig: Rig, _why: Dict[str, str]) -> Figures:
    costs = [cost.cp for cost in rig.costs(rig.device.nop)]
    return {"nop": Value(median(costs), spread(costs))}


def first_cta(rig: Rig, _why: Dict[str, str]) -> Figures:
    starts = []
    for _ in range(5):
        before = rig.rest()[0]
        rig.counter.arm(ENTRY_MARK)
        rig.run("empty")
        rig.rest()
        mark = rig.counter.mark(ENTRY_MARK)
        if mark is None:
            raise RuntimeError("no CTA passed the kernel's entry")
        starts.append(mark.hart0_count - before)
    return {"first_cta": Value(median(starts), spread(starts))}


def _marginal(rig: Rig, kernel: str, **keywords) -> Value:
    """Cost of a CTA between a grid of `less` and one of twice as many."""
    less = 512
    done = {}

    def grid(ctas: int) -> Callable[[], None]:
        def run() -> None:
            done[ctas] = rig.run(kernel, grid=ctas, **keywords)
        return run

    small = median([cost.cp for cost in rig.costs(grid(less), 3)])
    large = median([cost.cp for cost in rig.costs(grid(2 * less), 3)])
    packets = (done[2 * less].packets - done[less].packets) / less
    return Value((large - small) / less, f"{packets:.2f} packets for each CTA")


def marginal(rig: Rig, _why: Dict[str, str]) -> Figures:
    """A CTA that takes more than half of an SM's memory has the SM for itself: so each packet is of
    one CTA, and each SM is full with one."""
    half = rig.device.info.sm_shared_bytes // 2
    return {"marginal": _marginal(rig, "big", args=[ganger.local(half + half // 4)]),
            "marginal_batch": _marginal(rig, "empty")}


def traced(rig: Rig, why: Dict[str, str]) -> Figures:
    """What one more CTA costs more while the trace is on: the control processor, and its SM."""
    def on_the_sm() -> float:
        large, small = (median([cost.sms for cost in rig.costs(lambda: rig.run("empty", grid=ctas), 3)]) for ctas in (1024, 512))
        return (large - small) / 512

    plain, sm = marginal(rig, why), on_the_sm()
    rig.device.trace_on()
    try:
        on, sm_on = marginal(rig, why), on_the_sm()
    finally:
        rig.device.trace_off()
    return {"traced": Value(on["marginal"].number - plain["marginal"].number),
            "traced_batch": Value(on["marginal_batch"].number - plain["marginal_batch"].number, on["marginal_batch"].detail),
            "traced_sm": Value(sm_on - sm)}


def threads(rig: Rig, _why: Dict[str, str]) -> Figures:
    def cost(kernel: str, **keywords) -> float:
        return median([cost.sms for cost in rig.costs(lambda: rig.run(kernel, **keywords), 3)])

    thread = (cost("empty", block=1024) - cost("empty", block=512)) / 512
    many, few = (cost("barriers", block=256, args=[n]) for n in (40, 20))
    return {"thread": Value(thread), "barrier": Value((many - few) / (20 * 256), "loop included")}


def handler(rig: Rig, _why: Dict[str, str]) -> Figures:
    """Measured last, after many interrupts."""
    span = rig.counter.span(HANDLER_SPAN)
    if span.hits == 0:
        raise RuntimeError("no interrupt passed the handler")
    return {"handler": Value(span.max, f"shortest {span.min:,}, {span.hits:,} interrupts seen")}


def wide(rig: Rig, _why: Dict[str, str]) -> Figures:
    """1,024 CTAs on 128 SMs, in the third run: the first one finds no place prepared, the second one no TMD that is known."""
    for _ in range(2):
        rig.run("empty", grid=1024)
    before = rig.rest()[0]
    done = rig.run("empty", grid=1024)
    after = rig.rest()[0]
    last = rig.counter.last_hart0(ENTRY_MARK)
    detail = f"{done.packets} packets, {done.sms} SMs, {(after - before) / 1024:.1f} for each CTA"
    return {"wide_start": Value(last - before), "wide_whole": Value(after - before, detail)}


def cga(rig: Rig, why: Dict[str, str]) -> Figures:
    """Query and launch; bench_cga.py has the rest."""
    return {"cga": cga_costs.launch(rig, why)["cga"]}


def _beside(rig: Rig) -> Value:
    """Cost of a blank task of the highest priority, which still fits beside the CTAs that hold."""
    costs = rig.cp_costs(lambda: rig.run("empty", priority=1), 7, quiet=0.1)
    return Value(median(costs), spread(costs))


def pending(rig: Rig, why: Dict[str, str]) -> Figures:
    """A CTA holds more than half of each SM while more and more tasks wait that need as much."""
    room = rig.device.info.sm_shared_bytes
    memory = ganger.local(room // 2 + room // 8)
    flag = rig.device.buffer(bytes(4))
    waiting = [rig.device.submit(rig.module["hold"], grid=(rig.device.info.sms,), block=(1,),
                                 args=[flag, memory])]
    figures: Figures = {}
    most = rig.device.info.tasks_max - 2  # The one that holds, and the one measured.
    try:
        for count in (1, 10, 100, 1000):
            if count > most:
                why[f"{count:,} pending tasks"] = f"the device takes {most + 2:,}"
                break
            works = [rig.device.work(rig.module["big"], grid=(1,), block=(1,),
                                     args=[memory]) for _ in range(count + 1 - len(waiting))]
            waiting += rig.device.submit_many(works)
            figures[f"pending_{count}"] = _beside(rig)
    finally:
        flag.write(b"\1\0\0\0")
        for task in waiting:
            task.wait(timeout=60)
    return figures


GROUPS = (
    ((blank, batch, turns, nop, first_cta, marginal, traced, threads, handler), 8, True),
    ((wide,), 128, True),
    ((cga,), 128, True),
    ((pending,), 2, False),
    ((recover_costs.instructions,), 8, True),
    ((recover_costs.parking,), 4, True),
    ((recover_costs.clock,), 8, False),
)


def measure(board: str, why: Dict[str, str], icount: bool = True) -> Figures:
    """All figures of a board, or only those under icount; `why` gets what failed."""
    return measure_groups(board, [group for group in GROUPS if group[2] == icount], why)
