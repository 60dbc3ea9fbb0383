# SPDX-License-Identifier: Apache-2.0
"""What it costs to run a kernel through CTAs, against the same loops split over the harts without
firmware; and barriers in three forms. `make bench`; --json FILE.

GANGER_LOOPS=-floops: kernels without barriers as loops, too, against loops by the same compiler, clang;
GANGER_LOOPS=-fno-loops: no kernel as loops."""

import itertools
import json
import os
import sys
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "static"), str(HERE.parents[1] / "host" / "python")]

from baseline import Baseline, Outcome  # noqa: E402
from options import read_options  # noqa: E402
from problems import (CTA_THREADS, SPLITS, Problem, Shape, Split, forms, problems,  # noqa: E402
                      shape)
from rig import Rig, build_folder, build_kernels, median  # noqa: E402
from table import print_lines  # noqa: E402

SMS = 8
GOAL_PERCENT = 5
GOAL_THREADS = 256  # A CTA of so many threads is a big one.
ROUNDS = 3
TIMEOUT_S = 60
KERNEL_SOURCES = ("loops.c", "forms.c")
LOOPS = os.environ.get("GANGER_LOOPS", "")

NOTES = f"""\
More than the loops: instructions of all SMs over those of as many harts that run the same inner
functions in loops, each with its share from the beginning and no firmware: same compiler, options
and machine, same results bit for bit. CP: instructions of the control processor, as part of the
loops', too. Counted by a QEMU plugin under -icount, from rest to rest, in a device whose memory
has been in use; counts are not times. QEMU has no caches: tiles in shared memory cannot pay.
Longest and time: {ROUNDS} runs without -icount, harts in parallel, also with the plugin; the median
of the busiest SM's instructions and the shortest time, over those of the loops, which ran just
before. More harts than this machine has cores, which others use, too: no claim is made.
The goal of {GOAL_PERCENT} % is stated for big CTAs: here of {GOAL_THREADS} threads and more. What a CTA and what
a thread adds follows from the smallest and the biggest CTAs; the last column is the work of a
thread, in instructions, with which CTAs of {GOAL_THREADS} threads reach the goal."""


class Cell(NamedTuple):
    """A measured launch beside the loops: percentages; instructions of all SMs."""
    title: str
    each: int  # results or elements for each thread; 0: a form
    shape: Shape
    sms: int
    more: float  # of all SMs
    cp: float
    longest: Optional[float] = None  # more, of the busiest SM
    time: Optional[float] = None     # ratio

    @property
    def threads(self) -> int:
        """Of a CTA."""
        return self.shape.threads // self.shape.ctas


class Bench:
    """A device, and the problems' data in its memory."""

    def __init__(self, device, board: str, data: Dict[str, Problem]):
        self.device, self.data = device, data
        self.module = device.load(str(build_kernels(board, "loops", *KERNEL_SOURCES,
                                                   options=[LOOPS] if LOOPS else [])))
        self.inputs = {key: [device.buffer(part) for part in problem.inputs]
                       for key, problem in data.items()}
        self.results = {key: device.buffer(nbytes=problem.result_bytes)
                        for key, problem in data.items()}

    def clear(self, key: str) -> None:
        self.results[key].write(bytes(self.data[key].result_bytes))

    def launch(self, key: str, kernel: str, how: Shape):
        """Runs it to its end and returns its completion."""
        args = [*self.inputs[key], self.results[key], *how.numbers]
        return self.device.submit(self.module[kernel], grid=how.grid, block=how.block,
                                  args=args).wait(timeout=TIMEOUT_S)

    def compare(self, key: str, kernel: str, expected: bytes) -> None:
        """Raises RuntimeError where kernel and loops differ, by a single bit."""
        if self.results[key].read() != expected:
            raise RuntimeError(f"{kernel}: not the result of the loops")

    def warm_up(self) -> None:
        """Every part of each SM's memory is used once: the SMs clear it at its first use."""
        for kernel in ("sum_stacks", "sum_atomic"):
            self.launch("sum", kernel, Shape((8 * SMS,), (1024,), (self.data["sum"].size, 16)))


def run_loops(base: Baseline, problem: Problem, **keywords) -> Outcome:
    """Raises RuntimeError for a wrong result."""
    outcome = base.run(problem.loop, problem.size, problem.inputs, problem.result_bytes, **keywords)
    if not problem.right(outcome.result):
        raise RuntimeError(f"{problem.title}: the loops are wrong")
    return outcome


def percent(number: int, base: int) -> float:
    return 100 * number / base


def counted_launch(rig: Rig, bench: Bench, key: str, kernel: str, how: Shape, expected: bytes):
    """Instructions of the control processor and of each SM, and the completion."""
    bench.clear(key)
    before = rig.rest()
    done = bench.launch(key, kernel, how)
    after = rig.rest()
    bench.compare(key, kernel, expected)
    cp, *sms = (b - a for a, b in zip(before, after))
    return cp, sms, done


def measure_cell(rig: Rig, bench: Bench, title: str, what, how: Shape, loops: Outcome) -> Cell:
    """what: a Split or a Form."""
    cp, sms, _done = counted_launch(rig, bench, what.problem, what.kernel, how, loops.result)
    base = sum(loops.counts[1:])
    each = what.each if isinstance(what, Split) else 0
    return Cell(title, each, how, sum(sms), percent(sum(sms), base) - 100, percent(cp, base))


def measure_splits(rig: Rig, bench: Bench, loops: Dict[str, Outcome], sizes) -> List[Cell]:
    return [measure_cell(rig, bench, bench.data[split.problem].title, split,
                         shape(bench.data[split.problem], split, threads), loops[split.problem])
            for split in SPLITS for threads in sizes]


def measure_forms(rig: Rig, bench: Bench, loops: Dict[str, Outcome]) -> List[Cell]:
    return [measure_cell(rig, bench, form.title, form, form.shape, loops[form.problem])
            for form in forms()]


def parallel(rig: Rig, bench: Bench, base: Baseline, cell: Cell, split: Split) -> Cell:
    """The cell with what is measured without -icount."""
    key, times, longest = split.problem, [], []
    loops = run_loops(base, bench.data[key], rounds=ROUNDS, icount=False)
    for _ in range(ROUNDS):
        _cp, sms, done = counted_launch(rig, bench, key, split.kernel, cell.shape, loops.result)
        times.append(done.times.total)
        longest.append(max(sms))
    return cell._replace(longest=percent(median(longest), max(loops.counts[1:]) // ROUNDS) - 100,
                         time=min(times) / min(loops.seconds))


def with_parallel(board: str, base: Baseline, data: Dict[str, Problem],
                  cells: List[Cell]) -> List[Cell]:
    """Those of CTAs of GOAL_THREADS."""
    with Rig(board, SMS, icount=False) as rig:
        bench = Bench(rig.device, board, data)
        bench.warm_up()
        return [parallel(rig, bench, base, cell, split) if cell.threads == GOAL_THREADS else cell
                for (split, _), cell in zip(itertools.product(SPLITS, CTA_THREADS), cells)]


# ---- what is printed ----

def print_splits(board: str, cells: List[Cell]) -> None:
    lines = [[f"{board}: work", "per thread", "threads", "CTAs", "goal", "SMs, more", "CP",
              "longest, more", "time"]]
    for cell in cells:
        big = cell.threads >= GOAL_THREADS
        late = " (over goal)" if big and cell.more > GOAL_PERCENT else ""
        lines.append([cell.title, str(cell.each), f"{cell.threads:,}", f"{cell.shape.ctas:,}",
                      f"<= {GOAL_PERCENT} %" if big else "", f"{cell.more:.1f} %{late}",
                      f"{cell.cp:.2f} %",
                      "" if cell.longest is None else f"{cell.longest:.1f} %",
                      "" if cell.time is None else f"x {cell.time:.2f}"])
    print_lines(lines)


def print_parts(board: str, cells: List[Cell], loops: Dict[str, Outcome]) -> None:
    """From the smallest and the biggest CTAs: what a CTA and what a thread adds to the loops."""
    lines = [[f"{board}: added instructions", "per thread", "a CTA", "a thread",
              f"work of a thread for {GOAL_PERCENT} %"]]
    for split, start in zip(SPLITS, range(0, len(cells), len(CTA_THREADS))):
        small, big = cells[start], cells[start + len(CTA_THREADS) - 1]
        cta = (small.sms - big.sms) / (small.shape.ctas - big.shape.ctas)
        more = big.sms - sum(loops[split.problem].counts[1:])
        thread = (more - cta * big.shape.ctas) / big.shape.threads
        enough = (thread + cta / GOAL_THREADS) * 100 / GOAL_PERCENT
        lines.append([small.title, str(small.each), f"{cta:,.0f}", f"{thread:,.1f}",
                      f"{enough:,.0f}"])
    print_lines(lines)


def print_forms(board: str, cells: List[Cell], data: Dict[str, Problem]) -> None:
    lines = [[f"{board}: barriers in three forms", "SM instructions", "a work-item", "to loops",
              "more, for a barrier"]]
    all_forms = forms()
    for form, cell in zip(all_forms, cells):
        loops = next(c.sms for f, c in zip(all_forms, cells)
                     if f.problem == form.problem and f.kernel.endswith("_loops"))
        each = (cell.sms - loops) / form.meetings / form.threads if form.meetings else 0
        lines.append([f"{data[form.problem].title}, {form.title}", f"{cell.sms:,}",
                      f"{cell.sms / form.threads:,.1f}", f"x {cell.sms / loops:.2f}",
                      f"{each:,.1f}" if form.meetings and cell.sms != loops else ""])
    print_lines(lines)


def as_json(found: dict) -> dict:
    return {board: {table: [{**cell._asdict(), "shape": cell.shape._asdict()} for cell in cells]
                    for table, cells in tables.items()} for board, tables in found.items()}


def run_board(board: str, data: Dict[str, Problem], once: bool) -> Dict[str, List[Cell]]:
    """Measures and prints."""
    base = Baseline(board, SMS, build_folder() / "bench", build_folder(), LOOPS == "-floops")
    loops = {key: run_loops(base, problem) for key, problem in data.items()}
    with Rig(board, SMS) as rig:
        bench = Bench(rig.device, board, data)
        bench.warm_up()
        splits = measure_splits(rig, bench, loops, CTA_THREADS)
        found = {"forms": measure_forms(rig, bench, loops)}
    repeat = "Measured once." if once else repeat_text(board, data, loops, splits)
    found["splits"] = with_parallel(board, base, data, splits)
    print_splits(board, found["splits"])
    print_parts(board, found["splits"], loops)
    print_forms(board, found["forms"], data)
    print(f"{board}: {repeat}\n", flush=True)
    return found


def repeat_text(board: str, data: Dict[str, Problem], loops: Dict[str, Outcome],
                splits: List[Cell]) -> str:
    """Measures CTAs of GOAL_THREADS again, and the loops."""
    base = Baseline(board, SMS, build_folder() / "bench", build_folder(), LOOPS == "-floops")
    same = all(run_loops(base, data[key]).counts == loops[key].counts for key in data)
    with Rig(board, SMS) as rig:
        bench = Bench(rig.device, board, data)
        bench.warm_up()
        again = measure_splits(rig, bench, loops, (GOAL_THREADS,))
    before = [cell for cell in splits if cell.threads == GOAL_THREADS]
    most = max(abs(a.more - b.more) for a, b in zip(before, again))
    return (f"CTAs of {GOAL_THREADS} threads measured twice, each from boot: the SMs' figures "
            f"differ by {most:.2f} percentage points at most, the loops' counts "
            + ("are the same." if same else "differ, too."))


def main() -> int:
    options = read_options(__doc__)
    data, found = problems(), {}
    for board in options.boards:
        try:
            found[board] = run_board(board, data, options.once)
        except Exception as error:  # pylint: disable=broad-except
            print(f"n/a: {board}: {type(error).__name__}: {error}\n", flush=True)
    print(NOTES)
    if options.json:
        Path(options.json).write_text(json.dumps(as_json(found), indent=1) + "\n", encoding="utf-8")
    return 0 if len(found) == len(options.boards) else 1


if __name__ == "__main__":
    sys.exit(main())
