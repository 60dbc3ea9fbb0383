# SPDX-License-Identifier: Apache-2.0
"""`await task`: threads that wait for tasks on behalf of event loops.

Tasks that are awaited in the same turn of a loop share a thread, which waits for any of them.
Threads that had nothing to tell for a while join, so that few are left, however many tasks are
awaited. None of them keeps the process from ending.
"""

import threading
import weakref
from typing import TYPE_CHECKING, Dict, List, NamedTuple, Optional

from .errors import Error

if TYPE_CHECKING:
    import asyncio  # It takes a third of the time of `import ganger`, and few programs await.

    from .clib import Handle
    from .tasks import Task


class _Waiter(NamedTuple):
    task: "Task"
    loop: "asyncio.AbstractEventLoop"
    future: "asyncio.Future[None]"


_lock = threading.Lock()  # Guards _watches, and `awaited` of tasks.


def _count(task: "Task", change: int) -> None:
    with _lock:
        task.awaited += change


def _settle(waiter: _Waiter, error: Optional[Error]) -> None:
    """In the thread of the loop: wakes who awaits the task."""
    _count(waiter.task, -1)
    if waiter.future.done():  # The await was cancelled.
        return
    if error is None:
        waiter.future.set_result(None)
    else:
        waiter.future.set_exception(error)


class _Watch:
    """All waits of the loops for tasks of one device."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._fresh: Dict["asyncio.AbstractEventLoop", List[_Waiter]] = {}
        self._joined: List[_Waiter] = []  # For the thread that others join.
        self._joinable = False

    def add(self, waiter: _Waiter) -> None:
        """In the thread of the loop."""
        with self._lock:
            fresh = self._fresh.setdefault(waiter.loop, [])
            fresh.append(waiter)
        if len(fresh) == 1:
            waiter.loop.call_soon(self._start, waiter.loop)

    def _start(self, loop: "asyncio.AbstractEventLoop") -> None:
        with self._lock:
            waiters = self._fresh.pop(loop)
        threading.Thread(target=self._run, args=(waiters,), name="ganger-await", daemon=True).start()

    def _run(self, waiters: List[_Waiter]) -> None:
        mine = False  # Whether this is the thread that others join.
        while waiters or mine:
            quiet = not waiters or not _wait_slice(waiters)
            with self._lock:
                if mine:
                    waiters += self._joined
                    self._joined = []
                    mine = self._joinable = bool(waiters)
                elif quiet and self._joinable:
                    self._joined += waiters
                    return
                elif quiet:
                    mine = self._joinable = True


def _wait_slice(waiters: List[_Waiter]) -> bool:
    """Waits a short time for any of the tasks and takes those out that need no wait any more.
    Returns whether there were any."""
    from .tasks import first_ended  # pylint: disable=import-outside-toplevel,cyclic-import
    left = [one for one in waiters if not one.future.cancelled()]
    error: Optional[Error] = None
    ended = [one for one in waiters if one.future.cancelled()]
    if not ended:
        try:
            index = first_ended([one.task for one in left])
            ended = [] if index is None else [one for one in left if one.task is left[index].task]
        except Error as failure:  # The device is lost or was closed.
            error, ended = failure, left
    for one in ended:
        waiters.remove(one)
        try:
            one.loop.call_soon_threadsafe(_settle, one, error)
        except RuntimeError:  # The loop was closed: nobody awaits it any more.
            _count(one.task, -1)
    return bool(ended)


_watches: "weakref.WeakKeyDictionary[Handle, _Watch]" = weakref.WeakKeyDictionary()


def until_ended(handle: "Handle", task: "Task") -> "asyncio.Future[None]":
    """A future of the running loop that is done when a task has ended. If it fails, so has the
    device, not the task."""
    from asyncio import get_running_loop  # pylint: disable=import-outside-toplevel
    loop = get_running_loop()
    waiter = _Waiter(task, loop, loop.create_future())
    with _lock:
        watch = _watches.setdefault(handle, _Watch())
    _count(task, 1)
    watch.add(waiter)
    return waiter.future
