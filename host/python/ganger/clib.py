# SPDX-License-Identifier: Apache-2.0
"""libganger by ctypes: finding it, calling it, turning its failures into ganger.Error.

ctypes releases the interpreter while a call runs, so Python threads may call at once.
"""

import atexit
import collections
import ctypes
import functools
import math
import mmap
import numbers
import os
import threading
import time
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any, Deque, Optional

from . import structs
from .errors import Error, field_name, status_name
from .places import build_folder

if TYPE_CHECKING:
    from .kernels import Module
    from .tasks import Task

OK = 0
RING_FULL = -7
TIMEOUT = -96
HANDLE = -114
_LOOK_S = 1.0    # The longest limit that passes also while a device stands still, as in the library.
SLICE_MS = 100  # A wait comes back this often, so that ^C and a close in another thread work.


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The library, loaded once: $GANGER_LIBRARY, or that of the build folder. Raises Error
    ERR_IMAGE_MISSING if it is not built."""
    path = Path(os.environ.get("GANGER_LIBRARY") or build_folder() / "host" / "libganger.so")
    try:
        lib = ctypes.CDLL(str(path.resolve()))
    except OSError as error:
        raise Error("ERR_IMAGE_MISSING", f"{path} cannot be loaded: {error}; run make",
                    "library", str(path)) from None
    for name, types in structs.PROTOTYPES.items():
        function = getattr(lib, name)
        function.argtypes = types
        function.restype = ctypes.c_int32
    return lib


def last_failure() -> structs.Failure:
    """What the last failed call of this thread tells."""
    failure = structs.Failure()
    library().gg_error_last(ctypes.byref(failure))
    return failure


def failure_error(status: int) -> Error:
    """Error for a status that a call of this thread has just returned."""
    failure = last_failure()
    if failure.status != status:
        return Error(status_name(status))
    field = failure.name.decode("utf-8", "replace") or field_name(failure.field)
    message = failure.message.decode("utf-8", "replace")
    return Error(status_name(status), message, field, failure.value if field else None)


def call(name: str, *args: Any) -> None:
    """Calls a function of the library; raises Error unless it returns GG_OK."""
    status = getattr(library(), name)(*args)
    if status != OK:
        raise failure_error(status)


def milliseconds(timeout: Optional[float]) -> int:
    """A limit of time in seconds as the library wants it, rounded up; None is the longest.
    Raises Error ERR_ARGUMENT, TypeError."""
    if timeout is None:
        return 0xffffffff
    if not isinstance(timeout, numbers.Real):
        raise TypeError(f"timeout is a number of seconds, or None, not {type(timeout).__name__}")
    if math.isnan(timeout):
        raise Error("ERR_ARGUMENT", "It is a number of seconds, or None for no limit.", "timeout", str(timeout))
    return math.ceil(max(0, min(0xffffffff, timeout * 1000)))


class Deadline:
    """A limit of a wait, in seconds from now on; None: there is none. While a debugger holds the device it stands still, but one
    of up to a second does not, which only asks whether something has happened by now."""

    def __init__(self, handle: "Handle", timeout: Optional[float]):
        milliseconds(timeout)  # Raises what is wrong with it.
        self._handle, self._look = handle, timeout is None or timeout <= _LOOK_S
        self._end = math.inf if timeout is None else self._now() + timeout

    def _now(self) -> float:
        return time.monotonic() - (0 if self._look else self._handle.stood_still())

    def left(self) -> float:
        """Seconds that are left, 0 at the least."""
        return max(0.0, self._end - self._now())

    def slice(self) -> int:
        """Milliseconds for one call of the library."""
        return milliseconds(min(self.left(), SLICE_MS / 1000))


_open: "weakref.WeakSet[Handle]" = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for handle in list(_open):
        handle.close()


class Handle:
    """The library's handle of a device, which every object of it (tasks, modules, buffers) has.

    The library itself sees to it that calls and close() may come from any threads: whoever is late
    gets Error ERR_DEVICE_LOST.
    """

    _closed = True  # Until __init__() has come to its end, which ^C may keep it from.

    def __init__(self, pointer: Optional[int]):
        self.pointer = pointer
        self.modules: "weakref.WeakSet[Module]" = weakref.WeakSet()  # All that are loaded: what names code addresses.
        self.memory: Optional[mmap.mmap] = None  # Device memory in this process, once a buffer has had an array.
        self._adopted: "Deque[Task]" = collections.deque()
        self._sweeping = threading.Lock()
        self._process = os.getpid()
        self._closed = False
        _open.add(self)

    @property
    def closed(self) -> bool:
        """True from the beginning of close()."""
        return self._closed

    def call(self, name: str, *args: Any) -> None:
        """A call of the library for something of the device. Raises Error."""
        self.check(getattr(library(), name)(*args) if not self._closed else HANDLE)

    def give_back(self, name: str, *args: Any) -> None:
        """The same for a call that releases something: it is no error that another was faster."""
        try:
            self.call(name, *args)
        except Error as error:
            if error.status != "ERR_HANDLE":
                raise

    def check(self, status: int) -> None:
        """Raises Error unless a call that has just returned, returned GG_OK."""
        if status == HANDLE and self._closed:
            raise Error("ERR_DEVICE_LOST", "The device was closed.")
        if status != OK:
            raise failure_error(status)

    def device_call(self, name: str, *args: Any) -> None:
        """The same with the device's handle as the first parameter."""
        self.call(name, self.pointer, *args)

    def stood_still(self) -> float:
        """Seconds for which a debugger, or QEMU's monitor, has stopped all of the device; 0 after close()."""
        ms = ctypes.c_uint64()
        known = not self._closed and library().gg_device_stood_still(self.pointer, ctypes.byref(ms)) == OK
        return ms.value / 1000 if known else 0.0

    def adopt(self, task: "Task") -> None:
        """Keeps a task that nobody refers to until it has completed: its kernels still use its
        buffers."""
        self._adopted.append(task)

    def sweep(self) -> None:
        """Releases adopted tasks that have completed, oldest first."""
        if self._adopted and self._sweeping.acquire(blocking=False):
            try:
                while self._adopted and self._adopted[0].release():
                    self._adopted.popleft()
            finally:
                self._sweeping.release()

    def close(self) -> None:
        """Releases the device; calls under way fail with ERR_DEVICE_LOST. A second close does
        nothing, nor does that of a forked child: the device is its parent's."""
        if not self._closed and self._process == os.getpid():
            self._closed = True
            self.memory = None  # Arrays that there are keep it.
            library().gg_device_close(self.pointer)

    def __del__(self) -> None:
        self.close()
