# SPDX-License-Identifier: Apache-2.0
"""Devices: booted, attached to, or connected to."""

import contextlib
import ctypes
import os
import threading
import time
from typing import Any, Dict, Iterable, List, Optional, Sequence, Union

from . import abi, clib, faults, hang, structs
from .boot import BootOptions
from .channels import Channel
from .checks import U64, check_type, named, unsigned
from .clib import milliseconds
from .config import Config
from .context import POST_TIMEOUT_S, ClusterCounts, Context
from .core import write_core
from .counter import Counter
from .errors import Error
from .facts import Facts
from .hang_sms import running
from .kernels import Kernel, Module
from .memory import Buffer, read_memory, write_memory
from .notebook import device_table
from .pulls import PullHistory, pull_history
from .queues import QueueTask
from .rawtmd import Tmd
from .registers import device_registers, enumerator
from .tasks import Done, Task
from .template import Template
from .trace import PAUSE_S, Trace, Tracer
from .trace_buffer import MOST, Keep
from .trace_events import Names
from .typed import BytesLike, Json, Path
from .work import Work


class Device(Facts):
    """A device. Use it in a `with` block, or close() it; it ends with the process in any case.

    load, buffer, work, submit, submit_many, max_active_clusters, queue, signal, template and tmd
    are those of its default context: see ganger.Context. All methods of all objects may be called
    from several threads at once, close() and release() too: what comes too late raises Error
    ERR_HANDLE, or ERR_DEVICE_LOST after the device was closed. A forked child gets ERR_FORKED.

    config    what is in force, to read and to change: see ganger.Config
    channels  its mailbox channels, ganger.Channel
    observer  whether this process only looks on: see observe()
    """

    def __init__(self, pointer: Optional[int], counter: Optional[Counter] = None):
        self.handle = clib.Handle(pointer)
        self.observer = False
        self.counter = counter
        self._names = Names()
        self._tracer: Optional[Tracer] = None
        self._lock = threading.Lock()
        self._context: Optional[Context] = None
        try:
            self.regs = device_registers(self.handle)
            self.info = self._info()
            self.config = Config(self.handle, self.info.sms)
            self.channels = [Channel(self.handle, self.regs, number)
                             for number in range(self.info.channels)]
        except BaseException:
            self.close()
            raise

    @classmethod
    def boot(cls, board: str = "qemu-virt64", sms: int = 8, **options: Any) -> "Device":
        """Boots a device of one's own: see ganger.BootOptions for the options.

        Raises Error ERR_BOARD, ERR_IMAGE_MISSING, ERR_QEMU_MISSING, ERR_QEMU_FAILED, ERR_ABI_….
        """
        boot = BootOptions(board, sms, **options)
        pointer = ctypes.c_void_p()
        clib.call("gg_device_boot", ctypes.byref(boot.raw), ctypes.byref(pointer))
        return cls(pointer.value, boot.counter)

    @classmethod
    def attach(cls, path: Path) -> "Device":
        """Takes the device that `ganger up` keeps at a path. Raises Error ERR_NO_DEVICE, ERR_BUSY
        (another process holds it, or others have all of its shares), ERR_PERMISSION (it is another user's)."""
        return cls._open("gg_device_attach", path)

    @classmethod
    def observe(cls, path: Path) -> "Device":
        """Looks at such a device, also while another process holds it: registers, memory, trace
        and console can be read; what writes raises Error ERR_BUSY."""
        device = cls._open("gg_device_observe", path)
        device.observer = True
        return device

    @classmethod
    def connect(cls, uri: str) -> "Device":
        """Connects to "mmap:FILE@OFFSET[,BYTES[,DOORBELL]]", "serial:PORT[,BAUD]" or
        "serial:unix:SOCKET"; with ",mmap:FILE[@OFFSET]" behind a line memory is mapped. Raises
        Error ERR_NO_DEVICE (nobody answers), ERR_BUSY, ERR_UNSUPPORTED (another kind)."""
        return cls._open("gg_device_connect", uri)

    @classmethod
    def _open(cls, name: str, place: Path) -> "Device":
        pointer = ctypes.c_void_p()
        clib.call(name, os.fsencode(place), ctypes.byref(pointer))
        return cls(pointer.value)

    @staticmethod
    def up(path: Path, board: str = "qemu-virt64", sms: int = 8, *, hosts: int = 1, group: Optional[str] = None,
           **options: Any) -> None:
        """Boots a device that outlives this process and listens at a path. hosts: processes that may use it at once, up
        to 8, each with an equal share; group: the users of this group may use it, too. Raises Error."""
        boot = BootOptions(board, sms, **options)
        sharing = structs.Sharing(unsigned("hosts", hosts), 0, group.encode() if group else None)
        clib.call("gg_device_up_shared", os.fsencode(path), ctypes.byref(boot.raw), ctypes.byref(sharing))

    @staticmethod
    def down(path: Path, timeout: float = 10) -> None:
        """Ends the device at a path. Raises Error ERR_NO_DEVICE."""
        clib.call("gg_device_down", os.fsencode(path), milliseconds(timeout))

    def close(self) -> None:
        """Releases the device and all that it has; a second close does nothing."""
        self._stop_tracer()
        self.handle.close()
        if self.counter is not None:
            self.counter.close()

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self.handle.closed

    # ---- contexts and memory ----

    @property
    def default_context(self) -> Context:
        """The device's own context, made when it is first used."""
        with self._lock:
            if self._context is None:
                self._context = Context(self.handle, self._names)
            return self._context

    def load(self, source: Union[Path, BytesLike]) -> Module:
        """Context.load() of the default context; so are the next nine."""
        return self.default_context.load(source)

    def buffer(self, data: Optional[BytesLike] = None, *, nbytes: Optional[int] = None,
               align: int = 0) -> Buffer:
        """Context.buffer()."""
        return self.default_context.buffer(data, nbytes=nbytes, align=align)

    def work(self, kernel: Optional[Kernel], **keywords: Any) -> Work:
        """Context.work()."""
        return self.default_context.work(kernel, **keywords)

    def submit(self, kernel: Kernel, **keywords: Any) -> Task:
        """Context.submit()."""
        return self.default_context.submit(kernel, **keywords)

    def submit_many(self, works: Iterable[Work], timeout: float = POST_TIMEOUT_S) -> List[Task]:
        """Context.submit_many()."""
        return self.default_context.submit_many(works, timeout)

    def max_active_clusters(self, kernel: Kernel, **keywords: Any) -> ClusterCounts:
        """Context.max_active_clusters()."""
        return self.default_context.max_active_clusters(kernel, **keywords)

    def queue(self, kernel: Kernel, **keywords: Any) -> QueueTask:
        """Context.queue()."""
        return self.default_context.queue(kernel, **keywords)

    def signal(self, **keywords: Any) -> Task:
        """Context.signal()."""
        return self.default_context.signal(**keywords)

    def template(self, kernel: Optional[Kernel], *args: Any, **keywords: Any) -> Template:
        """Context.template()."""
        return self.default_context.template(kernel, *args, **keywords)

    def tmd(self, kernel: Optional[Kernel], **keywords: Any) -> Tmd:
        """Context.tmd()."""
        return self.default_context.tmd(kernel, **keywords)

    def context(self, nbytes: int = 0) -> Context:
        """Makes another context, isolated from the first, with nbytes of heap; 0: half of what is left."""
        return Context(self.handle, self._names, nbytes)

    def read(self, address: int, nbytes: int) -> bytes:
        """Reads any device memory."""
        return read_memory(self.handle.device_call, "gg_read", address, nbytes)

    def write(self, address: int, data: BytesLike) -> None:
        """Writes any device memory, without a check of what is there."""
        write_memory(self.handle.device_call, "gg_write", address, data)

    # ---- commands ----

    def command(self, opcode: Union[int, str], flags: int = 0, address: int = 0,
                args: Sequence[int] = (0, 0, 0, 0),
                channel: int = 0, timeout: float = 10) -> Task:
        """Posts any command. opcode: name or number; flags: bits 31:8 of its header, in place."""
        raw = structs.Raw()
        raw.opcode, raw.channel = named(abi.ENUMS["opcode"], "opcode", opcode), unsigned("channel", channel)
        raw.flags, raw.address = unsigned("flags", flags), unsigned("address", address, U64)
        for place, one in enumerate(args):
            raw.argument[place] = unsigned(f"argument {place}", one)
        return self._post(raw, None, timeout)

    def _post(self, raw: structs.Raw, keep: Any, timeout: float) -> Task:
        pointer = ctypes.c_void_p()
        self.handle.device_call("gg_command_post", ctypes.byref(raw), milliseconds(timeout),
                                ctypes.byref(pointer))
        return Task(self.handle, pointer.value, keep)

    def submit_tmd(self, tmd: Tmd, generation: Optional[int] = None, address: Optional[int] = None,
                   channel: int = 0, timeout: float = 10) -> Task:
        """Writes a TMD as it stands to its place and posts it, under another generation or
        address if so asked."""
        check_type("tmd", tmd, Tmd)
        tmd.store()
        raw = structs.Raw()
        raw.opcode, raw.channel = abi.ENUMS["opcode"]["SUBMIT"], unsigned("channel", channel)
        raw.address = tmd.address if address is None else unsigned("address", address, U64)
        raw.argument[0] = tmd.generation if generation is None else unsigned("generation", generation)
        return self._post(raw, tmd, timeout)

    def nop(self, channel: int = 0, timeout: float = 10) -> Done:
        """Posts a command that completes at once: a doorbell echo."""
        return self.command("NOP", channel=channel, timeout=timeout).wait(timeout)

    def clock(self, timeout: float = 10) -> float:
        """The device's clock now, in seconds: that of Done.times and of traces."""
        now = ctypes.c_uint64()
        self.handle.device_call("gg_device_clock", milliseconds(timeout), ctypes.byref(now))
        return now.value / 1e9

    def fence(self, channel: int = 0, timeout: float = 10) -> None:
        """Waits until all that the channel took before has completed. Raises Error."""
        self.command("FENCE", channel=channel, timeout=timeout).wait(timeout)

    def query(self, what: Union[int, str] = "TASKS", timeout: float = 10) -> int:
        """"TASKS": accepted and not completed; "DEVICE": CTAs resident now; or any number. CGAs:
        see max_active_clusters()."""
        number = named(abi.ENUMS["query_what"], "what", what.upper() if isinstance(what, str) else what)
        value = ctypes.c_uint64()
        self.handle.device_call("gg_query", number, milliseconds(timeout), ctypes.byref(value))
        return value.value

    def raw_put(self, channel: int, value: int) -> None:
        """For tests: writes any put word and rings."""
        self.handle.device_call("gg_channel_put", unsigned("channel", channel), value & 0xffffffff)

    def channel_reset(self, channel: int, timeout: float = 10) -> None:
        """Reopens a refused or suspended channel. Kernels that tasks of it brought into quarantine may run again. Raises
        Error ERR_BUSY if it is not refused and has commands that the device has not taken."""
        self.handle.device_call("gg_channel_reset", unsigned("channel", channel), milliseconds(timeout))

    def sm_reset(self, sm: int, timeout: float = 150) -> None:
        """Resets an SM: what it runs ends with ERR_SM_LOST, and it comes back with nothing in its
        memory. Returns when it takes CTAs again. Raises Error ERR_ARGUMENT (no such SM), ERR_BUSY
        (one is being reset), ERR_SM_LOST (it does not answer and cannot be forced: it is used no
        more), ERR_UNSUPPORTED."""
        self.handle.device_call("gg_sm_reset", unsigned("sm", sm), milliseconds(timeout))

    def restart(self, timeout: float = 150) -> None:
        """Lets the control processor boot again, as it does by itself after a panic: all tasks on their way end with
        ERR_DEVICE_RESET, those of other processes, too. Contexts, modules and buffers stay; kept graphs and CONFIG do not.
        Returns when the device takes commands. Raises Error ERR_UNSUPPORTED, ERR_PERMISSION, ERR_TIMEOUT."""
        self.handle.device_call("gg_device_restart", milliseconds(timeout))

    def channel_priority(self, channel: int, priority: int) -> None:
        """Sets the priority of a channel, 1 (read first) to 10."""
        self.handle.device_call("gg_channel_priority", unsigned("channel", channel), unsigned("priority", priority))

    def doorbell(self) -> None:
        """Rings the doorbell and does nothing else."""
        self.handle.device_call("gg_doorbell")

    def pull_history(self) -> List[PullHistory]:
        """What SMs did for the PULL grids in each slot: chunks, items, ticks per item, last chunk."""
        return pull_history(self.regs)

    # ---- trace ----

    def trace_on(self, timeout: float = 10, *, most: Optional[int] = None, end: str = "slide",
                 seconds: Optional[float] = None, until_fault: bool = False) -> None:
        """Begins a new trace. With nothing else said, the device keeps the newest `info.trace_entries` records of each SM and of
        the control processor, until trace() reads them.

        most         a thread reads them all the time, and so many are kept at most, of any number
        end          "slide": the newest are kept; "stop": the oldest
        seconds      with "slide": only the last so many seconds are kept
        until_fault  nothing is kept that began after a task or a CTA had failed

        The trace says what was dropped (`note`, `dropped`). Raises Error ERR_ARGUMENT, ERR_UNSUPPORTED, …."""
        reads = most is not None or seconds is not None or until_fault or end != "slide"
        tracer = Tracer(self.handle, self.info.sms, self._names, Keep(MOST if most is None else most, end, seconds, until_fault))
        self._stop_tracer()
        self._tracer = tracer
        tracer.skip()
        self.handle.device_call("gg_trace_enable", 1, milliseconds(timeout))
        if reads:
            tracer.start()

    def trace_off(self, timeout: float = 10) -> None:
        """Ends the trace; what it has recorded can still be read."""
        self.handle.device_call("gg_trace_enable", 0, milliseconds(timeout))
        self._stop_tracer()

    def _stop_tracer(self) -> None:
        if self._tracer is not None:
            self._tracer.stop()

    def trace(self, path: Optional[Path] = None) -> Trace:
        """Events since trace_on(), or all that the device still has. With a path, also a file:
        .svg a time line, .vcd for GTKWave, else JSON for Perfetto or chrome://tracing."""
        if self._tracer is None:
            self._tracer = Tracer(self.handle, self.info.sms, self._names)
        trace = self._tracer.read()
        if path is not None:
            trace.save(path)
        return trace

    def record_trace(self, keep: Keep = Keep(), seconds: float = 0.0) -> Trace:
        """What the device still has of its trace, and what is added within some seconds, also while another process has the device;
        with keep.until_fault only until something fails. It changes nothing for trace(). Raises Error."""
        check_type("keep", keep, Keep)
        tracer = Tracer(self.handle, self.info.sms, self._names, keep)
        deadline = time.monotonic() + seconds
        while True:
            tracer.fetch()
            if tracer.fault or time.monotonic() >= deadline:
                return tracer.read()
            time.sleep(PAUSE_S)

    def fault_records(self, elfs: Iterable[Path] = ()) -> List[faults.Fault]:
        """The records of faults that the device still has, by SM, the oldest first. Their places are known in modules that
        this process has loaded; elfs: kernel ELFs that others have, as far as the device knows where these were. Raises Error."""
        found = []
        for sm in range(self.info.sms):
            ring = range(sm * self.info.fault_entries, (sm + 1) * self.info.fault_entries)
            for sequence in sorted(self.regs.fault_record[place].sequence.read() for place in ring):
                record = faults.read_fault(self.handle, sm, sequence & 0xffff)
                found += [record] if record else []
        unknown = [one for one in found if one.symbol is None]
        codes = [code for elf in elfs for code in hang.code_of(self, elf, unknown)]
        return [faults.named(one, codes) if one.symbol is None else one for one in found]

    def report(self, path: Path, elfs: Iterable[Path] = ()) -> Trace:
        """Writes reported() as one page that a browser shows: a time line to zoom, tables, and why tasks waited. Raises
        Error, OSError."""
        trace = self.reported(elfs)
        trace.save(path)
        return trace

    def reported(self, elfs: Iterable[Path] = ()) -> Trace:
        """trace(), with the facts and the fault_records() that a report shows besides, what tasks wait for now, and the CTAs that
        run now. elfs: kernel ELFs that other processes have loaded, for places of faults. Raises Error."""
        trace = self.trace()
        trace.running = running(self)
        table = [slot.read() for slot in self.regs.slot]
        trace.standing = {slot["tag"]: enumerator("reason", slot["reason"]) for slot in table if slot["state"]}
        if trace.unfinished() or trace.running:
            with contextlib.suppress(Error):  # Who only looks on cannot ask for the time, and a device that hangs does not say it.
                trace.now = round(self.clock(timeout=1) * 1e9)
        trace.facts = {"board": self.info.board, "rv": self.info.xlen}
        trace.faults = [fault.told() for fault in self.fault_records(elfs)]
        return trace

    def hang(self, elfs: Iterable[Path] = (), patience: float = 1.0) -> hang.Hang:
        """Why nothing goes on: what each SM runs, down to function and line of each work-item, what the control processor
        waits for, what is in the rings, and what was done about it. print() it, or take as_dict(). Modules that this
        process has loaded are known; elfs: kernel ELFs that others have. SMs with CTAs are asked to save their registers,
        for which they and the control processor have `patience` seconds each; an observer asks nobody. Raises Error."""
        return hang.report(self, elfs, patience)

    def core(self, record: faults.Fault, path: Path) -> str:
        """Writes a core file of an Error's record for gdb-multiarch; returns the command line that
        opens it. Soon after the failure: the stack's memory is used again. Raises Error."""
        check_type("record", record, faults.Fault)
        return write_core(self, record, path)

    def panic(self) -> Optional[Json]:
        """Why the control processor stopped, or None."""
        return faults.read_panic(self.handle)

    def orphans(self) -> List[Done]:
        """Completions of commands that are not ours, such as those of a host that died."""
        return self._orphans()

    def __enter__(self) -> "Device":
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        return device_table(self)

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"{self.info.sms} SMs"
        return f"<ganger.Device {self.info.board} {state} rv{self.info.xlen}>"
