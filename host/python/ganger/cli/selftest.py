# SPDX-License-Identifier: Apache-2.0
"""selftest: is this device sound? A few seconds, one line a check."""

import array
import random
import time
from typing import Callable, List, NamedTuple, Tuple

from ..device import Device
from ..errors import Error
from ..places import build_folder
from ..typed import Json
from .common import (add_boot_options, attached, boot_keywords, print_json, table)
from .page import Commands, Options, add_command

class _Wrong(Exception):
    """A check that failed; its text says how."""


def _expect(good: bool, text: str) -> None:
    if not good:
        raise _Wrong(text)


class _Setup(NamedTuple):
    device: Device
    kernels: str  # Folder of the sample kernels.


def add_commands(commands: Commands) -> None:
    """selftest."""
    parser = add_command(commands, "selftest", selftest,
                         "Boot a device (or use one) and check that it works.",
                         "ganger selftest --board qemu-virt32 --sms 4")
    add_boot_options(parser, other=True)


def _numbers(seed: int, count: int) -> "array.array[int]":
    generator = random.Random(seed)
    return array.array("i", (generator.randrange(-1000, 1000) for _ in range(count)))


def _echo(setup: _Setup) -> str:
    for channel in range(setup.device.info.channels):
        setup.device.nop(channel=channel)
    return f"{setup.device.info.channels} channels"


def _alive(setup: _Setup) -> str:
    setup.device.alive()
    return setup.device.state


def _vecadd(setup: _Setup) -> str:
    device = setup.device
    count = 64 * max(16, 2 * device.info.sms) - 24  # No multiple of a block.
    left, right = _numbers(1, count), _numbers(2, count)
    kernel = device.load(f"{setup.kernels}/vecadd.elf")["vecadd"]
    with device.buffer(nbytes=4 * count) as result:
        done = device.submit(kernel, grid=-(-count // 64), block=64, args=[
            device.buffer(left), device.buffer(right), result, count]).wait(30)
        found = array.array("i", result.read())
    wrong = sum(1 for a, b, c in zip(left, right, found) if a + b != c)
    _expect(wrong == 0, f"{wrong} of {count} sums are wrong")
    return f"{count} sums, {done.ctas} CTAs on {done.sms} SMs"


def _barrier(setup: _Setup) -> str:
    device, ctas, threads = setup.device, 2 * setup.device.info.sms + 1, 100
    data = _numbers(3, ctas * threads - 7)
    kernel = device.load(f"{setup.kernels}/reduce.elf")["reduce"]
    with device.buffer(nbytes=4 * ctas) as sums:
        done = device.submit(kernel, grid=ctas, block=threads,
                             args=[device.buffer(data), sums, len(data)]).wait(30)
        found = array.array("i", sums.read()).tolist()
    wanted = [sum(data[cta * threads:(cta + 1) * threads]) for cta in range(ctas)]
    _expect(found == wanted, "sums through shared memory are wrong")
    return f"{ctas} CTAs of {threads} threads on {done.sms} SMs"


def _refusal(setup: _Setup) -> str:
    device = setup.device
    kernel = device.load(f"{setup.kernels}/vecadd.elf")["vecadd"]
    buffer = device.buffer(nbytes=64)
    try:
        device.submit(kernel, grid=0, block=1, args=[buffer, buffer, buffer, 1]).wait(10)
    except Error as error:
        _expect(error.status == "ERR_GRID_ZERO", f"{error.status} instead of ERR_GRID_ZERO")
        device.nop()
        return f"{error.status}, {error.field} = {error.value}"
    raise _Wrong("a grid of 0 CTAs was not refused")


def _spread(setup: _Setup) -> str:
    done = [sm.ctas.read() for sm in setup.device.regs.sm_state]
    _expect(all(done), f"SMs {[sm for sm, count in enumerate(done) if not count]} ran nothing")
    return f"{min(done)} to {max(done)} CTAs an SM"


def _rest(setup: _Setup) -> str:
    left = setup.device.query("TASKS")
    _expect(left == 0, f"{left} tasks are left")
    counters = setup.device.stat()
    _expect(counters["unmatched"] == 0, f"{counters['unmatched']} reports without a task")
    return f"{counters['tasks_completed']} tasks, {counters['ctas']} CTAs"


CHECKS: List[Tuple[str, Callable[[_Setup], str]]] = [
    ("doorbell echo on every channel", _echo),
    ("heartbeat", _alive),
    ("vecadd against the host", _vecadd),
    ("barriers and shared memory", _barrier),
    ("bad grid refused, device goes on", _refusal),
    ("every SM runs CTAs", _spread),
    ("nothing left, nothing lost", _rest),
]


def _check(setup: _Setup, name: str, function: Callable[[_Setup], str]) -> Json:
    begin = time.monotonic()
    try:
        told, good = function(setup), True
    except (Error, _Wrong) as error:
        told, good = str(error), False
    return {"check": name, "ok": good, "ms": round((time.monotonic() - begin) * 1000, 1),
            "told": told}


def _run(device: Device, options: Options) -> int:
    folder = build_folder() / "kernels"
    setup = _Setup(device, str(folder if device.info.xlen == 64 else folder / "rv32"))
    results = [_check(setup, name, function) for name, function in CHECKS]
    good = all(result["ok"] for result in results)
    if options.json:
        print_json({"ok": good, "board": device.info.board, "sms": device.info.sms,
                    "checks": results})
    else:
        print(table(("check", "result", "ms", ""), [
            (result["check"], "ok" if result["ok"] else "FAILED", result["ms"], result["told"])
            for result in results]))
        print("PASS" if good else "FAIL")
    return 0 if good else 1


def selftest(options: Options) -> int:
    """`ganger selftest`."""
    if options.device or options.connect:
        with attached(options) as device:
            return _run(device, options)
    with Device.boot(**boot_keywords(options)) as device:
        return _run(device, options)
