# SPDX-License-Identifier: Apache-2.0
"""What CGAs cost, in instructions of the control processor (S1-R49, S1-C9), and of the SMs."""

import re
import subprocess
from typing import Callable, Dict, List

from rig import ENTRY_MARK, Cost, Figures, Rig, build_folder, build_kernels, measure_groups
from table import Value

ISSUE = "issue_cgas"  # of the firmware: query and launch of the CGAs of a task, a session (S1-R119)
ISSUE_SPAN = 1
WIDE = {"cluster": 16, "cluster_in": "gpc"}
GROWING = (1, 4, 16, 64)  # CGAs of a grid
MEMBERS = (1, 8, 16)
WINDOWS_AND_MORE = 7  # more members than an SM opens windows to (SM_WINDOWS)


def watch_calls(rig: Rig, function: str, first_span: int) -> List[int]:
    """Spans from a function's first instruction to the one after the call, one for each place in
    the firmware that calls it. Returns their numbers."""
    elf = build_folder() / rig.device.info.board / "cp.elf"
    text = subprocess.run(["riscv64-unknown-elf-objdump", "-d", "--no-show-raw-insn", str(elf)],
                          check=True, capture_output=True, text=True).stdout
    calls = re.findall(rf"\tjalr?\t.*?([0-9a-f]+) <{function}[.\w]*>\n\s*([0-9a-f]+):", text)
    if not calls:
        raise RuntimeError(f"the firmware calls no {function}")
    for number, (begin, after) in enumerate(calls):
        rig.counter.watch_span(first_span + number, int(begin, 16), int(after, 16))
    return list(range(first_span, first_span + len(calls)))


class Sessions:
    """Instructions of the control processor inside sessions of placement. Create it before the device's first CGA
    (see Marks)."""

    def __init__(self, rig: Rig):
        self.rig = rig
        self.spans = watch_calls(rig, ISSUE, ISSUE_SPAN)

    def cost(self, ctas: int, **keywords) -> int:
        """Of a grid's first session, which places all that fits at once."""
        for span in self.spans:
            self.rig.counter.clear_span(span)
        self.rig.run("empty", grid=ctas, **keywords)
        self.rig.rest()
        return sum(self.rig.counter.span(span).sum for span in self.spans)


def _start(rig: Rig, ctas: int, **keywords) -> int:
    """From the doorbell to the last CTA's first instruction."""
    before = rig.rest()[0]
    rig.run("empty", grid=ctas, **keywords)
    rig.rest()
    return rig.counter.last_hart0(ENTRY_MARK) - before


def launch(rig: Rig, _why: Dict[str, str]) -> Figures:
    """CGAs of 16 CTAs on 8 GPCs x 16 SMs; a GPC has room for 8 of them. All SMs are idle."""
    sessions = Sessions(rig)
    rig.run("empty", grid=1024)
    first, one = sessions.cost(16, **WIDE), sessions.cost(16, **WIDE)
    start = _start(rig, 16, **WIDE)
    eight, more = (sessions.cost(16 * cgas, **WIDE) for cgas in (8, 24))
    return {"cga": Value(one, "after a CGA that used 16 SMs"),
            "cga_first": Value(first), "cga_more": Value((more - eight) / 16, "9th to 24th"),
            "cga_start": Value(start, "its SMs acknowledge the task one by one")}


def growing(rig: Rig, _why: Dict[str, str]) -> Figures:
    """Grids of more and more CGAs, from sleep to sleep, ends included."""
    figures: Figures = {}
    for cgas in GROWING:
        cost = rig.costs(lambda n=cgas: rig.run("empty", grid=16 * n, **WIDE), 1)[0].cp
        figures[f"cga_grid_{cgas}"] = Value(cost / (16 * cgas))
    return figures


def device_wide(rig: Rig, _why: Dict[str, str]) -> Figures:
    """A CGA whose number of CTAs is not a multiple of the number of SMs (S1-T8)."""
    odd = {"cluster": 137, "cluster_in": "gpu"}
    sessions = Sessions(rig)
    rig.run("empty", grid=137, **odd)
    cost = sessions.cost(137, **odd)
    return {"cga_137": Value(cost, f"{cost / 137:.0f} for each CTA"),
            "cga_137_start": Value(_start(rig, 137, **odd))}


def _slope(rig: Rig, run: Callable[[int], object], less: int, more: int) -> Cost:
    """Cost of one more between `less` and `more`, in hundredths."""
    few, many = (rig.costs(lambda n=count: run(n), 1)[0] for count in (less, more))
    return Cost(100 * (many.cp - few.cp) // (more - less),
                100 * (many.sms - few.sms) // (more - less))


def members(rig: Rig, _why: Dict[str, str]) -> Figures:
    """Of CGAs that are spread, one member an SM."""
    module = rig.device.load(str(build_kernels(rig.device.info.board, "cga")))
    figures: Figures = {}

    def runs(kernel: str, ctas: int, *more) -> Callable[[int], object]:
        return lambda count: rig.device.submit(
            module[kernel], grid=ctas, block=1, cluster=ctas, cluster_in="gpu", mode="multicast",
            args=[count, *more]).wait(timeout=60)

    for ctas in MEMBERS:
        cost = _slope(rig, runs("meet", ctas), 10, 30)
        figures[f"cga_barrier_{ctas}"] = Value(cost.cp / 100)
        figures[f"cga_barrier_sm_{ctas}"] = Value(cost.sms / 100 / ctas)
    for ctas in MEMBERS[1:]:
        cost = _slope(rig, runs("map", ctas), 10, 30)
        figures[f"cga_map_{ctas}"] = Value(cost.sms / 100 / ctas, "mean of all members")
    hit = _slope(rig, runs("visit", 8, 1), 10, 110).sms / 100
    missed = _slope(rig, runs("visit", 8, WINDOWS_AND_MORE), 10, 30).sms / 100
    figures["cga_hit"] = Value(hit, "loop included")
    figures["cga_miss"] = Value(missed / WINDOWS_AND_MORE, "loop included")
    return figures


GROUPS = (((launch, growing), 128, True), ((device_wide, members), 32, True))


def measure(board: str, why: Dict[str, str]) -> Figures:
    """All figures of a board; `why` gets what failed."""
    return measure_groups(board, GROUPS, why)
