# SPDX-License-Identifier: Apache-2.0
"""A call of a kernel, from Python's keywords to the library's structure."""

import ctypes
import math
from typing import TYPE_CHECKING, Any, Iterable, List, Optional, Sequence, Tuple, Union

from . import abi, structs
from .checks import U64, Dimensions, dimensions, filled, named, unsigned
from .clib import Handle
from .clusters import fill_clusters
from .errors import Error
from .kernels import Kernel
from .memory import check_device
from .modes import MODES, mode_number
from .queues import Queue, fill_queue
from .ranges import Range, fill_pull
from .tasks import Task
from .values import encode

if TYPE_CHECKING:
    from .context import Context

ACTIONS = {name.lower().replace("_", "-"): number
           for name, number in abi.ENUMS["dependence_action"].items()}
SEMAPHORE_OPS = {name.lower(): number for name, number in abi.ENUMS["semaphore_op"].items()}


def _priority(number: int) -> int:
    """What fits into its four bits is for the device to judge; the library takes 0 for 5."""
    if not 1 <= number <= 15:
        raise Error("ERR_PRIORITY", "", "tmd.priority", number)
    return number


def _dependent(entry: Any) -> Tuple[Any, Any, Any]:
    """Target, action and amount of an entry of `dependents`."""
    if not isinstance(entry, tuple) or isinstance(entry[0], int):
        entry = (entry,)
    target, action, amount = (*entry, "decrement", 0)[:3] if len(entry) == 1 else (*entry, 0)[:3]
    return target, action, amount


class Work:
    """What to run; `submit` of a device makes it from the same keywords.

    grid, block    CTAs and threads: an int or a tuple of 1 to 3; without them 1
    offset         global ids of the first work-item, like grid: what get_global_offset() is
    edge           threads of the last CTA along x, y, z where it has fewer than the others, like block; else 0
    args           one for each parameter: a Buffer, an int or float (takes the size that the
                   kernel declares), ganger.u32(…)…, ganger.local(nbytes), bytes-like
    priority       1 (highest) to 10
    head           before the others of its priority
    channel        mailbox channel, from 0
    mode           "balance", "round-robin", "multicast" (CTAs of a cluster on different SMs),
                   "pull" (SMs take chunks of the grid themselves); None: the device's, which is
                   "balance", and "pull" for a plain grid with more CTAs than fit into the device.
                   What was done is in Done.mode
    chunk          mode "pull": CTAs that an SM takes at once; None: the device chooses
    range          mode "pull": a ganger.Range of up to 8 dimensions, in place of grid
    part           (first, count): only these CTAs of the grid run, in linear order, or in the order of
                   the range; count 0: all from the first on. Kernels see ids and sizes of all of it.
                   Both are multiples of the CTAs of a cluster
    cluster        CTAs of a cluster (CGA), like grid: all of them start together, or none. A list
                   of up to three such tuples nests them: CTAs of a cluster, clusters of a larger
                   CGA, and these of one larger still. The grid is a multiple of all of it
    cluster_in     domain that holds each cluster: "gpc" (the default), "gpu", "cpc", "tpc". Of
                   nested ones a list, each larger than the one before: ("gpc", "gpu"), or ("cpc",
                   "gpc", "gpu"), unless it is given
    affinity       SM numbers that may run it
    gpcs           numbers of GPCs that may run it; affinity must allow an SM, too
    sequential     one CTA at a time
    throttle       in throttle mode only
    quota          CTAs before another task's turn
    after          tasks that must complete first
    dependents     what its end without error does to others: (target, action, amount), or a target alone.
                   target: a Task, Template or Tmd, or a pair (address of a TMD, generation);
                   action: "decrement", "schedule", "increment-put" (with its amount)
    dependence_count  "decrement"s of others that it waits for, besides `after`
    semaphores     at most two words that its end without error changes: (Buffer or address, value, op); op:
                   "release" (the default: store), "add", "minimum", "maximum", "and", "or", "xor"
    queue          a ganger.Queue: a QUEUE task, without a grid
    time_limit_ms  longest time of a CTA, in milliseconds
    windows        at most four, more memory: Buffers of other contexts, or (address, bytes,
                   "r" | "rw"); where they overlap, the first one decides
    prints         bytes that its kernels may print: see Task.output
    cut_prints     what is printed beyond that is left out; without it, it is an error
    retry_limit    times a CTA may run again after its SM was lost, up to 15: the kernel may run a CTA twice;
                   a cluster runs again as a whole, clusters of clusters do not
    gpc_mask, stack_bytes, correlation, interrupt: as in host/include/ganger_work.h

    Without a kernel it is a GRID_NULL of a context: no CTA, only dependents and semaphores.
    """

    def __init__(self, kernel: Optional[Kernel], *, grid: Optional[Dimensions] = None, block: Dimensions = 1,
                 offset: Optional[Dimensions] = None, edge: Optional[Dimensions] = None, args: Sequence[Any] = (),
                 priority: int = 5, head: bool = False, channel: int = 0,
                 mode: Union[None, int, str] = None, chunk: Optional[int] = None, range: Optional[Range] = None,
                 part: Optional[Tuple[int, int]] = None,
                 cluster: Any = None, cluster_in: Any = None,
                 affinity: Optional[Iterable[int]] = None, gpcs: Optional[Iterable[int]] = None,
                 sequential: bool = False, throttle: bool = False, quota: Optional[int] = None,
                 after: Iterable[Task] = (), dependents: Iterable[Any] = (),
                 dependence_count: int = 0, semaphores: Iterable[Sequence[Any]] = (),
                 queue: Optional[Queue] = None, time_limit_ms: Optional[float] = None,
                 windows: Iterable[Any] = (),
                 retry_limit: int = 0, gpc_mask: int = 0, stack_bytes: int = 0,
                 correlation: int = 0, interrupt: bool = True, prints: int = 0, cut_prints: bool = False,
                 context: "Optional[Context]" = None):
        self.kernel, self.args = kernel, tuple(args)
        self.queue, self.after = queue, tuple(after)
        self.windows, self.semaphores = tuple(windows), tuple(semaphores)
        self.dependents = tuple(dependents)
        self._data: List[Any] = []
        raw = self.raw = structs.Work()
        self._set_kernel(context)
        self._check_memory()
        grid = dimensions("grid", fill_pull(raw, chunk, range, grid))
        block = dimensions("block", block)
        raw.dimensions = max(len(grid), len(block))
        raw.grid, raw.block = filled(grid), filled(block)
        origin = dimensions("offset", offset) if offset is not None else ()
        raw.dimensions = max(raw.dimensions, len(origin))
        raw.offset = (*origin, 0, 0, 0)[:3]
        raw.edge = (*(dimensions("edge", edge) if edge is not None else ()), 0, 0, 0)[:3]
        first, count = part if part is not None else (0, 0)
        raw.first_cta, raw.ctas = unsigned("part", first, U64), unsigned("part", count)
        fill_clusters(raw, cluster, cluster_in)
        raw.mode = unsigned("mode", mode_number(mode))
        raw.priority = _priority(priority)
        raw.channel = unsigned("channel", channel)
        raw.head, raw.sequential, raw.throttle = bool(head), bool(sequential), bool(throttle)
        raw.quota = unsigned("quota", quota or 0)
        raw.time_limit_us = unsigned("time limit", round((time_limit_ms or 0) * 1000))
        raw.retry_limit = unsigned("retry limit", retry_limit)
        raw.stack_bytes = unsigned("stack bytes", stack_bytes)
        raw.correlation = unsigned("correlation", correlation)
        raw.dependence_count = unsigned("dependence count", dependence_count)
        raw.print_bytes = unsigned("prints", prints)
        raw.flags = (0 if interrupt else 1) | (2 if cut_prints else 0)
        self._set_arguments()
        self._set_affinity(affinity, gpcs, gpc_mask)
        self._set_windows()
        self._set_after()
        self._set_dependents()
        self._set_semaphores()

    def _set_kernel(self, context: "Optional[Context]") -> None:
        """Kernel and type."""
        raw, kernel = self.raw, self.kernel
        if kernel is None:
            if context is None:
                raise Error("ERR_ARGUMENT", "Work without a kernel takes a context.", "kernel")
            self.context: "Context" = context
            self.name = "signal"
            raw.context, raw.type = context.pointer, abi.ENUMS["task_type"]["GRID_NULL"]
            return
        if not isinstance(kernel, Kernel):
            raise TypeError(f"it takes a kernel, such as module[\"name\"], not {type(kernel).__name__}")
        if kernel.module is None:
            raise Error("ERR_ARGUMENT", "The kernel is not loaded: take it from the module that load() gives.", "kernel",
                        kernel.name)
        self.context, self.name = kernel.module.context, kernel.name
        raw.module, raw.kernel = kernel.module.pointer, kernel.index
        if self.queue is not None:
            raw.type = abi.ENUMS["task_type"]["QUEUE"]
            self._data.append(fill_queue(raw.queue, self.queue, unsigned))

    def _check_memory(self) -> None:
        places = {"argument": self.args, "window": self.windows,
                  "semaphore": [one[0] for one in self.semaphores],
                  "dependent": [_dependent(one)[0] for one in self.dependents]}
        for place, things in places.items():
            for index, one in enumerate(things):
                check_device(self.handle, one, place, index)

    def _set_arguments(self) -> None:
        parameters = self.kernel.parameters if self.kernel else []
        encoded = []
        for index, argument in enumerate(self.args):
            parameter = parameters[index] if index < len(parameters) else None
            place = f"argument {index} {parameter.name if parameter else ''}".rstrip()
            encoded.append(encode(argument, parameter, place))
        array = (structs.Argument * max(1, len(encoded)))()
        for raw, value in zip(array, encoded):
            data = ctypes.create_string_buffer(value.data, len(value.data)) if value.data else None
            self._data.append(data)
            raw.kind, raw.bytes = value.kind, unsigned("argument bytes", value.size)
            raw.data = ctypes.cast(data, ctypes.c_void_p) if data is not None else None
        self.raw.argument_count, self.raw.arguments = len(encoded), array

    def _set_affinity(self, sms: Optional[Iterable[int]], gpcs: Optional[Iterable[int]],
                      gpc_mask: int) -> None:
        for gpc in gpcs or ():
            gpc_mask |= 1 << unsigned("gpcs", gpc, 31)
        if gpcs is not None and not gpc_mask:
            raise Error("ERR_AFFINITY", "", "gpcs", ())
        self.raw.gpc_mask = unsigned("gpc mask", gpc_mask)
        if sms is None:
            return
        numbers = [unsigned("affinity", sm) for sm in sms]
        if not numbers:
            raise Error("ERR_AFFINITY", "", "affinity", ())
        self.raw.affinity = (ctypes.c_uint32 * len(numbers))(*numbers)
        self.raw.affinity_count = len(numbers)

    def _set_windows(self) -> None:
        if not self.windows:
            return
        array = (structs.Memory * len(self.windows))()
        for raw, window in zip(array, self.windows):
            if hasattr(window, "address"):
                window = (window.address, (window.nbytes + 3) // 4 * 4, "rw")
            address, nbytes, rights = (*window, "rw")[:3]
            raw.address, raw.bytes = unsigned("window", address, U64), unsigned("window bytes", nbytes, U64)
            raw.read, raw.write = "r" in rights, "w" in rights
        self.raw.memory, self.raw.memory_count = array, len(self.windows)

    def _set_after(self) -> None:
        if self.after:
            self.raw.after = (ctypes.c_void_p * len(self.after))(
                *(task.pointer for task in self.after))
            self.raw.after_count = len(self.after)

    def _set_dependents(self) -> None:
        array = (structs.Dependence * max(1, len(self.dependents)))()
        for raw, one in zip(array, self.dependents):
            target, action, amount = _dependent(one)
            raw.action = named(ACTIONS, "action", action)
            raw.amount = unsigned("amount", amount)
            if isinstance(target, tuple):
                raw.address, raw.generation = target
            elif hasattr(target, "pointer"):
                raw.task = target.pointer
            else:
                raw.address, raw.generation = target.address, target.generation
        self.raw.dependents, self.raw.dependent_count = array, len(self.dependents)

    def _set_semaphores(self) -> None:
        if len(self.semaphores) > 2:
            raise Error("ERR_SEMAPHORE", "At most two.", "semaphores", len(self.semaphores))
        for raw, one in zip(self.raw.semaphores, self.semaphores):
            place, value, operation = (*one, "release")[:3]
            raw.address = unsigned("semaphore", getattr(place, "address", place), U64)
            raw.value = unsigned("semaphore value", value)
            raw.op = named(SEMAPHORE_OPS, "semaphore op", operation)

    @property
    def held(self) -> Tuple[Any, ...]:
        """What must live as long as the task: its buffers, templates and kernel; no other tasks."""
        targets = [_dependent(one)[0] for one in self.dependents]
        return (self.kernel, self.args, self.windows, [one[0] for one in self.semaphores],
                [one for one in targets if not hasattr(one, "pointer")])

    @property
    def pass_names(self) -> Sequence[str]:
        """Names of its passes by number, if it is a graph and they are known before it runs."""
        return ()

    def make_task(self, pointer: Optional[int]) -> Task:
        """The task of it, from the library's pointer."""
        return Task(self.handle, pointer, self.held, self.name, self.ctas)

    @property
    def ctas(self) -> Optional[int]:
        """CTAs of its grid; None where the control processor does not count them one by one: of a
        queue, and in mode "pull"."""
        if self.queue is not None or self.raw.mode == MODES["pull"]:
            return None
        if self.kernel is None:
            return 0
        part: int = self.raw.ctas
        return part or math.prod(self.raw.grid) - int(self.raw.first_cta)

    @property
    def handle(self) -> Handle:
        """Handle of the device that it is for."""
        return self.context.handle
