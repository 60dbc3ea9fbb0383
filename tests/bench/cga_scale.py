# SPDX-License-Identifier: Apache-2.0
"""How the cost of launching a CGA grows with the device and with the CGA (S1-R49, S1-C9): the
firmware's own files on a machine of one core (scale/scale.c), instructions counted. Prints tables
and draws docs/cga-scale.svg. Needs the cross compiler and QEMU."""

import argparse
import mmap
import os
import re
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Dict, List, NamedTuple, Sequence

sys.path.insert(0, str(Path(__file__).resolve().parent))

import cga_chart  # noqa: E402
import table  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tests" / "bench" / "scale"
RAM_BASE, RAM_BYTES = 0x80000000, 256 << 20
JOB = 0x800000  # from RAM_BASE: scale_job of scale.ld
GPCS_MAX = 32
CASE = struct.Struct(f"<I{GPCS_MAX}I6I")  # struct scale_case
GPC, GPU = 1, 0  # enum gg_domain
TARGETS = {64: "-march=rv64imac -mabi=lp64", 32: "-march=rv32imac -mabi=ilp32"}
# Of firmware/cp: boot, and what knows CONFIG's size.
LEFT_OUT = {"main.c", "boot.c", "panic.c", "config.c"}
TABLES = (512, 2048, 16384)  # CP_SMS of the builds


class Device(NamedTuple):
    """SMs of each GPC."""
    gpcs: tuple

    @property
    def sms(self) -> int:
        return sum(self.gpcs)


class Cost(NamedTuple):
    """Instructions: of the first CGA of a device, of the third, of the third's query alone."""
    first: int
    next: int
    query: int


DEVICES = (Device((4,) * 8), Device((16,) * 8), Device((18, 16, 18) + (16,) * 5), Device((64,) * 8),
           Device((64,) * 32), Device((512,) * 32))
SIZES = tuple(2 ** n for n in range(1, 13))


class Case(NamedTuple):
    device: Device
    ctas: int
    domain: int = GPC
    spread: bool = False


def hot_files() -> set:
    """Files that the firmware compiles for speed: firmware.mk."""
    text = (ROOT / "firmware" / "firmware.mk").read_text(encoding="utf-8").replace("\\\n", " ")
    names = re.search(r"^FIRMWARE_HOT := \$\(addprefix firmware/cp/,(.*)\)$", text, re.M)
    return set(names.group(1).split())


def build(xlen: int, sms: int, folder: Path) -> Path:
    """As firmware.mk builds the control processor, but with larger tables."""
    options = [*TARGETS[xlen].split(), "--specs=picolibc.specs", "-misa-spec=2.2",
               "-mcmodel=medany", "-std=c11", "-flto", f"-I{ROOT}", "-ffunction-sections",
               "-fdata-sections", "-fno-common", "-Wno-aggressive-loop-optimizations",
               f"-DCP_SMS={sms}u", "-DCP_TRACE_ENTRIES=2u", "-DCP_CGA_CTAS=16384u"]
    objects = folder / f"{xlen}-{sms}"
    hot = hot_files()
    for path in sorted((ROOT / "firmware").glob("*/*.c")):
        part, name = path.parent.name, path.name
        if part == "pull" or part == "cp" and name not in LEFT_OUT:
            (objects / part).mkdir(parents=True, exist_ok=True)
            level = "-O2" if part == "cp" and name in hot else "-Os"
            subprocess.run(["riscv64-unknown-elf-gcc", *options, level, "-c", str(path)],
                           check=True, cwd=objects / part)
    out = objects / "scale.elf"
    subprocess.run(["riscv64-unknown-elf-gcc", *options, "-Os", "-nostartfiles", "-static",
                    f"-T{HERE / 'scale.ld'}", "-Wl,--gc-sections,--no-warn-rwx-segments",
                    str(ROOT / "tests/bench/static/start.S"), str(HERE / "scale.c"),
                    *map(str, sorted(objects.glob("*/*.o"))), "-o", str(out)], check=True)
    return out


def run(xlen: int, elf: Path, cases: Sequence[Case]) -> List[Cost]:
    """Boots the machine, which ends by itself."""
    fd = os.memfd_create("ganger-scale")
    try:
        os.ftruncate(fd, RAM_BYTES)
        with mmap.mmap(fd, RAM_BYTES) as ram:
            struct.pack_into("<2I", ram, JOB, len(cases), 0)
            for number, case in enumerate(cases):
                gpcs = [*case.device.gpcs, *[0] * (GPCS_MAX - len(case.device.gpcs))]
                CASE.pack_into(ram, JOB + 8 + CASE.size * number, len(case.device.gpcs), *gpcs,
                               case.ctas, case.domain, case.spread, 0, 0, 0)
            subprocess.run(
                [f"qemu-system-riscv{xlen}", "-machine", "virt,memory-backend=ram", "-bios", "none",
                 "-nodefaults", "-display", "none", "-m", f"{RAM_BYTES}B", "-object",
                 f"memory-backend-file,id=ram,share=on,size={RAM_BYTES},"
                 f"mem-path=/proc/self/fd/{fd}",
                 "-icount", "shift=0,sleep=off", "-kernel", str(elf)],
                check=True, timeout=300, pass_fds=(fd,), stdin=subprocess.DEVNULL)
            return [Cost(*CASE.unpack_from(ram, JOB + 8 + CASE.size * number)[-3:])
                    for number in range(len(cases))]
    finally:
        os.close(fd)


def all_cases() -> List[Case]:
    largest = DEVICES[-1]
    return [*(Case(device, 16) for device in DEVICES),
            *(Case(largest, ctas) for ctas in SIZES if ctas != 16),
            *(Case(largest, ctas, GPU) for ctas in SIZES),
            *(Case(largest, ctas, GPC, True) for ctas in SIZES if ctas <= largest.gpcs[0])]


def measure(xlen: int) -> Dict[Case, Cost]:
    """Each case with the smallest tables that hold its device."""
    costs: Dict[Case, Cost] = {}
    with tempfile.TemporaryDirectory() as folder:
        below = 0
        for sms in TABLES:
            cases = [case for case in all_cases() if below < case.device.sms <= sms]
            costs.update(zip(cases, run(xlen, build(xlen, sms, Path(folder)), cases)))
            below = sms
    return costs


def print_costs(title: str, names: Dict[Case, str], costs: Dict[int, Dict[Case, Cost]]) -> None:
    lines = [[title, *(f"{what}, rv{xlen}" for xlen in costs
                       for what in ("query", "query + launch", "first"))]]
    for case, name in names.items():
        lines.append([name, *(f"{number:,}" for xlen in costs for number in (
            costs[xlen][case].query, costs[xlen][case].next, costs[xlen][case].first))])
    table.print_lines(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chart", type=Path, default=ROOT / "docs" / "cga-scale.svg")
    arguments = parser.parse_args()
    with ThreadPoolExecutor(2) as pool:
        costs = dict(zip(TARGETS, pool.map(measure, TARGETS)))
    cases = sorted(all_cases(), key=lambda case: (case.device.sms, case.ctas))
    print_costs("CGA of 16 CTAs in a GPC",
                {case: f"{case.device.sms:,} SMs, {len(case.device.gpcs)} GPCs"
                 for case in cases if case.ctas == 16 and case.domain == GPC and not case.spread},
                costs)
    for title, domain, spread in (("in a GPC of 512 SMs", GPC, False),
                                  ("in 16,384 SMs", GPU, False),
                                  ("in a GPC of 512 SMs, MULTI_CAST", GPC, True)):
        print_costs(title, {case: f"{case.ctas:,} CTAs" for case in cases
                            if case.device == DEVICES[-1] and case.domain == domain
                            and case.spread == spread}, costs)
    print("Instructions. Query + launch: the third CGA of a task, beside two; first: the levels\n"
          "of all SMs for this class of task are worked out. The SMs hold the task already.")
    arguments.chart.write_text(cga_chart.chart(
        [(device.sms, costs[64][Case(device, 16)]) for device in DEVICES],
        {name: [(case.ctas, costs[64][case]) for case in cases
                if case[0] == DEVICES[-1] and case[2:] == kind]
         for name, kind in (("in a GPC", (GPC, False)), ("in the device", (GPU, False)),
                            ("in a GPC, MULTI_CAST", (GPC, True)))}), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
