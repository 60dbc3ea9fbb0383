# SPDX-License-Identifier: Apache-2.0
"""Contexts: parts of a device, each with a heap, modules and tasks of its own."""

import ctypes
import threading
import weakref
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Union

from . import clib
from .checks import U64, Dimensions, check_type, unsigned
from .clib import milliseconds
from .errors import Error
from .kernels import Kernel, Module
from .memory import Buffer
from .rawtmd import Tmd
from .queues import Queue, QueueTask
from .tasks import Task
from .template import Template
from .trace_events import Names
from .typed import BytesLike, Path, view_of
from .values import blank_arguments
from .work import Work

POST_TIMEOUT_S = 30.0  # A submit waits this long for room in its channel.
BATCH = 1024  # Tasks of one call of the library.


class ContextInfo(NamedTuple):
    """Number of a context (as in TMDs and fault records), its heap, its bytes and the free ones."""
    number: int
    heap: int
    nbytes: int
    free_bytes: int


class ClusterCounts(NamedTuple):
    """Top-level CGAs that could run at once: now, and at most."""
    now: int
    most: int


class Context:
    """What the tenant of a device has; kernels of one context cannot reach another's memory."""

    def __init__(self, handle: clib.Handle, names: Names, nbytes: Optional[int] = None):
        """The device's own when nbytes is None; else a new one (0: half of what is left)."""
        self.handle = handle
        self._names = names
        self._pointer = ctypes.c_void_p()
        self._own = nbytes is not None
        self.shared: "weakref.WeakSet[Buffer]" = weakref.WeakSet()  # Buffers that had arrays.
        self._closing = threading.Lock()
        self.destroyed = True
        into = ctypes.byref(self._pointer)
        if nbytes is None:
            handle.device_call("gg_context_default", into)
        else:
            handle.device_call("gg_context_create", unsigned("nbytes", nbytes, U64), into)
        self.destroyed = False

    @property
    def pointer(self) -> Optional[int]:
        """For the library, which refuses it with ERR_HANDLE after close()."""
        return self._pointer.value

    def call(self, name: str, *args: Any) -> None:
        """A call of the library with the context as the first parameter. Raises Error."""
        self.handle.call(name, self.pointer, *args)

    @property
    def info(self) -> ContextInfo:
        """Number, heap, bytes, free bytes."""
        number, values = ctypes.c_uint32(), (ctypes.c_uint64 * 3)()
        places = [ctypes.cast(ctypes.byref(values, 8 * index), ctypes.POINTER(ctypes.c_uint64))
                  for index in range(3)]
        self.call("gg_context_info", ctypes.byref(number), *places)
        return ContextInfo(number.value, *values)

    def load(self, source: Union[Path, BytesLike]) -> Module:
        """Loads a kernel ELF, by path or as bytes. Raises Error ERR_IO, ERR_ELF_…, ERR_NO_MEMORY."""
        return Module(self, source)

    def buffer(self, data: Optional[BytesLike] = None, *, nbytes: Optional[int] = None, align: int = 0) -> Buffer:
        """Device memory with a copy of any bytes-like, such as a NumPy array, or `nbytes` of it as
        they are. align: a power of two, in bytes; 0 is 64.

        With both, nbytes is the size and the data go to its beginning. Raises Error ERR_NO_MEMORY.
        """
        if nbytes is None:
            if data is None:
                raise TypeError("buffer() takes data or nbytes=")
            nbytes = view_of(data).nbytes
        buffer = Buffer(self, nbytes, align)
        if data is not None:
            buffer.write(data)
        return buffer

    def work(self, kernel: Optional[Kernel], **keywords: Any) -> Work:
        """A call of a kernel, not posted: see ganger.Work for the keywords. None: a signal."""
        if kernel is None:
            keywords["context"] = self
        return self._check(Work(kernel, **keywords))

    def _check(self, work: Work) -> Work:
        """Raises Error ERR_HANDLE for work that is for another device, TypeError for what is no work."""
        check_type("work", work, Work)
        if work.handle is not self.handle:
            raise Error("ERR_HANDLE", "The kernel is one of another device.", "kernel", work.name)
        return work

    def submit(self, kernel: Kernel, *, timeout: float = POST_TIMEOUT_S, **keywords: Any) -> Task:
        """Posts a kernel as a task: see ganger.Work for the keywords.

        Waits at most `timeout` seconds for room in the channel. Raises Error for what the library
        refuses; what the device refuses is raised by the task's wait().
        """
        return self.submit_many([Work(kernel, **keywords)], timeout)[0]

    def submit_many(self, works: Iterable[Work], timeout: float = POST_TIMEOUT_S) -> List[Task]:
        """Posts many with few doorbells. Raises Error; then those posted are in `error.tasks`."""
        works = [self._check(work) for work in works]
        tasks: List[Task] = []
        deadline = clib.Deadline(self.handle, timeout)
        self.handle.sweep()
        while len(tasks) < len(works):
            try:
                self._post(works, tasks, deadline.slice())
            except Error as error:
                if error.status not in ("ERR_RING_FULL", "ERR_TIMEOUT") or not deadline.left():
                    error.tasks = tasks
                    raise
        return tasks

    def _post(self, works: List[Work], tasks: List[Task], timeout_ms: int) -> None:
        """Posts the works that follow the posted ones. Raises Error; `tasks` has grown all the same."""
        rest = works[len(tasks):len(tasks) + BATCH]
        array = (type(rest[0].raw) * len(rest))(*(work.raw for work in rest))
        pointers = (ctypes.c_void_p * len(rest))()
        posted = ctypes.c_uint32()
        try:
            self.handle.call("gg_submit_many", array, len(rest), timeout_ms, pointers,
                             ctypes.byref(posted))
        finally:
            for index in range(posted.value):
                tasks.append(self._task(pointers[index], rest[index]))

    def _task(self, pointer: Optional[int], work: Work) -> Task:
        if work.queue is None:
            task = work.make_task(pointer)
        else:
            task = QueueTask(self.handle, pointer, work.held, work.name, work.queue.item_bytes)
        if len(self._names) > 1 << 17:
            self._names.forget()
        self._names[task.tag] = work.name
        if work.pass_names:
            self._names.passes[task.tag] = work.pass_names
        else:
            self._names.passes.pop(task.tag, None)
        return task

    def max_active_clusters(self, kernel: Kernel, *, args: Optional[Sequence[Any]] = None,
                            timeout: float = 10, **keywords: Any) -> ClusterCounts:
        """How many top-level CGAs of a work could run at once: (now, most), beside the tasks that
        there are, and on a device without any; of a plain grid, CTAs. See ganger.Work for the
        keywords, and `cluster` above all. Without args only a kernel that takes no
        ganger.local(…) can be asked about. Nothing is submitted. Raises Error ERR_CLUSTER (not one
        would ever fit; no grid), …."""
        if args is None:
            check_type("kernel", kernel, Kernel)
            args = blank_arguments(kernel)
        work = self.work(kernel, args=args, **keywords)
        now, most = ctypes.c_uint64(), ctypes.c_uint64()
        self.handle.call("gg_clusters", ctypes.byref(work.raw), milliseconds(timeout),
                         ctypes.byref(now), ctypes.byref(most))
        return ClusterCounts(now.value, most.value)

    def queue(self, kernel: Kernel, *, capacity: int, item_bytes: int, items: int, minimum: int = 0,
              coalesce_us: Optional[int] = 0, closed: bool = False, initial: BytesLike = b"",
              timeout: float = POST_TIMEOUT_S, **keywords: Any) -> QueueTask:
        """Posts a kernel as a QUEUE task: see ganger.Queue, and ganger.Work for the keywords."""
        shape = Queue(capacity, item_bytes, items, minimum, coalesce_us, closed, initial)
        task = self.submit_many([Work(kernel, queue=shape, **keywords)], timeout)[0]
        assert isinstance(task, QueueTask)
        return task

    def signal(self, *, timeout: float = POST_TIMEOUT_S, **keywords: Any) -> Task:
        """Posts a task without a kernel: only after, dependents, semaphores (see ganger.Work)."""
        return self.submit_many([self.work(None, **keywords)], timeout)[0]

    def template(self, kernel: Optional[Kernel], grid: Optional[Dimensions] = None,
                 block: Dimensions = 1, args: Sequence[Any] = (), **keywords: Any) -> Template:
        """Task metadata that is not submitted, in this context's memory: for kernels to launch.
        `kernel` is of a module of this context, or None; `queue=` makes a QUEUE."""
        return Template(self.work(kernel, grid=grid, block=block, args=args, **keywords))

    def tmd(self, kernel: Optional[Kernel], **keywords: Any) -> Tmd:
        """For tests: the TMD that submit() would post, in device memory and not posted."""
        return Tmd(self.work(kernel, **keywords))

    def close(self) -> None:
        """Releases its memory and modules. Raises Error ERR_BUSY while its tasks run, or while
        there are arrays on its memory (Buffer.array)."""
        with self._closing:
            if self._own and not self.destroyed and not self.handle.closed:
                if any(buffer.has_arrays for buffer in self.shared):
                    raise Error("ERR_BUSY", "There are arrays on the context's memory: delete them first.",
                                "context")
                self.handle.give_back("gg_context_destroy", self._pointer)
                self.destroyed = True

    def __enter__(self) -> "Context":
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def __del__(self) -> None:
        try:
            self.close()
        except Error:  # Tasks of it still run: it goes with the device.
            pass
