# SPDX-License-Identifier: Apache-2.0
"""What it takes to go on after a failure: from a panic of the control processor to the first new task's completion, and
from the end of a hart to the first task that its SM completes again. In instructions of the control processor, and in
microseconds of the device's clock, in which the host's part is, too. And how long an urgent task waits for CTAs that never end."""

import struct
import time
from typing import Callable, Dict, List

import ganger
from rig import Figures, Rig, build_folder, median, spread, symbols
from table import Value

VICTIM = 1  # SM
POST = 4  # place of the pointer `post` among those of struct device (firmware/cp/base/device.h)
NOWHERE = 0x40  # address at which QEMU's machine has nothing
PACKETS = 1000  # that an SM is told of and nobody wrote: on this bug of its own it stops
WAIT_S = 60
PARK_MS, PARK_TIMES = 20, 100


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_S
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError("the device did not come back")


def _pointer(rig: Rig) -> int:
    """Address of the control processor's pointer to the words of completions."""
    return symbols(build_folder() / rig.device.info.board / "cp.elf")["device"] + POST * rig.device.info.xlen // 8


def panic(rig: Rig) -> ganger.Done:
    """The control processor panics; the first task afterwards."""
    count = rig.device.regs.cap.resets.read()
    rig.device.write(_pointer(rig), struct.pack("<Q" if rig.device.info.xlen == 64 else "<I", NOWHERE))
    rig.device.doorbell()
    _until(lambda: rig.device.regs.cap.resets.read() == count + 1 and rig.device.state == "READY")
    return rig.run("empty")


def death(rig: Rig) -> Callable[[], ganger.Done]:
    """An SM has a CTA and is about to stop; what is left: it does, and is reset; the first task there afterwards."""
    flag = rig.device.buffer(bytes(4))
    task = rig.device.submit(rig.module["hold"], grid=(1,), block=(1,), args=[flag, ganger.local(64)], affinity=[VICTIM])
    _until(lambda: rig.device.query("DEVICE") == 1)
    put = rig.device.regs.launch[VICTIM].launch_put
    put.write(put.read() + PACKETS)

    def rest() -> ganger.Done:
        task.cancel()
        try:
            task.wait(WAIT_S)
        except ganger.Error:
            pass
        rig.device.sm_reset(VICTIM)
        return rig.run("empty", affinity=[VICTIM])
    return rest


def _costs(rig: Rig, prepare: Callable[[Rig], Callable[[], object]], times: int = 5) -> List[int]:
    found = []
    for _ in range(times + 1):
        work = prepare(rig)
        before = rig.cp_rest()
        work()
        found.append(rig.rest()[0] - before)
        rig.device.config(watch_ms=0)
    return found[1:]


def _times(rig: Rig, prepare: Callable[[Rig], Callable[[], ganger.Done]], times: int = 9) -> List[float]:
    found = []
    for _ in range(times + 1):
        work = prepare(rig)
        before = rig.device.clock()
        found.append(1e6 * (work().times.done - before))
    return found[1:]


def instructions(rig: Rig, _why: Dict[str, str]) -> Figures:
    rig.device.config(restarts=1000)
    costs = {"restart": _costs(rig, lambda rig: lambda: panic(rig)), "sm_back": _costs(rig, death)}
    return {key: Value(median(values), spread(values)) for key, values in costs.items()}


def clock(rig: Rig, _why: Dict[str, str]) -> Figures:
    rig.device.config(restarts=1000)
    found = {"restart_us": _times(rig, lambda rig: lambda: panic(rig)), "sm_back_us": _times(rig, death)}
    return {key: Value(round(median(values)), f"{min(values):,.0f} to {max(values):,.0f}") for key, values in found.items()}


def _wait(rig: Rig) -> float:
    """Microseconds from an urgent task's acceptance to its first CTA, while CTAs that never end have all CTA slots."""
    flag, info = rig.device.buffer(bytes(4)), rig.device.info
    ctas = info.sms * info.sm_ctas
    endless = rig.device.submit(rig.module["hold"], grid=(ctas,), block=(1,), args=[flag, ganger.local(64)], priority=9)
    _until(lambda: rig.device.query("DEVICE") == ctas)
    times = rig.run("empty", grid=info.sms, priority=1).times
    flag.write(b"\1\0\0\0")
    endless.wait(WAIT_S)
    return 1e6 * (times.first - times.posted)


def parking(rig: Rig, why: Dict[str, str]) -> Figures:
    """On boards that park CTAs. The largest of all counts."""
    if "PARKS" not in rig.device.info.features:
        why[f"urgent task behind CTAs that never end, {rig.device.info.board}"] = "it parks no CTAs"
        return {}
    rig.device.config(park_ms=PARK_MS, watch_ms=0)
    found = [_wait(rig) for _ in range(PARK_TIMES)]
    rig.device.config(park_ms=0)
    return {"parked_us": Value(round(max(found)), f"{min(found):,.0f} to {max(found):,.0f}, median {median(found):,.0f}")}
