# SPDX-License-Identifier: Apache-2.0
"""Graphs over the devices of a group, by pass: the host holds the order between them."""

import time
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

from ..errors import Error
from ..tasks import Done, Task
from ..typed import Json
from .memory import GroupBuffer, argument_of
from .modules import GroupKernel
from .shares import OF_ONE_DEVICE
from .task import LOST, RESET

if TYPE_CHECKING:
    from .group import DeviceGroup

_TURN_S = 0.01  # So long one pass is waited for before the others are looked at.


class PassDone(NamedTuple):
    """A pass that has completed: the device of the group that ran it, and its completion."""
    device: int
    done: Done


class GraphDone(NamedTuple):
    """passes: in the order in which they were added; lost: (device, pass) of those that ran again, since their device was
    lost or booted again; moved: bytes that went to devices and came back."""
    passes: List[PassDone]
    lost: List[Tuple[int, int]]
    moved: int


class _Pass(NamedTuple):
    kernel: GroupKernel
    args: Tuple[Any, ...]
    keywords: Json
    buffers: Dict[int, Tuple[GroupBuffer, bool]]  # By id: and whether the kernel writes it.
    before: Set[int]

    def __str__(self) -> str:
        return self.kernel.name


class _Running(NamedTuple):
    number: int
    device: int
    task: Task


class GroupGraph:
    """Kernels in order, each of which runs as a whole on one device of a group: `graph()` of a group makes it.

        graph = group.graph()
        for tile in tiles:
            graph.add(blur, grid=…, block=…, args=[tile, blurred[tile], w, h])
        graph.run(timeout=10)

    A pass waits for those before it that write what it uses, or use what it writes: buffers of the group that have no
    `split` and no `add`. All others run side by side, on the devices that have the least to do and the most of the data. A
    buffer moves, by way of the host, when a pass on another device needs it. A graph may run again.
    """

    def __init__(self, group: "DeviceGroup"):
        self._group = group
        self._passes: List[_Pass] = []
        self._writer: Dict[int, int] = {}  # By id of a buffer: the last pass that writes it.
        self._readers: Dict[int, Set[int]] = {}  # Those that read it since.

    def add(self, kernel: GroupKernel, *, args: Sequence[Any] = (), **keywords: Any) -> int:
        """Adds a pass; the number of it. A kernel reads buffers where its parameters are pointers to const, and writes the
        others. Keywords as of submit() of a group, but for `again`. Raises Error ERR_ARGUMENT."""
        for name in (*OF_ONE_DEVICE, "again"):
            if name in keywords:
                raise Error("ERR_ARGUMENT", "A pass cannot have it: the graph has the order, and run() says `again`.", name)
        buffers: Dict[int, Tuple[GroupBuffer, bool]] = {}
        for place, one in enumerate(args):
            if isinstance(one, GroupBuffer):
                if one.is_split or one.add is not None:
                    raise Error("ERR_ARGUMENT", "A pass runs on one device: make the buffer without `split` and `add`.",
                                f"argument {place}", kernel.name)
                reads = place < len(kernel.parameters) and kernel.parameters[place].constant
                buffers[id(one)] = (one, not reads or buffers.get(id(one), (one, False))[1])
            elif hasattr(one, "address"):
                raise Error("ERR_ARGUMENT", "It is in the memory of one device: take a buffer of the group.",
                            f"argument {place}", one.address)
        number, before = len(self._passes), set()
        for key, (_, writes) in buffers.items():
            before |= {self._writer[key]} if key in self._writer else set()
            if writes:
                before |= self._readers.pop(key, set())
                self._writer[key] = number
            else:
                self._readers.setdefault(key, set()).add(number)
        self._passes.append(_Pass(kernel, tuple(args), keywords, buffers, before))
        return number

    def run(self, *, timeout: Optional[float] = 10, again: bool = False) -> GraphDone:
        """Runs all passes; results are in the buffers then. Submissions of the group that use them must have ended.

        timeout  seconds (None: for ever); then the passes on their way are cancelled
        again    kernels may run twice: what a device that is lost was running goes to others. Each pass's results come to
                 the host at once then, else only when they are needed elsewhere, and at the end
        Raises Error with the status of a pass that failed, which the message names: the others are cancelled, and what they
        write is as it was when it last came to the host; ERR_DEVICE_LOST: a device was lost without `again`, or none is
        left; ERR_TIMEOUT.
        """
        run = _Run(self._group, self._passes, again)
        try:
            run.all(None if timeout is None else time.monotonic() + timeout, timeout)
        except BaseException:
            run.cancel()
            raise
        return GraphDone([run.done[number] for number in range(len(self._passes))], run.lost, run.moved)

    def __len__(self) -> int:
        return len(self._passes)

    def __repr__(self) -> str:
        return f"<ganger.GroupGraph of {len(self)} passes>"


class _Run:
    """A graph that runs."""

    def __init__(self, group: "DeviceGroup", passes: List[_Pass], again: bool):
        self.done: Dict[int, PassDone] = {}
        self.lost: List[Tuple[int, int]] = []
        self.moved = 0
        self._group, self._passes, self._again = group, passes, again
        self._waiting = list(range(len(passes)))
        self._running: List[_Running] = []

    def all(self, deadline: Optional[float], timeout: Optional[float]) -> None:
        """Runs all passes, and brings what they wrote to the host."""
        while self._waiting or self._running:
            self._start_ready()
            for one in list(self._running):
                self._look(one)
            if self._running and deadline is not None and time.monotonic() >= deadline:
                names = ", ".join(f"{one.number} ({self._passes[one.number]})" for one in self._running)
                raise Error("ERR_TIMEOUT", f"The graph did not complete in {timeout} s: passes {names} were cancelled.",
                            "pass", self._running[0].number)
        for number, each in enumerate(self._passes):
            self._bring_home(number, each)

    def _start_ready(self) -> None:
        for number in list(self._waiting):
            if self._passes[number].before <= self.done.keys():
                self._waiting.remove(number)
                self._start(number)

    def _choose(self, one: _Pass) -> int:
        """The device with the fewest passes for its SMs; of several, the one that lacks the fewest bytes."""
        alive = self._group.alive
        if not alive:
            raise Error("ERR_DEVICE_LOST", f"No device of the group is left for {one}.")

        def rank(number: int) -> Tuple[float, int, int]:
            load = sum(running.device == number for running in self._running) / self._group.devices[number].info.sms
            return load, sum(buffer.lacks(number) for buffer, _ in one.buffers.values()), number
        return min(alive, key=rank)

    def _start(self, number: int) -> None:
        one = self._passes[number]
        at = self._choose(one)
        device = self._group.devices[at]
        self._bring_home(number, one, at)
        try:
            self.moved += sum(buffer.lacks(at) for buffer, _ in one.buffers.values())
            placed = {key: argument_of(buffer.whole_on(at, device), device.info.xlen) for key, (buffer, _) in one.buffers.items()}
            args = [placed.get(id(each), each) for each in one.args]
            task = device.submit(one.kernel.kernels[at], args=args, **one.keywords)
        except Error as error:
            self._fail(number, at, error)
            return
        self._running.append(_Running(number, at, task))

    def _look(self, running: _Running) -> None:
        """Looks at a pass that is on its way."""
        number, at, task = running
        try:
            done = task.wait(_TURN_S)
        except Error as error:
            if error.status == "ERR_TIMEOUT" and error.done is None:
                return
            self._running.remove(running)
            self._fail(number, at, error)
            return
        self._running.remove(running)
        for buffer, writes in self._passes[number].buffers.values():
            if writes:
                buffer.written_on(at)
        if not self._again or self._bring_home(number, self._passes[number]):
            self.done[number] = PassDone(at, done)

    def _bring_home(self, number: int, one: _Pass, except_for: Optional[int] = None) -> bool:
        """What devices have newer of a pass's buffers comes to the host, but for that of one device: all of it, or nothing and
        the pass is not done. Raises Error."""
        away = [buffer for buffer, _ in one.buffers.values() if buffer.newest_on not in (None, except_for)]
        found = []
        for buffer in away:
            try:
                found.append(buffer.newest())
            except Error as error:
                at = buffer.newest_on
                assert at is not None
                for other in away:
                    other.forget()
                self._fail(number, at, error)
                return False
        for buffer, data in zip(away, found):
            buffer.come_home(data)
            self.moved += len(data)
        return True

    def _fail(self, number: int, at: int, error: Error) -> None:
        """A pass did not complete: it runs again, or that is the end."""
        self._spoiled(number)
        if error.status in LOST:
            self._group.lose(at)
        if self._again and error.status in (*LOST, RESET):
            self.lost.append((at, number))
            self._waiting.append(number)
            return
        error.message = f"Pass {number} ({self._passes[number]}) on device {at} of the group: {error.message}"
        error.args = (f"{error.status}: {error.message}",)
        raise error

    def _spoiled(self, number: int) -> None:
        """A pass may have written some of what it writes."""
        for buffer, writes in self._passes[number].buffers.values():
            if writes:
                buffer.forget()

    def cancel(self) -> None:
        """Ends the passes that are on their way, and brings to the host what others have written."""
        for running in self._running:
            self._spoiled(running.number)
            try:
                running.task.cancel()
            except Error as error:
                if error.status not in (*LOST, "ERR_TASK"):
                    raise
        for buffer in [buffer for one in self._passes for buffer, _ in one.buffers.values() if buffer.newest_on is not None]:
            try:
                if buffer.newest_on is not None:
                    buffer.come_home(buffer.newest())
            except Error:
                buffer.forget()
