# SPDX-License-Identifier: Apache-2.0
"""A device to measure: booted with the counting plugin, with the kernels of kernels/launch.c."""

import contextlib
import os
import statistics
import struct
import subprocess
import time
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple, Sequence

import ganger
from elftools.elf.elffile import ELFFile
from marks import Marks
from table import Value

Figures = Dict[str, Value]
ROOT = Path(__file__).resolve().parents[2]
KERNELS = Path(__file__).resolve().parent / "kernels"
QUIET_S = 0.05  # Harts that counted nothing for so long sleep.

HANDLER_SPAN = 0
ENTRY_MARK = 0  # Entry of the kernel `empty`: the first instruction of each CTA.


class Cost(NamedTuple):
    """Instructions from rest to rest."""
    cp: int
    sms: int


def build_folder() -> Path:
    return Path(os.environ.get("GANGER_BUILD", ROOT / "build"))


def build_kernels(board: str, name: str, *sources: str, options: Sequence[str] = ()) -> Path:
    """Compiles kernels/NAME.c, or these sources, for a board."""
    xlen = "32" if board.endswith("32") else "64"
    out = build_folder() / "bench" / f"{name}{xlen}.elf"
    out.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([str(ROOT / "firmware" / "kernel" / "ganger-cc"), "--xlen", xlen, "-O2",
                    *options, "-o", str(out), *(str(KERNELS / source) for source in sources or (f"{name}.c",))],
                   check=True)
    return out


def symbols(elf: Path) -> Dict[str, int]:
    with open(elf, "rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        return {symbol.name: symbol["st_value"] for symbol in table.iter_symbols()}


def kernel_entry(elf: Path, name: str) -> int:
    """Where a CTA of the kernel starts, from the load address (firmware/kernel/kernel_meta.h)."""
    with open(elf, "rb") as file:
        data = ELFFile(file).get_section_by_name(".ganger.kernels").data()
    at, size, count = struct.unpack_from("<I2H", data, 32)
    strings, = struct.unpack_from("<I", data, 48)
    for kernel in range(at, at + size * count, size):
        text, _flags, entry = struct.unpack_from("<3I", data, kernel)
        if data[strings + text:].split(b"\0", 1)[0].decode() == name:
            return entry
    raise KeyError(f"no kernel {name} in {elf}")


class Rig:
    """A booted device with counters; `icount`: deterministic, one hart at a time."""

    def __init__(self, board: str, sms: int, icount: bool = True):
        elf = build_folder() / board / "cp.elf"
        self.counter = Marks()
        found = symbols(elf)
        self.counter.watch_span(HANDLER_SPAN, found["trap_entry"])
        kernels = build_kernels(board, "launch", options=["-fno-loops"])  # it measures threads
        try:
            self.device = ganger.Device.boot(board, sms=sms, icount=icount,
                                             plugin=self.counter.plugin(build_folder()))
        except Exception:
            self.counter.close()
            raise
        try:
            self.counter.check()
            # Under -icount the clock of a machine that sleeps jumps to its timer, which is seconds away otherwise.
            self.device.config(watch_ms=0)
            self.module = self.device.load(str(kernels))
            self.counter.watch_mark(ENTRY_MARK, self.module.base + kernel_entry(kernels, "empty"))
        except Exception:
            self.close()
            raise

    def close(self) -> None:
        self.device.close()
        self.counter.close()

    def __enter__(self) -> "Rig":
        return self

    def __exit__(self, *_exc) -> None:
        self.close()

    def run(self, kernel: str, grid: int = 1, block: int = 1, **keywords):
        """Runs a task to its end and returns its completion. Unless `mode` says otherwise the control processor launches it."""
        return self.device.submit(self.module[kernel], grid=(grid,), block=(block,),
                                  **{"mode": "balance", **keywords}).wait(timeout=60)

    def rest(self) -> List[int]:
        """Counts of all harts once all of them sleep."""
        return self.counter.settled(timeout=30, quiet=QUIET_S)

    def cp_rest(self, quiet: float = QUIET_S) -> int:
        """Count of the control processor at rest while SMs may run."""
        last, since = self.counter.count(0), time.monotonic()
        while time.monotonic() - since < quiet:
            time.sleep(quiet / 10)
            now = self.counter.count(0)
            if now != last:
                last, since = now, time.monotonic()
        return last

    def cost(self, work: Callable[[], object]) -> Cost:
        before = self.rest()
        work()
        after = self.rest()
        return Cost(after[0] - before[0], sum(after[1:]) - sum(before[1:]))

    def costs(self, work: Callable[[], object], times: int = 5) -> List[Cost]:
        """Costs of the same work again and again, after one run to warm up."""
        work()
        return [self.cost(work) for _ in range(times)]

    def cp_costs(self, work: Callable[[], object], times: int, quiet: float = QUIET_S) -> List[int]:
        """Costs of the same work for the control processor while SMs may run."""
        costs = []
        for _ in range(times):
            before = self.cp_rest(quiet)
            work()
            costs.append(self.cp_rest(quiet) - before)
        return costs


def fill(rig: Rig, _why: Dict[str, str]) -> Figures:
    """No figures: runs a CTA in each place of the device, so that no later part is the first to."""
    rig.run("empty", grid=rig.device.info.sms * rig.device.info.sm_ctas)
    return {}


def measure_groups(board: str, groups, why: Dict[str, str]) -> Figures:
    """All figures of a board. Each group has a device of its own: its parts, SMs, and whether under icount. A part
    gets the rig and `why`, and returns figures. `why` gets what failed."""
    figures: Figures = {}
    for parts, sms, icount in groups:
        with contextlib.ExitStack() as stack:
            try:
                rig = stack.enter_context(Rig(board, sms, icount))
            except Exception as error:  # pylint: disable=broad-except
                why[f"{board}, {sms} SMs"] = f"{type(error).__name__}: {error}"
                continue
            for part in parts:
                try:
                    figures.update(part(rig, why))
                except Exception as error:  # pylint: disable=broad-except
                    why[f"{part.__name__}, {board}"] = f"{type(error).__name__}: {error}"
    return figures


def median(numbers) -> float:
    """The lower median: a number that was measured."""
    return statistics.median_low(numbers)


def spread(numbers) -> str:
    """For a row's detail: empty where all numbers are the same."""
    return "" if min(numbers) == max(numbers) else f"{min(numbers):,} to {max(numbers):,}"
