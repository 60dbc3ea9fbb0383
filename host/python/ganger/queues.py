# SPDX-License-Identifier: Apache-2.0
"""QUEUE tasks: CTAs take items from a circular queue, to which the host and kernels add."""

import ctypes
from typing import Any, Callable, NamedTuple, Optional

from . import clib, structs
from .clib import Handle
from .errors import Error
from .memory import exported, in_one_piece
from .tasks import Task
from .typed import BytesLike, view_of

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
    initial: BytesLike = b""


def count_items(nbytes: int, item_bytes: int) -> int:
    """Whole items in some bytes. Raises Error ERR_ARGUMENT."""
    if item_bytes <= 0 or nbytes % item_bytes:
        raise Error("ERR_ARGUMENT", f"Not whole items of {item_bytes} bytes.", "items", nbytes)
    return nbytes // item_bytes


def fill_queue(raw: structs.Queue, queue: Queue, check: Callable[[str, int], int]) -> Any:
    """The library's structure; returns what must be kept as long as it is used."""
    raw.capacity = check("queue capacity", queue.capacity)
    raw.item_bytes = check("queue item bytes", queue.item_bytes)
    raw.items = check("queue items", queue.items)
    raw.minimum = check("queue minimum", queue.minimum)
    raw.coalesce_us = NEVER if queue.coalesce_us is None else check("coalesce us",
                                                                    queue.coalesce_us)
    raw.closed = bool(queue.closed)
    content = view_of(queue.initial).tobytes()
    if not content:
        return None
    raw.data_items = count_items(len(content), queue.item_bytes)
    data = ctypes.create_string_buffer(content, len(content))
    raw.data = ctypes.cast(data, ctypes.c_void_p)
    return data


class QueueTask(Task):
    """A QUEUE task on its way: `queue` of a device or context makes it. A `with` block ends with
    close(): then nothing more is pushed, and the task completes."""

    def __init__(self, handle: Handle, pointer: Optional[int], keep: Any, kernel: Optional[str], item_bytes: int):
        super().__init__(handle, pointer, keep, kernel)
        self.item_bytes = item_bytes

    def push(self, data: BytesLike, timeout: float = 10) -> int:
        """Adds whole items, any bytes-like, waiting at most `timeout` seconds for room; returns
        how many there were.

        Raises Error ERR_QUEUE_FULL, ERR_QUEUE_CLOSED, ERR_TASK (it is complete), …; the first
        `error.pushed` items are in the queue then.
        """
        with exported(in_one_piece(data)) as (address, nbytes):
            return self._push(address, count_items(nbytes, self.item_bytes), timeout)

    def _push(self, address: int, count: int, timeout: float) -> int:
        pushed, deadline = 0, clib.Deadline(self._handle, timeout)
        while pushed < count:
            done = ctypes.c_uint32()
            try:
                self._handle.call("gg_queue_push", self._pointer,
                                  address + pushed * self.item_bytes, count - pushed,
                                  deadline.slice(), ctypes.byref(done))
            except Error as error:
                if error.status != "ERR_QUEUE_FULL" or not deadline.left():
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
