# SPDX-License-Identifier: Apache-2.0
"""Tasks on their way, and their completions."""

import ctypes
from typing import Any, Dict, Generator, List, NamedTuple, Optional, Sequence, Tuple, TypeVar

from . import abi, clib, structs
from .awaits import until_ended
from .clib import Handle
from .errors import Error, field_name, status_name
from .faults import read_fault
from .modes import mode_name
from .notebook import done_rows, table, task_table
from .progress import Progress, ended_ctas
from .typed import Json

REASONS = {name.lower(): place for name, place in abi.ENUMS["reason"].items()
           if place < structs.REASONS}


class Times(NamedTuple):
    """Seconds of the device's clock since its boot; None: did not happen.

    posted: the device took the command; ready: it entered the scheduler table; first, last: its
    first CTA started, its last one ended; done: the device posted the completion.
    """
    posted: Optional[float]
    ready: Optional[float]
    first: Optional[float]
    last: Optional[float]
    done: Optional[float]

    @property
    def wait(self) -> float:
        """From posted to the first CTA, in seconds; 0 if there was none."""
        return _between(self.posted, self.first)

    @property
    def run(self) -> float:
        """From the first CTA's start to the last one's end."""
        return _between(self.first, self.last)

    @property
    def total(self) -> float:
        """From posted to done."""
        return _between(self.posted, self.done)


def _between(begin: Optional[float], end: Optional[float]) -> float:
    return end - begin if begin is not None and end is not None else 0.0


class Done(NamedTuple):
    """A completion. status: "OK" or "ERR_…"; ctas: that completed; sms: that ran it; packets: of
    launch; retried: CTAs that ran again because their SM was lost; field, value: of the offending
    field (value: also the answer of a query); not_issued: by reason ("slot", "sm", …), turns of the
    control processor that kept CTAs of it back; mode: of a grid's distribution, "pull" also where it
    was left to the device, and the device chose that."""
    status: str
    tag: int
    ctas: int
    sms: int
    packets: int
    times: Times
    field: Optional[str]
    value: int
    channel: int
    opcode: int
    fault_sm: int
    fault_sequence: int
    not_issued: Dict[str, int]
    retried: int
    mode: str = "balance"

    def _repr_html_(self) -> str:
        return table(f"Completion of task {self.tag}", done_rows(self))

    def as_dict(self) -> Json:
        """For JSON."""
        return {**self._asdict(), "times": self.times._asdict()}


def make_done(raw: structs.Done) -> Done:
    """From the library's structure."""
    times = Times(*(nanoseconds / 1e9 if nanoseconds else None for nanoseconds in raw.times))
    return Done(status_name(raw.status), raw.tag, raw.ctas, raw.sms, raw.packets, times,
                field_name(raw.field), raw.value, raw.channel, raw.opcode, raw.fault_sm,
                raw.fault_sequence,
                {name: raw.not_issued[place] for name, place in REASONS.items()},
                raw.retried, mode_name(raw.mode))


def done_error(handle: Handle, raw: structs.Done) -> Error:
    """Error for a command that completed with a failure."""
    field = field_name(raw.field)
    if status_name(raw.status) == "ERR_DEPENDENCY" and field is None:
        field = "task"  # The value is the tag of the task that failed.
    return Error(status_name(raw.status), "", field, raw.value if field else None,
                 read_fault(handle, raw.fault_sm, raw.fault_sequence), make_done(raw))


_Task = TypeVar("_Task", bound="Task")


class Task:
    """A command on its way; `submit` makes it. It keeps the buffers of its arguments alive.

    `await task` is wait() without a limit of time for programs with asyncio: other coroutines run
    meanwhile, and no thread polls. The end of the await, as by asyncio.timeout(), does not end the
    task. A `with` block ends with release().

    kernel: its kernel's name, or None; tag: of the command.
    """

    def __init__(self, handle: Handle, pointer: Optional[int], keep: Any,
                 kernel: Optional[str] = None, ctas: Optional[int] = None):
        """keep: what must live as long as it does; ctas: of a grid whose progress can be told."""
        self._handle = handle
        self._pointer = ctypes.c_void_p(pointer)
        self._keep = keep
        self._raw: Optional[structs.Done] = None
        self._ctas, self._ended = ctas, 0
        self.awaited = 0  # Awaits under way, which use the pointer.
        self._released = False
        self.kernel = kernel
        tag = ctypes.c_uint32()
        handle.call("gg_task_tag", self._pointer, ctypes.byref(tag))
        self.tag = tag.value

    @property
    def pointer(self) -> Optional[int]:
        """For the library; None after release()."""
        return self._pointer.value

    def _name(self) -> Tuple[int, int]:
        address, generation = ctypes.c_uint64(), ctypes.c_uint32()
        self._handle.call("gg_task_name", self._pointer, ctypes.byref(address),
                          ctypes.byref(generation))
        return address.value, generation.value

    @property
    def address(self) -> int:
        """Address of its TMD: with `generation` its name on the device. Raises Error ERR_ARGUMENT
        for a command that is not a task."""
        return self._name()[0]

    @property
    def generation(self) -> int:
        """Generation of its TMD."""
        return self._name()[1]

    def _finish(self, raw: structs.Done) -> bool:
        if raw.complete:
            self._raw, self._keep = raw, None
        return bool(raw.complete)

    def _result(self) -> Done:
        assert self._raw is not None
        if self._raw.status != clib.OK:
            raise done_error(self._handle, self._raw)
        return make_done(self._raw)

    def __await__(self) -> Generator[Any, None, Done]:
        if self.poll() is None:
            yield from until_ended(self._handle, self)
            self._wait(0)
        return self._result()

    def wait(self, timeout: Optional[float] = 10) -> Done:
        """Waits at most `timeout` seconds (None: for ever) and returns the completion.

        Raises Error with the task's own status if it failed; ERR_TIMEOUT (it goes on),
        ERR_DEVICE_LOST, ERR_PANIC, ERR_CHANNEL.
        """
        if self._raw is None:
            self._wait(timeout)
        return self._result()

    def _wait(self, timeout: Optional[float]) -> None:
        deadline = clib.Deadline(self._handle, timeout)
        while True:
            raw = structs.Done()
            status = clib.library().gg_task_wait(self._pointer, deadline.slice(), ctypes.byref(raw))
            if self._finish(raw):
                return
            if status != clib.TIMEOUT:
                self._handle.check(status)
            if not deadline.left():
                raise Error("ERR_TIMEOUT", f"Task {self.tag} did not complete in {timeout} s.")

    def poll(self) -> Optional[Done]:
        """The completion, whatever its status; None while the task is on its way."""
        if self._raw is None:
            raw = structs.Done()
            self._handle.call("gg_task_poll", self._pointer, ctypes.byref(raw))
            if not self._finish(raw):
                return None
        assert self._raw is not None
        return make_done(self._raw)

    @property
    def has_progress(self) -> bool:
        """Whether progress() is there for it."""
        return self._ctas is not None

    def progress(self) -> Progress:
        """CTAs that have ended, and all of them. While the task is on its way the first number is
        what the device has told until now: at least so many have ended, and it never falls. A task
        that waits, also one that others have displaced, tells nothing new.

        Raises Error ERR_UNSUPPORTED for what is no grid, and for mode "pull": the device counts
        the CTAs of those only when they have ended.
        """
        if self._ctas is None:
            raise Error("ERR_UNSUPPORTED", "The device tells how far a grid is whose CTAs it hands "
                        "out itself: no queue, no graph, not mode \"pull\".", "task", self.tag)
        done = self.poll()
        if done is not None:
            return Progress(done.ctas, self._ctas)
        self._ended = max(self._ended, ended_ctas(self._handle, self.tag, self._ctas))
        return Progress(self._ended, self._ctas)

    @property
    def output(self) -> str:
        """What its kernels printed, if it was submitted with `prints`; "" before it has completed.
        Raises Error ERR_HANDLE after release()."""
        nbytes = ctypes.c_size_t()
        if self.poll() is None:
            return ""
        self._handle.call("gg_task_output", self._pointer, None, 0, ctypes.byref(nbytes))
        text = ctypes.create_string_buffer(nbytes.value + 1)
        self._handle.call("gg_task_output", self._pointer, text, nbytes.value,
                          ctypes.byref(nbytes))
        return text.raw[:nbytes.value].decode("utf-8", "replace")

    @property
    def done(self) -> bool:
        """Whether the device has completed it."""
        return self.poll() is not None

    def cancel(self, timeout: float = 10) -> None:
        """Ends it with ERR_CANCELLED. Raises Error ERR_TASK when it is complete, or waits in a
        suspended channel; so do the next two."""
        self._handle.call("gg_task_cancel", self._pointer, clib.milliseconds(timeout))

    def suspend(self, timeout: float = 10) -> None:
        """Stops it: no more of its CTAs start; those that run go on to their end."""
        self._handle.call("gg_task_suspend", self._pointer, clib.milliseconds(timeout))

    def resume(self, timeout: float = 10) -> None:
        """Undoes suspend()."""
        self._handle.call("gg_task_resume", self._pointer, clib.milliseconds(timeout))

    def release(self) -> bool:
        """Forgets a task that has completed; False if it is still on its way, or awaited. Its completion can
        still be had; all else raises Error ERR_HANDLE from then on."""
        if self._released:
            return True
        try:
            if self.awaited or self._raw is None and not self.done:
                return False
        except Error as error:
            if error.status != "ERR_HANDLE":  # Another thread was faster.
                raise
        self._handle.give_back("gg_task_release", self._pointer)
        self._released = True
        return True

    def __enter__(self: _Task) -> _Task:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.release()

    def __del__(self) -> None:
        try:
            if not self.release():  # Its kernels may still use its buffers.
                self._handle.adopt(self)
        except (Error, AttributeError):
            pass

    def _repr_html_(self) -> str:
        return task_table(self)

    def __repr__(self) -> str:
        state = "on its way" if self._raw is None else status_name(self._raw.status)
        return f"<ganger.Task {self.tag} {self.kernel or ''} {state}>"


def _wait_any(tasks: List[Task], timeout_ms: int) -> Optional[int]:
    """Index of a task that has ended; None after the time. Raises Error ERR_DEVICE_LOST, …."""
    pointers = (ctypes.c_void_p * len(tasks))(*(task.pointer for task in tasks))
    index = ctypes.c_uint32()
    status = clib.library().gg_task_wait_any(pointers, len(tasks), timeout_ms, ctypes.byref(index))
    if status not in (clib.OK, clib.TIMEOUT):
        tasks[0]._handle.check(status)
    return index.value if status == clib.OK else None


def first_ended(tasks: List[Task]) -> Optional[int]:
    """One short wait of wait_any(): the index, or None."""
    return _wait_any(tasks, clib.SLICE_MS)


def wait_any(tasks: Sequence[Task], timeout: float = 10) -> int:
    """Index of a task that has completed, whatever its status. timeout: seconds. Raises Error
    ERR_TIMEOUT, ERR_ARGUMENT (no tasks, or tasks of several devices), ERR_HANDLE (one was
    released), ERR_DEVICE_LOST, ERR_PANIC."""
    tasks = list(tasks)
    if not tasks:
        raise Error("ERR_ARGUMENT", "There is no task to wait for.", "tasks", 0)
    deadline = clib.Deadline(tasks[0]._handle, timeout)
    while True:
        index = _wait_any(tasks, deadline.slice())
        if index is not None:
            return index
        if not deadline.left():
            raise Error("ERR_TIMEOUT", f"None of {len(tasks)} tasks completed in {timeout} s.")
