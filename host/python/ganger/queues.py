# SPDX-License-Identifier: Apache-2.0
"""QUEUE tasks: CTAs take items from a circular queue, to which the host and kernels add."""

import ctypes
import time
from typing import NamedTuple, Optional

from . import clib, structs
from .errors import Error
from .tasks import Task

NEVER = 0xffffffff


class Queue(NamedTuple):
    """A queue: `queue=` of ganger.Work.

    capacity     items that it holds
    item_bytes   bytes of an item, a multiple of 4
    items        items that a CTA takes
    minimum      fewest that start a CTA at once; 0: `items`
    coalesce_us  a CTA starts with fewer after so long; 0: at once; None: never
    closed       only its own CTAs push
    initial      items that are in it at the start
    """
    capacity: int
    item_bytes: int
    items: int
    minimum: int = 0
    coalesce_us: Optional[int] = 0
    closed: bool = False
    initial: bytes = b""


def count_items(data: memoryview, item_bytes: int) -> int:
    """Whole items in some bytes. Raises Error ERR_ARGUMENT."""
    if item_bytes <= 0 or data.nbytes % item_bytes:
        raise Error("ERR_ARGUMENT", f"Not whole items of {item_bytes} bytes.", "items",
                    data.nbytes)
    return data.nbytes // item_bytes


def fill_queue(raw: structs.Queue, queue: Queue, check):
    """The library's structure; returns what must be kept as long as it is used."""
    raw.capacity = check("queue capacity", queue.capacity)
    raw.item_bytes = check("queue item bytes", queue.item_bytes)
    raw.items = check("queue items", queue.items)
    raw.minimum = check("queue minimum", queue.minimum)
    raw.coalesce_us = NEVER if queue.coalesce_us is None else check("coalesce us",
                                                                    queue.coalesce_us)
    raw.closed = bool(queue.closed)
    view = memoryview(queue.initial).cast("B")
    if not view.nbytes:
        return None
    raw.data_items = count_items(view, queue.item_bytes)
    data = ctypes.create_string_buffer(view.tobytes(), view.nbytes)
    raw.data = ctypes.cast(data, ctypes.c_void_p)
    return data


class QueueTask(Task):
    """A QUEUE task on its way: `queue` of a device or context makes it. A `with` block ends with
    close(): then nothing more is pushed, and the task completes."""

    def __init__(self, handle, pointer: int, keep, kernel: Optional[str], item_bytes: int):
        super().__init__(handle, pointer, keep, kernel)
        self.item_bytes = item_bytes

    def push(self, data, timeout: float = 10) -> int:
        """Adds whole items, any bytes-like, waiting at most `timeout` seconds for room; returns
        how many there were.

        Raises Error ERR_QUEUE_FULL, ERR_QUEUE_CLOSED, ERR_TASK (it is complete), …; the first
        `error.pushed` items are in the queue then.
        """
        view = memoryview(data).cast("B")
        count, pushed = count_items(view, self.item_bytes), 0
        items = ctypes.create_string_buffer(view.tobytes(), max(1, view.nbytes))
        deadline = time.monotonic() + timeout
        while pushed < count:
            left = clib.milliseconds(deadline - time.monotonic())
            done = ctypes.c_uint32()
            try:
                self._handle.call("gg_queue_push", self._pointer,
                                  ctypes.byref(items, pushed * self.item_bytes), count - pushed,
                                  min(left, clib.SLICE_MS), ctypes.byref(done))
            except Error as error:
                if error.status != "ERR_QUEUE_FULL" or left <= clib.SLICE_MS:
                    error.pushed = pushed + done.value
                    raise
            pushed += done.value
        return pushed

    def close(self, timeout: float = 10) -> None:
        """Ends pushes, except by its own CTAs; the task is complete once the queue is empty."""
        self._handle.call("gg_queue_close", self._pointer, clib.milliseconds(timeout))

    def __exit__(self, *_exc: object) -> None:
        if not self.done:
            try:
                self.close()
            except Error as error:
                if error.status != "ERR_TASK":  # It has completed meanwhile.
                    raise
        self.release()
