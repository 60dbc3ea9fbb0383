# SPDX-License-Identifier: Apache-2.0
"""Where the cycles of a task on the reference SoC go, from the host's doorbell to the device's, by hart, room and function.
`make rtl-sims rtl-kernels`, `make BOARD=refsoc flash-image`, then `python3 tests/bench/profile_rtl.py [--grid N] [--most N] BOARD …`

A cycle belongs to the function whose instruction the hart has fetched last. Cores fetch ahead, by a few instructions, and one with
an instruction cache is not seen while it hits, so that its figures are rough."""

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in ("tests/rtl", "host/python", "tests/bench"):
    sys.path.insert(0, str(ROOT / folder))
os.environ.setdefault("GANGER_BUILD", str(ROOT / "build"))

from device_support import BUILD, LIFE, Machine, Simulation  # noqa: E402
from rtl_costs import DEVICES, MSIP, TO_HOST, simulator  # noqa: E402

LINE = re.compile(r"(\d+) (?:(ring)|sleeping ([01]+)|(\d) ([irw]) ([0-9a-f]{8})(?: ([0-9a-f]{8}))?.*)")
WARM = 5  # Tasks before the one that is looked at.


class Traced(Simulation):
    """A simulation whose log is the whole trace."""

    def start(self, command, log):
        return subprocess.Popen([*command, "--trace-harts"], stdin=subprocess.DEVNULL, stdout=log)


def trace(board, grid):
    """Lines of the trace, from the host's doorbell on."""
    with tempfile.TemporaryDirectory() as folder:
        sim = Traced(board, folder, uart="none", cycles=LIFE, sim=simulator(board))
        try:
            with sim.connect() as dev:
                machine = Machine(sim, dev)
                for _ in range(WARM):
                    machine.run("blank", grid=grid)
                    begin = sim.late()
                machine.run("blank", grid=grid)
                sim.late()
        finally:
            sim.end()
        found = [match for match in map(LINE.fullmatch, sim.log().splitlines()) if match and int(match[1]) > begin]
    return found[next(at for at, match in enumerate(found) if match[2]):]


def places(board, addresses):
    """Function and room of each address: `kernel` where no image is."""
    found = {}
    for image in ("cp", "sm"):
        told = subprocess.run(["riscv64-unknown-elf-addr2line", "-f", "-e", BUILD / board / f"{image}.elf"], check=True, text=True,
                              input="".join(f"{address:x}\n" for address in addresses), stdout=subprocess.PIPE).stdout.splitlines()
        for address, name, place in zip(addresses, told[::2], told[1::2]):
            path = os.path.normpath(place.rsplit(":", 1)[0].rsplit("/self/cwd/", 1)[-1].replace(f"{ROOT}/", "")).replace("firmware/", "")
            if name != "??":
                found[address] = (name, path[0] not in "/?" and path.rpartition("/")[0] or "(the compiler's)")
    return {address: found.get(address, ("a kernel", "kernel")) for address in addresses}


def account(lines):
    """Cycles of each hart by address (None: asleep), and what harts and host told each other: cycle, text."""
    start, at, since, asleep = int(lines[0][1]), {}, {}, {}
    cycles, events = collections.defaultdict(collections.Counter), []
    for match in lines:
        now, hart = int(match[1]) - start, int(match[4] or 0)
        if match[3]:
            for number, bit in enumerate(reversed(match[3])):
                if asleep.get(number, "0") != bit:
                    cycles[number][None if bit == "0" else at.get(number)] += now - since.get(number, 0)
                    since[number], asleep[number] = now, bit
                    events.append((now, f"hart {number} {'sleeps' if bit == '1' else 'wakes up'}"))
        elif match[5] == "i":
            if asleep.get(hart, "0") == "0":
                cycles[hart][at.get(hart)] += now - since.get(hart, 0)
                since[hart] = now
            at[hart] = int(match[6], 16)
        elif match[5] == "w" and int(match[6], 16) & DEVICES & ~0x1f == MSIP and int(match[7], 16) & 1:
            events.append((now, f"hart {hart} interrupts hart {(int(match[6], 16) & 0x1f) // 4}"))
        elif match[5] == "w" and int(match[6], 16) & DEVICES == TO_HOST:
            events.append((now, "the host is told"))
            break
    return cycles, events


def show(title, counter, most):
    """The largest ones."""
    print(f"  {title}: " + ", ".join(f"{name} {count:,}" for name, count in counter.most_common(most)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grid", type=int, default=1, help="blank CTAs of the task")
    parser.add_argument("--most", type=int, default=24, help="functions of each hart")
    parser.add_argument("boards", nargs="+", metavar="BOARD")
    options = parser.parse_args()
    for board in options.boards:
        cycles, events = account(trace(board, options.grid))
        names = places(board, sorted({address for of_hart in cycles.values() for address in of_hart if address is not None}))
        names[None] = ("asleep", "asleep")
        print(f"{board}: {events[-1][0]:,} cycles\n" + "\n".join(f"  {now:>7,} {text}" for now, text in events))
        for hart, of_hart in sorted(cycles.items()):
            print(f"hart {hart}")
            for kind, title in ((1, "rooms"), (0, "functions")):
                counter = collections.Counter()
                for address, count in of_hart.items():
                    counter[names[address][kind]] += count
                show(title, counter, options.most)


if __name__ == "__main__":
    main()
