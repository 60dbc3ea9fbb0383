# SPDX-License-Identifier: Apache-2.0
"""Several devices: a large grid of which one device is killed in between, and what one to four devices need for the same grid.

    make bench-group GROUP="--ctas 1000000 --sms 64"
"""
import argparse
import os
import signal
import struct
import time
from pathlib import Path

import numpy as np

import ganger

KERNELS = Path(__file__).resolve().parents[1] / "kernels/group.c"
NOBODY = 0xffffffff


def booted(devices, args, **options):
    """A group, and seconds of its boot."""
    start = time.monotonic()
    group = ganger.DeviceGroup.boot(devices, args.board, sms=args.sms, timeout=1200, **options)
    return group, time.monotonic() - start


def counted(group, args, held=NOBODY, **keywords):
    """A submission that counts each CTA, the counts, and a buffer with the number of a CTA that does not end."""
    kernel = group.load(ganger.build(KERNELS.read_text(), f"--xlen={group.devices[0].info.xlen}", "-O2").image)["counted"]
    counts = group.buffer(nbytes=4 * args.ctas, add="u4")
    gate = group.buffer(struct.pack("<I", held))
    return group.submit(kernel, grid=args.ctas, args=[counts, gate], **keywords), counts, gate


def killed(args):
    """The grid on four devices; one is killed when a quarter of its part has ended."""
    group, boot = booted(args.devices, args)
    with group:
        start = time.monotonic()
        victim, each = 1, args.ctas // args.devices
        task, counts, gate = counted(group, args, each * victim, again=True)
        part = task._running[victim].task
        while part.progress().ctas < each // 4:
            time.sleep(0.01)
        ended = part.progress().ctas
        gate.write(struct.pack("<I", NOBODY))
        os.kill(group.devices[victim].qemu_pid, signal.SIGKILL)
        done = task.wait(None)
        seconds = time.monotonic() - start
        right = bool((counts.array(np.uint32) == 1).all())
    print(f"{args.devices} devices of {args.sms} SMs, booted in {boot:.1f} s: {args.ctas:,} CTAs; device {victim} was killed when {ended:,} of its "
          f"{each:,} had ended\n  {done.ctas:,} CTAs counted, each once: {right}; lost {done.lost}; "
          f"parts {[(one.device, one.first, one.done.ctas) for one in done.parts]}; {seconds:.1f} s")
    return right and done.ctas == args.ctas and bool(done.lost)


def scaling(args):
    """Instructions and seconds of one to four devices."""
    print(f"{args.ctas:,} CTAs, devices of {args.sms} SMs; instructions in thousands, wall clock with {os.cpu_count()} processors")
    print("devices  mode  CP of one  CPs together  busiest SM  seconds counted  seconds")
    for mode in ("balance", "pull"):
        for count in range(1, args.devices + 1):
            with booted(count, args, icount=True, count=True)[0] as group:
                before = [device.counter.settled(600) for device in group.devices]
                start = time.monotonic()
                counted(group, args, mode=mode)[0].wait(None)
                slow = time.monotonic() - start
                after = [device.counter.settled(600) for device in group.devices]
            work = [[b - a for a, b in zip(*one)] for one in zip(before, after)]
            with booted(count, args)[0] as group:
                start = time.monotonic()
                counted(group, args, mode=mode)[0].wait(None)
                fast = time.monotonic() - start
            print(f"{count:7}  {mode:7} {max(one[0] for one in work) / 1e3:9,.0f} {sum(one[0] for one in work) / 1e3:12,.0f} "
                  f"{max(max(one[1:]) for one in work) / 1e3:11,.0f} {slow:15.1f} {fast:8.1f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", default="qemu-virt64")
    parser.add_argument("--devices", type=int, default=4)
    parser.add_argument("--sms", type=int, default=4)
    parser.add_argument("--ctas", type=int, default=10_000)
    parser.add_argument("--only", choices=("killed", "scaling"))
    args = parser.parse_args()
    good = args.only == "scaling" or killed(args)
    if args.only != "killed":
        scaling(args)
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
