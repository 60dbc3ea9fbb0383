# SPDX-License-Identifier: Apache-2.0
"""Submissions to a group: a task on each device, and what is done when a device is lost."""

import time
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple

from ..errors import Error
from ..progress import Progress
from ..tasks import Done, Task
from ..typed import Json
from .memory import GroupBuffer, Placed, argument_of
from .modules import GroupKernel
from .shares import Part, Shape, share

if TYPE_CHECKING:
    from .group import DeviceGroup

LOST = ("ERR_DEVICE_LOST", "ERR_PANIC", "ERR_NO_DEVICE")
RESET = "ERR_DEVICE_RESET"  # The device is well, but what it ran has to run again.
_TURN_S = 0.05  # So long one part is waited for before the others are looked at.


class PartDone(NamedTuple):
    """A part that has completed: on which device of the group, its first CTA, and its completion."""
    device: int
    first: int
    done: Done


class GroupDone(NamedTuple):
    """ctas: that completed, each counted once; parts: in the order of their CTAs; lost: (device, first CTA, CTAs) of
    the parts whose device was lost, or booted again, and that ran again."""
    ctas: int
    parts: List[PartDone]
    lost: List[Tuple[int, int, int]]


class _Running(NamedTuple):
    """A part on its way."""
    part: Part
    device: int
    task: Task
    placed: List[Placed]


class GroupTask:
    """A submission on its way; `submit` of a group makes it. What goes wrong while a device is lost is dealt with by
    whoever calls wait()."""

    def __init__(self, group: "DeviceGroup", kernel: GroupKernel, shape: Shape, args: Tuple[Any, ...],
                 again: bool, keywords: Json):
        self.kernel, self.shape, self.again = kernel, shape, again
        self._group, self._args, self._keywords = group, args, keywords
        self._running: List[_Running] = []
        self._parts: List[PartDone] = []
        self._outputs: Dict[int, str] = {}
        self._lost: List[Tuple[int, int, int]] = []
        self._missing: List[Part] = []  # Lost, and not to be run again.
        self._error: Optional[Error] = None
        self.uses: Dict[int, Tuple[GroupBuffer, bool]] = {}
        self._find_uses()

    def _find_uses(self) -> None:
        """The buffers among the arguments, and whether the kernel writes them. Raises Error ERR_ARGUMENT."""
        for place, one in enumerate(self._args):
            if not isinstance(one, GroupBuffer):
                if hasattr(one, "address"):
                    raise Error("ERR_ARGUMENT", "It is in the memory of one device: take a buffer of the group.",
                                f"argument {place}", one.address)
                continue
            known = place < len(self.kernel.parameters) and self.kernel.parameters[place].constant
            if not known and not one.is_split and one.add is None:
                raise Error("ERR_ARGUMENT", "The kernel may write to it, and each device would have results of its "
                            "own: make the buffer with split=0 or add=, or the parameter const.", f"argument {place}",
                            self.kernel.name)
            if not known and one.halo:
                raise Error("ERR_ARGUMENT", "Of a buffer that the kernel may write no neighbours can be seen: make the "
                            "parameter const.", f"argument {place}", self.kernel.name)
            writes = not known or self.uses.get(id(one), (one, False))[1]
            self.uses[id(one)] = (one, writes)

    def start(self, part: Part) -> None:
        """Shares a part out among the devices that are there. Raises Error ERR_DEVICE_LOST: there is none."""
        numbers = self._group.alive
        if not numbers:
            raise Error("ERR_DEVICE_LOST", f"No device of the group is left for {part} of {self.kernel.name}.")
        weights = [self._group.devices[number].info.sms for number in numbers]
        for number, one in zip(numbers, share(part, weights, self.shape.grain)):
            if one.ctas:
                self._place(number, one)

    def _place(self, number: int, part: Part) -> None:
        device = self._group.devices[number]
        try:
            placed = {key: buffer.place(number, device, part, self.shape, writes)
                      for key, (buffer, writes) in self.uses.items()}
            args = [argument_of(placed[id(one)], device.info.xlen) if isinstance(one, GroupBuffer) else one
                    for one in self._args]
            task = device.submit(self.kernel.kernels[number], args=args, part=(part.first, part.ctas),
                                 **self._keywords)
        except Error as error:
            if error.status not in LOST:
                self.cancel()
                raise
            self._lose(number, part, error)
            return
        self._running.append(_Running(part, number, task, list(placed.values())))

    def _lose(self, number: int, part: Part, error: Error) -> None:
        """A device was lost, or has booted again, and a part with it."""
        if error.status in LOST:
            self._group.lose(number)
        if not self.again:
            self._missing.append(part)
            self._error = self._error or error
            return
        self._lost.append((number, part.first, part.ctas))
        self.start(part)

    def _end(self, one: _Running, done: Done) -> None:
        """Takes the results of a part. Those of a device that is lost meanwhile are lost, too."""
        output = one.task.output if self._keywords.get("prints") else ""
        found = [placed.buffer.fetch(placed) for placed in one.placed]  # All, before anything is changed.
        for placed, data in zip(one.placed, found):
            placed.buffer.take(placed, data)
        self._outputs[one.part.first] = output
        self._parts.append(PartDone(one.device, one.part.first, done))

    def _turn(self, one: _Running, timeout: float) -> None:
        """Looks at a part that is on its way."""
        try:
            done = one.task.poll()
            if done is None or done.status != "OK":
                done = one.task.wait(timeout)
            self._end(one, done)
        except Error as error:
            if error.status == "ERR_TIMEOUT" and error.done is None:
                return
            self._running.remove(one)
            if error.status not in LOST and not (self.again and error.status == RESET):
                self._give_up(one, error)
            self._lose(one.device, one.part, error)
            return
        self._running.remove(one)

    def _give_up(self, one: _Running, error: Error) -> None:
        """A part failed on a device that is well: the others need not go on."""
        self.cancel()
        self._close()
        self._error = error
        error.message = f"{one.part} of {self.kernel.name} on device {one.device} of the group: {error.message}"
        error.args = (f"{error.status}: {error.message}",)
        raise error

    def wait(self, timeout: Optional[float] = 10) -> GroupDone:
        """Waits at most `timeout` seconds (None: for ever); results are in the buffers then.

        Raises Error with the status of a part that failed: the others are cancelled; ERR_DEVICE_LOST: a device was
        lost and the kernel may not run twice; the message names the part, and the results of the others are there;
        ERR_TIMEOUT (it goes on).
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while self._running and (self._error is None or self._missing):
            for one in list(self._running):
                left = _TURN_S if deadline is None else max(0.0, min(_TURN_S, deadline - time.monotonic()))
                self._turn(one, left)
            if self._running and deadline is not None and time.monotonic() >= deadline:
                raise Error("ERR_TIMEOUT", f"{len(self._running)} parts of {self.kernel.name} did not complete in "
                            f"{timeout} s.")
        self._close()
        return self._result()

    def _result(self) -> GroupDone:
        if self._missing:
            missing = ", ".join(map(str, self._missing))
            raise Error("ERR_DEVICE_LOST", f"A device of the group was lost with {missing} of {self.kernel.name}; all "
                        "others are done. With again=True other devices run them.", "part", self._missing[0].first)
        if self._error is not None:
            raise self._error
        parts = sorted(self._parts, key=lambda one: one.first)
        ctas = sum(one.done.ctas for one in parts)
        if ctas != self.shape.ctas:
            raise Error("ERR_PANIC", f"{ctas} CTAs were counted.", "grid", self.shape.ctas)
        return GroupDone(ctas, parts, list(self._lost))

    def _close(self) -> None:
        for buffer, _writes in self.uses.values():
            buffer.users = [use for use in buffer.users if use[0] is not self]

    @property
    def done(self) -> bool:
        """Whether nothing of it is on its way as far as wait() knows."""
        return not self._running

    def progress(self) -> Progress:
        """CTAs of all parts that have ended, as of Task.progress(), but for those of lost devices. Raises Error
        ERR_UNSUPPORTED: mode "pull"."""
        ended = sum(one.done.ctas for one in self._parts)
        for part in self._running:
            try:
                ended += part.task.progress().ctas
            except Error as error:
                if error.status not in LOST:
                    raise
        return Progress(ended, self.shape.ctas)

    @property
    def output(self) -> str:
        """What its parts printed, in the order of their CTAs, if it was submitted with `prints`."""
        return "".join(self._outputs[first] for first in sorted(self._outputs))

    def cancel(self, timeout: float = 10) -> None:
        """Ends its parts with ERR_CANCELLED; those that have completed, and lost devices, do not matter."""
        for one in self._running:
            try:
                one.task.cancel(timeout)
            except Error as error:
                if error.status not in (*LOST, "ERR_TASK"):
                    raise

    def __repr__(self) -> str:
        return f"<ganger.GroupTask {self.kernel.name} {len(self._running)} parts on their way>"
