# SPDX-License-Identifier: Apache-2.0
"""Plays a workload on a device in QEMU: the real images of control processor and SMs, and kernels that spin."""

import contextlib
import struct
import time
from typing import List, Optional, Tuple, Union

from .. import compiler
from ..device import Device
from ..errors import Error
from ..kernels import Kernel
from ..memory import Buffer
from ..places import sample
from ..rawtmd import Tmd
from ..tasks import Done
from ..tasks import Task as Posted
from .images import build_images, mode_of
from .player import Machine, Played
from .policies import Policy
from .workload import Task, Workload

_SHORT, _LONG = 1_000, 101_000      # Iterations of the kernels that measure how long one takes.
_EACH = """
kernel void spin_each(global const uint *iterations)
{
	const uint end = iterations[get_group_id(0)];

	for (uint i = 0; end == 0 || i < end; i++) { /* as in the sample kernel `spin` */
		__asm__ volatile("" : : : "memory");
	}
}
"""
DIFFERENCES = """\
What differs: in both tables all tasks are there at the beginning; on the device they have been taken before, while the SMs were
kept busy. A device's SM is a hart, one lane. QEMU's harts take turns, and its clock counts the instructions of all of them:
CTAs take their time when all SMs are busy, less when some are idle, and what the control processor does takes time, too. So times
are only near those of the simulation. The last column has instructions instead of basic blocks."""


def at_once(workload: Workload) -> Workload:
    """The same tasks in the same order, all posted at the beginning."""
    return Workload(workload.name, [task._replace(at_ns=0) for task in workload.tasks])


class _Spinner:
    """Posts kernels that spin for a given time of the device's clock, which all SMs share."""

    def __init__(self, device: Device):
        self._device = device
        self._kernel = device.load(sample("spin", device.info.xlen))["spin"]
        self._each: Optional[Kernel] = None
        self._kept: List[Buffer] = []
        self._sms, self._ns = int(device.info.sms), 1.0
        short, long = (self._ns_of(iterations) for iterations in (_SHORT, _LONG))
        self._ns = (long - short) / (_LONG - _SHORT)

    def _ns_of(self, iterations: int) -> float:
        times = self._device.submit(self._kernel, grid=1, block=1, args=[iterations, 0]).wait(timeout=60).times
        assert times.first is not None and times.last is not None
        return (times.last - times.first) * 1e9

    def iterations(self, task: Task) -> List[int]:
        """Of each thread of a CTA, which run one after the other: one number for all CTAs, or one for each."""
        return [min(2 ** 32 - 1, max(1, round(ns / self._ns / task.threads / self._sms))) for ns in task.cta_ns]

    def work_ns(self, workload: Workload) -> float:
        """What all kernels take of the device's clock."""
        return sum(sum(self.iterations(task)) * task.threads * task.ctas / len(task.cta_ns) for task in workload.tasks) * self._ns

    def _of_list(self, iterations: List[int]) -> Tuple[Kernel, List[Union[Buffer, int]]]:
        """The kernel whose CTAs take different times, which is compiled when it is first wanted, and its arguments."""
        if self._each is None:
            self._each = self._device.load(compiler.build(_EACH, f"--xlen={self._device.info.xlen}").image)["spin_each"]
        self._kept.append(self._device.buffer(struct.pack(f"<{len(iterations)}I", *iterations)))
        return self._each, [self._kept[-1]]

    def _tmd(self, task: Task, mode: str, iterations: List[int]) -> Tmd:
        kernel, args = (self._kernel, [iterations[0], 0]) if len(iterations) == 1 else self._of_list(iterations)
        tmd = self._device.tmd(kernel, grid=task.ctas, block=task.threads, args=args, priority=task.priority, mode=mode)
        tmd.shared_bytes = task.shared_bytes
        return tmd

    def _await_slots(self, tasks: int, timeout: float) -> None:
        """Waits until so many tasks have slots, or all slots have tasks. What is taken together gets slots by priority, not in
        its order, so how many evictions there are would depend on how fast this process posts."""
        slots, deadline = self._device.regs.slot, time.monotonic() + timeout
        while sum(slot.state.name() != "FREE" for slot in slots) < min(tasks, len(slots)):
            if time.monotonic() > deadline:
                raise Error("ERR_TIMEOUT", "The device gives tasks no slots.")
            time.sleep(0.001)

    def play(self, workload: Workload, mode: str, timeout: float) -> List[Done]:
        """All tasks, in their order. Kernels without an end have the SMs until the device has taken all of them: with
        idle SMs QEMU's clock jumps while the host posts."""
        info = self._device.info
        blocker = self._tmd(Task(0, info.sms, (1,), 1, 1, info.sm_shared_bytes), "balance", [0])
        tmds = [self._tmd(task, mode, self.iterations(task)) for task in workload.tasks]
        blocked = self._device.submit_tmd(blocker, timeout=timeout)
        posted: List[Posted] = []
        for tmd in tmds:
            self._await_slots(1 + len(posted), timeout)
            posted.append(self._device.submit_tmd(tmd, timeout=timeout))
        self._device.nop(timeout=timeout)
        blocked.cancel()
        with contextlib.suppress(Error):
            blocked.wait(timeout=timeout)
        return [task.wait(timeout=timeout) for task in posted]


def _spans(dones: List[Done]) -> List[Tuple[int, int]]:
    begin = min(done.times.first or 0.0 for done in dones)
    return [(round(((done.times.first or 0.0) - begin) * 1e9), round(((done.times.last or 0.0) - begin) * 1e9)) for done in dones]


def play_on_device(workload: Workload, policy: Policy, board: str, sms: int, timeout: float) -> Played:
    """Boots a device with an image that has the policy, which is built if need be, and plays the tasks at once; `blocks` of the
    answer are instructions of the control processor. Raises Error ERR_ARGUMENT, ERR_TIMEOUT, what build_images() and
    Device.boot() raise."""
    workload = at_once(workload)
    with Device.boot(board, sms=sms, icount=True, count=True, build=build_images(board, policy)) as device:
        assert device.counter is not None
        spinner = _Spinner(device)
        before, evictions = device.counter.settled()[0], device.stat()["evictions"]
        dones = spinner.play(workload, mode_of(policy), timeout)
        instructions = device.counter.settled()[0] - before
        evictions = device.stat()["evictions"] - evictions
        machine = Machine(sms, device.info.sm_ctas, 1)
    return Played(workload, policy, machine, _spans(dones), round(spinner.work_ns(workload)) * sms, instructions,
                  sum(done.packets for done in dones), evictions, sum(done.ctas for done in dones))
