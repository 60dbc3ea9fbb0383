# SPDX-License-Identifier: Apache-2.0
"""Plays a workload on a device in QEMU: the real images of control processor and SMs, and kernels that spin."""

import struct
import time
from typing import Iterator, List, Tuple

from ..device import Device
from ..errors import Error
from ..memory import Buffer
from ..places import sample
from ..rawtmd import Tmd
from ..tasks import Done
from ..tasks import Task as Posted
from .images import build_images, mode_of
from .player import Machine, Played
from .policies import Policy
from .workload import Task, Workload

PACE, PACES = 20.0, (0.01, 1000.0)  # The usual one, and the least and the largest.
_PAUSE_S = 0.0002                   # Between two looks at the device's clock.
# With counted instructions QEMU lets a hart run until the next alarm. An empty network has one each microsecond of its clock.
_TURNS = ("-netdev", "hubport,hubid=0,id=turns", "-object", "filter-buffer,id=turns-buffer,netdev=turns,queue=all,interval=1")
DIFFERENCES = """\
What differs: a device's SM is a hart, one lane, whose CTAs take turns; and its control processor takes time: QEMU's harts take
turns, too, and its clock counts the instructions of all of them. All times of the workload are stretched by the pace and those of
the table divided by it, so that a large pace makes that time small. Each task is posted when its time has come by the device's
clock, or somewhat later; it waits from when the device took it. So no two runs are quite the same, not in instructions or packets
either. The last column has instructions instead of basic blocks."""


def check_pace(pace: float) -> float:
    """Raises Error ERR_ARGUMENT for one that cannot be played."""
    if not PACES[0] <= pace <= PACES[1]:
        raise Error("ERR_ARGUMENT", f"How many times as long the workload's times are on the device: {PACES[0]:g} to {PACES[1]:g}.",
                    "pace", pace)
    return pace


class _Clock:
    """The device's clock, without a question to the control processor: the last SM, which is full of it, runs a kernel that
    shows it. QEMU's clock jumps to the next alarm when all harts sleep, so that kernel also makes it go on evenly."""

    def __init__(self, device: Device, deadline: float):
        info = device.info
        self._hz, self._deadline = int(info.timebase_hz), deadline
        self._words = device.buffer(bytes(8))
        self._ticks = round(device.clock() * self._hz)
        self._task = device.submit(device.load(sample("lab", info.xlen))["lab_clock"], grid=info.sm_ctas, args=[self._words],
                                   affinity=[info.sms - 1])
        while not any(self._words.read(4)) or device.query("DEVICE") < info.sm_ctas:
            self.pause()

    def pause(self) -> None:
        """Waits a little. Raises Error ERR_TIMEOUT."""
        if time.monotonic() > self._deadline:
            raise Error("ERR_TIMEOUT", "The device has not played the workload in time: --timeout gives it longer, --pace a lower "
                        "number makes it faster.")
        time.sleep(_PAUSE_S)

    def now(self) -> float:
        """In seconds, as the times of completions. The kernel's CTAs take turns, so one may show an older time than another has."""
        word, = struct.unpack("<I", self._words.read(4))
        ahead = (word - self._ticks) % 2 ** 32
        self._ticks += ahead if ahead < 2 ** 31 else 0
        return self._ticks / self._hz

    def wait(self, until: float) -> None:
        """Returns at that time, or later. Raises Error ERR_TIMEOUT."""
        while self.now() < until:
            self.pause()

    def left(self) -> float:
        """Seconds of this machine's time that are left."""
        return max(0.0, self._deadline - time.monotonic())

    def stop(self) -> None:
        """Ends the kernel."""
        self._words.write(struct.pack("<I", 1), 4)
        self._task.wait(self.left())


class _Stage:
    """Plays a workload on a device that has one SM more than the workload is for."""

    def __init__(self, device: Device, pace: float, timeout: float):
        self._device, self._pace = device, pace
        self._kernel = device.load(sample("lab", device.info.xlen))["lab"]
        self._kept: List[Buffer] = []
        # Harts have turns of a microsecond, an SM's CTAs of a thousand.
        self._apart = round(min(500e-6, device.info.sms * 4e-6) * device.info.timebase_hz)
        self.clock = _Clock(device, time.monotonic() + timeout)

    def _seconds(self, ns: int) -> float:
        """Of the device's clock, for a time of the workload."""
        return ns * self._pace / 1e9

    def _tmd(self, task: Task, mode: str) -> Tmd:
        times = [min(2 ** 31 - 1, round(self._seconds(ns) * self._device.info.timebase_hz)) for ns in task.cta_ns]
        self._kept.append(self._device.buffer(struct.pack(f"<{len(times)}I", *times)))
        tmd = self._device.tmd(self._kernel, grid=task.ctas, block=task.threads, args=[self._kept[-1], int(len(times) > 1), self._apart],
                               priority=task.priority, mode=mode)
        tmd.shared_bytes = task.shared_bytes
        return tmd

    def _await_slots(self, tasks: int) -> None:
        """Waits until so many tasks have slots, or all slots have tasks. What is taken together gets slots by priority, not in
        its order, so how many evictions there are would depend on how fast this process posts."""
        slots = self._device.regs.slot
        while sum(slot.state.name() != "FREE" for slot in slots) < min(tasks, len(slots)):
            self.clock.pause()

    def _post(self, workload: Workload, tmds: List[Tmd]) -> Iterator[Tuple[float, Posted]]:
        """Posts the tasks, each when its time has come: when that was, and the task. Those of the beginning are there before
        the first SM is."""
        device, left, begin = self._device, self.clock.left, workload.tasks[0].at_ns
        device.config(enabled=[device.info.sms - 1], timeout=left())
        first = [tmd for task, tmd in zip(workload.tasks, tmds) if task.at_ns == begin]
        posted: List[Posted] = []
        for tmd in first:
            self._await_slots(len(posted))
            posted.append(device.submit_tmd(tmd, timeout=left()))
        start = self.clock.now()
        device.config(enabled=range(device.info.sms - 1), timeout=left())
        yield from ((start, task) for task in posted)
        for task, tmd in list(zip(workload.tasks, tmds))[len(first):]:
            due = start + self._seconds(task.at_ns - begin)
            self.clock.wait(due)
            yield due, device.submit_tmd(tmd, timeout=left())

    def play(self, workload: Workload, mode: str) -> List[Tuple[float, Done]]:
        """All tasks: when each was due, and its completion."""
        posted = list(self._post(workload, [self._tmd(task, mode) for task in workload.tasks]))
        return [(due, task.wait(timeout=self.clock.left())) for due, task in posted]


def _times(played: List[Tuple[float, Done]], pace: float) -> Iterator[List[int]]:
    """Of each task, in ns of the workload: when it came, how late that was, when its first CTA started, when its last one ended."""
    start = min(due for due, _done in played)
    for due, done in played:
        came, first, last = max(due, done.times.posted or 0.0), done.times.first or 0.0, done.times.last or 0.0
        yield [round(seconds * 1e9 / pace) for seconds in (came - start, came - due, first - start, last - start)]


def play_on_device(workload: Workload, policy: Policy, board: str, sms: int, timeout: float, pace: float = PACE) -> Played:
    """Boots a device with an image that has the policy, which is built if need be, and plays the tasks, whose times, and those of
    their CTAs, are `pace` times as long there. The answer has times of the workload again: its tasks were posted when the
    device took them; `blocks` are instructions of the control processor. Raises Error ERR_ARGUMENT, ERR_TIMEOUT, what build_images()
    and Device.boot() raise."""
    check_pace(pace)
    with Device.boot(board, sms=sms + 1, icount=True, count=True, build=build_images(board, policy), extra_args=_TURNS) as device:
        assert device.counter is not None
        stage = _Stage(device, pace, timeout)
        before, evictions = device.counter.settled(harts=1)[0], device.stat()["evictions"]
        dones = stage.play(workload, mode_of(policy))
        instructions = device.counter.settled(harts=1)[0] - before
        evictions = device.stat()["evictions"] - evictions
        stage.clock.stop()
        machine = Machine(sms, device.info.sm_ctas, 1)
    times = list(_times(dones, pace))
    came = Workload(workload.name, [task._replace(at_ns=at) for task, (at, *_rest) in zip(workload.tasks, times)])
    return Played(came, policy, machine, [(first, last) for _at, _late, first, last in times],
                  sum(task.work_ns() for task in workload.tasks), instructions, sum(done.packets for _due, done in dones),
                  evictions, sum(done.ctas for _due, done in dones), late=tuple(late for _at, late, _first, _last in times))
