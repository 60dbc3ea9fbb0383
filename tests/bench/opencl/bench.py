# SPDX-License-Identifier: Apache-2.0
"""What the OpenCL platform costs: beside Debian's PoCL and beside libganger alone, in turns in the same run.

Times are in microseconds: a median or mean within a turn, and the least of the turns, since other load only adds. Instructions of the device are the difference of a long and a short
chain on a device that counts them; the rest of both is the same. `make bench-opencl`; --json FILE."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "host" / "python"))

import ganger  # noqa: E402
from ganger.counter import Counter  # noqa: E402

BUILD = Path(os.environ.get("GANGER_BUILD", ROOT / "build")).resolve()
POCL = Path("/etc/OpenCL/vendors/pocl.icd")
SHORT, LONG = 200, 1200
FLAGS = ["-O2", "-g", "-std=gnu11", "-Wall", "-Wextra", "-I", ROOT]
TITLES = {"latency": "a launch and the wait for it", "chain": "1,000 launches in a chain, each",
          "enqueue": "the call of each of these", "host": "processor time of each in this process",
          "first_build": "build of a small kernel", "build_again": "the same again"}


def build(folder, board):
    """The two programs, and the kernel for the one without a compiler."""
    subprocess.run(["gcc", *FLAGS, "-o", folder / "platform", HERE / "platform.c", "-lOpenCL"], check=True)
    subprocess.run(["gcc", *FLAGS, "-o", folder / "bare", HERE / "bare.c", f"-L{BUILD}/host", f"-Wl,-rpath,{BUILD}/host",
                    "-lganger"], check=True)
    subprocess.run([ROOT / "firmware/kernel/ganger-cc", "--xlen", board[-2:], "-o", folder / "launch.elf", HERE / "launch.cl"],
                   check=True)


def run(folder, name, count, place, turn=0):
    """The figures of one program. Caches are fresh in each turn."""
    icd = POCL if name == "pocl" else BUILD / "host" / "ganger.icd"
    cache = folder / f"cache-{name}-{turn}"
    cache.mkdir(exist_ok=True)
    environment = {**os.environ, "OCL_ICD_VENDORS": str(icd), "GANGER_DEVICES": f"up:{place}" if "/" in place else place,
                   "GANGER_CACHE": str(cache), "POCL_CACHE_DIR": str(cache), "GANGER_BUILD": str(BUILD)}
    command = [folder / "bare", folder / "launch.elf", str(count), place] if name == "bare" else \
        [folder / "platform", HERE / "launch.cl", str(count)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr}")
    return {key: float(value) for key, value in (line.split() for line in done.stdout.splitlines())}


def times(folder, board, turns):
    """The least of the turns: {name: {figure: microseconds}}."""
    names = ["ganger", "bare", *(["pocl"] if POCL.exists() else [])]
    found = {name: [] for name in names}
    for turn in range(turns):
        for name in names:
            found[name].append(run(folder, name, 0, board, turn))
    return {name: {key: min(figures[key] for figures in results) for key in results[0]}
            for name, results in found.items()}


def instructions(folder, board):
    """Instructions of the control processor and of all SMs for each launch: {name: (cp, sms)}."""
    place, found = str(folder / "device"), {}
    with Counter() as counter:
        ganger.Device.up(place, board, sms=8, plugin=counter.plugin(BUILD))
        try:
            for name in ("ganger", "bare"):
                costs = []
                for count in (SHORT, LONG):
                    before = counter.settled(timeout=60, quiet=0.3)
                    run(folder, name, count, place)
                    after = counter.settled(timeout=60, quiet=0.3)
                    costs.append((after[0] - before[0], sum(after[1:]) - sum(before[1:])))
                found[name] = tuple((long - short) / (LONG - SHORT) for short, long in zip(*costs))
        finally:
            ganger.Device.down(place)
    return found


def share(one, other):
    return f"{(one / other - 1) * 100:+.0f} %"


def print_table(board, clock, counted):
    print(f"\n{board}, us                     Ganger    libganger  difference    PoCL")
    for key, title in TITLES.items():
        ours, bare, other = (clock.get(name, {}).get(key) for name in ("ganger", "bare", "pocl"))
        print(f"{title:40} {ours:12,.1f} {f'{bare:12,.1f} {share(ours, bare):>8}' if bare else ' ' * 21} "
              f"{f'{other:12,.1f}' if other else ''}")
    for i, title in enumerate(("instructions of the CP for each", "instructions of the SMs for each")):
        ours, bare = counted["ganger"][i], counted["bare"][i]
        print(f"{title:40} {ours:12,.0f} {bare:12,.0f} {share(ours, bare):>8}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", metavar="FILE", help="also write the figures there")
    parser.add_argument("--board", dest="boards", action="append", help="qemu-virt64, qemu-virt32; both without it")
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args()
    results = {}
    for board in options.boards or ("qemu-virt64", "qemu-virt32"):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            build(folder, board)
            clock, counted = times(folder, board, options.turns), instructions(folder, board)
        print_table(board, clock, counted)
        results[board] = {"us": clock, "instructions": counted}
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
